"""The service over real sockets on this machine's loopback."""

from __future__ import annotations

import contextlib
import math
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from end_to_end.outside import hear_interrupts
from hypothesis import given, settings
from hypothesis import strategies as st

from sensorium.bridges.engine_physics import EnginePhysics
from sensorium.bridges.engine_service import EngineCounters, EngineService
from sensorium.bridges.engine_throughput import random_frame
from sensorium.bridges.engine_wire import Guns, Layout, Roses, SingleRays, encode_points
from sensorium.bridges.udp_address import UdpAddress
from sensorium.bridges.udp_inlet import UdpInlet
from sensorium.core.errors import ConfigurationError, SensoriumError, WireError
from sensorium.core.random import Draws

SOURCE = Path(__file__).parents[2] / "src"
LAYOUTS = [SingleRays(), Roses(), Guns(reflections=3)]
PATIENCE_S = 20.0


class Peer:
    """An engine and a viewer in one: sends to the service, receives what it sends."""

    def __init__(self, host: str = "127.0.0.1") -> None:
        self._socket = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind((host, 0))
        self._socket.settimeout(PATIENCE_S)
        self.address = UdpAddress(host, self._socket.getsockname()[1])

    def ask(self, service: UdpAddress, datagram: bytes) -> bytes:
        """Send one datagram and wait for the answer."""
        self.send(service, datagram)
        return self._socket.recv(1 << 16)

    def send(self, service: UdpAddress, datagram: bytes) -> None:
        self._socket.sendto(datagram, (service.host, service.port))

    def empty(self) -> int:
        """Take everything that waits to be received; return the number of datagrams."""
        self._socket.setblocking(False)
        taken = 0
        with contextlib.suppress(BlockingIOError):
            while True:
                self._socket.recv(1 << 16)
                taken += 1
        self._socket.settimeout(PATIENCE_S)
        return taken

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def peer() -> Iterator[Peer]:
    made = Peer()
    yield made
    made.close()


def until(condition: Callable[[], bool]) -> None:
    """Wait until something is so."""
    end_s = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end_s, "it never came about"
        time.sleep(0.005)


def service_for(peer: Peer, layout: Layout | None = None, **settings_) -> EngineService:
    return EngineService("127.0.0.1:0", peer.address, layout or SingleRays(), **settings_)


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.type)
def test_answers_are_the_physics(peer: Peer, layout: Layout) -> None:
    """Each datagram is answered by the points of its beams, with the chance of its number, as bytes of the wire."""
    frame = random_frame(layout, 5000, Draws(2))
    physics, draws = EnginePhysics(range_noise_m=0.1), Draws(11)
    with service_for(peer, layout, physics=physics, seed=11) as service:
        datagrams = list(layout.datagrams(frame))
        assert len(datagrams) > 1
        for number, datagram in enumerate(datagrams):
            expected = physics.points(layout.decode(datagram), draws.at("engine", number))
            assert peer.ask(service.address, datagram) == encode_points(expected)
        until(lambda: service.counters.sent == len(datagrams))
        counted = service.counters
    assert (counted.received, counted.refused, counted.lost, counted.unsent) == (len(datagrams), 0, 0, 0)
    assert counted.beams == 5000
    assert 3000 < counted.points < 5000


def test_same_datagrams_same_bytes(peer: Peer) -> None:
    """A service that is started again gives the same answers; one with another seed gives others."""

    def answers(seed: int) -> list[bytes]:
        frame = random_frame(Roses(), 1500, Draws(2))
        with service_for(peer, Roses(), seed=seed) as service:
            return [peer.ask(service.address, datagram) for datagram in Roses().datagrams(frame)]

    first = answers(3)
    assert answers(3) == first
    assert not set(answers(4)) & set(first)


WRONG = {
    "odd": bytes(29),
    "empty": b"",
    "nan": np.array([math.nan, 0, 0, -1, 0, 0, 6], "<f4").tobytes(),
    "infinite": np.array([10, 0, 0, -1, 0, math.inf, 6], "<f4").tobytes(),
    "unknown material": np.array([10, 0, 0, -1, 0, 0, 99], "<f4").tobytes(),
    "absurd": np.array([1e30, 0, 0, -1, 0, 0, 6], "<f4").tobytes(),
    "one bad row": np.array([[10, 0, 0, -1, 0, 0, 6], [10, 0, 0, 5, 0, 0, 6]], "<f4").tobytes(),
    "longest": bytes([255]) * 65507,
}
GOOD = np.array([10, 0, 0, -1, 0, 0, 6], "<f4").tobytes()


def test_malformed_datagrams_are_dropped_and_counted(peer: Peer) -> None:
    """What makes no sense is not answered, is counted, is told once per second, and shifts nobody else's chance."""
    spoken: list[str] = []
    with service_for(peer, report=spoken.append) as service:
        first = peer.ask(service.address, GOOD)
        start_s = time.monotonic()
        for datagram in WRONG.values():
            peer.send(service.address, datagram)
        second = peer.ask(service.address, GOOD)
        until(lambda: service.counters.refused == len(WRONG))
        took_s = time.monotonic() - start_s
        assert peer.empty() == 0
    assert len(spoken) <= 2 + int(took_s)
    assert sum(int(re.match(r"datagrams refused: (\d+)", text)[1]) for text in spoken) == len(WRONG)
    assert "29 bytes" in spoken[0]
    with service_for(peer) as fresh:
        assert [peer.ask(fresh.address, GOOD) for _ in range(2)] == [first, second]


@pytest.fixture(scope="module")
def running() -> Iterator[tuple[Peer, dict[str, EngineService]]]:
    made = Peer()
    services = {layout.type: service_for(made, layout, report=lambda _: None) for layout in LAYOUTS}
    for service in services.values():
        service.start()
    yield made, services
    for service in services.values():
        service.stop()
    made.close()


words = st.sampled_from([0.0, 1.0, 6.0, 10.0, -1.0, math.nan, math.inf, 3e38])
datagrams = st.one_of(
    st.binary(max_size=300),
    st.integers(0, 40).flatmap(lambda n: st.binary(min_size=28 * n, max_size=28 * n)),
    st.lists(words, max_size=60).map(lambda numbers: np.array(numbers, "<f4").tobytes()),
)


@given(st.sampled_from(LAYOUTS), st.lists(datagrams, max_size=5))
@settings(max_examples=60, deadline=None)
def test_nothing_that_arrives_stops_the_service(running, layout: Layout, garbage: list[bytes]) -> None:
    """After any datagrams whatever, a good one is answered, and those that made no sense have been counted."""
    peer, services = running
    service = services[layout.type]
    before = service.counters
    refused = 0
    for datagram in garbage:
        peer.send(service.address, datagram)
        try:
            EnginePhysics().points(layout.decode(datagram), Draws(0))
        except SensoriumError:
            refused += 1
    good = np.zeros((1, *layout.beam_shape), np.float32)
    good.reshape(-1, layout.beam_shape[-1])[0, :7] = [10, 0, 0, -1, 0, 0, 1]  # a retro-reflector: always detected
    peer.send(service.address, good.tobytes())
    until(lambda: service.counters.received == before.received + len(garbage) + 1)
    until(lambda: service.counters.refused == before.refused + refused)
    until(lambda: service.counters.sent > before.sent)
    peer.empty()


def test_nothing_is_sent_without_points(peer: Peer) -> None:
    """A datagram without hits is counted and not answered."""
    with service_for(peer) as service:
        peer.send(service.address, SingleRays().encode(SingleRays().no_hits(10)))
        answer = peer.ask(service.address, GOOD)
        counted = service.counters
    assert len(answer) == 28
    assert (counted.received, counted.beams, counted.points) == (2, 11, 1)


def test_ipv6(peer: Peer) -> None:
    """The loopback of IPv6 serves as well, also with an engine there and a viewer on IPv4."""
    try:
        engine = Peer("::1")
    except OSError:
        pytest.skip("this machine has no IPv6")
    with EngineService("[::1]:0", peer.address, SingleRays()) as service:
        assert str(service.address).startswith("[::1]:")
        engine.send(service.address, GOOD)
        assert len(peer._socket.recv(100)) == 28
    engine.close()


@pytest.mark.parametrize(("listen", "view"), [("0.0.0.0:0", "127.0.0.1:9"), ("127.0.0.1:0", "192.0.2.1:9")])
def test_only_this_machine_without_permission(listen: str, view: str) -> None:
    """Neither listening on all interfaces nor sending elsewhere is done unasked; the error names the option."""
    with pytest.raises(WireError, match="allow_remote=True"):
        EngineService(listen, view, SingleRays())
    service = EngineService(listen, view, SingleRays(), allow_remote=True)
    service.close()


def test_addresses_that_cannot_be(peer: Peer) -> None:
    """An address in use, a viewer without port, and a viewer at the service's own address are refused."""
    with pytest.raises(WireError, match=rf"cannot listen at {peer.address}: .*another port"):
        EngineService(peer.address, "127.0.0.1:9", SingleRays())
    with pytest.raises(ConfigurationError, match="needs a port of its own"):
        EngineService("127.0.0.1:0", "127.0.0.1:0", SingleRays())
    free = Peer()
    free.close()
    with pytest.raises(ConfigurationError, match="needs a port of its own"):
        EngineService(f"localhost:{free.address.port}", free.address, SingleRays())
    again = Peer()  # nothing is left behind: the port can be bound
    again.close()


def test_stop_from_elsewhere(peer: Peer) -> None:
    """`run` ends within a second after `stop` from another thread, and the port is free again."""
    service = service_for(peer)
    runner = threading.Thread(target=service.run)
    runner.start()
    assert len(peer.ask(service.address, GOOD)) == 28
    service.stop()
    runner.join(1.0)
    assert not runner.is_alive()
    taken = UdpInlet(service.address)
    taken.close()
    service.stop()  # harmless


def test_a_failure_is_told_by_stop(peer: Peer) -> None:
    """What is not the datagram's fault ends the work, and `stop` raises it."""

    class Broken(EnginePhysics):
        def points(self, beams, draws, surfaces=None):
            if len(beams) > 1:
                raise RuntimeError("broken")
            return super().points(beams, draws, surfaces)

    service = service_for(peer, physics=Broken())
    service.start()
    peer.send(service.address, GOOD * 2)
    until(lambda: not service._thread.is_alive())
    with pytest.raises(RuntimeError, match="broken"):
        service.stop()


def test_bursts_wait_for_the_physics(peer: Peer) -> None:
    """A burst of 200 datagrams that arrives while nobody works is answered in full; beyond 256 datagrams are lost."""
    spoken: list[str] = []
    inlet = UdpInlet(UdpAddress("127.0.0.1", 0), report=spoken.append)
    for number in range(400):
        peer.send(inlet.address, number.to_bytes(2, "little"))
        until(lambda: inlet.received == number + 1)  # noqa: B023
    inlet.close()
    taken = []
    while (datagram := inlet.take(0)) is not None:
        taken.append(int.from_bytes(datagram, "little"))
    assert taken == list(range(256))
    assert inlet.lost == 144
    assert sum(int(re.match(r"datagrams lost: (\d+)", text)[1]) for text in spoken) == 144


PROGRAM = """
from sensorium.bridges.engine_service import serve
from sensorium.bridges.engine_wire import layout_of
opened = lambda service: print(service.address, flush=True)
print(serve("127.0.0.1:0", "{view}", layout_of("roses"), seed=3, opened=opened))
"""


def test_in_the_foreground_until_interrupted(peer: Peer) -> None:
    """As a program of its own: it says where it listens, answers, and ends in order on an interrupt."""
    command = [sys.executable, "-c", PROGRAM.format(view=peer.address)]
    service = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        preexec_fn=hear_interrupts,
    )
    try:
        address = UdpAddress.parse(service.stdout.readline())
        frame = random_frame(Roses(), 300, Draws(2))
        (datagram,) = Roses().datagrams(frame)
        expected = EnginePhysics().points(frame, Draws(3).at("engine", 0))
        assert peer.ask(address, datagram) == encode_points(expected)
        service.send_signal(signal.SIGINT)
        said, _ = service.communicate(timeout=PATIENCE_S)
    finally:
        service.kill()
        service.wait()
    assert service.returncode == 0
    counted = EngineCounters(received=1, lost=0, refused=0, beams=300, points=len(expected), sent=1, unsent=0)
    assert said.strip() == str(counted)
