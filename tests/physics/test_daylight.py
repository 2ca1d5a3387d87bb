"""Sun and sky against NREL's algorithm, the models' own publications and closed forms."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from sensorium.atmosphere.irradiance import airmass, irradiance, linke_turbidity
from sensorium.atmosphere.sky import VISIBLE_SHARE, sky_of
from sensorium.atmosphere.solar_position import sun_direction
from sensorium.atmosphere.weather import ConstantWeather, WeatherState
from sensorium.core.time import Times
from sensorium.scene.daylight import daylight
from sensorium.scene.origin import Origin
from sensorium.scene.scene import Scene
from sensorium.scene.sun import Sun

pvlib = pytest.importorskip("pvlib")


def _unix_ns(*when: int) -> int:
    return int(datetime(*when, tzinfo=UTC).timestamp()) * 1_000_000_000


def test_the_example_of_nrel():
    """I. Reda, A. Andreas, NREL/TP-560-34302, table A5.1: zenith 50.11162, azimuth 194.34024 (from north, eastward)."""
    direction = sun_direction(
        np.radians(39.742476), np.radians(-105.1786), _unix_ns(2003, 10, 17, 19, 30, 30), 82_000.0, 284.15
    )
    assert np.degrees(np.arccos(direction[2])) == pytest.approx(50.11162, abs=0.01)
    assert np.degrees(np.arctan2(direction[0], direction[1])) % 360 == pytest.approx(194.34024, abs=0.01)


@pytest.mark.parametrize(("latitude", "longitude"), [(52.0, 13.0), (-33.0, 151.0), (1.0, -70.0), (69.0, 18.0)])
def test_the_sun_stands_where_nrel_says(latitude, longitude):
    """Within 0.012 degrees of pvlib's NREL SPA, refraction included, over 25 years while the sun is up."""
    import pandas as pd

    times = pd.date_range("2001-01-03", periods=2000, freq="109h37min", tz="UTC").as_unit("ns")
    theirs = pvlib.solarposition.get_solarposition(times, latitude, longitude, method="nrel_numpy", temperature=10)
    azimuth, elevation = (np.radians(theirs[name].to_numpy()) for name in ("azimuth", "apparent_elevation"))
    flat = np.cos(elevation)
    expected = np.stack((flat * np.sin(azimuth), flat * np.cos(azimuth), np.sin(elevation)), -1)
    ours = sun_direction(np.radians(latitude), np.radians(longitude), times.asi8)
    off = np.degrees(np.linalg.norm(ours - expected, axis=1))
    assert off[theirs["elevation"].to_numpy() > 0].max() < 0.012


@pytest.mark.parametrize("elevation_deg", [2, 10, 30, 60, 90])
@pytest.mark.parametrize("altitude_m", [0.0, 1500.0])
def test_clear_sky_is_that_of_ineichen(elevation_deg, altitude_m):
    """Direct and diffuse as pvlib computes them from the same turbidity."""
    weather = WeatherState(visibility_m=23_000.0)
    theirs = pvlib.clearsky.ineichen(
        90 - elevation_deg, float(airmass(np.radians(elevation_deg))), linke_turbidity(23_000.0), altitude_m, 1361.0,
        perez_enhancement=True,
    )  # fmt: skip
    ours = irradiance(np.radians(elevation_deg), weather, altitude_m)
    assert ours.direct_w_m2 == pytest.approx(theirs["dni"], rel=1e-6)
    assert ours.diffuse_w_m2 == pytest.approx(theirs["dhi"], rel=1e-4)


def test_clouds_hide_the_sun():
    """G = G_clear (1 - 0.75 N^3.4); under a closed cover nothing comes straight."""
    clear, covered = (irradiance(np.radians(40), WeatherState(cloud_cover=cover)) for cover in (0.0, 1.0))
    whole = clear.direct_w_m2 * np.sin(np.radians(40)) + clear.diffuse_w_m2
    assert covered.direct_w_m2 == 0
    assert covered.diffuse_w_m2 == pytest.approx(0.25 * whole, rel=1e-9)


def test_twilight_fades_without_steps():
    """From day to night the light only falls, by less than a fifth per quarter of a degree."""
    elevation = np.radians(np.arange(5, -25, -0.25))
    light = irradiance(elevation, WeatherState())
    whole = light.diffuse_w_m2 + light.direct_w_m2 * np.maximum(np.sin(elevation), 0)
    assert (np.diff(whole) <= 0).all()
    assert (whole[1:] / whole[:-1] > 0.6).all()


@pytest.mark.parametrize("cover", [0.0, 0.4, 1.0])
def test_sky_gives_its_irradiance(cover):
    """The integral of L sin(e) over the upper half is the diffuse irradiance in the visible bands."""
    from sensorium.atmosphere.sky_kernels import sky_radiance

    sun = np.array([0.3, -0.5, 0.81]) / np.linalg.norm([0.3, -0.5, 0.81])
    sky = sky_of(sun, 700.0, 120.0, cover)
    rng = np.random.default_rng(0)
    u, v = rng.random(40_000), rng.random(40_000)
    flat, turn = np.sqrt(u), 2 * np.pi * v
    rays = np.stack((flat * np.cos(turn), flat * np.sin(turn), np.sqrt(1 - u)), -1)
    mean = np.mean([sky_radiance(sky, *ray, False) for ray in rays], 0) * np.pi
    np.testing.assert_allclose(mean, sky.level_w_m2, rtol=0.01)
    assert sky.level_w_m2.sum() == pytest.approx(VISIBLE_SHARE * 120.0, rel=1e-6)


def test_clear_sky_is_blue_and_its_horizon_pale():
    """The zenith is bluer than the horizon; clouds are neither."""
    sky = sky_of(np.array([0.5, 0.0, np.sqrt(0.75)]), 800.0, 110.0, 0.0)
    zenith, rim = sky.radiance[-1, 0], sky.radiance[1].mean(0)
    assert zenith[2] / zenith[0] > 2 > rim[2] / rim[0] > 1


def test_daylight_follows_origin_and_date():
    """At Greenwich the sun culminates in the south near noon; with an origin the scene's own sun does not count."""
    scene = Scene(
        origin=Origin(latitude_rad="51.48 deg", longitude_rad=0.0, start_utc=datetime(2026, 6, 21, 0)),
        sun=Sun(elevation_rad=-0.5),
    )
    hours: Times = np.arange(0, 24) * 3_600_000_000_000
    light = daylight(scene, hours)
    assert int(np.argmax(light.elevation_rad)) == 12
    assert np.degrees(light.elevation_rad[12]) == pytest.approx(90 - 51.48 + 23.44, abs=0.1)
    assert light.direct_w_m2[0] == 0
    assert light.direct_w_m2[12] > 700


def test_without_an_origin_the_scenes_sun_counts():
    """A sun below the horizon is night; no sun at all is an ordinary day."""
    night = daylight(Scene(sun=Sun(elevation_rad="-30 deg")), np.array([0]))
    assert night.direct_w_m2[0] == 0
    assert night.diffuse_w_m2[0] < 1e-4
    day = daylight(Scene(), np.array([0]))
    assert np.degrees(day.elevation_rad[0]) == pytest.approx(45)


def test_rain_falls_from_clouds():
    """Where it rains the sun does not shine."""
    wet = Scene(weather=ConstantWeather(state=WeatherState(rain_mm_h=4.0)))
    assert daylight(wet, np.array([0])).direct_w_m2[0] == 0
