"""Vapour in air: saturation pressure and wet-bulb temperature (WMO-No. 8, Guide to Instruments, annex 4.B)."""

from __future__ import annotations

import math

from sensorium.core.errors import ConfigurationError

ZERO_CELSIUS_K = 273.15
_LOWEST_C, _HIGHEST_C = -45.0, 60.0


def saturation_pa(celsius: float, pressure_pa: float) -> float:
    """Return the pressure of saturated vapour over water in moist air, supercooled below 0 degrees.

    611.2 Pa exp(17.62 t / (243.12 + t)) times f = 1.0016 + 3.15e-6 p - 0.074 / p, p in hPa; -45 to 60 degrees.
    """
    if not _LOWEST_C <= celsius <= _HIGHEST_C:
        raise ConfigurationError(
            f"the saturation pressure is known from {_LOWEST_C:g} to {_HIGHEST_C:g} degC, found {celsius:.1f} degC"
        )
    hectopascal = pressure_pa / 100
    moist = 1.0016 + 3.15e-6 * hectopascal - 0.074 / hectopascal
    return 611.2 * math.exp(17.62 * celsius / (243.12 + celsius)) * moist


def wet_bulb_c(celsius: float, humidity: float, pressure_pa: float) -> float:
    """Return the temperature of a wet, ventilated thermometer: the root of the psychrometer's equation

    e = e_s(t_w) - 6.53e-4 (1 + 0.000944 t_w) p (t - t_w), e = humidity e_s(t). The right side rises with t_w; halving.
    """
    vapour = humidity * saturation_pa(celsius, pressure_pa)
    low, high = max(celsius - 45.0, _LOWEST_C), celsius
    if humidity >= 1:
        return celsius
    for _ in range(60):
        middle = (low + high) / 2
        deficit = 6.53e-4 * (1 + 0.000944 * middle) * pressure_pa * (celsius - middle)
        if saturation_pa(middle, pressure_pa) - deficit < vapour:
            low = middle
        else:
            high = middle
    return (low + high) / 2
