"""A beam as a bundle of rays: its divergence sampled by a few rays whose weights sum to one.

A Gaussian beam has the irradiance exp(-2 rho^2) at rho beam radii from its axis (rho = 1 where it has fallen to 1/e^2). With
u = 2 rho^2 the power is spread as exp(-u) du: Gauss-Radau-Laguerre quadrature with a node on the axis gives radii and
weights that are exact for polynomials in u, and equal angles on each ring are exact for low harmonics.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sensorium.core.configuration import configured
from sensorium.core.units import NonNegativeRadians

_SQRT3 = math.sqrt(3.0)
# rays -> rings of (number of rays, u of the ring, weight of the ring); the rest of the weight is on the axis
_RINGS: dict[int, tuple[tuple[int, float, float], ...]] = {
    1: (),
    5: ((4, 2.0, 1 / 2),),
    9: ((4, 3 - _SQRT3, (2 + _SQRT3) / 6), (4, 3 + _SQRT3, (2 - _SQRT3) / 6)),
    19: ((6, 3 - _SQRT3, (2 + _SQRT3) / 6), (12, 3 + _SQRT3, (2 - _SQRT3) / 6)),
}


@configured
class Bundle:
    """How many rays stand for a beam, and how wide it is.

    `divergence_rad` is the half angle of the cone at which the irradiance has fallen to 1/e^2; data sheets often give the
    full angle. Five rays are the rose: the axis, then four on the cone, counter-clockwise from the right-hand one as seen
    along the beam. A point keeps the direction of the axis.
    """

    rays: Literal[1, 5, 9, 19] = 1
    divergence_rad: NonNegativeRadians = 1e-3
    """Half angle; of an elliptical beam the horizontal one."""
    divergence_vertical_rad: NonNegativeRadians | None = None
    """None: a round beam."""

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        """Share of the beam's power in each ray [R], the axis first; the sum is 1."""
        rings = _RINGS[self.rays]
        outside = [weight / count for count, _, weight in rings for _ in range(count)]
        return np.array([1.0 - sum(outside), *outside])

    @cached_property
    def offsets(self) -> NDArray[np.float64]:
        """Place of each ray [R, 2] in the plane at distance one: to the right and upwards, as seen along the beam."""
        places = [(0.0, 0.0)]
        for number, (count, u, _) in enumerate(_RINGS[self.rays]):
            start = number * math.pi / count  # the second ring stands in the gaps of the first
            angles = [start + 2 * math.pi * i / count for i in range(count)]
            places += [(math.sqrt(u / 2) * math.cos(a), math.sqrt(u / 2) * math.sin(a)) for a in angles]
        vertical_rad = self.divergence_rad if self.divergence_vertical_rad is None else self.divergence_vertical_rad
        return np.asarray(np.array(places) * np.tan([self.divergence_rad, vertical_rad]))

    @cached_property
    def lengths(self) -> NDArray[np.float64]:
        """Length of each ray's direction [R], that of the axis being one."""
        return np.asarray(np.sqrt(1.0 + np.sum(self.offsets**2, axis=1)))

    @property
    def footprint_sr(self) -> float:
        """Solid angle of the beam: pi / 2 Theta_h Theta_v, which a beam of even irradiance equal to that on the axis would have."""
        vertical_rad = self.divergence_rad if self.divergence_vertical_rad is None else self.divergence_vertical_rad
        return math.pi / 2 * self.divergence_rad * vertical_rad
