"""Bias instability as data sheets state it: the level of the flat part of the Allan deviation."""

from __future__ import annotations

from typing import Literal

import numpy as np

from sensorium.core.configuration import configured
from sensorium.core.units import PositiveSeconds
from sensorium.noise.fault import Fault, Floats, Step, added
from sensorium.noise.gauss_markov import gauss_markov_step
from sensorium.noise.signal_units import Deviation

HIGHEST = 0.6174
"""Largest Allan deviation of a Gauss-Markov process of unit variance; it stands at tau = 1.893 T."""


@configured
class BiasInstability(Fault):
    """A Gauss-Markov bias whose Allan deviation is flat about 1.89 T, at the level of the data sheet: sigma = level / 0.6174."""

    type: Literal["bias_instability"] = "bias_instability"
    level: Deviation
    """Lowest value of the Allan deviation ("in-run bias stability"), in the signal's unit."""
    correlation_s: PositiveSeconds
    """T of the process."""

    @property
    def sigma(self) -> tuple[float, ...]:
        """Standard deviation of the bias."""
        return tuple(level / HIGHEST for level in self.level)

    def steps(self, rate_hz: float) -> tuple[Step, ...]:
        """Return the process."""
        return (gauss_markov_step(self.sigma, self.correlation_s, rate_hz),)

    def covariance(self, before: Floats, rate_hz: float) -> Floats:
        """Add sigma^2."""
        return added(before, np.square(self.sigma))
