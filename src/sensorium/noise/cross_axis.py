"""Cross-axis sensitivity: what happens along one axis is seen on the others too."""

from __future__ import annotations

from typing import Literal, Self

import numpy as np
from pydantic import model_validator

from sensorium.core.configuration import configured
from sensorium.core.units import Number
from sensorium.noise.fault import Fault, Floats, Operation, Step

Row = tuple[Number, Number, Number]
Matrix3 = tuple[Row, Row, Row]
_SMALLEST_SHARE = 1e-3


def singular(matrix: Matrix3) -> str:
    """Return what is wrong with a matrix that squeezes space flat, or nothing."""
    values = np.linalg.svd(np.array(matrix), compute_uv=False)
    if values[-1] > _SMALLEST_SHARE * values[0]:
        return ""
    return (
        f"cannot be inverted: its smallest singular value is {values[-1]:.3g}, its largest {values[0]:.3g}, so that a "
        "direction is lost; the matrix of a sensor is near [[1, 0, 0], [0, 1, 0], [0, 0, 1]]"
    )


@configured
class CrossAxis(Fault):
    """u' = A u with a matrix near the identity."""

    type: Literal["cross_axis"] = "cross_axis"
    matrix: Matrix3
    """A by rows."""

    @model_validator(mode="after")
    def _can_be_inverted(self) -> Self:
        if flaw := singular(self.matrix):
            raise ValueError(f"matrix {flaw}")
        return self

    def steps(self, rate_hz: float) -> tuple[Step, ...]:
        """Return the product."""
        return (Step(Operation.AFFINE, tuple(entry for row in self.matrix for entry in row)),)

    def covariance(self, before: Floats, rate_hz: float) -> Floats:
        """Return A C A^T."""
        matrix = np.array(self.matrix)
        return np.asarray(matrix @ before @ matrix.T)
