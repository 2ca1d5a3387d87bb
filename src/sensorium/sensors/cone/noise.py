"""What the electronics add to a reading."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sensorium.core.configuration import configured
from sensorium.core.random import Draws
from sensorium.core.units import NonNegativeMetres, NonNegativeNumber, NonNegativeRadians

Floats = NDArray[np.float64]


@configured
class Noise:
    """Normal errors: sigma = sqrt(range_m^2 + (range_share r)^2) along the beam, and of both angles."""

    range_m: NonNegativeMetres = 0.0
    range_share: NonNegativeNumber = 0.0
    """Part that grows with the distance."""
    azimuth_rad: NonNegativeRadians = 0.0
    elevation_rad: NonNegativeRadians = 0.0
    range_step_m: NonNegativeMetres = 0.0
    """Step of the reported range, rounded to the nearest; 0: none."""

    def sigma_m(self, range_m: Floats) -> Floats:
        """Return the standard deviation of ranges [N] before rounding."""
        return np.hypot(self.range_m, self.range_share * range_m)

    def range_of(self, range_m: Floats, draws: Draws) -> Floats:
        """Return reported ranges [N], never below 0."""
        noisy = range_m
        if self.range_m or self.range_share:
            noisy = np.maximum(range_m + self.sigma_m(range_m) * draws.normal("range", len(range_m)), 0.0)
        return np.asarray(np.rint(noisy / self.range_step_m) * self.range_step_m) if self.range_step_m else noisy

    def variance_m2(self, range_m: float) -> float:
        """Return the variance of one reported range: noise, and rounding with step^2 / 12."""
        return float(self.sigma_m(np.array(range_m)) ** 2 + self.range_step_m**2 / 12)

    def angle_of(self, angle_rad: Floats, sigma_rad: float, stream: str, draws: Draws) -> Floats:
        """Return reported angles [N]."""
        return angle_rad + sigma_rad * draws.normal(stream, len(angle_rad)) if sigma_rad else angle_rad
