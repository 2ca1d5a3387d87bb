"""Platinum resistance: how it depends on temperature, back again, and how far a specimen may be off (IEC 60751:2022).

R = R0 (1 + A t + B t^2) from 0 to 850 degrees, R = R0 (1 + A t + B t^2 + C (t - 100) t^3) from -200 to 0 degrees, t in Celsius.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

from sensorium.core.errors import ConfigurationError

A, B, C = 3.9083e-3, -5.775e-7, -4.183e-12
LOWEST_C, HIGHEST_C = -200.0, 850.0
ToleranceClass = Literal["AA", "A", "B", "C"]


class Tolerance(NamedTuple):
    """A class: |error| <= constant_k + share |t|, from lowest_c to highest_c (wire-wound)."""

    constant_k: float
    share: float
    lowest_c: float
    highest_c: float


TOLERANCES: dict[ToleranceClass, Tolerance] = {
    "AA": Tolerance(0.10, 0.0017, -50.0, 250.0),
    "A": Tolerance(0.15, 0.0020, -100.0, 450.0),
    "B": Tolerance(0.30, 0.0050, -196.0, 600.0),
    "C": Tolerance(0.60, 0.0100, -196.0, 600.0),
}


def ratio(celsius: float) -> float:
    """Return R / R0."""
    if not LOWEST_C <= celsius <= HIGHEST_C:
        raise ConfigurationError(
            f"a platinum thermometer after IEC 60751 works from {LOWEST_C:g} to {HIGHEST_C:g} degC, "
            f"but it is at {celsius:.1f} degC; check the temperature that it measures"
        )
    below = C * (celsius - 100) * celsius**3 if celsius < 0 else 0.0
    return 1 + A * celsius + B * celsius**2 + below


def celsius_of(ratio_: float) -> float:
    """Return the temperature of a ratio R / R0: the root of the quadratic, below 0 degrees improved by Newton's steps."""
    inner = A * A - 4 * B * (1 - ratio_)
    celsius = (-A + math.sqrt(max(inner, 0.0))) / (2 * B)
    for _ in range(6 if celsius < 0 else 0):
        off = 1 + A * celsius + B * celsius**2 + C * (celsius - 100) * celsius**3 - ratio_
        celsius -= off / (A + 2 * B * celsius + C * (4 * celsius**3 - 300 * celsius**2))
    return celsius


def limit_k(tolerance: ToleranceClass, celsius: float) -> float:
    """Return the largest error that the class allows at a temperature."""
    chosen = TOLERANCES[tolerance]
    if not chosen.lowest_c <= celsius <= chosen.highest_c:
        raise ConfigurationError(
            f"class {tolerance} of IEC 60751 holds from {chosen.lowest_c:g} to {chosen.highest_c:g} degC, but the probe is at "
            f"{celsius:.1f} degC; choose another class, or none"
        )
    return chosen.constant_k + chosen.share * abs(celsius)
