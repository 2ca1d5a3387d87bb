"""Compiling ahead: every group has a lane, kernels end up on disk, failures say which group it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from sensorium.apps.compiling import LANES, Lane, compile_lanes, lidar_patterns
from sensorium.core.errors import SensoriumError


def no_such_group() -> None:
    """Stand for a group that does not exist in the process that is to run it."""


def test_each_group_stands_in_one_lane():
    """No group is compiled twice."""
    groups = [group for lane in LANES for group in lane.groups]
    assert len(set(groups)) == len(groups)


def test_compiled_kernels_are_kept(tmp_path: Path):
    """Afterwards the folder holds an index (.nbi) and code (.nbc) of the group's kernels."""
    ((lane, taken_s),) = compile_lanes([Lane("lidar", (lidar_patterns,))], tmp_path)
    assert str(lane) == "lidar_patterns"
    assert taken_s > 0
    kept = {path.name.split("-")[0] for path in tmp_path.rglob("*.nbc")}
    assert any(name.startswith("pattern_kernels.turned") for name in kept)


def test_a_failure_names_the_group(tmp_path: Path):
    with pytest.raises(SensoriumError, match="compiling no_such_group failed"):
        list(compile_lanes([Lane("lidar", (no_such_group,))], tmp_path))
