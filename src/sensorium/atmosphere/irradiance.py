"""How much sunlight reaches the ground: direct and from the sky, by the sun's height, the air and the clouds.

Clear sky: P. Ineichen, R. Perez, "A new airmass independent formulation for the Linke turbidity coefficient", Solar Energy 73,
2002, with f1 = exp(-h/8000), f2 = exp(-h/1250) at the height h, air mass m (F. Kasten, A. Young, Applied Optics 28, 1989):
G = I0 sin e (5.09e-5 h + 0.868) exp(-(3.92e-5 h + 0.0387) m (f1 + f2 (T - 1))) exp(0.01 m^1.8),
B = I0 (0.664 + 0.163 / f1) exp(-0.09 m (T - 1)), at most (G - diffuse) / sin e of the same paper.
Turbidity T from the aerosols of the visibility (P. Ineichen, "Conversion function between the Linke turbidity and the atmospheric
water vapor and aerosol content", Solar Energy 82, 2008). Clouds: G (1 - 0.75 N^3.4) (F. Kasten, G. Czeplak, Solar Energy 24,
1980), with the sun itself hidden in the part N of the time. Twilight: illuminance by the depression of the sun (P. Seidelmann,
ed., "Explanatory supplement to the Astronomical Almanac", 1992, ch. 9), rounded.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sensorium.atmosphere.weather import WeatherState

Floats = NDArray[np.float64]

SOLAR_CONSTANT_W_M2 = 1361.0
_AEROSOL_HEIGHT_M = 1200.0
_RAYLEIGH_1_M = 1.159e-5  # at 550 nm and sea level (A. Bucholtz, Applied Optics 34, 1995)
_TWILIGHT_DEG = np.array([-90.0, -18, -15, -12, -9, -6, -4, -2, -0.8, 0, 1])
_TWILIGHT_LUX = np.array([1e-3, 1.2e-3, 3e-3, 8.3e-3, 0.13, 3.4, 32, 180, 450, 760, 1100])
LUMENS_PER_WATT_OF_SKY = 110.0
"""Luminous efficacy of daylight, all wavelengths."""


class Irradiance(NamedTuple):
    """Sunlight of all wavelengths at the ground [W/m2]."""

    direct_w_m2: Floats
    """Across the beam of the sun; the mean if clouds pass."""
    diffuse_w_m2: Floats
    """From the sky onto level ground."""


def airmass(elevation_rad: ArrayLike) -> Floats:
    """Return the air mass relative to the zenith, 1 / (sin e + 0.50572 (e + 6.07995)^-1.6364) with e in degrees, from 0 up."""
    degrees = np.maximum(np.degrees(np.asarray(elevation_rad, np.float64)), 0.0)
    return np.asarray(1 / (np.sin(np.radians(degrees)) + 0.50572 * (degrees + 6.07995) ** -1.6364))


def linke_turbidity(visibility_m: float, pressure_pa: float = 101_325.0, water_cm: float = 1.4) -> float:
    """Return T for a horizontal visibility, the aerosols fading with a scale height of 1.2 km."""
    depth = max(0.0, 3.912 / visibility_m - _RAYLEIGH_1_M) * _AEROSOL_HEIGHT_M
    p = 101_325.0 / pressure_pa
    return float(3.91 * np.exp(0.689 * p) * depth + 0.376 * np.log(water_cm) + 2 + 0.54 * p - 0.5 * p**2 + 0.16 * p**3)


def irradiance(
    elevation_rad: ArrayLike, weather: WeatherState, altitude_m: float = 0.0, distance_au: ArrayLike = 1.0
) -> Irradiance:
    """Return direct and diffuse irradiance at elevations [...] of the sun as it is seen."""
    elevation = np.asarray(elevation_rad, np.float64)
    outside = SOLAR_CONSTANT_W_M2 / np.asarray(distance_au, np.float64) ** 2
    sine, mass = np.maximum(np.sin(elevation), 0.0), airmass(elevation) * weather.pressure_pa / 101_325.0
    turbidity = linke_turbidity(weather.visibility_m, weather.pressure_pa)
    everywhere = _clear_global(outside, sine, mass, min(turbidity, 8.0), altitude_m)
    scale = 0.664 + 0.163 / np.exp(-altitude_m / 8000)
    direct = outside * scale * np.exp(-0.09 * mass * (turbidity - 1))
    share = 1 - (0.1 - 0.2 * np.exp(-min(turbidity, 8.0))) / (0.1 + 0.882 / np.exp(-altitude_m / 8000))
    direct = np.where(sine > 0, np.minimum(direct, everywhere * share / np.maximum(sine, 1e-9)), 0.0)
    cover = weather.cloud_cover
    everywhere, direct = everywhere * (1 - 0.75 * cover**3.4), direct * (1 - cover)
    twilight = 10 ** np.interp(np.degrees(elevation), _TWILIGHT_DEG, np.log10(_TWILIGHT_LUX)) / LUMENS_PER_WATT_OF_SKY
    diffuse = np.maximum(everywhere - direct * sine, twilight * (1 - 0.75 * cover**3.4) * (sine < 0.1))
    return Irradiance(np.asarray(direct), np.asarray(diffuse))


def _clear_global(outside: Floats, sine: Floats, mass: Floats, turbidity: float, altitude_m: float) -> Floats:
    f1, f2 = np.exp(-altitude_m / 8000), np.exp(-altitude_m / 1250)
    cg1, cg2 = 5.09e-5 * altitude_m + 0.868, 3.92e-5 * altitude_m + 0.0387
    return np.asarray(
        outside * sine * cg1 * np.exp(-cg2 * mass * (f1 + f2 * (turbidity - 1))) * np.exp(0.01 * mass**1.8)
    )
