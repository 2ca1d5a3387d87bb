"""The program as a user meets it: a command in a process of its own, in a folder of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from end_to_end.outside import DRIVE, TINY, Run, run


@pytest.fixture(scope="session")
def sensorium() -> Run:
    """The command line."""
    return run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the tiny scenario in it, as the place to be."""
    (tmp_path / "tiny.yaml").write_text(TINY)
    return tmp_path


@pytest.fixture(scope="session")
def drive(sensorium: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three tenths of a second of the scenario that comes with the package, recorded; for reading only."""
    place = tmp_path_factory.mktemp("drive")
    told = sensorium(*DRIVE, "--threads", "2", "--out", "drive.mcap", cwd=place)
    assert "3 lidar" in told.out
    return place / "drive.mcap"


@pytest.fixture(scope="session")
def tiny_drive(sensorium: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny scenario, recorded; for reading only."""
    place = tmp_path_factory.mktemp("tiny")
    (place / "tiny.yaml").write_text(TINY)
    sensorium("run", "tiny.yaml", "--out", "tiny.mcap", cwd=place)
    return place / "tiny.mcap"
