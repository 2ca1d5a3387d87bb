"""A bias that wanders about zero and forgets: the first-order Gauss-Markov process."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from sensorium.core.configuration import configured
from sensorium.core.units import PositiveSeconds
from sensorium.noise.fault import Fault, Floats, Operation, Step, added
from sensorium.noise.signal_units import Deviation


def gauss_markov_step(sigma: tuple[float, ...], correlation_s: float, rate_hz: float) -> Step:
    """Return the exact discretisation: x' = p x + sigma sqrt(1 - p^2) n with p = exp(-1 / (rate T))."""
    p = math.exp(-1 / (rate_hz * correlation_s))
    drive = math.sqrt(-math.expm1(-2 / (rate_hz * correlation_s)))
    return Step(Operation.GAUSS_MARKOV, (p, p, p, *(each * drive for each in sigma), *sigma))


@configured
class GaussMarkov(Fault):
    """Adds x with the autocorrelation sigma^2 exp(-tau / T); its first reading is drawn as wide as all others.

    Allan variance (IEEE Std 952-2020, annex C): 2 sigma^2 T / tau (1 - T / (2 tau) (3 - 4 exp(-tau/T) + exp(-2 tau/T))).
    """

    type: Literal["gauss_markov"] = "gauss_markov"
    sigma: Deviation
    """Standard deviation of the bias, in the signal's unit."""
    correlation_s: PositiveSeconds
    """T."""

    def steps(self, rate_hz: float) -> tuple[Step, ...]:
        """Return the process."""
        return (gauss_markov_step(self.sigma, self.correlation_s, rate_hz),)

    def covariance(self, before: Floats, rate_hz: float) -> Floats:
        """Add sigma^2."""
        return added(before, np.square(self.sigma))
