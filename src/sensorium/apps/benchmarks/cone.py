"""`sensorium bench cone`: readings per second beside the published frame rates, and what a large scene costs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sensorium.apps.benchmarks.cone_worlds import (
    boxes,
    cone_sensor,
    every_20_ms,
    large_ground,
    million_elsewhere,
    readings,
)
from sensorium.apps.benchmarks.rows import Row, seconds_each
from sensorium.scene.scene import Scene

PUBLISHED_FRAMES_HZ = 20.7
"""Document 000, table 5: ten obstacles at 1000 lines."""
LINES_BAR_HZ, EXACT_BAR_HZ, ELSEWHERE_BAR, GROUND_BAR = 300.0, 5000.0, 1.10, 3.0


def cone_rows(repeats: int = 300) -> list[Row]:
    """Measure everything: medians of single readings, each with sense, noise-free detect and speed, every body reported."""
    ten, moving = boxes(), boxes(moving=True)
    lines, exact = {"type": "lines", "count": 1000}, {"type": "exact"}
    lines_s, exact_s, moving_s, parallel_s = seconds_each(
        _reading(ten, lines), _reading(ten, exact), _reading(moving, exact),
        _reading(ten, {"type": "adaptive_lines"}), repeats=repeats,
    )  # fmt: skip
    return [
        Row("ten boxes, 1000 lines per face", PUBLISHED_FRAMES_HZ, 1 / lines_s, "readings/s", f"at least {LINES_BAR_HZ:g}",
            1 / lines_s >= LINES_BAR_HZ),
        Row("ten boxes, exact", None, 1 / exact_s, "readings/s", f"at least {EXACT_BAR_HZ:g}", 1 / exact_s >= EXACT_BAR_HZ),
        Row("ten boxes on splines, exact", None, 1 / moving_s, "readings/s", "none: what moving bodies cost", True),
        Row("ten boxes, adaptive lines for 0.1 deg", None, 1 / parallel_s, "readings/s", "none", True),
        *_scene_rows(ten, exact, repeats),
    ]  # fmt: skip


def _scene_rows(ten: Scene, exact: dict[str, Any], repeats: int) -> list[Row]:
    """Compare the same readings with a million triangles more: beside the cone, or in one mesh that reaches into it."""
    elsewhere, ground = ten.with_bodies(million_elsewhere()), ten.with_bodies((large_ground(),))
    plain_s, elsewhere_s, ground_s = seconds_each(
        _reading(ten, exact), _reading(elsewhere, exact), _reading(ground, exact), repeats=repeats
    )
    beside, below = elsewhere_s / plain_s, ground_s / plain_s
    return [
        Row(f"{elsewhere.triangle_count} triangles elsewhere, exact", plain_s * 1e6, elsewhere_s * 1e6, "us/reading",
            f"at most {ELSEWHERE_BAR:g} times the ten boxes (is {beside:.3f})", beside <= ELSEWHERE_BAR),
        Row(f"ground of {ground.triangle_count} triangles in the cone, exact", plain_s * 1e6, ground_s * 1e6, "us/reading",
            f"at most {GROUND_BAR:g} times the ten boxes (is {below:.2f})", below <= GROUND_BAR),
    ]  # fmt: skip


def _reading(scene: Scene, method: dict[str, Any]) -> Callable[[], object]:
    samples = readings(cone_sensor(method=method), scene, every_20_ms())
    return lambda: next(samples)
