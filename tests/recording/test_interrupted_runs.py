"""Runs that are killed or run out of disk, in processes of their own."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from parcels import SCAN_NS, drive

from sensorium.recording import McapRecorder, open_recording, recover

ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
ENDLESS = """
import sys, time
from itertools import count
from pathlib import Path
from parcels import cloud, truth
from sensorium.recording import McapRecorder
with McapRecorder(Path(sys.argv[1])) as recorder:
    for index in count():
        for sample in (truth(index, step_ns=100_000_000), cloud(index, 30_000, truth=index % 2 == 0)):
            recorder.write(sample)
            print(sample.stamp.ready_ns, flush=True)
        time.sleep(float(sys.argv[2]))
"""
LIMITED = """
import resource, sys
from pathlib import Path
from parcels import drive
from sensorium.core.errors import RecordingError
from sensorium.recording import McapRecorder
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
written = []
try:
    with McapRecorder(Path(sys.argv[1])) as recorder:
        for sample in drive(200, int(sys.argv[3])):
            recorder.write(sample)
            written.append(sample)
except RecordingError as error:
    print(len(written), written[-1].stamp.ready_ns if written else -1)
    print(error)
"""


def stamps(samples) -> list[tuple[str, int]]:
    return [(sample.stamp.sensor, sample.stamp.index) for sample in samples]


@pytest.mark.parametrize("seed", range(4))
def test_a_killed_run_loses_less_than_a_second(tmp_path: Path, seed: int) -> None:
    """SIGKILL at a random moment: nothing under the final name; all but the last second of simulated time is saved."""
    run = subprocess.Popen(
        [sys.executable, "-c", ENDLESS, tmp_path / "a.mcap", str(0.02 * (seed % 2))],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        text=True,
    )
    first = run.stdout.readline()
    time.sleep(random.Random(seed).uniform(0.05, 0.4))
    run.send_signal(signal.SIGKILL)
    written_ns = max(int(line) for line in [first, *run.stdout.read().splitlines()] if line)
    run.wait()
    assert not (tmp_path / "a.mcap").exists()
    recovered = recover(tmp_path / "a.mcap.part", tmp_path / "a.mcap")
    assert recovered.until_ns >= written_ns - 1_000_000_000
    assert recovered.damaged_chunks <= 1
    indices = [sample.stamp.index for sample in open_recording(tmp_path / "a.mcap").samples("roof")]
    assert indices == list(range(len(indices)))
    assert len(indices) * SCAN_NS >= written_ns - 1_000_000_000


@pytest.mark.parametrize(("limit", "count"), [(300_000, 50), (300_000, 1500), (2_000_000, 20_000), (777_777, 400)])
def test_a_full_disk_says_what_is_saved(tmp_path: Path, limit: int, count: int) -> None:
    """At the limit of the file's size: an error with time and file; every sample that was written can be recovered."""
    command = [sys.executable, "-c", LIMITED, tmp_path / "a.mcap", str(limit), str(count)]
    output = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=True).stdout
    numbers, message = output.split("\n", 1)
    written, until_ns = map(int, numbers.split())
    assert f"up to simulated time {until_ns * 1e-9:.3f} s is saved in {tmp_path / 'a.mcap.part'}" in message
    assert "--recover" in message
    assert not (tmp_path / "a.mcap").exists()
    recover(tmp_path / "a.mcap.part", tmp_path / "b.mcap")
    found = stamps(open_recording(tmp_path / "b.mcap").samples())
    assert len(found) == len(set(found)) >= written > 3


def test_no_room_for_the_index(tmp_path: Path) -> None:
    """A disk that is full when the run ends: no final name, but every sample can be recovered."""
    samples = drive(200, 50)
    with McapRecorder(tmp_path / "whole.mcap") as recorder:
        for sample in samples:
            recorder.write(sample)
    limit = (tmp_path / "whole.mcap").stat().st_size - 10
    command = [sys.executable, "-c", LIMITED, tmp_path / "a.mcap", str(limit), "50"]
    output = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=True).stdout
    assert output.startswith(f"{len(samples)} ")
    assert not (tmp_path / "a.mcap").exists()
    recover(tmp_path / "a.mcap.part", tmp_path / "b.mcap")
    assert stamps(open_recording(tmp_path / "b.mcap").samples()) == stamps(samples)


def test_no_room_for_the_first_byte(tmp_path: Path) -> None:
    """A disk that is full from the start is an error, and nothing is claimed to be saved."""
    command = [sys.executable, "-c", LIMITED, tmp_path / "a.mcap", "100", "10"]
    output = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=True).stdout
    assert "No sample was saved" in output
