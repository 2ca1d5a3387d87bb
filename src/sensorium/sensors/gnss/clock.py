"""The receiver's clock: an offset that drifts, wanders, and is set back in jumps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.random import Draws
from sensorium.core.units import NonNegativeNumber, Number, Seconds


@dataclass(frozen=True)
class ClockState:
    """What the clock says minus GPS time."""

    bias_s: float
    drift: float
    jumped_s: float = 0.0
    """By how much it was set at this epoch."""


@configured
class ReceiverClock:
    """A quartz with white and random-walk noise of its frequency.

    Over a step t the drift gains noise of variance 2 pi^2 h_-2 t and the bias h_0 t / 2 besides what the drift makes of it
    (Brown and Hwang, Introduction to Random Signals and Applied Kalman Filtering, 4th ed., 9.3).
    """

    bias_s: Seconds = 2e-4
    """Standard deviation of the first bias."""
    drift: NonNegativeNumber = 5e-7
    """Standard deviation of the first drift."""
    h_0_s: Number = 2e-19
    """Of a temperature-compensated quartz, table 9.3 there."""
    h_minus_2_1_s: Number = 2e-20
    jump_s: Annotated[Seconds, Field(gt=0)] | None = 1e-3
    """The clock is set back by whole multiples of this as soon as it is off by more than half of it; null: never."""

    def start(self, draws: Draws) -> ClockState:
        """Return the state at the first epoch."""
        first = draws.normal("clock start", 2)
        return self._set(ClockState(float(self.bias_s * first[0]), float(self.drift * first[1])))

    def after(self, state: ClockState, step_s: float, draws: Draws) -> ClockState:
        """Return the state a step later."""
        white, walk = draws.normal("clock", 2)
        bias = state.bias_s + state.drift * step_s + np.sqrt(max(self.h_0_s, 0.0) * step_s / 2) * white
        drift = state.drift + np.sqrt(2 * np.pi**2 * max(self.h_minus_2_1_s, 0.0) * step_s) * walk
        return self._set(ClockState(float(bias), float(drift)))

    def _set(self, state: ClockState) -> ClockState:
        if self.jump_s is None or abs(state.bias_s) <= self.jump_s / 2:
            return state
        jump = -self.jump_s * round(state.bias_s / self.jump_s)
        return ClockState(state.bias_s + jump, state.drift, jump)
