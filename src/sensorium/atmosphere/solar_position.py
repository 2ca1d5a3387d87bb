"""Where the sun stands: the low-precision formulas of the Astronomical Almanac, good to 0.01 degrees from 1950 to 2050.

(J. Michalsky, "The Astronomical Almanac's algorithm for approximate solar position (1950-2050)", Solar Energy 40, 1988.)
With n days since 2000-01-01 12:00 UT: mean longitude L = 280.460 + 0.9856474 n, mean anomaly g = 357.528 + 0.9856003 n, ecliptic
longitude l = L + 1.915 sin g + 0.020 sin 2g, obliquity e = 23.439 - 0.0000004 n, tan(right ascension) = cos e sin l / cos l,
sin(declination) = sin e sin l, sidereal time at Greenwich 6.697375 h + 0.0657098242 h n + UT.
Refraction: 1.02 / tan(h + 10.3 / (h + 5.11)) minutes of arc at 1010 hPa and 283 K (G. Saemundsson, Sky and Telescope 72, 1986).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

J2000_UNIX_S = 946_728_000
"""2000-01-01 12:00 UT."""
SUN_RADIUS_RAD = 0.004654
"""Angular radius of the sun at its mean distance (0.2667 degrees)."""
SUN_SOLID_ANGLE_SR = 2 * np.pi * (1 - np.cos(SUN_RADIUS_RAD))


def sun_direction(
    latitude_rad: float,
    longitude_rad: float,
    unix_ns: ArrayLike,
    pressure_pa: float = 101_325.0,
    temperature_k: float = 283.15,
) -> Floats:
    """Return unit vectors [..., 3] towards the sun as it is seen, refraction included: east, north, up, at Unix times [...]."""
    days = _days(unix_ns)
    ascension, declination = _equatorial(days)
    sidereal = np.radians(15 * (6.697375 + 0.0657098242 * days) + 15 * _hours(unix_ns)) + longitude_rad
    angle = sidereal - ascension
    flat = np.cos(declination)
    east = -flat * np.sin(angle)
    north = np.sin(declination) * np.cos(latitude_rad) - flat * np.cos(angle) * np.sin(latitude_rad)
    up = np.sin(declination) * np.sin(latitude_rad) + flat * np.cos(angle) * np.cos(latitude_rad)
    raised = _raised(np.arcsin(np.clip(up, -1, 1)), pressure_pa, temperature_k)
    azimuth = np.arctan2(north, east)
    return np.stack((np.cos(raised) * np.cos(azimuth), np.cos(raised) * np.sin(azimuth), np.sin(raised)), -1)


def sun_distance_au(unix_ns: ArrayLike) -> Floats:
    """Return the distance to the sun in astronomical units: 1.00014 - 0.01671 cos g - 0.00014 cos 2g."""
    anomaly = np.radians(357.528 + 0.9856003 * _days(unix_ns))
    return np.asarray(1.00014 - 0.01671 * np.cos(anomaly) - 0.00014 * np.cos(2 * anomaly))


def _days(unix_ns: ArrayLike) -> Floats:
    whole = np.asarray(unix_ns, np.int64) - np.int64(J2000_UNIX_S) * 1_000_000_000
    return np.asarray(whole / 86_400e9)


def _hours(unix_ns: ArrayLike) -> Floats:
    return np.asarray((np.asarray(unix_ns, np.int64) % np.int64(86_400_000_000_000)) / 3600e9)


def _equatorial(days: Floats) -> tuple[Floats, Floats]:
    """Return right ascension and declination."""
    anomaly = np.radians(357.528 + 0.9856003 * days)
    mean = 280.460 + 0.9856474 * days
    longitude = np.radians(mean + 1.915 * np.sin(anomaly) + 0.020 * np.sin(2 * anomaly))
    tilt = np.radians(23.439 - 0.0000004 * days)
    ascension = np.arctan2(np.cos(tilt) * np.sin(longitude), np.cos(longitude))
    return np.asarray(ascension), np.arcsin(np.sin(tilt) * np.sin(longitude))


def _raised(elevation_rad: Floats, pressure_pa: float, temperature_k: float) -> Floats:
    """Return the elevation as it is seen; a sun well below the horizon is left where it is."""
    h = np.degrees(elevation_rad)
    seen = np.clip(h, -0.575, None)
    minutes = 1.02 / np.tan(np.radians(seen + 10.3 / (seen + 5.11))) * pressure_pa / 101_000 * 283 / temperature_k
    fade = np.clip((h + 2.0) / 1.425, 0, 1)  # below the horizon the formula ends; the step is spread over a degree
    return np.asarray(np.radians(h + np.maximum(minutes, 0) / 60 * fade))
