"""Several magnetic fields at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from annotated_types import Len
from numpy.typing import NDArray
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.time import Times
from sensorium.motion.motion import Motion
from sensorium.scene.magnetic_field import MagneticField, UniformField
from sensorium.scene.magnetism.dipole import DipoleField
from sensorium.scene.magnetism.earth import EarthField
from sensorium.scene.origin import Origin

Floats = NDArray[np.float64]


@configured
class TotalField(MagneticField):
    """The sum of its fields: flux densities add up, each body's iron taken as magnetised once and for all."""

    type: Literal["sum"] = "sum"
    fields: Annotated[
        tuple[Annotated[UniformField | EarthField | DipoleField, Field(discriminator="type")], ...], Len(1)
    ]

    def placed(self, origin: Origin | None, motion_of: Callable[[str], Motion]) -> MagneticField:
        """Return the sum of the placed fields."""
        return _Sum(tuple(field.placed(origin, motion_of) for field in self.fields))

    def flux_density_t(self, position_m: Floats, times_ns: Times) -> Floats:
        """Return the sum."""
        return _Sum(self.fields).flux_density_t(position_m, times_ns)


@dataclass(frozen=True, eq=False)
class _Sum(MagneticField):
    fields: tuple[MagneticField, ...]

    def flux_density_t(self, position_m: Floats, times_ns: Times) -> Floats:
        first, *others = (field.flux_density_t(position_m, times_ns) for field in self.fields)
        for other in others:
            first = first + other
        return first
