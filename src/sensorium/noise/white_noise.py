"""White noise of a given standard deviation: the "total noise" of data sheets."""

from __future__ import annotations

from typing import Literal

import numpy as np

from sensorium.core.configuration import configured
from sensorium.noise.fault import Fault, Floats, Operation, Step, added
from sensorium.noise.signal_units import Deviation


@configured
class WhiteNoise(Fault):
    """Adds N(0, sigma^2) to each axis of each reading."""

    type: Literal["white_noise"] = "white_noise"
    sigma: Deviation
    """Standard deviation, in the signal's unit."""

    def steps(self, rate_hz: float) -> tuple[Step, ...]:
        """Return the draws."""
        return (Step(Operation.WHITE, self.sigma),)

    def covariance(self, before: Floats, rate_hz: float) -> Floats:
        """Add sigma^2."""
        return added(before, np.square(self.sigma))
