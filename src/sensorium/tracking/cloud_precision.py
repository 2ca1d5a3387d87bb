"""How well the middle of a group of points is known.

A round thing of radius R is a disc for the scan, whose steps a (azimuth) and b (elevation) put n = pi R^2 / (a b) points on
it: R follows from n. Along one line of the scan the middle lies halfway between the first and the last point; both gaps at
the ends are uniform over a step, so its variance is 2 (a^2 / 12) / 4 = a^2 / 24. The mean chord is pi R / 2, hence the disc is
crossed by m = pi R / (2 b) lines, each with a phase of its own: variance a^2 / (24 m). Across the lines all columns share one
phase, but the chords taper to nothing at the ends; for 2 to 9 lines on the disc b / sqrt(24 m) is right or too large, by up to
twice, and never too small by more than a fifth (computed with random phases).
The visible half of a sphere has the mean depth 2 R / 3 before its centre and the spread R / sqrt(18), divided by sqrt(n).

Of anything else only the part that faces the sensor is known: a group of extent w counts as uniform, w / sqrt(12 n), never
finer than step / sqrt(12), and its depth to half of its radius.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sensorium.tracking.cloud_shapes import Shapes

Floats = NDArray[np.float64]
_THICKEST_M = 1.0


def precision_of(
    found: Shapes, distance_m: Floats, azimuth_step_rad: float, elevation_step_rad: float, range_noise_m: float
) -> tuple[Floats, Floats]:
    """Return how far the centre lies behind the mean of the points [G, m], and standard deviations [G, 3] of r, az, el."""
    count = np.maximum(found.count, 1)
    steps = np.array([azimuth_step_rad, elevation_step_rad])
    thick = np.minimum(found.radius_m, _THICKEST_M)
    across = 2 * thick / np.maximum(distance_m, 0.1)
    angles = np.maximum(steps / math.sqrt(12.0), (across / np.sqrt(12.0 * count))[:, None])
    other = np.column_stack((np.hypot(range_noise_m / np.sqrt(count), thick / 2), angles))
    radius_rad = np.sqrt(count * azimuth_step_rad * elevation_step_rad / math.pi)
    lines = np.maximum(math.pi * radius_rad / (2 * max(elevation_step_rad, 1e-9)), 1.0)
    radius = radius_rad * distance_m
    depth_noise = np.hypot(range_noise_m, radius / math.sqrt(18.0)) / np.sqrt(count)
    disc = np.column_stack((depth_noise, steps / np.sqrt(24.0 * lines)[:, None]))
    return np.where(found.round, 2 / 3 * radius, 0.0), np.where(found.round[:, None], disc, other)
