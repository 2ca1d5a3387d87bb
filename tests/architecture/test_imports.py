"""Importing is cheap: heavy packages are loaded where they are used, never at import time."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "sensorium"
HEAVY = {
    "numba", "llvmlite", "embreex", "mujoco", "trimesh", "scipy", "matplotlib", "foxglove", "rosbags", "laspy", "rerun",
    "open3d", "mcap", "PIL", "ruamel", "rich", "typer",
}  # fmt: skip
ROOMS = ["sensorium", *sorted(f"sensorium.{init.parent.name}" for init in SOURCE.glob("*/__init__.py"))]
DOORS = ["sensorium.core.configuration", "sensorium.simulation.scenario"]


def loaded_by(modules: list[str], wanted: Iterable[str] = HEAVY) -> set[str]:
    """Return which of the wanted packages a fresh interpreter has after importing modules."""
    imports = "; ".join(f"import {module}" for module in modules)
    program = f"import sys; {imports}; print(*{set(wanted)!r} & sys.modules.keys())"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return set(result.stdout.split())


def test_importing_the_rooms_loads_nothing_heavy() -> None:
    """A fresh interpreter that imports every room and the scenario has none of the heavy packages in sys.modules."""
    if loaded_by([*ROOMS, *DOORS]):
        guilty = {module: sorted(loaded_by([module])) for module in (*ROOMS, *DOORS)}
        pytest.fail(str({module: heavy for module, heavy in guilty.items() if heavy}))


def test_heavy_packages_are_seen() -> None:
    """The check itself notices a heavy package."""
    assert "scipy" in loaded_by(["sensorium.core", "scipy.spatial"])


def test_the_grammar_of_configurations_is_light() -> None:
    """`core.configuration` is what every command imports first: it needs no arrays and no YAML until they are used."""
    assert loaded_by(["sensorium.core.configuration"], HEAVY | {"numpy"}) == set()
