"""The troposphere's delay of satellite signals: Saastamoinen's zenith delays and Niell's mapping to other elevations."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.atmosphere.weather import WeatherState

Floats = NDArray[np.float64]

_LATITUDES = np.deg2rad([15.0, 30.0, 45.0, 60.0, 75.0])
# Niell 1996, tables 3 and 4: a, b, c of the dry mapping, of its yearly change, and of the wet mapping, by latitude.
_DRY_MEAN = np.array([
    [1.2769934e-3, 2.9153695e-3, 62.610505e-3], [1.2683230e-3, 2.9152299e-3, 62.837393e-3],
    [1.2465397e-3, 2.9288445e-3, 63.721774e-3], [1.2196049e-3, 2.9022565e-3, 63.824265e-3],
    [1.2045996e-3, 2.9024912e-3, 64.258455e-3],
])  # fmt: skip
_DRY_CHANGE = np.array([
    [0.0, 0.0, 0.0], [1.2709626e-5, 2.1414979e-5, 9.0128400e-5], [2.6523662e-5, 3.0160779e-5, 4.3497037e-5],
    [3.4000452e-5, 7.2562722e-5, 84.795348e-5], [4.1202191e-5, 11.723375e-5, 170.37206e-5],
])  # fmt: skip
_WET = np.array([
    [5.8021897e-4, 1.4275268e-3, 4.3472961e-2], [5.6794847e-4, 1.5138625e-3, 4.6729510e-2],
    [5.8118019e-4, 1.4572752e-3, 4.3908931e-2], [5.9727542e-4, 1.5007428e-3, 4.4626982e-2],
    [6.1641693e-4, 1.7599082e-3, 5.4736038e-2],
])  # fmt: skip
_TABLES = np.stack((_DRY_MEAN, _DRY_CHANGE, _WET), 1)
_ROWS_RAD = _LATITUDES.tolist()
_HEIGHT = np.array([2.53e-5, 5.49e-3, 1.14e-3])


@dataclass(frozen=True)
class SurfaceAir:
    """Pressure, temperature and water vapour where a receiver is."""

    pressure_pa: float
    temperature_k: float
    vapour_pa: float


def standard_air(altitude_m: float, humidity: float = 0.5) -> SurfaceAir:
    """Return the standard atmosphere (ISO 2533) at an altitude, as receivers assume it."""
    height = min(max(altitude_m, -500.0), 11_000.0)
    temperature = 288.15 - 6.5e-3 * height
    return SurfaceAir(
        101_325.0 * (temperature / 288.15) ** 5.25588, temperature, vapour_pressure_pa(temperature, humidity)
    )


def air_at(weather: WeatherState, above_origin_m: float) -> SurfaceAir:
    """Return the air some height above the world's origin: the weather there, with a gradient of 6.5 K/km."""
    temperature = max(weather.temperature_k - 6.5e-3 * above_origin_m, 150.0)
    pressure = weather.pressure_pa * (temperature / weather.temperature_k) ** 5.25588
    return SurfaceAir(pressure, temperature, vapour_pressure_pa(temperature, weather.humidity))


def vapour_pressure_pa(temperature_k: float, humidity: float) -> float:
    """Return the pressure of water vapour: 610.78 Pa 10^(7.5 t / (t + 237.3)) times the humidity, t in Celsius (Tetens)."""
    celsius = temperature_k - 273.15
    return float(humidity * 610.78 * 10 ** (7.5 * celsius / (celsius + 237.3)))


def zenith_delays_m(air: SurfaceAir, latitude_rad: float, altitude_m: float) -> tuple[float, float]:
    """Return the dry and the wet delay towards the zenith (Saastamoinen 1972, gravity after Davis et al. 1985).

    0.0022768 P / (1 - 0.00266 cos 2phi - 0.28e-6 h) and 0.002277 (1255 / T + 0.05) e with pressures in hPa.
    """
    gravity = 1 - 0.00266 * np.cos(2 * latitude_rad) - 0.28e-6 * altitude_m
    dry = 0.0022768 * air.pressure_pa / 100 / gravity
    wet = 0.002277 * (1255.0 / air.temperature_k + 0.05) * air.vapour_pa / 100
    return float(dry), float(wet)


def _between(latitude_rad: float) -> Floats:
    """Return the three tables' rows [3, 3] at a latitude, linear between those that are told, held beyond."""
    row = min(max(bisect_right(_ROWS_RAD, latitude_rad) - 1, 0), len(_ROWS_RAD) - 2)
    part = min(max((latitude_rad - _ROWS_RAD[row]) / (_ROWS_RAD[row + 1] - _ROWS_RAD[row]), 0.0), 1.0)
    return np.asarray(_TABLES[row] + part * (_TABLES[row + 1] - _TABLES[row]))


def _fraction(sine: Floats, abc: Floats) -> Floats:
    """Marini's continued fraction, 1 in the zenith."""
    a, b, c = abc.tolist()
    return np.asarray((1 + a / (1 + b / (1 + c))) / (sine + a / (sine + b / (sine + c))))


def niell_mapping(
    elevation_rad: Floats, latitude_rad: float, altitude_m: float, day_of_year: float
) -> tuple[Floats, Floats]:
    """Return the dry and the wet mapping [N] (Niell, J. Geophys. Res. 101, 1996); valid from 3 degrees upwards."""
    sine = np.sin(np.maximum(elevation_rad, np.deg2rad(3.0)))
    latitude = abs(latitude_rad)
    season = np.cos(2 * np.pi * ((day_of_year - 28) / 365.25 + (0.5 if latitude_rad < 0 else 0.0)))
    mean, change, wet = _between(latitude)
    dry = _fraction(sine, mean - change * season)
    dry = dry + (1 / sine - _fraction(sine, _HEIGHT)) * altitude_m * 1e-3
    return dry, _fraction(sine, wet)


def troposphere_delay_m(
    air: SurfaceAir, latitude_rad: float, altitude_m: float, elevation_rad: Floats, day_of_year: float
) -> Floats:
    """Return the delay [N] of signals from these elevations, the same at all frequencies."""
    dry, wet = zenith_delays_m(air, latitude_rad, altitude_m)
    dry_mapping, wet_mapping = niell_mapping(elevation_rad, latitude_rad, altitude_m, day_of_year)
    return dry * dry_mapping + wet * wet_mapping
