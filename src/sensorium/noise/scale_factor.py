"""Scale-factor error: the device multiplies a little too much or too little."""

from __future__ import annotations

from typing import Literal

import numpy as np

from sensorium.core.configuration import configured
from sensorium.noise.fault import Fault, Floats, Operation, Step
from sensorium.noise.signal_units import ShareDeviations, Shares


@configured
class ScaleFactor(Fault):
    """u' = (1 + error) (1 + spread n) u, with one n per axis and run.

    What the spread adds to the error of a reading depends on the signal and is not part of the stated covariance.
    """

    type: Literal["scale_factor"] = "scale_factor"
    error: Shares = (0.0, 0.0, 0.0)
    """The same in every run."""
    spread: ShareDeviations = (0.0, 0.0, 0.0)
    """Standard deviation from run to run."""

    def steps(self, rate_hz: float) -> tuple[Step, ...]:
        """Return the fixed part, and the drawn one if there is any."""
        fixed = Step(Operation.AFFINE, tuple(np.diag(1 + np.array(self.error)).ravel().tolist()))
        return (fixed, Step(Operation.SCALE, self.spread)) if any(self.spread) else (fixed,)

    def covariance(self, before: Floats, rate_hz: float) -> Floats:
        """Scale what comes in."""
        scale = np.diag(1 + np.array(self.error))
        return np.asarray(scale @ before @ scale.T)
