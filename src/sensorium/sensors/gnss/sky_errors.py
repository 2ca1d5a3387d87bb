"""What no receiver can know: broadcast orbits and clocks are off, and the air is not as its models have it.

Each satellite's error wanders smoothly: independent normal numbers at knots in time, joined by weights cos and sin, whose
squares add up to one, so that the variance stays the same. It is addressed by seed, run, satellite and knot alone: all
receivers of a simulation share it, as they share the sky, so that a base station takes it away.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.random import Draws
from sensorium.core.units import NonNegativeMetres, NonNegativeNumber, Seconds

Floats = NDArray[np.float64]


@configured
class SkyErrors:
    """Standard deviations of what the models of a receiver leave over."""

    orbit_clock_m: NonNegativeMetres = 0.5
    """Signal-in-space error of broadcast orbits and clocks; assumed, of the size that GPS has today."""
    ionosphere: NonNegativeNumber = 0.25
    """Part of the model's delay by which the true one differs: the Klobuchar model removes half to three quarters of it."""
    troposphere_m: NonNegativeMetres = 0.04
    """At the zenith; the model's error in calm weather."""
    knot_s: Annotated[Seconds, Field(gt=0)] = 600.0

    def of(
        self, names: Sequence[str], elevation_rad: Floats, ionosphere_l1_m: Floats, gps_ns: int, draws: Draws
    ) -> tuple[Floats, Floats]:
        """Return errors [K] of range and of the ionosphere's delay at L1, in metres."""
        waves = self._waves(names, gps_ns, draws)
        slant = 1 / np.sin(np.maximum(elevation_rad, 0.05))
        range_m = self.orbit_clock_m * waves[:, 0] + self.troposphere_m * waves[:, 2] * slant
        return range_m, self.ionosphere * waves[:, 1] * ionosphere_l1_m

    def _waves(self, names: Sequence[str], gps_ns: int, draws: Draws) -> Floats:
        """Return three numbers [K, 3] per satellite of unit variance."""
        knot_ns = round(self.knot_s * 1e9)
        knot, rest = divmod(gps_ns, knot_ns)
        angle = np.pi / 2 * rest / knot_ns
        # one stream per knot; elements by satellite, so that no satellite's numbers depend on which others are there
        element = np.array([3 * (100 * "GREC".index(name[0]) + int(name[1:])) for name in names], np.int64)
        most = int(element.max(initial=0)) + 3
        before, after = (_knot(draws.at("sky", knot + k), most) for k in (0, 1))
        rows = element[:, None] + np.arange(3)
        return np.asarray(np.cos(angle) * before[rows] + np.sin(angle) * after[rows])


@lru_cache(maxsize=8)
def _knot(draws: Draws, count: int) -> Floats:
    """Return the normal numbers of a knot, which serve for many epochs."""
    return draws.normal("satellite errors", count)
