"""Rows of `sensorium reproduce tracking` from simulated scans: they must agree with the level of measurements."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sensorium.apps.benchmarks.rows import Row
from sensorium.apps.studies.bouncing_ball import LIDAR, BouncingBall
from sensorium.apps.studies.simulated_ball import errors_of, level_of_measurements, rms_band, simulated
from sensorium.evaluation.consistency import band

SCANS = (3, 7, 11, 15, 20, 25, 29)
"""Numbers of the scans whose errors are compared: 0.35 to 2.95 s after the throw, before and after two bounces."""
_DURATION_S, _CONFIDENCE, _LEAST_SEEN = 3.05, 0.95, 0.9


def simulated_rows(runs: int, many: int = 2000, threads: int | None = None) -> Iterator[Row]:
    """Simulate `runs` throws, the LiDAR alone, and hold them against `many` at the level of measurements."""
    study = BouncingBall(runs=runs, duration_s=_DURATION_S, instruments=(LIDAR,))
    found = simulated(study)
    share = float(found.measurements.valid.mean())
    yield Row(f"{runs} simulated throws: scans in which the LiDAR detects the ball", None, 100 * share, "%",
              f"at least {100 * _LEAST_SEEN:g}", share >= _LEAST_SEEN)  # fmt: skip
    for what, nis in (
        ("all detections", found.nis()),
        ("detections of the whole ball in sight", found.nis(whole=True)),
    ):
        low, high = band(3, len(nis), _CONFIDENCE)
        yield Row(f"NIS of {len(nis)}, {what}, against the truth, mean", 3.0, float(nis.mean()), "",
                  f"{low:.2f} to {high:.2f}, chi-squared at 95 %", bool(low <= nis.mean() <= high))  # fmt: skip
    wide, ours = level_of_measurements(study, found, many, threads), errors_of(found)
    scans = np.array(SCANS)
    lows, highs = rms_band(wide.position_m[:, scans], runs, _CONFIDENCE)
    for k, scan in enumerate(SCANS):
        theirs, mine = (float(np.sqrt(np.mean(one[:, scan] ** 2))) for one in (wide.position_m, ours))
        yield Row(f"LiDAR alone, RMS position error at {wide.time_s[scan]:.2f} s: measurements, simulated", theirs, mine, "m",
                  f"{lows[k]:.3f} to {highs[k]:.3f}: 95 % for all times together", bool(lows[k] <= mine <= highs[k]))  # fmt: skip
