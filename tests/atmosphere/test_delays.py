"""Delays of the ionosphere and the troposphere against RTKLIB's models, which share no code with ours.

The rows are numbers that pyrtklib computed once: second after 2026-06-15T12:00 GPS time, latitude, longitude [deg], height [m],
azimuth, elevation [deg]; `ionmodel` [m], `tropmodel` [m] at humidity 0.5 times sin E, `tropmapf` dry and wet.
"""

import numpy as np
import pytest

from sensorium.atmosphere.ionosphere import klobuchar_delay_m, second_order_delay_m
from sensorium.atmosphere.troposphere import (
    air_at,
    niell_mapping,
    standard_air,
    troposphere_delay_m,
    zenith_delays_m,
)
from sensorium.atmosphere.weather import WeatherState
from sensorium.ephemeris.nominal import KLOBUCHAR

ROWS = [
    (0, 48.1, 11.5, 520.0, 0.0, 90.0, 4.788375088, 2.2377154, 1.000000000, 1.000000000),
    (0, 48.1, 11.5, 520.0, 250.0, 8.0, 13.490436562, 2.2377154, 6.797466463, 6.990020584),
    (0, -33.9, 151.2, 20.0, 120.0, 30.0, 2.649302815, 2.3892114, 1.992629751, 1.996602719),
    (0, 2.0, -60.0, 0.0, 0.0, 90.0, 4.172407179, 2.3991681, 1.000000000, 1.000000000),
    (0, 2.0, -60.0, 0.0, 250.0, 8.0, 9.710701871, 2.3991681, 6.788952260, 6.991169399),
    (0, 67.0, 25.0, 1500.0, 120.0, 30.0, 5.604224318, 1.9686347, 1.992915494, 1.996398028),
    (21600, 48.1, 11.5, 520.0, 0.0, 90.0, 3.942777049, 2.2377154, 1.000000000, 1.000000000),
    (21600, 48.1, 11.5, 520.0, 250.0, 8.0, 12.459963190, 2.2377154, 6.797443448, 6.990020584),
    (21600, -33.9, 151.2, 20.0, 120.0, 30.0, 2.649302815, 2.3892114, 1.992630031, 1.996602719),
    (21600, 2.0, -60.0, 0.0, 0.0, 90.0, 6.812711437, 2.3991681, 1.000000000, 1.000000000),
    (21600, 2.0, -60.0, 0.0, 250.0, 8.0, 19.039258731, 2.3991681, 6.788952260, 6.991169399),
    (21600, 67.0, 25.0, 1500.0, 120.0, 30.0, 4.237708914, 1.9686347, 1.992914855, 1.996398028),
    (50000, 48.1, 11.5, 520.0, 0.0, 90.0, 1.499609842, 2.2377154, 1.000000000, 1.000000000),
    (50000, 48.1, 11.5, 520.0, 250.0, 8.0, 4.244500375, 2.2377154, 6.797413348, 6.990020584),
    (50000, -33.9, 151.2, 20.0, 120.0, 30.0, 5.393929505, 2.3892114, 1.992630397, 1.996602719),
    (50000, 2.0, -60.0, 0.0, 0.0, 90.0, 2.581823206, 2.3991681, 1.000000000, 1.000000000),
    (50000, 2.0, -60.0, 0.0, 250.0, 8.0, 8.773861198, 2.3991681, 6.788952260, 6.991169399),
    (50000, 67.0, 25.0, 1500.0, 120.0, 30.0, 2.755557507, 1.9686347, 1.992914019, 1.996398028),
]  # fmt: skip
DAY = 166.5  # of the year, 15 June at noon


@pytest.mark.parametrize("row", ROWS)
def test_klobuchar_agrees_with_rtklib(row):
    """The same to a micrometre; the second of the day is that of GPS time."""
    after, latitude, longitude, _, azimuth, elevation, expected, *_ = row
    where = np.radians([latitude, longitude, azimuth, elevation])
    found = klobuchar_delay_m(KLOBUCHAR, where[0], where[1], where[2:3], where[3:4], (43_200 + after) % 86_400)
    assert found[0] == pytest.approx(expected, abs=2e-6)


@pytest.mark.parametrize("row", ROWS)
def test_saastamoinen_agrees_with_rtklib(row):
    """The zenith delay to 4 mm: RTKLIB has 15.01 degrees and another formula for the vapour."""
    _, latitude, _, height, _, _, _, expected, *_ = row
    assert sum(zenith_delays_m(standard_air(height), np.radians(latitude), height)) == pytest.approx(expected, abs=4e-3)


@pytest.mark.parametrize("row", ROWS)
def test_niell_agrees_with_rtklib(row):
    """Dry and wet mapping to 1e-4 of themselves (the day of the year is told with its fraction there)."""
    _, latitude, _, height, _, elevation, _, _, dry, wet = row
    found = niell_mapping(np.radians([elevation]), np.radians(latitude), height, DAY)
    assert found[0][0] == pytest.approx(dry, rel=1e-4)
    assert found[1][0] == pytest.approx(wet, rel=1e-4)


def test_weather_changes_the_delay():
    """Dry delay in proportion to pressure; moist air delays more; 2.3 m at the zenith in the standard atmosphere."""
    thin, dense = (zenith_delays_m(air_at(WeatherState(pressure_pa=p), 0.0), 0.8, 0.0) for p in (90_000, 99_000))
    assert dense[0] / thin[0] == pytest.approx(1.1)
    dry, moist = (zenith_delays_m(air_at(WeatherState(humidity=h), 0.0), 0.8, 0.0)[1] for h in (0.2, 0.8))
    assert moist == pytest.approx(4 * dry)
    whole = troposphere_delay_m(standard_air(0.0), 0.8, 0.0, np.array([np.pi / 2]), 100)
    assert whole[0] == pytest.approx(2.4, abs=0.1)


def test_the_second_order_is_millimetres_and_falls_with_the_cube():
    """Some millimetres at L1 for 10 m of delay; (f_1 / f_5)^3 = 2.4 times that at L5."""
    angles = np.array([np.pi]), np.array([0.7])
    one, five = (
        second_order_delay_m(np.array([10.0]), np.array([f]), 0.8, 0.2, *angles)[0] for f in (1.57542e9, 1.17645e9)
    )
    assert 1e-3 < abs(one) < 2e-2
    assert five / one == pytest.approx((1.57542 / 1.17645) ** 3)
