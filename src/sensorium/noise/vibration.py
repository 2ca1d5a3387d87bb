"""Vibration of the mount, which the rigid motion of the carrier does not hold: an engine, a rotor."""

from __future__ import annotations

from typing import Literal

import numpy as np

from sensorium.core.configuration import configured
from sensorium.core.units import PositiveHertz
from sensorium.noise.fault import Fault, Floats, Operation, Step, added
from sensorium.noise.signal_units import Deviation


@configured
class Vibration(Fault):
    """Adds A sin(2 pi f t + phase) with a phase per axis drawn once per run.

    The reading is taken at an instant: a frequency beyond half the rate appears folded, as in a device whose
    filter lets it through.
    """

    type: Literal["vibration"] = "vibration"
    amplitude: Deviation
    """A, in the signal's unit."""
    frequency_hz: PositiveHertz

    def steps(self, rate_hz: float) -> tuple[Step, ...]:
        """Return the oscillation."""
        return (Step(Operation.VIBRATE, (*self.amplitude, self.frequency_hz / rate_hz)),)

    def covariance(self, before: Floats, rate_hz: float) -> Floats:
        """Add A^2 / 2."""
        return added(before, np.square(self.amplitude) / 2)
