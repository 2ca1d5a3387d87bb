"""The ionosphere's delay of satellite signals: the broadcast model of Klobuchar, and its next order in frequency."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

L1_HZ = 1_575.42e6
_SPEED_OF_LIGHT_M_S = 299_792_458.0
_SHELL_M, _RADIUS_M = 450e3, 6_371e3
_DIPOLE_T = 3.12e-5
"""Mean flux density of the Earth's dipole at its equator."""
_POLE = np.deg2rad(80.65), np.deg2rad(-72.68)
"""Geomagnetic pole (IGRF-13, 2020): latitude, longitude."""


def klobuchar_delay_m(
    coefficients: Sequence[float],
    latitude_rad: float,
    longitude_rad: float,
    azimuth_rad: Floats,
    elevation_rad: Floats,
    second_of_day_s: float,
) -> Floats:
    """Return the group delay [N] at L1 in metres; at frequency f it is (f_L1 / f)^2 times that, on phase the negative.

    IS-GPS-200 section 20.3.3.5.2.5 in half turns: psi = 0.0137 / (E + 0.11) - 0.022; the pierce point's geomagnetic latitude
    gives amplitude and period of a cosine over the local day, on top of 5 ns, times F = 1 + 16 (0.53 - E)^3.
    """
    e = np.asarray(elevation_rad) / np.pi
    psi = 0.0137 / (e + 0.11) - 0.022
    latitude = np.clip(latitude_rad / np.pi + psi * np.cos(azimuth_rad), -0.416, 0.416)
    longitude = longitude_rad / np.pi + psi * np.sin(azimuth_rad) / np.cos(latitude * np.pi)
    magnetic = latitude + 0.064 * np.cos((longitude - 1.617) * np.pi)
    time_s = np.mod(4.32e4 * longitude + second_of_day_s, 86_400.0)
    amplitude = np.maximum(_cubic(magnetic, coefficients[:4]), 0.0)
    period = np.maximum(_cubic(magnetic, coefficients[4:8]), 72_000.0)
    x = 2 * np.pi * (time_s - 50_400.0) / period
    square, low = x * x, 0.53 - e
    day = np.where(np.abs(x) < 1.57, amplitude * (1 - square / 2 + square * square / 24), 0.0)
    slant = 1 + 16 * low * low * low
    return np.asarray(slant * (5e-9 + day) * _SPEED_OF_LIGHT_M_S)


def _cubic(x: Floats, coefficients: Sequence[float]) -> Floats:
    a, b, c, d = (float(value) for value in coefficients)
    return a + x * (b + x * (c + x * d))


def second_order_delay_m(
    delay_l1_m: Floats, frequency_hz: Floats, latitude_rad: float, longitude_rad: float, azimuth_rad: Floats,
    elevation_rad: Floats,
) -> Floats:  # fmt: skip
    """Return the group delay [N] of second order, with which two frequencies do not do away; on phase minus half of it.

    2.2566e12 TEC B cos(theta) / f^3 (Hoque and Jakowski 2012, in SI), TEC = I_1 f_1^2 / 40.31, with the field of a dipole
    on a shell at 450 km, B towards the ground in the north, and the signal travelling down.
    """
    tec_1_m2 = delay_l1_m * L1_HZ**2 / 40.31
    colatitude = np.pi / 2 - np.arcsin(
        np.sin(latitude_rad) * np.sin(_POLE[0])
        + np.cos(latitude_rad) * np.cos(_POLE[0]) * np.cos(longitude_rad - _POLE[1])
    )
    strength = _DIPOLE_T * (_RADIUS_M / (_RADIUS_M + _SHELL_M)) ** 3
    north, down = strength * np.sin(colatitude), 2 * strength * np.cos(colatitude)
    # the wave goes opposite to the line of sight (cos E cos A north, sin E up)
    along = -north * np.cos(elevation_rad) * np.cos(azimuth_rad) + down * np.sin(elevation_rad)
    return np.asarray(2.2566e12 * tec_1_m2 * along / np.asarray(frequency_hz) ** 3)
