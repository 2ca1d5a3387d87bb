"""Dilution of precision: what the geometry of the satellites makes of an error of one metre."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Dilution:
    """DOP values; infinite where the geometry does not serve."""

    geometric: float = np.inf
    position: float = np.inf
    horizontal: float = np.inf
    vertical: float = np.inf
    time: float = np.inf
    north: float = np.inf
    east: float = np.inf


def design(towards_enu: Floats, clock: NDArray[np.int64]) -> Floats:
    """Return the matrix [N, 3 + clocks] of range against east, north, up and the clock of each satellite's system."""
    columns = np.zeros((len(clock), 3 + (int(clock.max()) + 1 if len(clock) else 1)))
    columns[:, :3] = -towards_enu
    columns[np.arange(len(clock)), 3 + clock] = 1.0
    return columns


def inverse(normal: Floats) -> Floats | None:
    """Return the inverse of a normal matrix; None if it has none to speak of: a variance above 1e9 or below zero."""
    if not np.isfinite(normal).all():
        return None
    try:
        found = np.linalg.inv(normal)
    except np.linalg.LinAlgError:
        return None
    diagonal = np.diag(found)
    return np.asarray(found, np.float64) if diagonal.min() > 0 and diagonal.max() < 1e9 else None


def dilution(towards_enu: Floats, clock: NDArray[np.int64] | None = None) -> Dilution:
    """Return the DOP values of directions [N, 3]: roots of the diagonal of (H^T H)^-1 (Kaplan and Hegarty, 7.3.1).

    `clock` numbers the clock of each satellite's system; None: one clock for all.
    """
    clock = np.zeros(len(towards_enu), np.int64) if clock is None else clock
    h = design(towards_enu, clock)
    covariance = inverse(h.T @ h) if len(h) >= h.shape[1] else None
    if covariance is None:
        return Dilution()
    east, north, up, *times = np.diag(covariance).tolist()
    return Dilution(
        geometric=float(np.sqrt(east + north + up + times[0])), position=float(np.sqrt(east + north + up)),
        horizontal=float(np.sqrt(east + north)), vertical=float(np.sqrt(up)), time=float(np.sqrt(times[0])),
        north=float(np.sqrt(north)), east=float(np.sqrt(east)),
    )  # fmt: skip
