"""How strongly an antenna sends into and hears from each direction."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.units import Number, Radians

Floats = NDArray[np.float64]
BeamWidth = Annotated[Radians, Field(gt=0, le=6.3)]


@configured
class Isotropic:
    """The same into all directions."""

    type: Literal["isotropic"] = "isotropic"
    gain_db: Number = 0.0

    def gain(self, direction: Floats) -> Floats:
        """Return the power gain for unit directions [..., 3] in the sensor frame."""
        return np.full(np.shape(direction)[:-1], 10 ** (self.gain_db / 10))


@configured
class GaussianBeam:
    """A main lobe that falls as a Gaussian in azimuth and elevation, over a floor of side lobes; nothing goes backwards.

    G = G_0 max(2^-((2 az / w_az)^2 + (2 el / w_el)^2), floor), w the full widths at half power.
    """

    type: Literal["gaussian"] = "gaussian"
    gain_db: Number
    """G_0, of one antenna on its axis."""
    azimuth_width_rad: BeamWidth
    elevation_width_rad: BeamWidth
    side_lobe_db: Annotated[Number, Field(lt=0)] = -25.0
    """The floor, relative to the axis."""

    def gain(self, direction: Floats) -> Floats:
        """Return the power gain for unit directions [..., 3] in the sensor frame."""
        x, y, z = np.moveaxis(np.asarray(direction), -1, 0)
        azimuth, elevation = np.arctan2(y, x), np.arcsin(np.clip(z, -1, 1))
        off = (2 * azimuth / self.azimuth_width_rad) ** 2 + (2 * elevation / self.elevation_width_rad) ** 2
        lobe = np.maximum(np.exp2(-off), 10 ** (self.side_lobe_db / 10))
        return np.asarray(10 ** (self.gain_db / 10) * np.where(x > 0, lobe, 0.0))


AnyAntenna = Annotated[GaussianBeam | Isotropic, Field(discriminator="type")]
