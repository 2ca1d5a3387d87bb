"""The gyroscope: angular velocity about its axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar

from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.noise import Fault, FaultUnion
from sensorium.sensors.inertial.linear_acceleration import LinearAccelerationEffect
from sensorium.sensors.inertial.triaxial import Triaxial


@configured
class Gyroscope(Triaxial):
    """Measures u = F^-1 w."""

    signal_unit: ClassVar[str] = "rad/s"

    chain: tuple[Annotated[FaultUnion | LinearAccelerationEffect, Field(discriminator="type")], ...] = ()  # type: ignore[assignment]
    """Faults behind the filter, in signal order."""

    @property
    def feels_force(self) -> bool:
        """Whether its readings depend on the specific force."""
        return any(isinstance(fault, LinearAccelerationEffect) for fault in self.chain)

    @property
    def faults(self) -> Sequence[Fault]:
        """The chain."""
        return self.chain
