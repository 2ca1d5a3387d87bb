"""`sensorium reproduce cone`: the tables of the published function-based sensor, and ours.

The publication is document 000 (Kallin, "Sensor simulation", Umea 2018), section 4; 002 is the same thesis. Its axes are x
right, y up, z forward: its azimuth is minus ours, its elevation the angle seen from the side.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

from sensorium.apps.benchmarks.cone_worlds import boxes, cone_sensor, every_20_ms, readings, thin_obstacle
from sensorium.apps.benchmarks.rows import Row
from sensorium.apps.reproductions.verdicts import near, within
from sensorium.core.time import nanoseconds
from sensorium.motion.spline import Spline
from sensorium.samples import Ranges
from sensorium.scene.scene import Scene

SINGLE_PRECISION = 2e-6
"""Relative: the printed digits of a calculation in 32 bits."""
TABLE_2 = {
    2: (1.118025, 26.56528, 0.5), 10: (1.001532, 3.179862, 0.055556), 100: (1.000003, 0.2893734, 0.0050505),
    1000: (0.99999, 0.02867683, 0.000500505),
}  # fmt: skip
"""Lines: range, elevation in degrees, tangent of it as printed (5, 6 and 7 places; the third is cut, not rounded)."""
TABLE_3 = {2: (2.862, 5e-4), 10: (0.318, 5e-4), 100: (0.0289, 5e-5), 1000: (0.00287, 5e-6)}
"""Lines: error bound at 10 m in degrees, and half of its last digit."""
TABLE_4 = {0.25: 0.249, 1.0: 0.988, 2.0: 1.946}
"""Speed of the body, average of the readings."""
TABLE_5 = {10: (55.2, 53.8, 55.5), 100: (54.4, 52.8, 54.4), 1000: (20.5, 20.6, 20.7)}
"""Lines: frames per second with 1, 5 and 10 obstacles, the scene without the sensor at 56.2."""


def cone_rows(png: Path | None = None, repeats: int = 25) -> list[Row]:
    """Compute everything again; `png` is the picture to write, if any. Rates are medians of `repeats`."""
    if png is not None:
        from sensorium.apps.reproductions.cone_picture import draw

        draw(png)
    return [*_range_rows(), *_bound_rows(), *_turned_rows(), *_speed_rows(), *_rate_rows(repeats)]


def look(scene: Scene, method: dict[str, Any], times_ns: Iterable[int] = (0,)) -> Ranges:
    """Return one reading of a cone of 90 by 90 degrees and 30 m."""
    sensor = cone_sensor(opening_vertical_rad="90 deg", method=method)
    return next(iter(readings(sensor, scene, times_ns)))


def lines(count: int) -> dict[str, Any]:
    """Return the method of the document."""
    return {"type": "lines", "count": count}


def _range_rows() -> list[Row]:
    """Table 2, and the three lines of section 4.1 of which the middle one is exact."""
    rows, scene = [], thin_obstacle(1.0)
    for count, (range_m, elevation_deg, tangent) in TABLE_2.items():
        found = look(scene, lines(count))
        profile, azimuth = float(found.profile_rad[0]), -float(found.azimuth_rad[0])
        case = f"table 2, {count} lines:"
        digits = {10: 5e-7, 100: 1e-7}.get(count, SINGLE_PRECISION * tangent)
        rows += [
            near(f"{case} range", range_m, found.range_m[0], "m", SINGLE_PRECISION),
            near(f"{case} elevation", elevation_deg, math.degrees(profile), "deg", SINGLE_PRECISION),
            within(f"{case} azimuth", 0.0, math.degrees(azimuth), "deg", 1e-6),
            within(f"{case} tangent of elevation", tangent, math.tan(profile), "", max(digits, 1e-5 * (count == 2))),
        ]
    for name, method in (("3 lines", lines(3)), ("no lines, exact", {"type": "exact"})):
        found = look(scene, method)
        off_deg = math.degrees(math.hypot(found.profile_rad[0], found.azimuth_rad[0]))
        rows += [near(f"4.1 {name}: range", 0.99999, found.range_m[0], "m", SINGLE_PRECISION),
                 within(f"4.1 {name}: angle off the axis", 0.0, off_deg, "deg", 1e-6)]  # fmt: skip
    return rows


def _bound_rows() -> list[Row]:
    """Table 3, atan(extent / 2 / ((N - 1) r)) at 10 m: what a reading there is really off, for even N the worst case."""
    scene = thin_obstacle(10.0)
    return [
        within(f"table 3, {count} lines at 10 m: error", bound, math.degrees(look(scene, lines(count)).profile_rad[0]), "deg",
               half_digit)
        for count, (bound, half_digit) in TABLE_3.items()
    ]  # fmt: skip


def _turned_rows() -> list[Row]:
    """The obstacle at (5, 0, 7), turned towards the sensor. Azimuth: the sign of the document. 0.004096 is cut, not rounded."""
    found = look(thin_obstacle(7.0, 5.0, math.atan2(5, 7)), lines(1000))
    return [
        near("4.1 turned obstacle: range", 8.60233, found.range_m[0], "m", SINGLE_PRECISION),
        near("4.1 turned obstacle: azimuth", 35.53765, -math.degrees(found.azimuth_rad[0]), "deg", SINGLE_PRECISION),
        within("4.1 turned obstacle: elevation", 0.004096, math.degrees(found.profile_rad[0]), "deg", 1e-6),
    ]


def _speed_rows() -> list[Row]:
    """Table 4: from 0 to 10 m, frames of 18 ms +- 20 percent; the time between two readings is the true one."""
    rows, worst = [], 0.0
    for speed, theirs in TABLE_4.items():
        path = Spline.through([(x, 0.0, 0.0) for x in np.linspace(0.0, 10.0, 5)], speed_m_s=speed)
        frames_s = np.random.default_rng(1).uniform(0.8 * 0.018, 1.2 * 0.018, int(10 / speed / 0.018))
        times = [nanoseconds(time_s) for time_s in np.cumsum(frames_s) if time_s < 10 / speed]
        sensor = cone_sensor(opening_vertical_rad="90 deg", method=lines(100))
        told = [
            sample.speed_m_s[0] for sample in readings(sensor, thin_obstacle(0.0, motion=path), times) if len(sample)
        ]
        single = np.array([one for one in told if not math.isnan(one)])
        worst = max(worst, float(np.abs(single / speed - 1).max()))
        ours, off = float(single.mean()), abs(theirs - speed)
        rows.append(Row(f"table 4, average speed of a body at {speed:g} m/s", theirs, ours, "m/s",
                        f"nearer to {speed:g} than theirs", abs(ours - speed) < off))  # fmt: skip
    single_row = Row("4.2 largest error of a single speed", 20.0, 100 * worst, "%", "at most 1 %", worst <= 0.01)
    return [*rows, single_row]


def _rate_rows(repeats: int) -> list[Row]:
    """Table 5: frames with a scene to draw there, readings without one here."""
    rows = []
    for count, frames in TABLE_5.items():
        for obstacles, theirs in zip((1, 5, 10), frames, strict=True):
            samples, spent = readings(cone_sensor(method=lines(count)), boxes(obstacles), every_20_ms()), []
            for _ in islice(samples, 1):
                pass
            for _ in range(repeats):
                start = perf_counter()
                next(samples)
                spent.append(perf_counter() - start)
            rate = 1 / median(spent)
            case = f"table 5, {obstacles} obstacle{'s' * (obstacles > 1)}, {count} lines: rate"
            rows.append(Row(case, theirs, rate, "1/s", "at least theirs", rate >= theirs))
    return rows
