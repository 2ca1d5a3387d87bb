"""Resistance thermometer: the standard's table, lag, self-heating, tolerance, noise, what it is dipped into."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensorium.atmosphere.weather import ConstantWeather, WeatherState
from sensorium.core.configuration import build
from sensorium.core.errors import ConfigurationError
from sensorium.core.pose import Pose
from sensorium.core.random import Draws
from sensorium.core.time import TimeWindow, nanoseconds
from sensorium.motion import Fixed
from sensorium.samples import Stamp
from sensorium.scene.scene import Scene
from sensorium.scene.view import View
from sensorium.sensors import Thermometer
from sensorium.sensors.thermometer.resistance import celsius_of, limit_k, ratio

PERFECT = {"lag_s": 0.0, "dissipation_w_k": None, "tolerance": None, "noise_k": 0.0, "resolution_k": 0.0}


def view_at(time_s, scene=None):
    instant = nanoseconds(time_s)
    return View(scene or Scene(()), None, Fixed(), Pose.identity(), TimeWindow(instant, instant))


def read(sensor, time_s=0.0, seed=0, index=0, scene=None):
    draws = Draws(seed).at("t", -1)
    state = sensor.initial_state(draws)
    stamp = Stamp("t", index, nanoseconds(time_s), nanoseconds(time_s))
    return sensor.detect(sensor.sense(view_at(time_s, scene)), state, Draws(seed).at("t", index), stamp)[0]


@pytest.mark.parametrize(
    ("celsius", "ohm"),
    [(-200, 18.52), (-100, 60.26), (-50, 80.31), (0, 100.0), (50, 119.40), (100, 138.51), (850, 390.48)],
)
def test_table_of_the_standard(celsius, ohm):
    """IEC 60751, table of a PT100, to its two places."""
    assert 100 * ratio(celsius) == pytest.approx(ohm, abs=0.0051)


@given(st.floats(-200, 850))
def test_resistance_and_back(celsius):
    """The way back is exact to a microkelvin."""
    assert celsius_of(ratio(celsius)) == pytest.approx(celsius, abs=1e-6)


def test_limits_of_the_classes():
    """Class B at 100 degrees is 0.8 K, class A 0.35 K, class AA 0.27 K; no class beyond its range."""
    assert [limit_k(name, 100.0) for name in ("B", "A", "AA")] == pytest.approx([0.8, 0.35, 0.27])
    with pytest.raises(ConfigurationError, match="class AA"):
        limit_k("AA", 300.0)


def test_reads_the_air():
    """A perfect probe reads the weather."""
    scene = Scene((), weather=ConstantWeather(state=WeatherState(temperature_k=261.0)))
    assert read(Thermometer(**PERFECT), scene=scene).temperature_k[0] == pytest.approx(261.0, abs=1e-6)


@pytest.mark.parametrize("lag_s", [0.5, 5.0, 30.0])
def test_step_response(lag_s):
    """After a step of 50 K at 100 s: 1 - exp(-t / lag)."""
    steps = {"type": "series", "times_s": [99.999999, 100.0], "values_k": [300.0, 350.0]}
    sensor = Thermometer(**{**PERFECT, "lag_s": lag_s, "medium": steps})
    for share in (0.3, 1.0, 3.0):
        expected = 300 + 50 * (1 - math.exp(-share))
        found = read(sensor, 100 + share * lag_s).temperature_k[0]
        assert found == pytest.approx(expected, abs=50 * math.exp(-share) / 16 + 1e-3)  # a step is spread over 1/8 lag


def test_ramp_is_followed_late_by_the_lag():
    """y(t) = u(t - lag) on a ramp, exactly."""
    ramp = {"type": "series", "times_s": [-1e4, 1e4], "values_k": [200.0, 400.0]}
    sensor = Thermometer(**{**PERFECT, "lag_s": 20.0, "medium": ramp})
    assert read(sensor, 700.0).temperature_k[0] == pytest.approx(300 + 0.01 * 680, abs=1e-4)


def test_self_heating():
    """I^2 R / G: 1 mA in 100 ohm at 5 mW/K makes 20 mK; 5 mA half a kelvin."""
    for current, rise in ((1e-3, 0.02), (5e-3, 0.5)):
        settings = {
            **PERFECT,
            "dissipation_w_k": 5e-3,
            "current_a": current,
            "medium": {"type": "constant", "value_k": "0 degC"},
        }
        assert read(Thermometer(**settings)).temperature_k[0] - 273.15 == pytest.approx(rise, rel=1e-3)


def test_leads_of_two_wires():
    """Half an ohm of leads is 0.5 / 0.39083 K at 0 degrees."""
    settings = {**PERFECT, "lead_ohm": 0.5, "medium": {"type": "constant", "value_k": 273.15}}
    assert read(Thermometer(**settings)).temperature_k[0] - 273.15 == pytest.approx(0.5 / 0.39083, rel=1e-3)


def test_specimens_fill_their_tolerance():
    """2000 specimens of class B at 100 degrees: uniform in +-0.8 K, each the same for ever."""
    sensor = Thermometer(**{**PERFECT, "tolerance": "B", "medium": {"type": "constant", "value_k": "100 degC"}})
    off = np.array([read(sensor, seed=seed).temperature_k[0] for seed in range(2000)]) - 373.15
    assert np.abs(off).max() <= 0.8
    assert off.std() == pytest.approx(0.8 / math.sqrt(3), rel=5 / math.sqrt(2000))
    assert read(sensor, seed=3, index=0).temperature_k[0] == read(sensor, seed=3, index=9).temperature_k[0]


def test_noise_and_stated_variance():
    """Standard deviation of 4000 readings within 5 sigma / sqrt(2 N); the variance states noise and step."""
    sensor = Thermometer(**{**PERFECT, "noise_k": 0.05, "resolution_k": 0.01})
    values = np.array([read(sensor, index=index).temperature_k[0] for index in range(4000)])
    stated = read(sensor).variance_k2
    assert stated == pytest.approx(0.05**2 + 0.01**2 / 12)
    assert values.var() == pytest.approx(stated, rel=10 / math.sqrt(2 * 4000))
    np.testing.assert_allclose(np.round(values / 0.01) * 0.01, values, atol=1e-9)


def test_series_from_a_file(tmp_path):
    """A CSV in Celsius is interpolated."""
    (tmp_path / "t.csv").write_text("time_s,temperature_c\n0,10\n10,20\n")
    sensor = Thermometer(**{**PERFECT, "medium": {"type": "series_file", "path": tmp_path / "t.csv"}})
    assert read(sensor, 2.5).temperature_k[0] - 273.15 == pytest.approx(12.5)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("time,temperature_c\n0,1\n", "needs the columns"),
        ("time_s,temperature_k\n0,warm\n", "2: temperature_k is not a number"),
        ("time_s,temperature_k\n1,280\n1,281\n", "must increase"),
        ("time_s,temperature_k\n", "as many times"),
        ("time_s,temperature_k\n0,-3\n", "above 0 K"),
    ],
)
def test_damaged_series(tmp_path, text, said):
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(ConfigurationError, match=said):
        build(Thermometer, {"medium": {"type": "series_file", "path": str(tmp_path / "t.csv")}})


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"tolerance": "D"}, "tolerance"),
        ({"noise_k": -1}, "noise_k"),
        ({"lag_s": -1}, "lag_s"),
        ({"medium": {"type": "tea"}}, "tea"),
    ],
)
def test_bad_settings_are_named(settings, said):
    with pytest.raises(ConfigurationError, match=said):
        Thermometer(**settings)


def test_refuses_beyond_the_standard():
    """No reading at 900 degrees."""
    with pytest.raises(ConfigurationError, match="IEC 60751 works from -200 to 850"):
        read(Thermometer(**{**PERFECT, "medium": {"type": "constant", "value_k": "900 degC"}}))


def test_tank_follows_its_energy_balance():
    """m c dT/dt = -P - G (T - T_room), by differences of 0.1 s; without a loss a straight line."""
    medium = {"type": "cooling_tank", "initial_k": 346.15, "loss_w_k": 1.5, "device_w": 680.0}
    sensor = Thermometer(**{**PERFECT, "medium": medium})
    before, now, after = (read(sensor, time_s).temperature_k[0] for time_s in (199.9, 200.0, 200.1))
    balance = -(680 + 1.5 * (now - 295.15)) / (3 * 4186)
    assert (after - before) / 0.2 == pytest.approx(balance, rel=1e-5)
    straight = Thermometer(**{**PERFECT, "medium": {**medium, "loss_w_k": 0.0}})
    assert read(straight, 100.0).temperature_k[0] == pytest.approx(346.15 - 680 * 100 / (3 * 4186), abs=1e-6)
