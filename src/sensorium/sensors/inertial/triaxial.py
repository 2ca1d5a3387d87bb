"""What accelerometer, gyroscope and magnetometer have in common: up to three axes, a frame, a filter and a chain of faults."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal, Self

from annotated_types import Len
from pydantic import Field, model_validator

from sensorium.core.configuration import configured
from sensorium.core.errors import ConfigurationError, Problem
from sensorium.core.pose import Pose
from sensorium.core.units import PositiveHertz
from sensorium.noise import AnyFault, Fault, LowPass, Saturation, chain_problems

Axis = Literal["x", "y", "z"]


@configured
class Triaxial:
    """An instrument inside an IMU.

    Its signal is clamped to the detectable range, goes through the anti-alias filter, is read at the rate, and takes the
    chain of faults in signal order.
    """

    signal_unit: ClassVar[str] = ""
    """SI unit of what it measures."""

    pose: Pose = Field(default_factory=Pose.identity)
    """T_imu_instrument: where it sits in the IMU, and how its axes are turned."""
    axes: Annotated[tuple[Axis, ...], Len(1, 3)] = ("x", "y", "z")
    """Those that it has; a missing one reads NaN."""
    rate_hz: PositiveHertz | None = None
    """Of its readings, a whole part of the IMU's; None: that of the IMU."""
    input_range: Saturation | None = None
    """What it can detect; acts in front of the filter."""
    filter: LowPass | None = None
    """None: a reading is the signal at one instant, and faster motion appears folded (aliasing)."""
    chain: tuple[AnyFault, ...] = ()
    """Faults behind the filter, in signal order."""

    @property
    def faults(self) -> Sequence[Fault]:
        """The chain."""
        return self.chain

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        problems = [*chain_problems(self.faults, "chain", self.signal_unit)]
        if self.input_range is not None:
            wrong = self.input_range.problems(self.signal_unit)
            problems += [Problem(f"input_range.{problem.where}", problem.what) for problem in wrong]
        if len(set(self.axes)) < len(self.axes):
            problems.append(Problem("axes", f"each axis may stand there once, found {list(self.axes)}"))
        if problems:
            raise ConfigurationError(problems)
        return self
