"""What a thermometer hands out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.samples.sample import Sample


@dataclass(frozen=True, eq=False, kw_only=True)
class Temperature(Sample):
    """A temperature."""

    temperature_k: NDArray[np.float64]
    """[1]"""
    variance_k2: float = 0.0
    """Of noise, resolution and tolerance together; 0: not known."""
