"""The light of one frame, as kernels read it: sun, sky, lamps, haze, rain on the ground."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sensorium.atmosphere.medium import rain_extinction
from sensorium.atmosphere.sky import LUMENS_PER_VISIBLE_WATT, Sky, sky_of
from sensorium.scene.daylight import daylight
from sensorium.scene.view import View

Floats = NDArray[np.float64]

_REACH_M = 80.0
_DUSK_LUX = 60.0
"""Lamps burn when level ground gets less light than this."""
_GREEN_M = 550e-9


class Lamps(NamedTuple):
    """The lamps that burn near the camera; L of them, brightest surroundings first."""

    place_m: Floats
    """[L, 3] world."""
    axis: Floats
    """[L, 3] world."""
    up: Floats
    """[L, 3] upward axis of the body, for the cut-off."""
    intensity_w_sr: Floats
    """[L, 3]"""
    half_rad: Floats
    area_m2: Floats
    cut_off: NDArray[np.bool_]
    of_part: NDArray[np.int32]
    """[parts] number of a lamp that makes the part glow, -1 for none."""
    dark: bool
    """Whether their light matters to anything but themselves."""


class Lighting(NamedTuple):
    """All light of one frame."""

    sky: Sky
    lamps: Lamps
    extinction_1_m: float
    """Of green light in the air."""
    airlight: Floats
    """[3] radiance that an endless way through this air would have."""
    wetness: float
    """0 for a dry ground, 1 for a wet one."""


def lighting(view: View) -> Lighting:
    """Return the light during the window of a view."""
    scene, weather = view.scene, view.weather
    middle = (view.window.start_ns + view.window.end_ns) // 2
    light = daylight(scene, np.array([middle]))
    cover = light.cloud_cover
    sky = sky_of(light.direction[0], float(light.direct_w_m2[0]), float(light.diffuse_w_m2[0]), cover)
    extinction = scene.air.extinction_at(_GREEN_M)
    falling = rain_extinction(weather.rain_mm_h) + 10 * rain_extinction(weather.snow_mm_h)
    extinction = max(extinction, 3.912 / weather.visibility_m + falling)
    rim = sky.radiance[:6].astype(np.float64).mean((0, 1))
    thick = np.exp(
        -extinction * 2000.0
    )  # in fog the horizon is as bright as the mean of the sky, in clear air as its rim
    airlight = thick * rim + (1 - thick) * 0.5 * (rim + sky.level_w_m2 / np.pi)
    level = (sky.level_w_m2 + sky.beam_w_m2 * max(0.0, sky.sun[2])).sum() * LUMENS_PER_VISIBLE_WATT
    wet = min(1.0, weather.rain_mm_h / 2.0)
    return Lighting(sky, _lamps(view, middle, bool(level < _DUSK_LUX)), extinction, airlight, wet)


def _lamps(view: View, time_ns: int, dark: bool) -> Lamps:
    scene = view.scene
    of_part = np.full(len(scene.parts), -1, np.int32)
    here, times = view.pose_at(np.array([time_ns])).position_m[0], np.array([time_ns])
    rows: list[tuple[Floats, Floats, Floats, Floats, float, float, bool]] = []
    for lamp in scene.lamps if dark else tuple(lamp for lamp in scene.lamps if lamp.burns == "always"):
        number = scene.body_numbers.get(lamp.body)
        if number is None:
            continue
        pose = scene.bodies[number].motion.pose_at(times)[0]
        stands = pose.transform(np.array(lamp.place_m))
        if np.linalg.norm(stands - here) > _REACH_M * (1 if lamp.intensity_cd < 5000 else 1.5):
            continue
        names = [part.name for part in scene.bodies[number].model.parts]
        if lamp.part in names:
            of_part[scene.part_offset[number] + names.index(lamp.part)] = len(rows)
        ahead, above = pose.rotate(np.array(lamp.axis)), pose.rotate(np.array([0.0, 0.0, 1.0]))
        rows.append((stands, ahead, above, lamp.intensity_w_sr, lamp.half_rad, lamp.area_m2, lamp.cut_off))
    columns = list(zip(*rows, strict=True)) if rows else [()] * 7
    place, axis, up, power = (np.array(column, np.float64).reshape(-1, 3) for column in columns[:4])
    half, area = (np.array(column, np.float64) for column in columns[4:6])
    return Lamps(place, axis, up, power, half, area, np.array(columns[6], np.bool_), of_part, dark)
