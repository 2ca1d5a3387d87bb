"""The magnetometer: magnetic flux density along its axes, with what the vehicle's iron makes of the field."""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import model_validator

from sensorium.core.configuration import configured
from sensorium.core.units import Field3
from sensorium.noise.cross_axis import Matrix3, singular
from sensorium.sensors.inertial.triaxial import Triaxial


@configured
class Magnetometer(Triaxial):
    """Measures u = S F^-1 B(p) + h.

    Iron that turns with the instrument is part of its mount: what is magnetic by itself adds a constant h (hard iron),
    what the field magnetises adds in proportion to the field (soft iron). Iron elsewhere is a dipole of the scene.
    """

    signal_unit: ClassVar[str] = "T"

    hard_iron_t: Field3 = (0.0, 0.0, 0.0)
    """h, in the instrument's frame."""
    soft_iron: Matrix3 = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    """S by rows; the identity: none."""

    @model_validator(mode="after")
    def _field_comes_through(self) -> Self:
        if flaw := singular(self.soft_iron):
            raise ValueError(f"soft_iron {flaw}")
        return self

    @property
    def iron(self) -> NDArray[np.float64]:
        """S by rows and h [12], for the kernel."""
        return np.concatenate((np.array(self.soft_iron).ravel(), self.hard_iron_t))
