"""The service beside an external engine: hit points come in over UDP, physical points go out to a viewer.

    engine --UDP--> EngineService --UDP--> viewer

`sensorium.bridges.engine_wire` says what the datagrams hold. Each is answered by one with the points of its beams, in the
order of arrival; if no point is left none is sent. One that makes no sense is dropped and counted, never half used.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from queue import Empty, Full, Queue
from threading import Event, Thread

from sensorium.bridges.complaints import Complaints, Report
from sensorium.bridges.engine_physics import EnginePhysics
from sensorium.bridges.engine_surfaces import WireSurfaces, standard_surfaces
from sensorium.bridges.engine_wire import Layout, encode_points
from sensorium.bridges.udp_address import UdpAddress
from sensorium.core.errors import ConfigurationError, WireError
from sensorium.core.random import Draws

_TICK_S = 0.1
"""How long the loops wait before they look whether to stop."""
_WAITING = 256
"""Datagrams that may wait for the physics, 16 MB at most; more are lost, as in a full socket."""
_RECEIVE_BUFFER_BYTES = 4 << 20
_WHOLE_DATAGRAM_BYTES = 1 << 16


@dataclass
class EngineCounters:
    """What has happened so far."""

    received: int = 0
    """Datagrams that arrived."""
    lost: int = 0
    """Of these, found no place to wait."""
    refused: int = 0
    """Of these, made no sense."""
    beams: int = 0
    """Beams worked on."""
    points: int = 0
    """Points found."""
    sent: int = 0
    """Datagrams sent to the viewer."""
    unsent: int = 0
    """Datagrams that the system would not send."""


class EngineService:
    """Receives at `listen`, sends to `view`, once. The socket is open when this object is made; `run` or `start` works.

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
        self.layout = layout
        self.physics = physics or EnginePhysics()
        self._surfaces = surfaces or standard_surfaces()
        self._draws, self._accepted = Draws(seed), 0
        self._refused = Complaints("datagrams refused", report)
        self._lost = Complaints("datagrams lost", report)
        self._unsent = Complaints("datagrams not sent", report)
        self._counted = EngineCounters()
        self._queue: Queue[bytes] = Queue(_WAITING)
        self._begun, self._stopping = Event(), Event()
        self._thread = Thread(target=self._work, name="engine service", daemon=True)
        self._failure: Exception | None = None
        self._inlet, self._outlet, self.address, self._view = _open(listen, view, allow_remote)
        self.physics.points(layout.no_hits(1), self._draws, self._surfaces)  # compiles before the first datagram

    @property
    def counters(self) -> EngineCounters:
        """What has happened so far."""
        return replace(self._counted)

    def start(self) -> None:
        """Work in a thread until `stop`."""
        self._begun.set()
        self._thread.start()

    def stop(self) -> None:
        """Finish what has been received and close the sockets; raises what the work failed with. Any thread may call it."""
        self._stopping.set()
        if not self._begun.is_set():
            self._close()
        if self._thread.is_alive():
            self._thread.join()
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure

    def __enter__(self) -> EngineService:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def run(self) -> None:
        """Work in this thread until `stop` or Ctrl-C."""
        self._begun.set()
        receiver = Thread(target=self._receive, name="engine receiver", daemon=True)
        receiver.start()
        try:
            while not self._stopping.is_set():
                self._step()
        except KeyboardInterrupt:  # the orderly end of a service in the foreground
            self._stopping.set()
        finally:
            self._stopping.set()
            receiver.join()
            self._close()
        while not self._queue.empty():
            self._step()
        for complaints in (self._refused, self._lost, self._unsent):
            complaints.speak()
        self._outlet.close()
        if self._failure is not None and threading.current_thread() is not self._thread:
            raise self._failure
