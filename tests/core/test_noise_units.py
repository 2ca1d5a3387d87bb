"""Units of data sheets for noise and sensitivity, against conversions worked out by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensorium.core.errors import ConfigurationError
from sensorium.core.noise_units import NOISE_UNITS
from sensorium.core.units import UNITS, quantity, to_si

DEG = math.pi / 180
G = 9.80665
WRITTEN = {
    "175 ug/sqrt(Hz)": ("m/s^2/sqrt(Hz)", 175e-6 * G),
    "0.4 mg/sqrt(Hz)": ("m/s^2/sqrt(Hz)", 0.4e-3 * G),
    "0.037 m/s/sqrt(h)": ("m/s^2/sqrt(Hz)", 0.037 / 60),
    "0.014 deg/s/sqrt(Hz)": ("rad/s/sqrt(Hz)", 0.014 * DEG),
    "0.15 deg/sqrt(h)": ("rad/s/sqrt(Hz)", 0.15 * DEG / 60),
    "8 deg/h/sqrt(Hz)": ("rad/s/sqrt(Hz)", 8 * DEG / 3600),
    "3 mdeg/s/sqrt(Hz)": ("rad/s/sqrt(Hz)", 0.003 * DEG),
    "2 deg/h/sqrt(h)": ("rad/s/sqrt(s)", 2 * DEG / 3600 / 60),
    "12 ug/sqrt(s)": ("m/s^2/sqrt(s)", 12e-6 * G),
    "1.2 nT/sqrt(Hz)": ("T/sqrt(Hz)", 1.2e-9),
    "16384 LSB/g": ("LSB/(m/s^2)", 16384 / G),
    "131 LSB/(deg/s)": ("LSB/(rad/s)", 131 / DEG),
    "1090 LSB/gauss": ("LSB/T", 1090 / 1e-4),
    "75 LSB/uT": ("LSB/T", 75e6),
    "0.1 deg/s/g": ("rad/s/(m/s^2)", 0.1 * DEG / G),
    "7 deg/h/g": ("rad/s/(m/s^2)", 7 * DEG / 3600 / G),
    "0.15 mg/K": ("m/s^2/K", 0.15e-3 * G),
    "0.015 deg/s/degC": ("rad/s/K", 0.015 * DEG),
    "0.02 %/K": ("1/K", 2e-4),
    "500 ppm": ("1", 5e-4),
    "50 mg": ("m/s^2", 0.05 * G),
    "20 deg/h": ("rad/s", 20 * DEG / 3600),
    "4 µg/√(Hz)": ("m/s^2/sqrt(Hz)", 4e-6 * G),
}


@pytest.mark.parametrize("text", WRITTEN)
def test_conversion_by_hand(text: str) -> None:
    """A text of a data sheet means the SI number that one gets on paper."""
    si_unit, expected = WRITTEN[text]
    assert quantity(text, si_unit) == pytest.approx(expected, rel=4e-16)


@given(st.sampled_from(sorted(NOISE_UNITS)), st.floats(1e-9, 1e9))
def test_there_and_back(symbol: str, number: float) -> None:
    """The SI number over the factor of the unit is the number that was written, to rounding."""
    si_unit, factor, offset = UNITS[symbol]
    assert offset == 0
    assert to_si(f"{number!r} {symbol}", si_unit) / factor == pytest.approx(number, rel=1e-15)


def test_another_kind_of_density_is_refused() -> None:
    """A density of an accelerometer is no density of a gyroscope; the message lists what fits."""
    with pytest.raises(ConfigurationError, match=r"another kind.*deg/sqrt\(h\)"):
        quantity("100 ug/sqrt(Hz)", "rad/s/sqrt(Hz)")
