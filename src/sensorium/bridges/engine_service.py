"""The service beside an external engine: hit points come in over UDP, physical points go out to a viewer.

    engine --UDP--> EngineService --UDP--> viewer

`sensorium.bridges.engine_wire` says what the datagrams hold. Each is answered by one with the points of its beams, in
the order of arrival; if no point is left none is sent. One that makes no sense is dropped and counted, never half used.
"""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event, Thread, current_thread

from sensorium.bridges.complaints import Complaints, Report
from sensorium.bridges.engine_physics import EnginePhysics
from sensorium.bridges.engine_surfaces import WireSurfaces, standard_surfaces
from sensorium.bridges.engine_wire import Floats, Layout, encode_points
from sensorium.bridges.udp_address import UdpAddress
from sensorium.bridges.udp_inlet import UdpInlet
from sensorium.core.errors import ConfigurationError, WireError
from sensorium.core.random import Draws

_TICK_S = 0.1
"""How long the loop waits before it looks whether to stop."""


@dataclass(frozen=True)
class EngineCounters:
    """What has happened so far."""

    received: int
    """Datagrams that arrived."""
    lost: int
    """Of these, found no place to wait."""
    refused: int
    """Of these, made no sense."""
    beams: int
    """Beams worked on."""
    points: int
    """Points found."""
    sent: int
    """Datagrams sent to the viewer."""
    unsent: int
    """Datagrams that the system would not send."""


class EngineService:
    """Receives at `listen` from the moment it is made, sends to `view`; `run` or `start` begins the work, once.

    Addresses are texts as "127.0.0.1:9000" or `UdpAddress`; port 0 to listen lets the system choose (`address` tells).
    Both must be on this machine unless `allow_remote`. Chance depends on the seed, the number of the accepted
    datagram and the beam inside it: the same datagrams in the same order give the same bytes.

    >>> with EngineService("127.0.0.1:0", "127.0.0.1:9001", SingleRays()) as service:
    ...     engine.sendto(datagram, (service.address.host, service.address.port))
    """

    def __init__(
        self,
        listen: UdpAddress | str,
        view: UdpAddress | str,
        layout: Layout,
        *,
        physics: EnginePhysics | None = None,
        surfaces: WireSurfaces | None = None,
        seed: int = 0,
        allow_remote: bool = False,
        report: Report | None = None,
    ) -> None:
        self.layout, self.physics = layout, physics or EnginePhysics()
        self._surfaces, self._draws = surfaces or standard_surfaces(), Draws(seed)
        self._refused = Complaints("datagrams refused", report)
        self._unsent = Complaints("datagrams not sent", report)
        self._accepted = self._beams = self._points = self._sent = 0
        self._stopping, self._ended = Event(), Event()
        self._failure: Exception | None = None
        self._thread = Thread(target=self._work, name="engine service", daemon=True)
        self.physics.points(layout.no_hits(1), self._draws, self._surfaces)  # compiles before the first datagram
        family, self._view = _address(view).resolved(allow_remote)
        self._inlet = UdpInlet(_address(listen), allow_remote, report)
        if self._view.port == 0 or self._view == self.address:
            self._inlet.close()
            raise ConfigurationError(f"the viewer's address {view} needs a port of its own, 1 to 65535")
        self._outlet = socket.socket(family, socket.SOCK_DGRAM)

    @property
    def address(self) -> UdpAddress:
        """Where the service listens, in numbers."""
        return self._inlet.address

    @property
    def counters(self) -> EngineCounters:
        """What has happened so far."""
        refused, unsent = self._refused.total, self._unsent.total
        return EngineCounters(
            self._inlet.received, self._inlet.lost, refused, self._beams, self._points, self._sent, unsent
        )

    def start(self) -> None:
        """Work in a thread until `stop`."""
        self._thread.start()

    def run(self) -> None:
        """Work until `stop` is called by another thread or Ctrl-C is pressed; neither cuts a datagram in two."""
        self.start()
        with contextlib.suppress(KeyboardInterrupt):  # the orderly end of a service in the foreground
            while not self._ended.wait(_TICK_S):
                pass
        self.stop()

    def stop(self) -> None:
        """End the work after the datagram at hand; any thread may call it. Raises what the work failed with."""
        self._stopping.set()
        if self._thread.ident is not None and self._thread is not current_thread():
            self._ended.wait()  # not `join`: interrupted once, it takes the thread for ended (Python 3.11)
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure

    def close(self) -> None:
        """Close the sockets; the work does so at its end."""
        self._inlet.close()
        self._outlet.close()

    def __enter__(self) -> EngineService:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def _work(self) -> None:
        try:
            while not self._stopping.is_set():
                self._step()
            self._refused.speak()
            self._unsent.speak()
        except Exception as error:  # told to the thread that calls `stop`
            self._failure = error
        finally:
            self.close()
            self._ended.set()

    def _step(self) -> None:
        """Answer the next datagram, if one comes within a tick."""
        datagram = self._inlet.take(_TICK_S)
        if datagram is None:
            self._refused.speak_if_due()
            self._unsent.speak_if_due()
            return
        try:
            beams = self.layout.decode(datagram)
            points = self.physics.points(beams, self._draws.at("engine", self._accepted), self._surfaces)
        except WireError as error:
            self._refused.add(str(error))
            return
        self._accepted += 1
        self._beams += len(beams)
        self._points += len(points)
        if len(points):
            self._send(points)

    def _send(self, points: Floats) -> None:
        try:
            self._outlet.sendto(encode_points(points), (self._view.host, self._view.port))
        except OSError as error:
            self._unsent.add(f"to {self._view}: {error.strerror or error}")
        else:
            self._sent += 1


def serve(
    listen: UdpAddress | str,
    view: UdpAddress | str,
    layout: Layout,
    *,
    physics: EnginePhysics | None = None,
    surfaces: WireSurfaces | None = None,
    seed: int = 0,
    allow_remote: bool = False,
    report: Report | None = None,
    opened: Callable[[EngineService], None] | None = None,
) -> EngineCounters:
    """Serve in the foreground until Ctrl-C; return what has happened. `opened` is called once datagrams are welcome."""
    service = EngineService(
        listen, view, layout, physics=physics, surfaces=surfaces, seed=seed, allow_remote=allow_remote, report=report
    )
    if opened is not None:
        opened(service)
    service.run()
    return service.counters


def _address(written: UdpAddress | str) -> UdpAddress:
    return UdpAddress.parse(written) if isinstance(written, str) else written
