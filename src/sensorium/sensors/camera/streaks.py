"""Falling drops as streaks: how many pass before the lens belongs to physics, where each one is belongs to chance.

A drop of the diameter D falls with v(D) = 9.65 - 10.3 exp(-0.6 D / mm) m/s (D. Atlas et al., Reviews of Geophysics 11, 1973; within
0.6 to 5.8 mm), is carried by the wind, and leaves a streak as long as its way relative to the camera during the exposure. It shines
with what it refracts from a wide cone around it, about the mean of the sky (K. Garg, S. Nayar, "Vision and rain", International
Journal of Computer Vision 75, 2007), and hides each point behind it for as long as it stands before it: over the whole streak the
opacity adds up to the disc of the drop, pi/4 D^2 in pixels. Smaller or farther drops are haze, which the air's extinction holds.

Snow flakes are drawn likewise. They fall with 0.8 (D / mm)^0.16 m/s (J. Locatelli, P. Hobbs, Journal of Geophysical Research 79,
1974, aggregates of unrimed dendrites) and are as bright as the sky on all sides.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sensorium.atmosphere.drops import RainDrops
from sensorium.atmosphere.flakes import SnowFlakes
from sensorium.core.random import Draws
from sensorium.sensors.camera.lens import T_SENSOR_OPTICAL, Lens
from sensorium.sensors.camera.raster import raster_of

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]

SMALLEST_MM = 0.6
"""Where the formula of the fall speed begins."""
LARGEST_MM = 5.8
LARGEST_FLAKE_MM = 15.0
NEAREST_M = 0.1
_FARTHEST_M = 4.0
_NARROWEST_PX = 0.2
_MARGIN_RAD = 0.15


def fall_speed_m_s(diameter_mm: Floats) -> Floats:
    """Return how fast drops fall in still air."""
    return np.asarray(9.65 - 10.3 * np.exp(-0.6 * diameter_mm))


def flake_speed_m_s(diameter_mm: Floats) -> Floats:
    """Return how fast flakes fall in still air."""
    return np.asarray(0.8 * diameter_mm**0.16)


@dataclass(frozen=True, eq=False)
class Streaks:
    """The rain or snow before a lens during one exposure, as far as it is certain. Vectors are in the optical frame."""

    drops: RainDrops | SnowFlakes
    farthest_m: float
    widest_cosine: float
    """The drops lie within this angle of the optical axis."""
    down: Floats
    """[3] unit vector."""
    passing_m_s: Floats
    """[3] velocity of the air relative to the camera."""
    radiance: Floats
    """[3] of a drop [W/(m2 sr)]."""
    behind_m: Floats32
    """[H, W] distance of what hides the drops behind it."""

    @property
    def _sizes(self) -> tuple[float, float]:
        """Share of the drops that are larger than the smallest, and than the largest."""
        slope, largest = self.drops.slope_1_mm, LARGEST_FLAKE_MM if self.snows else LARGEST_MM
        return math.exp(-slope * SMALLEST_MM), math.exp(-slope * largest)

    @property
    def snows(self) -> bool:
        """Whether these are flakes."""
        return isinstance(self.drops, SnowFlakes)

    @cached_property
    def volume_m3(self) -> float:
        """Of the cone that is searched, 2 pi / 3 (1 - c) (r2^3 - r1^3)."""
        return 2 * math.pi / 3 * (1 - self.widest_cosine) * (self.farthest_m**3 - NEAREST_M**3)

    @property
    def expected(self) -> float:
        """Mean number of drops in the cone: the integral of n(D) from the smallest to the largest, times the volume."""
        low, high = self._sizes
        return self.drops.count_1_m3 * (low - high) * self.volume_m3

    def drawn(self, lens: Lens, exposure_s: float, draws: Draws) -> Drawn:
        """Place the drops of one image."""
        from sensorium.core.poisson_kernels import poisson

        name = "flake" if self.snows else "drop"
        count = int(poisson(draws.key(f"{name}s"), 0, self.expected))
        u = draws.uniform(f"{name} places", 4 * count).reshape(count, 4)
        cube = NEAREST_M**3 + u[:, 0] * (self.farthest_m**3 - NEAREST_M**3)
        cosine, around = 1 - u[:, 1] * (1 - self.widest_cosine), 2 * math.pi * u[:, 2]
        sine, distance = np.sqrt(1 - cosine**2), np.cbrt(cube)
        place = np.stack((sine * np.cos(around), sine * np.sin(around), cosine), -1) * distance[:, None]
        low, high = self._sizes
        diameter_mm = -np.log(low - u[:, 3] * (low - high)) / self.drops.slope_1_mm
        speed = flake_speed_m_s(diameter_mm) if self.snows else fall_speed_m_s(diameter_mm)
        way = (speed[:, None] * self.down + self.passing_m_s) * (0.5 * exposure_s)
        ends = np.stack((lens.project(place - way), lens.project(place + way)), 1)
        width = diameter_mm * 1e-3 / (distance * raster_of(lens).pixel_rad)
        size = np.array([lens.width, lens.height])
        reach = 1.0 + width[:, None]
        inside = np.isfinite(ends).all((1, 2))
        inside &= ((ends.max(1) > -reach) & (ends.min(1) < size + reach)).all(1)
        return Drawn(ends[inside], width[inside], distance[inside], diameter_mm[inside])

    def over(self, irradiance: Floats32, passed: Floats32, lens: Lens, exposure_s: float, draws: Draws) -> Floats32:
        """Return an image [H, W, 3] with the streaks over it; `passed` is irradiance over radiance [H, W]."""
        from sensorium.sensors.camera import streak_kernels

        some, image = self.drawn(lens, exposure_s, draws), irradiance.copy()
        streak_kernels.lay(some.ends_px, some.width_px, some.distance_m, self.radiance, passed, self.behind_m, image)
        return image


@dataclass(frozen=True, eq=False)
class Drawn:
    """The streaks of one image."""

    ends_px: Floats
    """[N, 2, 2] where a drop is at the start and the end of the exposure (column, row)."""
    width_px: Floats
    distance_m: Floats
    diameter_mm: Floats


def cone_of(lens: Lens) -> tuple[float, float]:
    """Return how far off a drop of 1 mm is wide enough to be a streak, and the cosine of the cone around the image."""
    raster = raster_of(lens)
    farthest = float(np.clip(1e-3 / (_NARROWEST_PX * raster.pixel_rad), 2 * NEAREST_M, _FARTHEST_M))
    widest = math.acos(max(-1.0, float(raster.direction[:, 0].min()))) + _MARGIN_RAD
    return farthest, math.cos(min(math.pi, widest))


def optical(vector: Floats) -> Floats:
    """Return a vector of the sensor frame in the optical frame."""
    return np.asarray(T_SENSOR_OPTICAL.inverse().rotate(vector))
