"""What rain, fog and gases take from radio waves, and what rain sends back."""

from dataclasses import replace

import numpy as np
import pytest
from radars import CHIRPS, plate, radar, thing, view_of

from sensorium.atmosphere.radio import (
    attenuation_1_m,
    fog_coefficient,
    liquid_water_g_m3,
    rain_coefficients,
    rain_reflectivity_m2_m3,
)
from sensorium.atmosphere.weather import ConstantWeather, WeatherState
from sensorium.core.errors import SceneError
from sensorium.core.pose import Pose
from sensorium.scene.scene import Scene


@pytest.mark.parametrize(
    ("gigahertz", "polarisation", "k", "alpha"),
    [
        (10, "horizontal", 0.01217, 1.2571),
        (10, "vertical", 0.01129, 1.2156),
        (24, "horizontal", 0.1425, 1.0101),
        (60, "vertical", 0.8515, 0.7486),
        (80, "horizontal", 1.1704, 0.7115),
        (80, "vertical", 1.1668, 0.7021),
    ],
)
def test_rain_coefficients_are_those_of_the_table(gigahertz, polarisation, k, alpha):
    """ITU-R P.838-3, table 5."""
    assert rain_coefficients(gigahertz * 1e9, polarisation) == pytest.approx((k, alpha), rel=2e-3)


def test_attenuation_of_rain():
    """gamma = k R^alpha [dB/km]: 10 mm/h at 77 GHz takes about 5.8 dB/km more than clear air."""
    dry, wet = (attenuation_1_m(WeatherState(rain_mm_h=rain), 77e9) for rain in (0.0, 10.0))
    k, alpha = rain_coefficients(77e9)
    assert (wet - dry) * 4342.9 == pytest.approx(k * 10**alpha, rel=1e-4)
    assert 5 < (wet - dry) * 4342.9 < 7


def test_fog_is_nearly_clear_to_radars():
    """ITU-R P.840: K_l of 8 C is about 3.6 dB/km per g/m3 at 77 GHz; fog of 100 m holds 0.11 g/m3 (Eldridge 1966)."""
    assert fog_coefficient(77e9, 281.0) == pytest.approx(3.6, rel=0.15)
    assert liquid_water_g_m3(100.0) == pytest.approx(0.11, rel=0.02)
    assert liquid_water_g_m3(5000.0) == 0
    assert attenuation_1_m(WeatherState(visibility_m=100.0), 77e9) * 4342.9 < 1.0


def test_oxygen_stands_in_the_way_at_60_ghz():
    """About 15 dB/km at 60 GHz, less than 0.5 at 24 and 77 GHz (ITU-R P.676)."""
    clear = WeatherState()
    assert attenuation_1_m(clear, 60e9) * 4342.9 == pytest.approx(15, rel=0.1)
    assert attenuation_1_m(clear, 77e9) * 4342.9 < 0.5
    assert attenuation_1_m(clear, 24e9) * 4342.9 < 0.3


def test_rain_reflectivity_is_that_measured():
    """A R^B of Currie, Dyer and Hayes at their own frequencies."""
    assert rain_reflectivity_m2_m3(10, 35e9) == pytest.approx(1.2e-6 * 10**1.6)
    assert rain_reflectivity_m2_m3(10, 95e9) == pytest.approx(1.5e-5 * 10)
    assert rain_reflectivity_m2_m3(0, 95e9) == 0


def _signal(state: WeatherState):
    view = view_of(thing(plate(0.5), Pose.at(40.0, 0, 0)))
    scene = replace(view.scene, weather=ConstantWeather(state=state))
    return radar(fan={"azimuth_step_rad": 0.02, "elevation_step_rad": 0.02}).sense(replace(view, scene=scene))


def test_radar_reads_the_weather():
    """Rain attenuates and fills the view with clutter eta R^2 O dR, which moves with wind and fall; snow counts as its water."""
    clear, rain = _signal(WeatherState()), _signal(WeatherState(rain_mm_h=20.0, wind_m_s=(-10.0, 0.0)))
    assert rain.attenuation_1_m > clear.attenuation_1_m
    assert _signal(WeatherState(snow_mm_h=20.0)).attenuation_1_m == pytest.approx(rain.attenuation_1_m)
    drops = rain.paths.taken(rain.paths.body == -1)
    assert not (clear.paths.body == -1).any()
    ahead = np.abs(drops.sent[:, 1]) < 0.1
    assert drops.speed_m_s[ahead].mean() == pytest.approx(-10, abs=0.5)
    inside = (drops.range_m > 5) & (drops.range_m < 20)
    edges = np.geomspace(0.5, 70, 61)
    middle, depth = np.sqrt(edges[1:] * edges[:-1]), np.diff(edges)
    taken = (middle > 5) & (middle < 20)
    solid = 2.1 * 2 * np.sin(0.26)
    expected = rain_reflectivity_m2_m3(20, CHIRPS.centre_hz) * solid * (middle**2 * depth)[taken].sum()
    assert drops.diffuse_m2[inside].sum() == pytest.approx(expected, rel=0.03)


def test_air_is_unknown_beyond_100_ghz():
    """A radar at 122 GHz is refused when it asks for the air."""
    device, view = radar(chirps=replace(CHIRPS, start_hz=122e9)), view_of(thing(plate(0.5), Pose.at(40.0, 0, 0)))
    with pytest.raises(SceneError, match=r"122\.25 GHz: the air is known to radio waves of 1 to 100 GHz"):
        device.sense(view)


def test_band_outside_the_materials():
    """A material whose bands end below the radar's frequency is named when a ray meets it."""
    view = view_of(thing(plate(2.0), Pose.at(40.0, 0, 0)))
    steel = view.scene.library["steel"]
    band = replace(steel.radio.bands[0], high_hz=40e9)
    mine = view.scene.library.with_materials([replace(steel, radio=replace(steel.radio, bands=(band,)))])
    scene = Scene(view.scene.bodies, mine)
    with pytest.raises(SceneError, match=r"'steel': its radio properties are known for 1 to 40 GHz, not at 76\.75 GHz"):
        radar().sense(replace(view, scene=scene))
