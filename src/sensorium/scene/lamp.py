"""Lamps: things in the scene that give light by themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sensorium.atmosphere.sky import LUMENS_PER_VISIBLE_WATT


@dataclass(frozen=True)
class Lamp:
    """A small source on a body: intensity falls off its axis as 2^-(t / half)^2.

    With a cut-off it is a dipped headlight: next to nothing goes above the body's horizontal plane, the lobe is four times as wide
    as high, and a little of it spreads over the road before the car.
    """

    body: str
    """Name of the body that carries it."""
    part: str
    """Name of the body's part that is seen to glow; empty: none."""
    place_m: tuple[float, float, float]
    """In the body frame."""
    axis: tuple[float, float, float]
    """In the body frame; unit length."""
    intensity_cd: float
    """On the axis."""
    half_rad: float
    """Angle off the axis at which half is left."""
    area_m2: float
    """Of the glowing face: its luminance is intensity over area."""
    colour: tuple[float, float, float] = (0.36, 0.36, 0.28)
    """Shares of the red, green and blue band in its visible power."""
    cut_off: bool = False
    burns: Literal["in_the_dark", "always"] = "in_the_dark"

    @property
    def intensity_w_sr(self) -> NDArray[np.float64]:
        """Intensity on the axis in the three bands [3]."""
        return np.array(self.colour) / sum(self.colour) * (self.intensity_cd / LUMENS_PER_VISIBLE_WATT)
