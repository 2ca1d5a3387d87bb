"""Where the cone ends: at a disc, or at a sphere around the sensor."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Annotated, Literal

from pydantic import Field

from sensorium.core.configuration import configured


class Front(ABC):
    """The end of the cone."""

    @abstractmethod
    def limits_m(self, length_m: float) -> tuple[float, float]:
        """Return the largest x and the largest distance in the cone."""


@configured
class Flat(Front):
    """An elliptic disc at x = length (document 000, equation 3.1)."""

    type: Literal["flat"] = "flat"

    def limits_m(self, length_m: float) -> tuple[float, float]:
        """x ends at the length; the rim is farther away."""
        return length_m, math.inf


@configured
class Spherical(Front):
    """Part of a sphere: distance = length in every direction (Deng et al., Int. J. Vehicle Design 56, 2011)."""

    type: Literal["spherical"] = "spherical"

    def limits_m(self, length_m: float) -> tuple[float, float]:
        """The distance ends at the length."""
        return math.inf, length_m


AnyFront = Annotated[Flat | Spherical, Field(discriminator="type")]
