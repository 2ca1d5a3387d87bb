"""Snow as single flakes: how many there are of each size, how fast they fall.

Sizes follow K. Gunn, J. Marshall, "The distribution with size of aggregate snowflakes", Journal of Meteorology 15, 1958, by the
diameter D of the melted flake:

    n(D) = N0 exp(-Lambda D),   N0 = 3800 R^-0.87 m^-3 mm^-1,   Lambda = 2.55 R^-0.48 mm^-1 at the rate R of melted water in mm/h.

A flake is wider than its water: with a tenth of its density, assumed, 10^(1/3) times.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.units import PositiveNumber

WIDER = 10 ** (1 / 3)
"""Diameter of a flake over that of its water: assumed."""


@configured
class SnowFlakes:
    """Gunn-Marshall snow."""

    rate_mm_h: Annotated[PositiveNumber, Field(le=500)]
    """R, as melted water."""

    @property
    def slope_1_mm(self) -> float:
        """Lambda, by the diameter of the flake itself."""
        return float(2.55 * self.rate_mm_h**-0.48) / WIDER

    @property
    def count_1_m3(self) -> float:
        """Flakes of all sizes per cubic metre, N0 / Lambda."""
        return float(3800 * self.rate_mm_h**-0.87) / (self.slope_1_mm * WIDER)
