"""Thousands of tubes become paths: what lies within a fraction of a resolution cell adds up in step."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sensorium.sensors.radar.paths import Paths

Floats = NDArray[np.float64]


def clustered(paths: Paths, cells: tuple[float, float, float], wavelength_m: float) -> Paths:
    """Return one path for all that share body, kind, and a cell of range [m], speed [m/s] and direction (sine).

    Its place is the mean weighed by cross section, its amplitude the sum of the amplitudes, each turned by the way between.
    """
    if not len(paths):
        return paths
    from sensorium.sensors.radar import clustering_kernels

    range_m, speed_m_s, sine = cells
    axes = (
        paths.body,
        paths.bounces,
        np.floor(paths.range_m / range_m),
        np.floor(paths.speed_m_s / speed_m_s),
        np.floor(paths.heard[:, 1] / sine),
        np.floor(paths.heard[:, 2] / sine),
    )
    key = np.zeros(len(paths), np.int64)
    for column in axes:
        whole = column.astype(np.int64)
        whole -= whole.min()
        key = key * (int(whole.max()) + 1) + whole
    cluster = np.empty(len(paths), np.int64)
    count = clustering_kernels.numbered(key, cluster)
    columns = np.concatenate(
        (np.stack((paths.range_m, paths.speed_m_s, paths.acceleration_m_s2), 1), paths.sent, paths.heard), 1
    )
    means, total, strongest = np.zeros((count, 9)), np.zeros((count, 3)), np.empty(count, np.int64)
    clustering_kernels.summed(
        cluster, columns, paths.amplitude_m, paths.diffuse_m2, 2 / wavelength_m, means, total, strongest
    )
    sent, heard = (_unit(means[:, start : start + 3]) for start in (3, 6))
    return Paths(
        means[:, 0].copy(), means[:, 1].copy(), means[:, 2].copy(), sent, heard, total[:, 0] + 1j * total[:, 1],
        total[:, 2].copy(), paths.body[strongest], paths.part[strongest], paths.bounces[strongest],
    )  # fmt: skip


def _unit(vectors: Floats) -> Floats:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
