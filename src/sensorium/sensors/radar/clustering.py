"""Thousands of tubes become paths: what lies within a fraction of a resolution cell adds up in step."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sensorium.sensors.radar.paths import Paths

Floats = NDArray[np.float64]


def clustered(paths: Paths, cells: tuple[float, float, float], wavelength_m: float) -> Paths:
    """Return one path for all that share body, kind, and a cell of range [m], speed [m/s] and direction (sine).

    Its place is the mean weighed by cross section, its amplitude the sum of the amplitudes, each turned by the way that lies between.
    """
    if not len(paths):
        return paths
    range_m, speed_m_s, sine = cells
    columns = (
        paths.body,
        paths.bounces,
        np.floor(paths.range_m / range_m),
        np.floor(paths.speed_m_s / speed_m_s),
        np.floor(paths.heard[:, 1] / sine),
        np.floor(paths.heard[:, 2] / sine),
    )
    key = np.zeros(len(paths), np.int64)
    for column in columns:
        whole = column.astype(np.int64)
        whole -= whole.min()
        key = key * (int(whole.max()) + 1) + whole
    _, first, cluster = np.unique(key, return_index=True, return_inverse=True)
    cluster, count = cluster.ravel(), len(first)
    weight = paths.cross_section_m2 + 1e-300
    total = np.bincount(cluster, weight, count)

    def mean(column: Floats) -> Floats:
        return np.asarray(np.bincount(cluster, weight * column, count) / total)

    def unit(directions: Floats) -> Floats:
        summed = np.stack([mean(directions[:, c]) for c in range(3)], 1)
        return np.asarray(summed / np.linalg.norm(summed, axis=1, keepdims=True))

    far = mean(paths.range_m)
    turns = (2 / wavelength_m * (far[cluster] - paths.range_m)) % 1.0
    wave = paths.amplitude_m * np.exp(2j * np.pi * turns)
    amplitude = np.bincount(cluster, wave.real, count) + 1j * np.bincount(cluster, wave.imag, count)
    order = np.lexsort((-weight, cluster))
    strongest = order[np.searchsorted(cluster[order], np.arange(count))]
    return Paths(
        far, mean(paths.speed_m_s), mean(paths.acceleration_m_s2), unit(paths.sent), unit(paths.heard), amplitude,
        np.bincount(cluster, paths.diffuse_m2, count), paths.body[strongest], paths.part[strongest], paths.bounces[strongest],
    )  # fmt: skip
