"""A constant offset: zero-g level, zero rate, zero flux."""

from __future__ import annotations

from typing import Literal

from sensorium.core.configuration import configured
from sensorium.noise.fault import Fault, Operation, Step
from sensorium.noise.signal_units import Axes

_IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


@configured
class Bias(Fault):
    """Adds the same to every reading of every run."""

    type: Literal["bias"] = "bias"
    offset: Axes
    """In the signal's unit."""

    def steps(self, rate_hz: float) -> tuple[Step, ...]:
        """Return u + b."""
        return (Step(Operation.AFFINE, (*_IDENTITY, *self.offset)),)
