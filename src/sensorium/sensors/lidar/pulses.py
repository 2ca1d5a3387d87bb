"""Pulse shapes: what one echo looks like in time, laser and receiver together. Chosen by name; each is an object.

Every shape has its peak at time zero with the value 1, so that an echo of power P peaks at P at twice its range over c.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.units import PositiveSeconds

Floats = NDArray[np.float64]

FAINT = 1e-5
"""Share of the peak below which a pulse counts as over."""


class Pulse(ABC):
    """The contract of every pulse: rises once, peaks at time zero with the value 1, falls once."""

    @abstractmethod
    def shape(self, time_s: Floats) -> Floats:
        """Return the share of the peak at these times after the peak."""

    def reach_s(self, share: float) -> tuple[float, float]:
        """Return how long before and after its peak the pulse is at this share of it (0 < share < 1)."""
        return self._crossing_s(share, -1.0), self._crossing_s(share, 1.0)

    @property
    def fwhm_s(self) -> float:
        """Full width at half maximum."""
        return sum(self.reach_s(0.5))

    def _crossing_s(self, share: float, side: float) -> float:
        from scipy.optimize import brentq

        def above(time_s: float) -> float:
            return float(self.shape(np.array([side * time_s]))[0]) - share

        far = 1e-12
        while above(far) > 0:
            far *= 2
        return float(brentq(above, 0.0, far, xtol=1e-18, rtol=1e-13))


@configured
class GaussianPulse(Pulse):
    """The symmetric pulse exp(-4 ln 2 t^2 / w^2) with the full width w at half maximum."""

    type: Literal["gaussian"] = "gaussian"
    width_s: PositiveSeconds = 4e-9
    """Full width at half maximum."""

    def shape(self, time_s: Floats) -> Floats:
        """Return the share of the peak at these times after the peak."""
        return np.asarray(np.exp(-4 * math.log(2) * (np.asarray(time_s) / self.width_s) ** 2))


@configured
class SkewedPulse(Pulse):
    """A pulse as detectors give it: a fast rise and a slow fall.

    A Gaussian g (standard deviation s) through a first-order low-pass of time constant tau, the exponentially modified
    Gaussian: f(t) ~ exp(s^2 / (2 tau^2) - t / tau) erfc((s / tau - t / s) / sqrt 2) (E. Grushka, Analytical Chemistry 44,
    1972). It solves tau f' + f = g, so that its peak lies where it crosses the Gaussian.
    """

    type: Literal["skewed"] = "skewed"
    width_s: PositiveSeconds = 3e-9
    """Full width at half maximum of the Gaussian, before the low-pass."""
    decay_s: Annotated[PositiveSeconds, Field(ge=1e-12, le=1e-6)] = 2e-9
    """tau, time constant of the fall."""

    def shape(self, time_s: Floats) -> Floats:
        """Return the share of the peak at these times after the peak."""
        peak_s = self._peak_s()
        return self._modified(np.asarray(time_s, np.float64) + peak_s) / float(self._modified(np.array([peak_s]))[0])

    @property
    def _deviation_s(self) -> float:
        return self.width_s / math.sqrt(8 * math.log(2))

    def _modified(self, t: Floats) -> Floats:
        """Return the shape on the clock of its Gaussian, with the peak of the Gaussian as unit."""
        from scipy.special import erfc, erfcx

        s, tau = self._deviation_s, self.decay_s
        z = (s / tau - t / s) / math.sqrt(2)
        rising = np.exp(-0.5 * (t / s) ** 2) * erfcx(np.maximum(z, 0.0))
        falling = np.exp(np.minimum(s * s / (2 * tau * tau) - t / tau, 0.0)) * erfc(np.minimum(z, 0.0))
        return np.asarray(math.sqrt(math.pi / 2) * s / tau * np.where(z > 0, rising, falling))

    def _peak_s(self) -> float:
        from scipy.optimize import brentq
        from scipy.special import erfcx

        s, tau = self._deviation_s, self.decay_s

        def over_gaussian(t: float) -> float:
            return math.sqrt(math.pi / 2) * s / tau * float(erfcx((s / tau - t / s) / math.sqrt(2))) - 1.0

        return float(brentq(over_gaussian, 0.0, s * s / tau + 10 * s, xtol=1e-18, rtol=1e-13))


AnyPulse = Annotated[GaussianPulse | SkewedPulse, Field(discriminator="type")]
