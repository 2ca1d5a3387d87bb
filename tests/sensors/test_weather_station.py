"""Weather station: wet bulb, the warm housing, the decision between water and snow, and its messages."""

import math

import numpy as np
import pytest
from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory

from sensorium.atmosphere.weather import ConstantWeather, WeatherState
from sensorium.core.errors import ConfigurationError
from sensorium.core.pose import Pose
from sensorium.core.random import Draws
from sensorium.core.time import TimeWindow, nanoseconds
from sensorium.motion import Fixed
from sensorium.recording import McapRecorder, RosConventions, open_recording
from sensorium.samples import Stamp
from sensorium.scene.build import body, part
from sensorium.scene.scene import Scene
from sensorium.scene.shapes import Box
from sensorium.scene.view import View
from sensorium.sensors import Thermometer, WeatherStation
from sensorium.sensors.weather_station.humid_air import saturation_pa, wet_bulb_c
from sensorium.simulation import Mount, Simulation

QUIET = {"noise_k": 0.0, "humidity_noise": 0.0}
HOUSING = {"type": "housing", "fan_w": 15e3, "efficiency": 0.7, "loss_share": 0.5, "flow_m3_s": 8.0, "electronics_w": 60.0,
           "hull_w_k": 60.0, "fan_on_s": [[1000, 2000]]}  # fmt: skip


def scene_of(celsius, humidity):
    return Scene((), weather=ConstantWeather(state=WeatherState(temperature_k=celsius + 273.15, humidity=humidity)))


def read(sensor, scene, time_s=0.0, state=False, seed=0, index=0):
    instant = nanoseconds(time_s)
    view = View(scene, None, Fixed(), Pose.identity(), TimeWindow(instant, instant))
    return sensor.detect(sensor.sense(view), state, Draws(seed).at("w", index), Stamp("w", index, instant, instant))[0]


@pytest.mark.parametrize(("celsius", "hectopascal"), [(0, 6.112), (20, 23.37), (-20, 1.254), (40, 73.75)])
def test_saturation_over_water(celsius, hectopascal):
    """Smithsonian Meteorological Tables (over water): 6.11, 23.37, 1.25, 73.8 hPa, moist air 0.4 % more.

    Magnus' formula is 0.5 % high at -20 degrees."""
    assert saturation_pa(celsius, 101_325.0) / 100 == pytest.approx(hectopascal, rel=6e-3 if celsius >= 0 else 1e-2)


@pytest.mark.parametrize(
    ("celsius", "humidity", "wet"), [(20, 0.5, 13.8), (30, 0.3, 18.0), (0, 0.5, -3.0), (-2, 0.6, -4.3), (10, 1.0, 10.0)]
)
def test_wet_bulb_of_psychrometric_charts(celsius, humidity, wet):
    """Charts at sea level, read to a few tenths."""
    assert wet_bulb_c(celsius, humidity, 101_325.0) == pytest.approx(wet, abs=0.35)


def test_wet_bulb_solves_the_psychrometer():
    """The vapour pressure computed back from dry and wet bulb is the true one."""
    for celsius, humidity in ((25.0, 0.2), (-8.0, 0.7), (3.0, 0.9)):
        wet = wet_bulb_c(celsius, humidity, 95_000.0)
        back = saturation_pa(wet, 95_000.0) - 6.53e-4 * (1 + 0.000944 * wet) * 95_000.0 * (celsius - wet)
        assert back == pytest.approx(humidity * saturation_pa(celsius, 95_000.0), rel=1e-9)


def test_open_shelter_reads_the_weather():
    found = read(WeatherStation(**QUIET), scene_of(-3.0, 0.7))
    assert found.temperature_k[0] == pytest.approx(270.15)
    assert found.humidity[0] == pytest.approx(0.7)
    assert found.wet_bulb_k[0] - 273.15 == pytest.approx(wet_bulb_c(-3.0, 0.7, 101_325.0), abs=1e-9)


def test_fan_decides_how_warm_the_housing_is():
    """P_e / G without the fan; (P (eta + (1 - eta) s) + P_e) / (rho V' c_p) with it; in between exp(-t / lag)."""
    station, scene = WeatherStation(**QUIET, place=HOUSING, lag_s=60.0), scene_of(-3.0, 0.7)
    rest, settled, between = (read(station, scene, t).temperature_k[0] - 270.15 for t in (999, 1990, 1060))
    rho = 101_325.0 / (287.05 * 270.15)
    running = (15e3 * (0.7 + 0.3 * 0.5) + 60) / (rho * 8.0 * 1005)
    assert rest == pytest.approx(1.0, abs=1e-5)
    assert settled == pytest.approx(running, abs=1e-4)
    assert between == pytest.approx(running + (1.0 - running) * math.exp(-1), abs=0.02)


def test_warm_housing_reads_too_dry_and_too_wet_a_bulb():
    """The vapour stays, the saturation rises: humidity falls, wet bulb rises."""
    scene = scene_of(-3.0, 0.7)
    free, warm = read(WeatherStation(**QUIET), scene), read(WeatherStation(**QUIET, place=HOUSING), scene)
    assert warm.humidity[0] * saturation_pa(-2.0, 101_325.0) == pytest.approx(0.7 * saturation_pa(-3.0, 101_325.0))
    assert warm.wet_bulb_k[0] > free.wet_bulb_k[0] + 0.3


def test_decision_with_hysteresis():
    """Snow below -2.5 degrees of the wet bulb; what makes snow goes on until -2.2."""
    station = WeatherStation(**QUIET)
    colder, between, warmer = (scene_of(wet, 1.0) for wet in (-2.6, -2.35, -2.1))
    assert [read(station, scene).snow for scene in (colder, between, warmer)] == [True, False, False]
    assert [read(station, scene, state=True).snow for scene in (colder, between, warmer)] == [True, True, False]


def test_noise():
    """Of 3000 readings: temperature and humidity within 5 sigma / sqrt(2 N)."""
    station, scene = WeatherStation(), scene_of(5.0, 0.5)
    found = [read(station, scene, index=index) for index in range(3000)]
    band = 5 / math.sqrt(6000)
    assert np.std([each.temperature_k[0] for each in found]) == pytest.approx(0.1, rel=band)
    assert np.std([each.humidity[0] for each in found]) == pytest.approx(0.02, rel=band)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"place": {**HOUSING, "fan_on_s": [[5, 3]]}}, "one after the other"),
        ({"place": {**HOUSING, "flow_m3_s": 0}}, "flow_m3_s"),
        ({"humidity_noise": -0.1}, "humidity_noise"),
        ({"place": {"type": "tent"}}, "tent"),
    ],
)
def test_bad_settings_are_named(settings, said):
    with pytest.raises(ConfigurationError, match=said):
        WeatherStation(**settings)


def test_refuses_air_outside_of_its_formula():
    with pytest.raises(ConfigurationError, match="-45 to 60"):
        read(WeatherStation(**QUIET), scene_of(-60.0, 0.5))


def test_messages_and_the_way_back(tmp_path):
    """Degrees Celsius and a humidity of 0 to 1 for an independent reader; our own makes the same samples again."""
    post = body("post", part("post", Box(size_m=(0.1, 0.1, 2)), "wood"))
    rig = (
        Mount(name="air", sensor=Thermometer(), body="post"),
        Mount(name="gun", sensor=WeatherStation(rate_hz=1.0), body="post"),
    )
    scene = Scene((post,), weather=ConstantWeather(state=WeatherState(temperature_k=268.15, humidity=0.6)))
    samples = list(Simulation(scene, rig, truth_rate_hz=None).samples(3.0))
    with McapRecorder(tmp_path / "w.mcap", RosConventions(mounts=rig)) as recorder:
        for sample in samples:
            recorder.write(sample)
    with (tmp_path / "w.mcap").open("rb") as file:
        reader = make_reader(file, decoder_factories=[DecoderFactory()])
        found = {}
        for _, channel, _, message in reader.iter_decoded_messages():
            found.setdefault(channel.topic, []).append(message)
    assert found["/air/temperature"][0].temperature == pytest.approx(-5, abs=0.6)
    assert found["/air/temperature"][0].variance > 0
    assert found["/gun/humidity"][0].relative_humidity == pytest.approx(0.6, abs=0.1)
    assert found["/gun/wet_bulb"][0].temperature < found["/gun/temperature"][0].temperature
    assert found["/gun/snow"][0].data is True
    for name in ("air", "gun"):
        ours = [sample for sample in samples if sample.stamp.sensor == name]
        back = list(open_recording(tmp_path / "w.mcap").samples(name))
        assert [each.stamp for each in back] == [each.stamp for each in ours]
        for one, two in zip(back, ours, strict=True):
            assert type(one) is type(two)
            np.testing.assert_allclose(one.temperature_k, two.temperature_k, atol=1e-9)
    assert back[0].snow == ours[0].snow
    np.testing.assert_allclose(back[0].humidity, ours[0].humidity)
