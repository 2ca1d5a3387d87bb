"""The sun over the scene at any time: direction, and light straight from it and from the sky.

Taken from the scene's origin and date if there is one, else from its `Sun`. A scene with neither has an ordinary day: the sun
45 degrees high in the south-west (azimuth -135 degrees from east). Night is a date at night, or a sun below the horizon.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sensorium.atmosphere.irradiance import irradiance
from sensorium.atmosphere.solar_position import sun_direction, sun_distance_au
from sensorium.atmosphere.weather import WeatherState
from sensorium.core.time import Times
from sensorium.scene.scene import Scene

Floats = NDArray[np.float64]
_GREEN_M, _CONTRAST = 550e-9, 3.912
_ORDINARY = np.array([-0.5, -0.5, np.sqrt(0.5)])


@dataclass(frozen=True, eq=False)
class Daylight:
    """Sunlight at times [...]."""

    direction: Floats
    """[..., 3] unit vector towards the sun as it is seen, world frame (east, north, up)."""
    direct_w_m2: Floats
    """[...] across the sun's beam, all wavelengths; 0 while it is below the horizon."""
    diffuse_w_m2: Floats
    """[...] from the sky onto level ground, all wavelengths."""
    cloud_cover: float
    """Part of the sky that is covered; whole where rain or snow falls."""

    @property
    def elevation_rad(self) -> Floats:
        """[...] of the sun above the horizon."""
        return np.asarray(np.arcsin(np.clip(self.direction[..., 2], -1, 1)))


def daylight(scene: Scene, times_ns: Times) -> Daylight:
    """Return the sunlight at times [...] since the scenario's start, with the weather of the first of them."""
    times = np.asarray(times_ns, np.int64)
    weather = _above(scene, int(times.flat[0]))
    place, distance, altitude_m = scene.origin, np.ones(times.shape), 0.0
    if place is not None:
        unix = place.start_unix_ns + times
        direction = sun_direction(
            place.latitude_rad, place.longitude_rad, unix, weather.pressure_pa, weather.temperature_k
        )
        distance, altitude_m = sun_distance_au(unix), place.altitude_m
    else:
        fixed = _ORDINARY if scene.sun is None else scene.sun.direction
        direction = np.broadcast_to(fixed, (*times.shape, 3))
    light = irradiance(np.arcsin(np.clip(direction[..., 2], -1, 1)), weather, altitude_m, distance)
    return Daylight(direction, light.direct_w_m2, light.diffuse_w_m2, weather.cloud_cover)


def _above(scene: Scene, time_ns: int) -> WeatherState:
    """Return the weather between the ground and the sun: as hazy as the thicker of weather and air, cloudy if something falls."""
    weather = scene.weather.at(time_ns)
    visibility_m = min(weather.visibility_m, _CONTRAST / max(scene.air.extinction_at(_GREEN_M), 1e-9))
    falling = min(1.0, (weather.rain_mm_h + weather.snow_mm_h) / 0.5)
    return replace(weather, visibility_m=visibility_m, cloud_cover=max(weather.cloud_cover, falling))
