"""Units at the door: SI numbers inside, "120 deg" or "905 nm" from people.

A field of a configuration is annotated with one of the types below, e.g. ``wavelength_m: Metres``. It accepts a number
(already in the unit of the name) or a text with a unit of the same dimension, and always holds a finite float in SI.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import TYPE_CHECKING, Annotated, Any

from annotated_types import Ge, Gt, Le

from sensorium.core.errors import ConfigurationError, did_you_mean, shown
from sensorium.core.noise_units import NOISE_UNITS

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

STANDARD_GRAVITY_M_S2 = 9.80665
_G = STANDARD_GRAVITY_M_S2

_DEGREE = math.pi / 180

# symbol -> (dimension named by its SI unit, factor, offset): value_si = value * factor + offset
UNITS: dict[str, tuple[str, float, float]] = {
    **{s: ("m", f, 0.0) for s, f in {"m": 1.0, "km": 1e3, "cm": 1e-2, "mm": 1e-3, "um": 1e-6, "nm": 1e-9}.items()},
    **{s: ("s", f, 0.0) for s, f in {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "min": 60.0, "h": 3600.0}.items()},
    **{s: ("Hz", f, 0.0) for s, f in {"Hz": 1.0, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9, "rpm": 1 / 60}.items()},
    **{s: ("rad", f, 0.0) for s, f in {"rad": 1.0, "mrad": 1e-3, "urad": 1e-6, "deg": _DEGREE}.items()},
    **{s: ("rad/s", f, 0.0) for s, f in {"rad/s": 1.0, "deg/s": _DEGREE, "deg/h": _DEGREE / 3600}.items()},
    **{s: ("m/s", f, 0.0) for s, f in {"m/s": 1.0, "km/h": 1 / 3.6, "mph": 0.44704}.items()},
    **{s: ("m/s^2", f, 0.0) for s, f in {"m/s^2": 1.0, "g": _G, "mg": _G / 1e3, "ug": _G / 1e6}.items()},
    **{s: ("W", f, 0.0) for s, f in {"W": 1.0, "mW": 1e-3, "uW": 1e-6, "nW": 1e-9, "pW": 1e-12, "kW": 1e3}.items()},
    **{s: ("K", f, o) for s, f, o in (("K", 1.0, 0.0), ("mK", 1e-3, 0.0), ("degC", 1.0, 273.15))},
    **{
        s: ("T", f, 0.0)
        for s, f in {"T": 1.0, "mT": 1e-3, "uT": 1e-6, "nT": 1e-9, "gauss": 1e-4, "mgauss": 1e-7}.items()
    },
    **{s: ("kg", f, 0.0) for s, f in {"kg": 1.0, "g_mass": 1e-3}.items()},
    **{s: ("1", f, 0.0) for s, f in {"": 1.0, "%": 1e-2, "ppm": 1e-6}.items()},
    **NOISE_UNITS,
}
_TYPOGRAPHY = str.maketrans({"µ": "u", "μ": "u", "²": "^2", "°": "deg", "√": "sqrt"})
_QUANTITY = re.compile(r"^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(.*?)\s*$")


def to_si(value: object, si_unit: str) -> float:
    """Return the value in the SI unit; a number counts as SI already. ValueError says what is wrong and what is right.

    Numbers of NumPy count as numbers.
    """
    if isinstance(value, bool) or not isinstance(value, Real | str):
        example = example_of(si_unit)
        raise ValueError(f"expected a number in {si_unit} or a text such as '{example}', found {shown(value)}")
    try:
        number = _parse(value, si_unit) if isinstance(value, str) else float(value)
    except OverflowError:  # a whole number beyond the range of floats
        number = math.inf
    if not math.isfinite(number):
        raise ValueError(f"expected a finite number in {si_unit}, found {shown(value)}")
    return number


def quantity(text: str, si_unit: str) -> float:
    """Public form of `to_si` for scripts: ``quantity("120 deg", "rad")``."""
    try:
        return to_si(text, si_unit)
    except ValueError as error:
        raise ConfigurationError(str(error)) from None


def si_with_unit(text: str) -> tuple[float, str]:
    """Return a text's number in SI and the SI unit of its dimension, whatever that is. ValueError says what is wrong."""
    _, symbol = _split(text, "5 mg")
    if not symbol:
        raise ValueError(f"there is no unit in '{text}'; a plain number counts as SI, a text needs its unit")
    if symbol not in UNITS:
        raise ValueError(f"'{symbol}' is not a known unit.{did_you_mean(symbol, filter(None, UNITS))}")
    si_unit = UNITS[symbol][0]
    return to_si(text, si_unit), si_unit


def _split(text: str, example: str) -> tuple[str, str]:
    match = _QUANTITY.match(text)
    if match is None:
        raise ValueError(f"expected a number with a unit such as '{example}', found '{text}'")
    return match.group(1), match.group(2).translate(_TYPOGRAPHY)


def _parse(text: str, si_unit: str) -> float:
    number, symbol = _split(text, example_of(si_unit))
    fitting = [name for name, (dimension, _, _) in UNITS.items() if dimension == si_unit and name]
    if symbol not in UNITS:
        raise ValueError(f"'{symbol}' is not a known unit.{did_you_mean(symbol, fitting)}")
    dimension, factor, offset = UNITS[symbol]
    if dimension != si_unit:
        found = f"'{symbol}' is a unit of another kind" if symbol else "there is no unit"
        raise ValueError(f"{found} in '{text}'; expected one of {', '.join(fitting)}")
    return _times(number, factor) + offset


def _times(number: str, factor: float) -> float:
    """Return number times factor; powers of ten move the decimal point, so that "1550 nm" is exactly 1550e-9."""
    value, power = float(number), round(math.log10(factor))
    if factor == 1 or factor != float(f"1e{power}") or not 1e-200 < abs(value) < 1e200:
        return value * factor
    return float(Decimal(number).scaleb(power))


def example_of(si_unit: str) -> str:
    """Return a text that is right for this unit, for messages."""
    return {
        "rad": "120 deg",
        "m": "905 nm",
        "Hz": "10 Hz",
        "s": "20 ms",
        "m/s": "50 km/h",
        "1": "10 %",
        "T": "50 uT",
    }.get(si_unit, f"1 {si_unit}")


@dataclass(frozen=True)
class InUnit:
    """Annotation for a float field that is held in this SI unit and may be written with any unit of its dimension."""

    si_unit: str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        from pydantic_core import core_schema

        written = core_schema.union_schema([core_schema.float_schema(), core_schema.str_schema()])
        return core_schema.no_info_before_validator_function(
            lambda value: to_si(value, self.si_unit),
            core_schema.float_schema(allow_inf_nan=False),
            json_schema_input_schema=written,
        )


Metres = Annotated[float, InUnit("m")]
Seconds = Annotated[float, InUnit("s")]
Hertz = Annotated[float, InUnit("Hz")]
Radians = Annotated[float, InUnit("rad")]
RadiansPerSecond = Annotated[float, InUnit("rad/s")]
MetresPerSecond = Annotated[float, InUnit("m/s")]
MetresPerSecond2 = Annotated[float, InUnit("m/s^2")]
Watts = Annotated[float, InUnit("W")]
Kelvin = Annotated[float, InUnit("K")]
Tesla = Annotated[float, InUnit("T")]
Number = Annotated[float, InUnit("1")]

PositiveMetres = Annotated[Metres, Gt(0)]
NonNegativeRadians = Annotated[Radians, Ge(0)]
NonNegativeMetres = Annotated[Metres, Ge(0)]
PositiveSeconds = Annotated[Seconds, Gt(0)]
NonNegativeSeconds = Annotated[Seconds, Ge(0)]
PositiveHertz = Annotated[Hertz, Gt(0)]
PositiveNumber = Annotated[Number, Gt(0)]
NonNegativeNumber = Annotated[Number, Ge(0)]
Fraction = Annotated[Number, Ge(0), Le(1)]

Vector3 = tuple[Metres, Metres, Metres]
Velocity3 = tuple[MetresPerSecond, MetresPerSecond, MetresPerSecond]
AngularVelocity3 = tuple[RadiansPerSecond, RadiansPerSecond, RadiansPerSecond]
Acceleration3 = tuple[MetresPerSecond2, MetresPerSecond2, MetresPerSecond2]
Field3 = tuple[Tesla, Tesla, Tesla]
Angles3 = tuple[Radians, Radians, Radians]
Size3 = tuple[PositiveMetres, PositiveMetres, PositiveMetres]
