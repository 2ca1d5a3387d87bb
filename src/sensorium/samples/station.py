"""What a weather station hands out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.samples.sample import Sample

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, kw_only=True)
class StationReading(Sample):
    """Air as a weather station finds it, and what follows for making snow. Arrays are [1]."""

    temperature_k: Floats
    humidity: Floats
    """Relative, over water, 0 to 1."""
    wet_bulb_k: Floats
    snow: bool
    """Whether it is cold and dry enough for snow; else water comes out."""
    temperature_variance_k2: float = 0.0
    humidity_variance: float = 0.0
