"""A UDP socket that is emptied by a thread of its own, so that a burst is not lost while its owner works."""

from __future__ import annotations

import contextlib
import socket
from queue import Empty, Full, Queue
from threading import Event, Thread

from sensorium.bridges.complaints import Complaints, Report
from sensorium.bridges.udp_address import UdpAddress
from sensorium.core.errors import WireError

_TICK_S = 0.1
_WAITING = 256
_SYSTEM_BUFFER_BYTES = 4 << 20
_WHOLE_DATAGRAM_BYTES = 1 << 16


class UdpInlet:
    """Receives at an address from now until `close`. At most 256 datagrams (16 MB) wait for `take`; more are lost."""

    def __init__(self, address: UdpAddress, allow_remote: bool = False, report: Report | None = None) -> None:
        self.received = self.lost = 0
        """Datagrams that arrived, and those of them that found no place to wait."""
        self._complaints = Complaints("datagrams lost", report)
        self._queue: Queue[bytes] = Queue(_WAITING)
        self._closing = Event()
        self._failure: WireError | None = None
        self._socket, self.address = _bound(address, allow_remote)
        """Where it receives, in numbers, with the true port."""
        self._thread = Thread(target=self._receive, name=f"inlet {self.address}", daemon=True)
        self._thread.start()

    def take(self, timeout_s: float) -> bytes | None:
        """Return the oldest datagram that waits; None if there is none in that time. Raises if the socket failed."""
        try:
            return self._queue.get(timeout=timeout_s)
        except Empty:
            if self._failure is not None:
                raise self._failure from None
            return None

    def close(self) -> None:
        """End receiving; what still waits can be taken. May be called twice."""
        self._closing.set()
        self._thread.join()
        self._socket.close()

    def _receive(self) -> None:
        while not self._closing.is_set():
            try:
                datagram = self._socket.recv(_WHOLE_DATAGRAM_BYTES)
            except TimeoutError:
                self._complaints.speak_if_due()
                continue
            except ConnectionError:  # Windows tells so that nobody wanted something that was sent from here
                continue
            except OSError as error:
                self._failure = WireError(f"receiving at {self.address} failed: {error.strerror or error}")
                return
            self.received += 1
            try:
                self._queue.put_nowait(datagram)
            except Full:
                self.lost += 1
                self._complaints.add(f"{_WAITING} wait already; send less, or in smaller frames")
        self._complaints.speak()


def _bound(address: UdpAddress, allow_remote: bool) -> tuple[socket.socket, UdpAddress]:
    """Return a socket that receives at the address, and the address in numbers."""
    family, here = address.resolved(allow_remote)
    inlet = socket.socket(family, socket.SOCK_DGRAM)
    with contextlib.suppress(OSError):  # a wish: the system may grant less
        inlet.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _SYSTEM_BUFFER_BYTES)
    try:
        inlet.bind((here.host, here.port))
    except OSError as error:
        inlet.close()
        raise WireError(f"cannot listen at {address}: {error.strerror or error}; choose another port") from None
    inlet.settimeout(_TICK_S)
    return inlet, UdpAddress(here.host, inlet.getsockname()[1])
