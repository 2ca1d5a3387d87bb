"""White noise given by its amplitude spectral density, as data sheets do."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from sensorium.core.configuration import configured
from sensorium.core.units import PositiveHertz
from sensorium.noise.fault import Fault, Floats, Operation, Step, added
from sensorium.noise.signal_units import Density


@configured
class SpectralNoise(Fault):
    """Adds N(0, (density sqrt(bandwidth))^2).

    With the rate as bandwidth, which is the default, the Allan deviation falls as density / sqrt(tau): the density is
    then the random walk N of the integral (deg/sqrt(h), m/s/sqrt(h)). A sheet that prints a one-sided density, which is
    sqrt(2) N, wants half the rate as bandwidth.
    """

    type: Literal["spectral_noise"] = "spectral_noise"
    density: Density
    bandwidth_hz: PositiveHertz | None = None
    """None: the rate of the readings."""

    def _sigma(self, rate_hz: float) -> tuple[float, ...]:
        root = math.sqrt(rate_hz if self.bandwidth_hz is None else self.bandwidth_hz)
        return tuple(density * root for density in self.density)

    def steps(self, rate_hz: float) -> tuple[Step, ...]:
        """Return the draws."""
        return (Step(Operation.WHITE, self._sigma(rate_hz)),)

    def covariance(self, before: Floats, rate_hz: float) -> Floats:
        """Add the variance."""
        return added(before, np.square(self._sigma(rate_hz)))
