"""What the air takes from radio waves, and what rain sends back to a radar.

Rain: gamma = k R^alpha (ITU-R P.838-3). Fog: gamma = K_l M (ITU-R P.840-8). Gases: read off figure 1 of ITU-R P.676-12.
"""

from __future__ import annotations

import math

import numpy as np

from sensorium.atmosphere.weather import WeatherState

# log10 k and alpha: sum of a exp(-((log10 f - b) / c)^2) + m log10 f + q; rows (a, b, c), then (m, q); tables 1 to 4 of P.838-3
_K = {
    "horizontal": (((-5.33980, -0.10008, 1.13098), (-0.35351, 1.26970, 0.45400), (-0.23789, 0.86036, 0.15354),
                    (-0.94158, 0.64552, 0.16817)), (-0.18961, 0.71147)),
    "vertical": (((-3.80595, 0.56934, 0.81061), (-3.44965, -0.22911, 0.51059), (-0.39902, 0.73042, 0.11899),
                  (0.50167, 1.07319, 0.27195)), (-0.16398, 0.63297)),
}  # fmt: skip
_ALPHA = {
    "horizontal": (((-0.14318, 1.82442, -0.55187), (0.29591, 0.77564, 0.19822), (0.32177, 0.63773, 0.13164),
                    (-5.37610, -0.96230, 1.47828), (16.1721, -3.29980, 3.43990)), (0.67849, -1.95537)),
    "vertical": (((-0.07771, 2.33840, -0.76284), (0.56727, 0.95545, 0.54039), (-0.20238, 1.14520, 0.26809),
                  (-48.2991, 0.791669, 0.116226), (48.5833, 0.791459, 0.116479)), (-0.053739, 0.83433)),
}  # fmt: skip

_GASES_GHZ = (1.0, 10.0, 22.235, 30.0, 40.0, 50.0, 55.0, 60.0, 62.0, 65.0, 70.0, 77.0, 81.0, 100.0)
_GASES_DB_KM = (0.006, 0.014, 0.18, 0.085, 0.12, 0.4, 4.5, 15.0, 14.0, 4.0, 0.75, 0.42, 0.39, 0.4)
"""Oxygen and 7.5 g/m3 of vapour at sea level, read off within a fifth."""

_RAIN_GHZ = (9.4, 35.0, 70.0, 95.0)
_RAIN_FACTOR = (1.3e-8, 1.2e-6, 4.2e-5, 1.5e-5)
_RAIN_POWER = (1.6, 1.6, 1.1, 1.0)
_DB_PER_NEPER = 10 / math.log(10)
_LARGEST_HZ = 100e9


def _curve(table: tuple[tuple[tuple[float, float, float], ...], tuple[float, float]], gigahertz: float) -> float:
    place = math.log10(gigahertz)
    rows, (m, q) = table
    return sum(a * math.exp(-(((place - b) / c) ** 2)) for a, b, c in rows) + m * place + q


def rain_coefficients(frequency_hz: float, polarisation: str = "vertical") -> tuple[float, float]:
    """Return k [dB/km] and alpha of ITU-R P.838-3 for a level path."""
    gigahertz = frequency_hz / 1e9
    return 10 ** _curve(_K[polarisation], gigahertz), _curve(_ALPHA[polarisation], gigahertz)


def fog_coefficient(frequency_hz: float, temperature_k: float) -> float:
    """Return K_l [dB/km per g/m3] of ITU-R P.840-8: Rayleigh's limit with the double-Debye permittivity of water."""
    f, theta = frequency_hz / 1e9, 300 / temperature_k
    e0 = 77.66 + 103.3 * (theta - 1)
    e1, e2 = 0.0671 * e0, 3.52
    fp, fs = 20.20 - 146 * (theta - 1) + 316 * (theta - 1) ** 2, 39.8 * 20.20 - 39.8 * 146 * (theta - 1)
    fs += 39.8 * 316 * (theta - 1) ** 2
    imaginary = f * (e0 - e1) / (fp * (1 + (f / fp) ** 2)) + f * (e1 - e2) / (fs * (1 + (f / fs) ** 2))
    real = (e0 - e1) / (1 + (f / fp) ** 2) + (e1 - e2) / (1 + (f / fs) ** 2) + e2
    eta = (2 + real) / imaginary
    return 0.819 * f / (imaginary * (1 + eta**2))


def liquid_water_g_m3(visibility_m: float) -> float:
    """Return the liquid water of fog from its visibility: V = 24 m / M^0.65; none above 1 km.

    R. Eldridge, Journal of the Atmospheric Sciences 23, 1966, 605.
    """
    return (24.0 / visibility_m) ** (1 / 0.65) if visibility_m < 1000 else 0.0


def attenuation_1_m(weather: WeatherState, frequency_hz: float) -> float:
    """Return what the air takes one way [1/m]: power falls as exp(-a x). Snow counts as rain of its melted water, dust as nothing.

    ValueError above 100 GHz and below 1 GHz, where the tables end.
    """
    if not 1e9 <= frequency_hz <= _LARGEST_HZ:
        raise ValueError(f"the air is known to radio waves of 1 to 100 GHz, not of {frequency_hz / 1e9:g} GHz")
    k, alpha = rain_coefficients(frequency_hz)
    fog = fog_coefficient(frequency_hz, weather.temperature_k) * liquid_water_g_m3(weather.visibility_m)
    gases = math.exp(float(np.interp(frequency_hz / 1e9, _GASES_GHZ, np.log(_GASES_DB_KM))))
    falling = weather.rain_mm_h + weather.snow_mm_h
    db_km = k * falling**alpha if falling > 0 else 0.0
    return (db_km + fog + gases) / 1000 / _DB_PER_NEPER


def rain_reflectivity_m2_m3(rain_mm_h: float, frequency_hz: float) -> float:
    """Return the radar cross section per volume of rain, A R^B.

    Measured at 9.4, 35, 70 and 95 GHz by N. Currie, F. Dyer, R. Hayes, "Radar rain return at frequencies of 9.375, 35, 70 and 95
    GHz", Georgia Tech 1975, as quoted by N. Currie, C. Brown, "Principles and applications of millimeter-wave radar", 1987; between
    them straight in the logarithms.
    """
    if rain_mm_h <= 0:
        return 0.0
    place = math.log(frequency_hz / 1e9)
    at = np.log(_RAIN_GHZ)
    factor = math.exp(float(np.interp(place, at, np.log(_RAIN_FACTOR))))
    return float(factor * rain_mm_h ** float(np.interp(place, at, _RAIN_POWER)))
