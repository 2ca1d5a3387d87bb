"""Rain before the camera: as many streaks as Marshall and Palmer count drops, as long as they fall, as dark as they are large."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad
from worlds import wall

from sensorium.atmosphere.drops import RainDrops
from sensorium.atmosphere.flakes import SnowFlakes
from sensorium.atmosphere.weather import ConstantWeather, WeatherState
from sensorium.core.pose import Pose
from sensorium.core.random import Draws
from sensorium.motion import Fixed
from sensorium.samples import Stamp
from sensorium.scene.body import Body
from sensorium.scene.scene import Scene
from sensorium.scene.view import View
from sensorium.sensors import Camera
from sensorium.sensors.camera.exposure import FixedExposure
from sensorium.sensors.camera.lenses import Pinhole
from sensorium.sensors.camera.streak_kernels import lay
from sensorium.sensors.camera.streaks import NEAREST_M, Streaks, cone_of
from sensorium.tracing import EmbreeTracer

LENS = Pinhole(width=640, height=480, field_of_view_rad="60 deg")
EXPOSURE_S = 0.004


def rain(passing=(0.0, 0.0, 0.0), rate_mm_h=10.0) -> Streaks:
    farthest, cosine = cone_of(LENS)
    behind = np.full((480, 640), np.inf, np.float32)
    down = np.array([0.0, 1.0, 0.0])
    return Streaks(RainDrops(rate_mm_h=rate_mm_h), farthest, cosine, down, np.array(passing), np.ones(3), behind)


@pytest.mark.parametrize("rate_mm_h", [2.0, 25.0])
def test_as_many_drops_as_the_distribution_counts(rate_mm_h):
    """N = V integral of N0 exp(-4.1 R^-0.21 D) from 0.6 to 5.8 mm; in the image the part of V that it sees, 5 sigma."""
    streaks = rain(rate_mm_h=rate_mm_h)
    per_m3 = quad(lambda d: 8000.0 * math.exp(-4.1 * rate_mm_h**-0.21 * d), 0.6, 5.8)[0]
    volume = 2 * math.pi / 3 * (1 - streaks.widest_cosine) * (streaks.farthest_m**3 - NEAREST_M**3)
    assert streaks.expected == pytest.approx(per_m3 * volume, rel=1e-6)
    a, b = math.tan(math.radians(30)), math.tan(math.radians(30)) * 480 / 640
    solid = 4 * math.asin(a * b / math.sqrt((1 + a * a) * (1 + b * b)))
    mean = per_m3 * solid / 3 * (streaks.farthest_m**3 - NEAREST_M**3)
    found = []
    for sample in range(20):
        middle = streaks.drawn(LENS, 1e-6, Draws(1, sample=sample)).ends_px.mean(1)
        found.append(((middle > -0.5) & (middle < (639.5, 479.5))).all(1).sum())
    assert abs(np.mean(found) - mean) < 5 * math.sqrt(mean / 20)


def test_a_streak_is_as_long_as_its_way():
    """l = f |v(D) t| / z across the axis, v = 9.65 - 10.3 exp(-0.6 D); a car at v m/s adds its own way along the axis."""
    some = rain().drawn(LENS, EXPOSURE_S, Draws(2))
    focal = 320 / math.tan(math.radians(30))
    middle = some.ends_px.mean(1)
    ray = np.hypot(np.hypot(middle[:, 0] - 319.5, middle[:, 1] - 239.5), focal) / focal
    speed = 9.65 - 10.3 * np.exp(-0.6 * some.diameter_mm)
    length = some.ends_px[:, 1, 1] - some.ends_px[:, 0, 1]
    np.testing.assert_allclose(length, focal * speed * EXPOSURE_S * ray / some.distance_m, rtol=1e-6)
    np.testing.assert_allclose(some.ends_px[:, 0, 0], some.ends_px[:, 1, 0], atol=1e-6)
    driving = rain(passing=(0.0, 0.0, -30.0)).drawn(LENS, EXPOSURE_S, Draws(2))
    flight = np.linalg.norm(driving.ends_px - (319.5, 239.5), axis=-1)
    high = driving.ends_px[:, 1, 1] < 100
    assert (flight[high, 1] - flight[high, 0]).mean() > 0


def test_flakes_are_counted_and_fall_slowly():
    """N = V integral of 3800 R^-0.87 exp(-2.55 R^-0.48 D) by the melted D, from 0.6 to 15 mm of the flake, 10^(1/3) times D."""
    snow = replace(rain(), drops=SnowFlakes(rate_mm_h=2.0))
    low, high = 0.6 / 10 ** (1 / 3), 15.0 / 10 ** (1 / 3)
    per_m3 = quad(lambda d: 3800.0 * 2.0**-0.87 * math.exp(-2.55 * 2.0**-0.48 * d), low, high)[0]
    assert snow.expected == pytest.approx(per_m3 * snow.volume_m3, rel=1e-6)
    some = snow.drawn(LENS, EXPOSURE_S, Draws(2))
    middle = some.ends_px.mean(1)
    focal = 320 / math.tan(math.radians(30))
    ray = np.hypot(np.hypot(middle[:, 0] - 319.5, middle[:, 1] - 239.5), focal) / focal
    length = some.ends_px[:, 1, 1] - some.ends_px[:, 0, 1]
    way = focal * 0.8 * some.diameter_mm**0.16 * EXPOSURE_S * ray / some.distance_m
    np.testing.assert_allclose(length, way, rtol=1e-6)


@pytest.mark.parametrize(("width", "length"), [(0.4, 30.0), (3.0, 30.0), (6.0, 0.0)])
def test_the_opacity_of_a_streak_is_the_disc_of_its_drop(width, length):
    """Sum of a = pi/4 w^2, within the pixels at its rim."""
    image = np.zeros((80, 60, 3), np.float32)
    ends = np.array([[[30.2, 20.3], [30.2 + 0.3 * length, 20.3 + 0.954 * length]]])
    ones = np.ones((80, 60), np.float32)
    lay(ends, np.array([width]), np.array([1.0]), np.ones(3), ones, ones * 2, image)
    assert image[..., 1].sum() == pytest.approx(math.pi / 4 * width**2, rel=0.06)
    before = np.zeros_like(image)
    lay(ends, np.array([width]), np.array([1.0]), np.ones(3), ones, ones * 0.5, before)
    assert not before.any()


def test_streaks_come_with_the_rain_and_another_sample_has_others():
    """No rain, no streaks; the signal is the same for every draw, the image is not, and the same draw gives the same bytes."""
    body = Body("w", wall(30.0, 800.0, "ideal_none").model, Fixed(pose=Pose.at(30.0, 0, 0)))
    camera = Camera(lens=LENS, exposure=FixedExposure(exposure_s=EXPOSURE_S), samples=1)

    def signal(rate_mm_h):
        scene = Scene((body,), weather=ConstantWeather(state=WeatherState(rain_mm_h=rate_mm_h, cloud_cover=1.0)))
        return camera.sense(View(scene, EmbreeTracer(scene), Fixed(), Pose.identity(), camera.window(0)))

    assert signal(0.0).streaks == ()
    wet = signal(20.0)
    images = [
        camera.detect(wet, None, Draws(3, sample=n), Stamp("c", n, 0, 1))[0].pixels.astype(int) for n in (0, 0, 1)
    ]
    assert (images[0] == images[1]).all()
    assert (images[0] != images[2]).mean() > 0.05
