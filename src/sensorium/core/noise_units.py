"""Units of data sheets for noise, drift and sensitivity: what stands on the sheet of an inertial or magnetic sensor.

A density of white noise "per root hertz" and a random walk of the integral "per root hour" are the same dimension: a rate of
rad/s with the two-sided density S has S = N^2, and its integral walks N sqrt(t). Hence 1 deg/sqrt(h) = 1/60 deg/s/sqrt(Hz)
and 1 m/s/sqrt(h) = 1/60 m/s^2/sqrt(Hz) (IEEE Std 952-2020, annex C).
"""

from __future__ import annotations

import math

_DEGREE = math.pi / 180
_G = 9.80665
_GAUSS = 1e-4

_SIGNALS: dict[str, dict[str, float]] = {
    "m/s^2": {"m/s^2": 1.0, "g": _G, "mg": _G / 1e3, "ug": _G / 1e6},
    "rad/s": {"rad/s": 1.0, "deg/s": _DEGREE, "mdeg/s": _DEGREE / 1e3, "deg/h": _DEGREE / 3600},
    "T": {"T": 1.0, "uT": 1e-6, "nT": 1e-9, "gauss": _GAUSS, "mgauss": _GAUSS / 1e3},
    "K": {"K": 1.0, "mK": 1e-3},
    "1": {"%": 1e-2, "ppm": 1e-6},
}
"""SI unit of a signal -> its units on data sheets."""


def _units() -> dict[str, tuple[str, float, float]]:
    found: dict[str, tuple[str, float, float]] = {"1/K": ("1/K", 1.0, 0.0)}
    for si, symbols in _SIGNALS.items():
        for symbol, factor in symbols.items():
            found[f"{symbol}/sqrt(Hz)"] = (f"{si}/sqrt(Hz)", factor, 0.0)
            found[f"{symbol}/sqrt(s)"] = (f"{si}/sqrt(s)", factor, 0.0)
            found[f"{symbol}/sqrt(h)"] = (f"{si}/sqrt(s)", factor / 60, 0.0)
            found[f"{symbol}/K"] = found[f"{symbol}/degC"] = (f"{si}/K", factor, 0.0)
            inner = f"({symbol})" if "/" in symbol else symbol
            found[f"LSB/{inner}"] = (f"LSB/({si})" if "/" in si else f"LSB/{si}", 1 / factor, 0.0)
    for symbol, factor in _SIGNALS["rad/s"].items():
        found[f"{symbol}/g"] = ("rad/s/(m/s^2)", factor / _G, 0.0)
    found["rad/s/(m/s^2)"] = ("rad/s/(m/s^2)", 1.0, 0.0)
    for symbol, factor in {"deg": _DEGREE, "rad": 1.0}.items():
        found[f"{symbol}/sqrt(s)"] = ("rad/s/sqrt(Hz)", factor, 0.0)
        found[f"{symbol}/sqrt(h)"] = ("rad/s/sqrt(Hz)", factor / 60, 0.0)
    for symbol, factor in {"m/s": 1.0, "mm/s": 1e-3}.items():
        found[f"{symbol}/sqrt(h)"] = ("m/s^2/sqrt(Hz)", factor / 60, 0.0)
    found["m/s/sqrt(s)"] = ("m/s^2/sqrt(Hz)", 1.0, 0.0)
    return found


NOISE_UNITS = _units()
"""symbol -> (dimension named by its SI unit, factor, offset), as in `core.units`."""
