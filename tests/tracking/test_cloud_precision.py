"""How well the middle of a scanned disc is known, against discs scanned with random phases."""

from __future__ import annotations

import numpy as np
import pytest

from sensorium.tracking.cloud_precision import precision_of
from sensorium.tracking.cloud_shapes import shapes_of

AZIMUTH, ELEVATION, DISTANCE, RADIUS = 0.0036, 0.0059, 16.0, 0.11


def scanned(rng: np.random.Generator, radius: float) -> np.ndarray:
    """Points [n, 3] on the near half of a sphere, rows of the scan with phases of their own; x is depth."""
    a, b = AZIMUTH * DISTANCE, ELEVATION * DISTANCE
    rows = np.arange(-radius - b, radius + b, b) + b * rng.random()
    grid = [np.column_stack((np.arange(-radius - a, radius + a, a) + a * rng.random(),)) for _ in rows]
    flat = np.concatenate(
        [np.column_stack((line[:, 0], np.full(len(line), row))) for line, row in zip(grid, rows, strict=True)]
    )
    flat = flat[np.hypot(*flat.T) < radius]
    depth = -np.sqrt(radius**2 - np.sum(flat**2, 1))
    return np.column_stack((depth, flat))


@pytest.mark.parametrize("radius", [RADIUS, 0.16, 0.22])
def test_stated_deviation_is_that_of_scanned_spheres(radius):
    """Centroid error of a disc under a scan: a^2 / (24 m), m = pi R / (2 b); rms within 0.5 to 1.25."""
    rng, errors = np.random.default_rng(3), []
    for _ in range(600):
        points = scanned(rng, radius)
        found = shapes_of(points, np.zeros(len(points), np.intp))
        if not found.round[0]:
            continue
        depth, sigma = precision_of(found, np.array([DISTANCE]), AZIMUTH, ELEVATION, 1e-4)
        off = points.mean(0) + (depth[0], 0.0, 0.0)
        errors.append(off / (sigma[0] * (1, DISTANCE, DISTANCE)))
    z = np.array(errors)
    assert len(z) > 300
    rms = np.sqrt(np.mean(z**2, 0))
    assert (np.abs(z.mean(0)) < 0.2).all()
    assert ((rms > 0.5) & (rms < 1.25)).all(), rms


def test_a_wall_stays_as_vague_as_it_is_deep():
    """What is not round: depth known to half of its radius, never finer than a step / sqrt(12)."""
    rng = np.random.default_rng(4)
    points = np.column_stack((np.zeros(400), rng.uniform(-0.6, 0.6, 400), rng.uniform(-0.6, 0.6, 400)))
    found = shapes_of(points, np.zeros(400, np.intp))
    depth, sigma = precision_of(found, np.array([10.0]), AZIMUTH, ELEVATION, 0.02)
    assert depth[0] == 0
    assert sigma[0, 0] == pytest.approx(found.radius_m[0] / 2, rel=0.01)
    assert (sigma[0, 1:] >= np.array([AZIMUTH, ELEVATION]) / np.sqrt(12) - 1e-12).all()
