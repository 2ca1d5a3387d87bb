"""How strongly the sensor sends and hears in each direction."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.units import Radians

Floats = NDArray[np.float64]
Width = Annotated[Radians, Field(gt=0)]


class Beam(ABC):
    """A pattern of sending and hearing."""

    @abstractmethod
    def gain_db(self, points_m: Floats) -> Floats:
        """Return sending and hearing together [N] towards points [N, 3] in the sensor frame; 0 on the axis."""


@configured
class Uniform(Beam):
    """The same everywhere in the cone."""

    type: Literal["uniform"] = "uniform"

    def gain_db(self, points_m: Floats) -> Floats:
        """Return zeros."""
        return np.zeros(len(points_m))


@configured
class Gaussian(Beam):
    """A lobe: one way -3 dB at half the width off the axis, -3 dB (2 alpha / width)^2 elsewhere, and twice that both ways."""

    type: Literal["gaussian"] = "gaussian"
    width_horizontal_rad: Width
    """Full width between the directions with half of the power, one way."""
    width_vertical_rad: Width

    def gain_db(self, points_m: Floats) -> Floats:
        """Return -6 dB ((2 azimuth / width)^2 + (2 elevation / width)^2)."""
        x, y, z = points_m.T
        azimuth, elevation = np.arctan2(y, x), np.arctan2(z, np.hypot(x, y))
        off = (2 * azimuth / self.width_horizontal_rad) ** 2 + (2 * elevation / self.width_vertical_rad) ** 2
        return np.asarray(-6.0 * off)


AnyBeam = Annotated[Uniform | Gaussian, Field(discriminator="type")]
