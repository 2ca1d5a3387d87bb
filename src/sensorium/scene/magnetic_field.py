"""The magnetic flux density that fills the scene."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sensorium.core.configuration import configured
from sensorium.core.time import Times
from sensorium.core.units import Field3
from sensorium.motion.motion import Motion
from sensorium.scene.origin import Origin

Floats = NDArray[np.float64]


class MagneticField(ABC):
    """A field in the world frame; implementations are frozen and answer any batch of places and times."""

    def placed(self, origin: Origin | None, motion_of: Callable[[str], Motion]) -> MagneticField:
        """Return the field with what it needs of its scene: the place on Earth, the motions of named bodies."""
        return self

    @abstractmethod
    def flux_density_t(self, position_m: Floats, times_ns: Times) -> Floats:
        """Return the flux density [..., 3] in tesla, world frame, at places [..., 3] and times [...]."""


@configured
class UniformField(MagneticField):
    """The same flux density everywhere and at all times."""

    type: Literal["uniform"] = "uniform"
    b_t: Field3
    """In the world frame: east, north, up."""

    def flux_density_t(self, position_m: Floats, times_ns: Times) -> Floats:
        """Return the one flux density for every place [..., 3]."""
        everywhere = np.empty(np.shape(position_m))
        everywhere[...] = self._b
        return everywhere

    @cached_property
    def _b(self) -> Floats:
        return np.array(self.b_t)
