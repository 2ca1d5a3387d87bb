"""The converter: readings are whole numbers of steps, and there are only so many of them."""

from __future__ import annotations

import math
from typing import Annotated, Literal, Self

import numpy as np
from annotated_types import Ge, Le
from pydantic import model_validator

from sensorium.core.configuration import configured
from sensorium.noise.fault import Fault, Floats, Operation, Step, added
from sensorium.noise.signal_units import Resolution, Sensitivity


@configured
class Quantisation(Fault):
    """u' = q rint(u / q); with `bits` the count stays within two's complement, -2^(bits-1) to 2^(bits-1) - 1."""

    type: Literal["quantisation"] = "quantisation"
    step: Resolution | None = None
    """q in the signal's unit; or give the sensitivity."""
    sensitivity: Sensitivity | None = None
    """1 / q, as data sheets print it: LSB/g."""
    bits: Annotated[int, Ge(2), Le(64)] | None = None
    """None: the converter never saturates."""

    @model_validator(mode="after")
    def _has_one_step(self) -> Self:
        if (self.step is None) == (self.sensitivity is None):
            raise ValueError("give either step or sensitivity, one of the two")
        return self

    @property
    def quantum(self) -> float:
        """One step in the signal's unit."""
        return float(self.step) if self.step is not None else 1 / float(self.sensitivity or math.nan)

    def steps(self, rate_hz: float) -> tuple[Step, ...]:
        """Return the rounding."""
        half = math.inf if self.bits is None else 2.0 ** (self.bits - 1)
        return (Step(Operation.ROUND, (self.quantum, -half, half - 1)),)

    def covariance(self, before: Floats, rate_hz: float) -> Floats:
        """Add q^2 / 12."""
        return added(before, np.full(3, self.quantum**2 / 12))
