"""The engine service from the outside: a process of its own, fed and read over UDP."""

import re
import signal
import socket
import subprocess
import sys

import numpy as np
import pytest

from sensorium.bridges.engine_wire import SingleRays, decode_points

COMMAND = [sys.executable, "-m", "sensorium.apps.command_line", "engine"]


@pytest.fixture
def viewer():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
        made.bind(("127.0.0.1", 0))
        made.settimeout(30)
        yield made


def test_hit_points_come_back_as_physical_points(viewer):
    address = f"127.0.0.1:{viewer.getsockname()[1]}"
    process = subprocess.Popen(
        [*COMMAND, "--listen", "127.0.0.1:0", "--view", address, "--set", "range_noise_m=0 mm"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        said = process.stdout.readline()
        port = int(re.search(r"listening at 127\.0\.0\.1:(\d+)", said)[1])
        beams = SingleRays().no_hits(3)
        beams[1] = (10, 0, 0, -1, 0, 0, 1)
        viewer.sendto(SingleRays().encode(beams), ("127.0.0.1", port))
        points = decode_points(viewer.recv(65536))
        viewer.sendto(b"nonsense", ("127.0.0.1", port))
        viewer.sendto(SingleRays().encode(beams), ("127.0.0.1", port))
        viewer.recv(65536)
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=20)
    finally:
        process.kill()
    np.testing.assert_allclose(points[:, :3], [[10, 0, 0]], atol=1e-4)
    assert process.returncode == 0
    assert "3 datagrams (1 refused, 0 lost), 6 beams, 2 points" in out
    assert "8 bytes are no whole number of beams" in error


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--listen", "0.0.0.0:0", "--view", "127.0.0.1:9"], "--allow-remote"),
        (["--listen", "127.0.0.1", "--view", "127.0.0.1:9"], "HOST:PORT"),
        (["--listen", "127.0.0.1:0", "--view", "127.0.0.1:9", "--layout", "rose"], "Did you mean 'roses'"),
        (["--listen", "127.0.0.1:0", "--view", "127.0.0.1:9", "--set", "peak_power=1 W"], "peak_power_w"),
    ],
)
def test_what_is_wrong_is_one_message(arguments, said):
    ended = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 2
    assert said.lower() in ended.stderr.lower()
    assert "Traceback" not in ended.stderr
