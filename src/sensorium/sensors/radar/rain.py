"""Rain as a target: the drops in every cell of range and direction send something back."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sensorium.atmosphere.radio import rain_reflectivity_m2_m3
from sensorium.scene.view import View
from sensorium.sensors.radar.fan import RayFan
from sensorium.sensors.radar.paths import Paths, nothing

Floats = NDArray[np.float64]

_FALL_M_S = 6.0
"""Speed at which drops of two millimetres fall (R. Gunn, G. Kinzer, Journal of Meteorology 6, 1949: 6.5 m/s)."""
_SECTORS = 24
_SHELLS = 60


def rain_paths(view: View, fan: RayFan, met_m: Floats, frequency_hz: float, reach_m: float) -> Paths:
    """Return a diffuse path per shell of range and sector of azimuth up to the first surfaces: eta R^2 O dR each.

    Drops fall and drift with the wind; what the radar's own motion does to their speed is in it.
    """
    weather = view.weather
    eta = rain_reflectivity_m2_m3(weather.rain_mm_h, frequency_hz)
    if eta == 0:
        return nothing()
    time_ns = (view.window.start_ns + view.window.end_ns) // 2
    radar = view.kinematics_at(np.array(time_ns))
    across, up = fan.shape
    direction, edge_a, edge_e = fan.tubes
    solid = np.linalg.norm(np.cross(edge_a, edge_e), axis=1)
    sectors = min(_SECTORS, across)
    sector = np.tile(np.arange(across) * sectors // across, up)
    edges = np.geomspace(0.5, reach_m, _SHELLS + 1)
    middle, depth = np.sqrt(edges[1:] * edges[:-1]), np.diff(edges)
    open_sr = np.stack([np.bincount(sector, solid * (met_m > far), sectors) for far in middle], 1)
    mean: Floats = np.stack([np.bincount(sector, solid * direction[:, c], sectors) for c in range(3)], 1).astype(
        np.float64
    )
    mean /= np.linalg.norm(mean, axis=1, keepdims=True)
    drops = np.array([*weather.wind_m_s, -_FALL_M_S]) - radar.velocity_m_s
    speed = radar.pose.rotate(mean) @ drops
    section = eta * open_sr * middle**2 * depth
    some = section > 0
    row, shell = np.nonzero(some)
    count = len(row)
    return Paths(
        middle[shell], speed[row], np.zeros(count), mean[row], mean[row], np.zeros(count, complex), section[some],
        np.full(count, -1, np.int32), np.full(count, -1, np.int32), np.ones(count, np.int8),
    )  # fmt: skip
