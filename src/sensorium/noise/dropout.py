"""Readings that get lost on the way."""

from __future__ import annotations

from typing import Literal

from sensorium.core.configuration import configured
from sensorium.core.units import Fraction
from sensorium.noise.fault import Fault, Operation, Step


@configured
class Dropout(Fault):
    """Loses a reading, all its axes, with a probability."""

    type: Literal["dropout"] = "dropout"
    probability: Fraction
    instead: Literal["nothing", "last"] = "nothing"
    """`last`: the register still holds the reading before; `nothing`: not-a-number, and no message is sent."""

    def steps(self, rate_hz: float) -> tuple[Step, ...]:
        """Return the loss."""
        return (Step(Operation.DROP, (self.probability, float(self.instead == "last"))),)
