"""However a run ends, what was simulated is safe, and the user is told where it is."""

from __future__ import annotations

import os
import re
import resource
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from end_to_end.outside import COMMAND, ENVIRONMENT, Run, hear_interrupts

from sensorium.recording import open_recording

LONG = ("run", "tiny.yaml", "--set", "duration_s=1000", "--out", "long.mcap")


def started(folder: Path, bytes_written: int = 300_000) -> subprocess.Popen[str]:
    """Start a run that would go on for long, and wait until it has recorded something."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    run = subprocess.Popen(
        [*COMMAND, *LONG], cwd=folder, env=ENVIRONMENT, text=True, preexec_fn=hear_interrupts, **pipes
    )
    part = folder / "long.mcap.part"
    until = time.monotonic() + 240
    while not (part.exists() and part.stat().st_size > bytes_written):
        assert run.poll() is None, run.communicate()
        assert time.monotonic() < until
        time.sleep(0.02)
    return run


@pytest.mark.parametrize(
    ("number", "status", "cause"), [(signal.SIGINT, 130, "Ctrl-C"), (signal.SIGTERM, 143, "SIGTERM")]
)
def test_a_stopped_run_closes_its_recording(folder: Path, number: int, status: int, cause: str) -> None:
    """The file has its final name and holds all up to the time that the message names; shells see the usual status."""
    run = started(folder)
    run.send_signal(number)
    out, err = run.communicate(timeout=120)
    assert run.returncode == status, err
    assert "Traceback" not in err
    until_s = float(re.search(rf"stopped by {cause}; long.mcap is complete up to ([\d.]+) s", err)[1])
    assert not (folder / "long.mcap.part").exists()
    recording = open_recording(folder / "long.mcap")
    indices = [sample.stamp.index for sample in recording.samples("lidar")]
    assert indices == list(range(len(indices)))
    assert (
        len(indices) * 0.1 - 1e-9 <= until_s <= (len(indices) + 1) * 0.1 + 1e-9
    )  # 10 Hz: none before this time is missing
    assert indices
    assert out.startswith("long.mcap: ")


def test_a_killed_run_can_be_recovered(sensorium: Run, folder: Path) -> None:
    """After SIGKILL nothing has the final name; `inspect` tells the remedy, and the remedy works."""
    run = started(
        folder, bytes_written=3_000_000
    )  # whole scans; the first bytes are only what is true of the first one
    run.kill()
    run.communicate()
    told = sensorium("inspect", "long.mcap", cwd=folder, status=2).err
    remedy = "sensorium inspect --recover long.mcap.part"
    assert remedy in told
    assert "Traceback" not in told
    shown = sensorium(*remedy.split()[1:], cwd=folder).out
    assert "/lidar/points" in shown
    assert sum(1 for _ in open_recording(folder / "long.recovered.mcap").samples("lidar")) >= 1
    assert (folder / "long.recovered.png").stat().st_size > 10_000


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[tuple[Path, int | None]]:
    """A disk of one megabyte if we may mount one, else a folder with a limit on the size of files."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = shutil.which("mount")
    command = [mount, "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk]
    mounted = mount and os.geteuid() == 0 and subprocess.run(command, capture_output=True, check=False).returncode == 0
    yield disk, None if mounted else 1_000_000
    if mounted:
        subprocess.run(["umount", disk], check=True)


def test_a_full_disk_is_one_message(folder: Path, small_disk: tuple[Path, int | None], sensorium: Run) -> None:
    """The run ends with status 2, says what is saved and how to get it, and that works after room was made."""
    disk, limit = small_disk

    def limited() -> None:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    command = [*COMMAND, *LONG[:-1], str(disk / "long.mcap")]
    run = subprocess.run(command, cwd=folder, env=ENVIRONMENT, preexec_fn=limited, capture_output=True, text=True,
                         timeout=240, check=False)  # fmt: skip
    assert run.returncode == 2, run.stderr
    assert re.search(r"Everything up to simulated time [\d.]+ s is saved in .*long.mcap.part", run.stderr)
    assert "--recover" in run.stderr
    assert "Traceback" not in run.stderr
    assert [path.name for path in disk.iterdir()] == ["long.mcap.part"]
    shutil.move(disk / "long.mcap.part", folder / "saved.mcap.part")
    sensorium("inspect", "--recover", "saved.mcap.part", cwd=folder)
    assert sum(1 for _ in open_recording(folder / "saved.recovered.mcap").samples("lidar")) >= 1


@pytest.mark.parametrize(
    "arguments", [("inspect", "a.mcap", "--png", "a.png"), ("export", "a.mcap", "clouds", "--format", "ply")]
)
def test_a_full_disk_leaves_no_half_file(tiny_drive: Path, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """A picture or an exported cloud that finds no room is refused, and no part of it stays."""
    (tmp_path / "a.mcap").symlink_to(tiny_drive)

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, 2_000))

    run = subprocess.run([*COMMAND, *arguments], cwd=tmp_path, env=ENVIRONMENT, preexec_fn=limited, capture_output=True,
                         text=True, timeout=240, check=False)  # fmt: skip
    assert run.returncode == 2, run.stdout + run.stderr
    assert run.stderr.startswith("sensorium: ")
    assert "Traceback" not in run.stderr
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["a.mcap"]
