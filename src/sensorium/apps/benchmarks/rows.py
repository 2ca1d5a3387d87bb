"""Rows of measured figures, shared by benchmarks and reproductions: theirs, ours, the bar, and whether it holds."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

_LIBRARIES = ("sensorium", "numpy", "numba", "embreex", "scipy", "trimesh", "open3d-cpu", "mujoco-core")


@dataclass(frozen=True)
class Row:
    """One figure. `theirs` is a published or a peer's figure from the same run, or None."""

    case: str
    theirs: float | None
    ours: float
    unit: str
    bar: str
    """The condition in words, with its number."""
    holds: bool
    """From the measurement."""


def surroundings(threads: int | None) -> dict[str, Any]:
    """Return what a figure depends on besides the code: processor, threads, versions."""
    found = {}
    for name in _LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "threads": threads or os.cpu_count(),
        "versions": found,
    }


def write_rows(path: Path, rows: Sequence[Row], about: dict[str, Any]) -> None:
    """Write rows and surroundings as JSON."""
    document = {**about, "rows": [asdict(row) for row in rows]}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, indent=2) + "\n", "utf-8")


def seconds_each(*calls: Callable[[], object], repeats: int = 15) -> list[float]:
    """Return the median time of each call [s]; the calls take turns, so that a noisy spell hits all of them alike."""
    for call in calls:
        call()
    times: list[list[float]] = [[] for _ in calls]
    for _ in range(repeats):
        for taken, call in zip(times, calls, strict=True):
            start = perf_counter()
            call()
            taken.append(perf_counter() - start)
    return [median(taken) for taken in times]
