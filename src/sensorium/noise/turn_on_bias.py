"""An offset that is another one each time the device is switched on: bias repeatability."""

from __future__ import annotations

from typing import Literal

import numpy as np

from sensorium.core.configuration import configured
from sensorium.noise.fault import Fault, Floats, Operation, Step, added
from sensorium.noise.signal_units import Deviation


@configured
class TurnOnBias(Fault):
    """Adds one draw of N(0, sigma^2) per axis to all readings of a run."""

    type: Literal["turn_on_bias"] = "turn_on_bias"
    sigma: Deviation
    """In the signal's unit."""

    def steps(self, rate_hz: float) -> tuple[Step, ...]:
        """Return the draw."""
        return (Step(Operation.CONSTANT, self.sigma),)

    def covariance(self, before: Floats, rate_hz: float) -> Floats:
        """Add sigma^2: over many runs it is an error like any other."""
        return added(before, np.square(self.sigma))
