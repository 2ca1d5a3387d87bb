"""What an odometer hands out: a distance that a wheel has rolled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.samples.sample import Sample


@dataclass(frozen=True, eq=False, kw_only=True)
class OdometerReading(Sample):
    """Distance and speed at `time_ns`, with the variances that follow from the sensor's configuration."""

    body: str
    """Whose way is measured; empty if that is not known."""
    distance_m: NDArray[np.float64]
    """[1] since the start, forward positive."""
    speed_m_s: NDArray[np.float64]
    """[1]"""
    distance_variance_m2: float
    """Noise and binning; how far the wheel slips no odometer knows."""
    speed_variance_m2_s2: float
