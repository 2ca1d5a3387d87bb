"""Rain as single drops: how many there are of each size, how much light they take out and send back.

Sizes follow J. Marshall and W. Palmer, "The distribution of raindrops with size", Journal of Meteorology 5, 1948:

    n(D) = N0 exp(-Lambda D),   N0 = 8000 m^-3 mm^-1,   Lambda = 4.1 R^-0.21 mm^-1 at the rain rate R in mm/h.

Drops are far larger than the wavelength: each takes twice its shadow out of a beam (H. van de Hulst, "Light Scattering by Small
Particles", 1957), pi D^2 / 2, so that alpha = pi N0 / Lambda^3. That is 1.4 times what ITU-R P.1814 gives at 2.5 mm/h (6.5e-4
against 4.6e-4 per metre) and 1.3 times at 25 mm/h (2.8e-3 against 2.1e-3): the exponential has too many of the smallest drops, and
half of what they take out goes on so nearly straight ahead that a link's receiver hears part of it. Here the drops'
own extinction is used with them, so that what takes light out is what sends it back.

Back towards the sensor a drop sends what its front reflects and what goes straight through it, off its back and out again, in
geometrical optics for near-infrared light that water lets through:

    Q_b = F + (1 - F)^2 F (n / (2 - n))^2,   F = ((n - 1) / (n + 1))^2,   n = 1.328,

0.094 of its shadow, spread over all directions: the lidar ratio is 8 pi / Q_b = 266 sr. By Mie's theory a perfect sphere sends 30
to 80 times more, the glory, but into a cone of a milliradian only; rain drops are flattened and oscillate (K. Beard, C. Chuang,
Journal of the Atmospheric Sciences 44, 1987), and near drops see emitter and receiver farther apart than that. At 1550 nm water
absorbs what comes from the back: Mie's theory falls to F for large drops, and the ratio rises to 1300 sr.
"""

from __future__ import annotations

import math
from typing import Annotated

from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.units import PositiveNumber

_WATER_INDEX = 1.328
"""At 905 nm (G. Hale, M. Querry, Applied Optics 12, 1973)."""
_FRONT = ((_WATER_INDEX - 1) / (_WATER_INDEX + 1)) ** 2
RAIN_LIDAR_RATIO_SR = 8 * math.pi / (_FRONT + (1 - _FRONT) ** 2 * _FRONT * (_WATER_INDEX / (2 - _WATER_INDEX)) ** 2)
"""Extinction over backscatter of rain [sr]."""


@configured
class RainDrops:
    """Marshall-Palmer rain. There is no largest drop: at 25 mm/h one in 10^5 would be larger than 5.5 mm."""

    rate_mm_h: Annotated[PositiveNumber, Field(le=500)]
    """R, rain rate."""
    intercept_1_m3_mm: PositiveNumber = 8000.0
    """N0, drops per cubic metre and millimetre of diameter at vanishing diameter."""

    @property
    def slope_1_mm(self) -> float:
        """Lambda; its inverse is the mean diameter."""
        return float(4.1 * self.rate_mm_h**-0.21)

    @property
    def count_1_m3(self) -> float:
        """Drops of all sizes per cubic metre, N0 / Lambda."""
        return self.intercept_1_m3_mm / self.slope_1_mm

    @property
    def extinction_1_m(self) -> float:
        """Alpha, the integral of pi D^2 / 2 n(D)."""
        return math.pi * self.intercept_1_m3_mm / self.slope_1_mm**3 * 1e-6

    def backscatter_1_sr(self, lidar_ratio_sr: float) -> float:
        """Return q of the backscatter q D^2 [m2/sr] of a drop: extinction over lidar ratio, pi / (2 S)."""
        return math.pi / (2 * lidar_ratio_sr)
