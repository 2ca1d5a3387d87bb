"""Linear-acceleration effect: a gyroscope feels the force that its mass is under."""

from __future__ import annotations

from typing import Annotated, Literal

from sensorium.core.configuration import configured
from sensorium.core.units import InUnit
from sensorium.noise import Fault, Operation, Step

PerAcceleration = Annotated[float, InUnit("rad/s/(m/s^2)")]
Row = tuple[PerAcceleration, PerAcceleration, PerAcceleration]


@configured
class LinearAccelerationEffect(Fault):
    """u' = u + A f, f the specific force at the gyroscope in its own frame, at the instant of the reading.

    Data sheets print one figure, the diagonal: "0.1 deg/s/g" becomes [["0.1 deg/s/g", 0, 0], ...].
    """

    type: Literal["linear_acceleration_effect"] = "linear_acceleration_effect"
    matrix: tuple[Row, Row, Row]
    """A by rows."""

    def steps(self, rate_hz: float) -> tuple[Step, ...]:
        """Return the product."""
        return (Step(Operation.COUPLE, tuple(entry for row in self.matrix for entry in row)),)
