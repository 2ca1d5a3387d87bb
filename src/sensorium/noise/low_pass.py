"""The anti-alias filter: a Butterworth low-pass, run over the signal at a higher rate than that of the readings."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sensorium.core.configuration import configured
from sensorium.core.errors import ConfigurationError, Problem
from sensorium.core.units import PositiveHertz

SECTION_FIGURES = 5


@configured
class LowPass:
    """A Butterworth filter of second order sections, discretised by the bilinear transform at the rate of evaluation.

    K = tan(pi f / rate) puts the -3 dB point exactly at `bandwidth_hz`. Section k of an order n has
    1/Q = 2 cos(pi (2k + 1) / (2n)) and y = (K^2 u + 2 K^2 u' + K^2 u'' - ...) / (1 + K/Q + K^2). The filter starts settled on
    the first value. Its delay is that of the real filter: about order / (2 pi f sqrt 2).
    """

    type: Literal["low_pass"] = "low_pass"
    bandwidth_hz: PositiveHertz
    """Frequency at which it lets half the power through."""
    order: Literal[2, 4, 6] = 2

    def sections(self, rate_hz: float) -> NDArray[np.float64]:
        """Return b0, b1, b2, a1, a2 of each section [order / 2, 5] at a rate of evaluation."""
        if not self.bandwidth_hz < rate_hz / 2:
            raise ConfigurationError([self.too_wide(rate_hz)])
        k = math.tan(math.pi * self.bandwidth_hz / rate_hz)
        rows = []
        for section in range(self.order // 2):
            damping = 2 * math.cos(math.pi * (2 * section + 1) / (2 * self.order))
            scale = 1 / (1 + k * damping + k * k)
            b0 = k * k * scale
            rows.append((b0, 2 * b0, b0, 2 * (k * k - 1) * scale, (1 - k * damping + k * k) * scale))
        return np.array(rows)

    def too_wide(self, rate_hz: float) -> Problem:
        """Return what to say of a filter that is wider than a rate of evaluation allows."""
        what = (
            f"must be less than half the rate at which the motion is looked at, {rate_hz / 2:g} Hz, found "
            f"{self.bandwidth_hz:g} Hz; raise `oversampling`, or leave the filter out"
        )
        return Problem("bandwidth_hz", what)
