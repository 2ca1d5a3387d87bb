"""Rate random walk: a bias that drifts away and never comes back."""

from __future__ import annotations

import math
from typing import Literal

from sensorium.core.configuration import configured
from sensorium.noise.fault import Fault, Operation, Step
from sensorium.noise.signal_units import Walk


@configured
class RandomWalk(Fault):
    """Adds x, x' = x + K sqrt(1 / rate) n, from zero. Allan deviation K sqrt(tau / 3)."""

    type: Literal["random_walk"] = "random_walk"
    walk: Walk
    """K: standard deviation after one second, in the signal's unit per root second."""

    def steps(self, rate_hz: float) -> tuple[Step, ...]:
        """Return the process."""
        return (Step(Operation.RANDOM_WALK, tuple(walk / math.sqrt(rate_hz) for walk in self.walk)),)
