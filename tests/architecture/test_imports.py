"""Importing is cheap: heavy packages are loaded where they are used, never at import time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "sensorium"
HEAVY = {
    "numba", "llvmlite", "embreex", "mujoco", "trimesh", "scipy", "matplotlib", "foxglove", "rosbags", "laspy", "rerun",
    "open3d", "mcap", "PIL", "ruamel", "rich", "typer",
}  # fmt: skip
ROOMS = ["sensorium", *sorted(f"sensorium.{init.parent.name}" for init in SOURCE.glob("*/__init__.py"))]
DOORS = ["sensorium.core.configuration", "sensorium.simulation.scenario"]


def loaded_by(modules: list[str]) -> set[str]:
    """Return the heavy packages in a fresh interpreter after importing modules."""
    imports = "; ".join(f"import {module}" for module in modules)
    program = f"import sys; {imports}; print(*{HEAVY!r} & sys.modules.keys())"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return set(result.stdout.split())


@pytest.mark.parametrize("module", [*ROOMS, *DOORS])
def test_importing_a_room_loads_nothing_heavy(module: str) -> None:
    """A fresh interpreter that imports a room has none of the heavy packages in sys.modules."""
    assert loaded_by([module]) == set()


def test_heavy_packages_are_seen() -> None:
    """The check itself notices a heavy package."""
    assert "scipy" in loaded_by(["sensorium.core", "scipy.spatial"])


def test_importing_the_door_is_quick() -> None:
    """`import sensorium.core.configuration` costs less than 150 ms beyond the interpreter itself, best of five."""
    program = (
        "import time; t = time.perf_counter(); import sensorium.core.configuration; print(time.perf_counter() - t)"
    )
    run = [sys.executable, "-c", program]
    times = [float(subprocess.run(run, capture_output=True, text=True, check=True).stdout) for _ in range(5)]
    assert min(times) < 0.15
