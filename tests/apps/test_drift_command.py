"""The vehicle of the physics engine from the command line: run, the same bytes twice, dead reckoning, its benchmark."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from sensorium.apps.benchmarks import dynamics

SOURCE = Path(__file__).parents[2] / "src"


def sensorium(*arguments: str | Path, cwd: Path, status: int = 0) -> str:
    command = [sys.executable, "-m", "sensorium.apps.command_line", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def drive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("vehicle")
    sensorium("run", "vehicle_dynamics", "--set", "duration_s=4 s", "--out", "drive.mcap", cwd=folder)
    return folder / "drive.mcap"


def test_the_same_bytes_twice(drive: Path, tmp_path: Path) -> None:
    sensorium(
        "run", "vehicle_dynamics", "--set", "duration_s=4 s", "--threads", "1", "--out", "again.mcap", cwd=tmp_path
    )
    assert (tmp_path / "again.mcap").read_bytes() == drive.read_bytes()


def test_dead_reckoning(drive: Path, tmp_path: Path) -> None:
    """Three seconds of driving straight on: wheels and gyroscope are right to a percent; the picture is drawn."""
    told = sensorium("evaluate", "dead-reckoning", drive, "--png", tmp_path / "drift.png", cwd=tmp_path)
    share = float(told.split("wheels and gyroscope:")[1].split("(")[1].split("%")[0])
    assert share < 2
    assert "inertial alone:" in told
    assert len(np.unique(np.asarray(Image.open(tmp_path / "drift.png").convert("L")))) > 20


def test_wrong_names(drive: Path, tmp_path: Path) -> None:
    told = sensorium("evaluate", "dead-reckoning", drive, "--imu", "immu", cwd=tmp_path, status=2)
    assert "has no IMU 'immu' whose mount is known. Did you mean 'imu'?" in told
    told = sensorium("evaluate", "dead-reckoning", drive, "--body", "cat", cwd=tmp_path, status=2)
    assert "no truth of a body 'cat'. Did you mean 'car'?" in told


def test_a_damaged_model(tmp_path: Path) -> None:
    """MuJoCo's message with file and line, and exit status 2."""
    (tmp_path / "car.xml").write_text("<mujoco>\n<worldbody>\n<geom type='bal'/></worldbody></mujoco>")
    (tmp_path / "s.yaml").write_text("name: s\nworld: {type: mujoco, file: car.xml}\n")
    told = sensorium("run", "s.yaml", cwd=tmp_path, status=2)
    assert "car.xml:3: MuJoCo refuses the model" in told
    assert "bal" in told


def test_benchmark(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every row is measured; whether it holds follows from its figures."""
    monkeypatch.setattr(dynamics, "SPAN_S", 0.3)
    rows = dynamics.dynamics_rows(repeats=1)
    assert len(rows) == 5
    stepping, opened, closed, asking, edges = rows
    assert stepping.theirs is not None
    assert stepping.holds == (stepping.ours <= dynamics.RECORD_BAR * stepping.theirs)
    assert opened.holds == (opened.ours >= dynamics.VEHICLE_BAR)
    assert closed.holds == (closed.ours >= dynamics.VEHICLE_BAR)
    assert asking.holds == (asking.ours < dynamics.READING_BAR_US)
    assert edges.holds == (edges.ours < 2.0)
