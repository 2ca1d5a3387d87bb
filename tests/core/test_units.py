"""Units at the door: what people write becomes the SI number that it means, or a refusal that helps."""

from __future__ import annotations

import contextlib
import math
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensorium.core.configuration import build
from sensorium.core.errors import ConfigurationError
from sensorium.core.noise_units import NOISE_UNITS
from sensorium.core.units import UNITS, Fraction, Metres, PositiveHertz, Vector3, quantity, to_si

# unit -> what one of it is in SI, from the SI brochure and the definitions of the customary units, written by hand
ONE = {
    "km": 1000, "cm": 0.01, "mm": 0.001, "um": 1e-6, "nm": 1e-9, "m": 1,
    "s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "min": 60, "h": 3600,
    "Hz": 1, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9, "rpm": 1 / 60,
    "rad": 1, "mrad": 1e-3, "urad": 1e-6, "deg": math.pi / 180,
    "rad/s": 1, "deg/s": math.pi / 180, "deg/h": math.pi / 180 / 3600,
    "m/s": 1, "km/h": 1000 / 3600, "mph": 1609.344 / 3600,
    "m/s^2": 1, "g": 9.80665, "mg": 9.80665e-3, "ug": 9.80665e-6,
    "W": 1, "mW": 1e-3, "uW": 1e-6, "nW": 1e-9, "pW": 1e-12, "kW": 1e3,
    "K": 1, "mK": 1e-3, "degC": 274.15,
    "T": 1, "mT": 1e-3, "uT": 1e-6, "nT": 1e-9, "gauss": 1e-4, "mgauss": 1e-7,
    "kg": 1, "g_mass": 1e-3,
    "": 1, "%": 0.01, "ppm": 1e-6,
}  # fmt: skip

units = st.sampled_from(sorted(UNITS))
numbers = st.floats(-1e9, 1e9, allow_nan=False)


def test_every_unit_has_the_size_of_its_definition() -> None:
    """One of each unit is what its definition says, to the last place but one; no unit is left out."""
    assert set(ONE) == set(UNITS) - set(NOISE_UNITS)
    for symbol in ONE:
        si_unit = UNITS[symbol][0]
        assert to_si(f"1 {symbol}", si_unit) == pytest.approx(ONE[symbol], rel=2**-52), symbol


@given(numbers, units)
def test_value_times_factor_plus_offset(number: float, symbol: str) -> None:
    """si = number * factor + offset for every number and unit, to the rounding of two operations."""
    si_unit, factor, offset = UNITS[symbol]
    expected = number * factor + offset
    assert to_si(f"{number!r} {symbol}", si_unit) == pytest.approx(expected, rel=2**-51, abs=abs(offset) * 2**-51)


@given(
    st.floats(-1e12, 1e12).filter(lambda x: x == 0 or abs(x) > 1e-150), st.sampled_from(["nm", "um", "mm", "cm", "km"])
)
def test_decimal_prefixes_are_exact(number: float, symbol: str) -> None:
    """A decimal prefix moves the decimal point and rounds nothing: "1550 nm" is the same float as 1550e-9."""
    power = {"nm": -9, "um": -6, "mm": -3, "cm": -2, "km": 3}[symbol]
    assert to_si(f"{number!r} {symbol}", "m") == float(Decimal(repr(number)).scaleb(power))


@given(numbers, st.sampled_from(["", " ", "  ", "\t"]), st.sampled_from(["", " "]))
def test_white_space_does_not_matter(number: float, gap: str, edge: str) -> None:
    """Blanks round the number and before the unit change nothing."""
    assert to_si(f"{edge}{number!r}{gap}deg{edge}", "rad") == to_si(f"{number!r} deg", "rad")


@pytest.mark.parametrize(
    ("written", "plain", "si_unit"),
    [
        ("120°", "120 deg", "rad"), ("9 µm", "9 um", "m"), ("9 μm", "9 um", "m"),
        ("2 m/s²", "2 m/s^2", "m/s^2"), ("20 °C", "20 degC", "K"), ("+.5e1 m", "5 m", "m"), ("3. m", "3 m", "m"),
    ],
)  # fmt: skip
def test_typographic_spelling(written: str, plain: str, si_unit: str) -> None:
    """Signs that a word processor makes mean the same as their plain spelling."""
    assert to_si(written, si_unit) == to_si(plain, si_unit)


@given(st.one_of(st.integers(-(10**9), 10**9), numbers))
def test_plain_numbers_are_si_already(number: float) -> None:
    """A number without a unit counts as SI; so do the numbers of NumPy."""
    assert to_si(number, "rad") == number
    assert to_si(np.float64(number), "rad") == number
    if isinstance(number, int):
        assert to_si(np.int64(number), "m") == number


@pytest.mark.parametrize(
    "value",
    ["nan m", "inf m", "1e999 m", float("nan"), float("inf"), -math.inf, 10**400, "", "m", "1 2 m", "1,5 m", "0x10 m",
     "1 m 2", "--1 m", True, None, [1], {"m": 1}, b"1 m", np.array([1.0, 2.0])],
    ids=repr,
)  # fmt: skip
def test_refusals(value: object) -> None:
    """What is not one finite number with one unit is refused, with the expected unit in the text."""
    with pytest.raises(ValueError, match=r"m|unit"):
        to_si(value, "m")


@given(units, units)
def test_units_of_another_kind_are_refused(symbol: str, other: str) -> None:
    """A unit fits exactly the quantities of its own dimension."""
    wanted = UNITS[other][0]
    if UNITS[symbol][0] == wanted:
        assert math.isfinite(to_si(f"1 {symbol}", wanted))
    else:
        with pytest.raises(ValueError, match=r"expected one of|another kind|no unit"):
            to_si(f"1 {symbol}", wanted)


def test_messages_name_the_remedy() -> None:
    """Each refusal says what would be right."""
    cases = {
        ("5 nmm", "m"): "'nmm' is not a known unit. Did you mean 'nm'?",
        ("5 s", "m"): "'s' is a unit of another kind in '5 s'; expected one of m, km, cm, mm, um, nm",
        ("5", "Hz"): "there is no unit in '5'; expected one of Hz, kHz, MHz, GHz, rpm",
        ("fast", "Hz"): "expected a number with a unit such as '10 Hz', found 'fast'",
        ((1,), "Hz"): "expected a number in Hz or a text such as '10 Hz', found (1,)",
    }
    for (value, si_unit), message in cases.items():
        with pytest.raises(ValueError) as caught:  # noqa: PT011
            to_si(value, si_unit)
        assert str(caught.value) == message


@given(st.text(max_size=20), st.sampled_from(["m", "rad", "1", "K"]))
def test_any_text_is_a_number_or_a_refusal(text: str, si_unit: str) -> None:
    """No text leads to anything but a finite float or a ConfigurationError."""
    with contextlib.suppress(ConfigurationError):
        assert math.isfinite(quantity(text, si_unit))


def test_annotated_types_convert_and_bound() -> None:
    """Field types convert first and check their bounds on the SI value."""
    assert build(Metres, "905 nm") == 905e-9
    assert build(Vector3, ["1 km", 2, "3 cm"]) == (1000.0, 2.0, 0.03)
    assert build(Fraction, "50 %") == 0.5
    for kind, value in ((PositiveHertz, "0 Hz"), (Fraction, "101 %"), (Metres, "1 s"), (Vector3, [1, 2])):
        with pytest.raises(ConfigurationError):
            build(kind, value)
