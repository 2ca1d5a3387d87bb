"""How far apart the beams of a list lie."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def typical_step_rad(azimuth_rad: NDArray[np.float64], ring: NDArray[np.uint16]) -> float:
    """Return the median horizontal angle between beams [M] that follow one another in a channel; 0 without any."""
    order = np.argsort(ring, kind="stable")
    turn = np.diff(azimuth_rad[order])[np.diff(ring[order]) == 0]
    step = np.abs(np.arctan2(np.sin(turn), np.cos(turn)))
    step = step[step > 0]
    return float(np.median(step)) if len(step) else 0.0
