"""How well tracks keep to their targets, and how soon an alert comes."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sensorium.core.errors import ConfigurationError


def purity(track: ArrayLike, target: ArrayLike) -> float:
    """Return the part of the associations [N] that belong to the most frequent target of their track.

    1: every track followed one target from start to end. A negative track was not associated and does not count; a negative
    target is clutter, a target of its own.
    """
    tracks, targets = np.asarray(track, np.int64), np.asarray(target, np.int64)
    if tracks.shape != targets.shape:
        raise ConfigurationError(f"one target for each association is wanted, found {tracks.shape} and {targets.shape}")
    used = tracks >= 0
    if not used.any():
        return float("nan")
    _, rows = np.unique(tracks[used], return_inverse=True)
    _, columns = np.unique(targets[used], return_inverse=True)
    counts = np.zeros((rows.max() + 1, columns.max() + 1), np.int64)
    np.add.at(counts, (rows, columns), 1)
    return float(counts.max(1).sum() / counts.sum())


def alert_latency_s(alert_s: ArrayLike, onset_s: ArrayLike) -> NDArray[np.float64]:
    """Return how long after the danger began each alert came [B]; infinite where none came (NaN)."""
    latency = np.asarray(alert_s, np.float64) - np.asarray(onset_s, np.float64)
    return np.asarray(np.where(np.isnan(latency), np.inf, latency))
