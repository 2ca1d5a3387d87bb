"""The last 24 hours before an instant, as surfaces met them: air, sky, sun and what the ground throws back."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sensorium.atmosphere.infrared import closed_sky, sky_irradiance_w_m2
from sensorium.atmosphere.weather import WeatherState
from sensorium.scene.daylight import daylight
from sensorium.scene.scene import Scene
from sensorium.scene.temperature.slab import SIGMA_W_M2_K4, Face, Slab

Floats = NDArray[np.float64]

STEPS, STEP_S = 288, 300.0
_STEP_NS = 300_000_000_000
LAG_STEPS = (0, 4, 16, 48, STEPS)
"""Limits of the spans before now over which sunlight is followed: 20 min, 80 min, 4 h, the day."""
STRATA = 16
"""Directions to the sun that stand for one span."""
_SWING_K, _WARMEST_H = 4.0, 15.0
"""Half the swing of the air's temperature under a clear sky, and the hour of its maximum; assumed."""
_GROUND = Slab(2100.0, 1000.0, 0.70, 0.3)
_GROUND_EMISSIVITY, _GROUND_ABSORPTANCE, ALBEDO = 0.94, 0.85, 0.15
"""The ground that walls see: asphalt, half of it in the sun."""


@dataclass(frozen=True, eq=False)
class Day:
    """N equal steps up to now, newest last; taken as periodic."""

    weather: WeatherState
    wind_m_s: float
    air_k: Floats
    """[N]"""
    sky_w_m2: Floats
    """[N] heat radiation of the whole sky onto level ground."""
    direct_w_m2: Floats
    """[N] sunlight across the beam."""
    diffuse_w_m2: Floats
    """[N] light of the sky onto level ground."""
    sun: Floats
    """[N, 3] direction to the sun."""
    ground_k: Floats
    """[N] temperature of the ground, half of it in the sun."""

    def absorbed_w_m2(self, sky_share: Floats, absorptance: float, emissivity: float) -> Floats:
        """Return what a face absorbs [S, N] besides direct sunlight, if it sees a share [S] of sky, and else the ground."""
        level = self.diffuse_w_m2 + self.direct_w_m2 * np.maximum(self.sun[:, 2], 0)
        share = sky_share[:, None]
        light = share * self.diffuse_w_m2 + (1 - share) * ALBEDO * level
        return absorptance * light + emissivity * (
            share * self.sky_w_m2 + (1 - share) * SIGMA_W_M2_K4 * self.ground_k**4
        )

    @property
    def sun_directions(self) -> tuple[Floats, NDArray[np.bool_]]:
        """Directions to the sun [spans, STRATA, 3] at even parts of the light of each span, and whether there was any."""
        directions, lit = np.zeros((len(LAG_STEPS) - 1, STRATA, 3)), np.zeros(len(LAG_STEPS) - 1, np.bool_)
        for span, (new, old) in enumerate(pairwise(LAG_STEPS)):
            light, sun = self.direct_w_m2[::-1][new:old], self.sun[::-1][new:old]
            total = np.cumsum(light)
            lit[span] = total[-1] > 0
            if lit[span]:
                parts = (np.arange(STRATA) + 0.5) / STRATA * total[-1]
                directions[span] = sun[np.searchsorted(total, parts)]
        return directions, lit


def convection_w_m2_k(wind_m_s: float, rain_mm_h: float = 0.0) -> float:
    """Return the coefficient between a face and the air: 5.6 + 4 v up to 5 m/s, then 7.1 v^0.78 (Jurges 1924), never falling.

    Rain at the temperature of the air brings its heat capacity besides: 1.163 W/(m2 K) per mm/h.
    """
    return float(max(5.6 + 4.0 * min(wind_m_s, 5.0), 7.1 * wind_m_s**0.78)) + 1.163 * rain_mm_h


def day_before(scene: Scene, now_ns: int) -> Day:
    """Return the 24 hours that end now.

    The weather of now holds all day, but for the air, which swings through the day around what it is now. Without a place and
    a date the sun keeps its direction, and rises and falls in strength as if now were noon.
    """
    times = now_ns - _STEP_NS * np.arange(STEPS - 1, -1, -1, dtype=np.int64)
    weather, light = scene.weather.at(now_ns), daylight(scene, times)
    direct, diffuse, air = light.direct_w_m2, light.diffuse_w_m2, np.full(STEPS, weather.temperature_k)
    if scene.origin is None:
        noon = np.maximum(np.cos(2 * np.pi * (times - now_ns) / (STEPS * _STEP_NS)), 0)
        direct, diffuse = direct * noon, diffuse * noon
    else:
        hour = (scene.origin.start_unix_ns + times) / 3.6e12 + math.degrees(scene.origin.longitude_rad) / 15
        swing = np.cos(2 * np.pi * (hour - _WARMEST_H) / 24)
        air += _SWING_K * (1 - 0.7 * closed_sky(weather)) * (swing - swing[-1])
    sky = sky_irradiance_w_m2(weather, air)
    wind = math.hypot(*weather.wind_m_s)
    level = diffuse + 0.5 * direct * np.maximum(light.direction[:, 2], 0)
    ground = Face(_GROUND, _GROUND_EMISSIVITY, convection_w_m2_k(wind, weather.rain_mm_h), air)
    warm = ground.temperature_k(_GROUND_ABSORPTANCE * level + _GROUND_EMISSIVITY * sky, STEP_S)
    return Day(weather, wind, air, sky, direct, diffuse, np.array(light.direction), warm)
