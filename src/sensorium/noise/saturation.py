"""Saturation: beyond a bound the reading stays at the bound."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import model_validator

from sensorium.core.configuration import configured
from sensorium.noise.fault import Fault, Operation, Step
from sensorium.noise.signal_units import Axes


@configured
class Saturation(Fault):
    """u' = max(lower, min(u, upper)), per axis. It may stand first, as a detectable range, and behind all else."""

    type: Literal["saturation"] = "saturation"
    lower: Axes
    upper: Axes

    @model_validator(mode="after")
    def _is_a_range(self) -> Self:
        for axis, lower, upper in zip("xyz", self.lower, self.upper, strict=True):
            if not lower < upper:
                raise ValueError(f"lower must lie below upper, found {lower:g} to {upper:g} on axis {axis}")
        return self

    def steps(self, rate_hz: float) -> tuple[Step, ...]:
        """Return the bounds."""
        return (Step(Operation.CLAMP, (*self.lower, *self.upper)),)
