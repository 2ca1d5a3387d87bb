"""The camera as a whole: the same bytes for any number of threads, exposure that lags, light that behaves, bad input."""

from __future__ import annotations

import itertools
import warnings

import numpy as np
import pytest
from worlds import Gliding, mesh_of_box, model_of, wall

from sensorium.atmosphere.weather import ConstantWeather, WeatherState
from sensorium.core.errors import ConfigurationError
from sensorium.core.pose import Pose
from sensorium.core.random import Draws
from sensorium.motion import Fixed
from sensorium.samples import Image, Stamp
from sensorium.scene.body import Body, Model, Part, Texture
from sensorium.scene.lamp import Lamp
from sensorium.scene.mesh import Mesh
from sensorium.scene.scene import Scene
from sensorium.scene.street import Street
from sensorium.scene.sun import Sun
from sensorium.scene.view import View
from sensorium.sensors import Camera
from sensorium.sensors.camera.camera import ImageTruthSettings
from sensorium.sensors.camera.exposure import AutoExposure, FixedExposure
from sensorium.sensors.camera.lenses import Pinhole
from sensorium.sensors.camera.optics import Optics, Soiling
from sensorium.sensors.camera.processing import Isp
from sensorium.simulation import observe
from sensorium.simulation.rig import Mount
from sensorium.simulation.simulation import Simulation
from sensorium.tracing import EmbreeTracer

LENS = Pinhole(width=96, height=64, field_of_view_rad="60 deg")
NIGHT = Sun(elevation_rad="-40 deg")
LIT_M = (12.0, 0.0, 0.0)


def camera(**settings) -> Camera:
    return Camera(**{"lens": LENS, "exposure": FixedExposure(exposure_s=0.0003), "grain": False} | settings)


def radiance(scene: Scene, device: Camera | None = None, pose: Pose | None = None) -> np.ndarray:
    device = device or camera()
    view = View(scene, EmbreeTracer(scene), Fixed(), pose or Pose.identity(), device.window(0))
    return device.rendered(view).radiance


@pytest.fixture(scope="module")
def street() -> Scene:
    return Street(seed=3, length_m=60).build()


def test_same_bytes_for_any_number_of_threads(street):
    """One and two threads give the same image and the same truth, to the last bit."""
    settings = {"truth": ImageTruthSettings(flow=True, boxes=True), "samples": 2}
    one, two = (
        observe(
            street, camera(**settings), Pose.at(1.6, 0, 1.6), body="ego", time_s=2, tracer=EmbreeTracer(street, threads)
        )
        for threads in (1, 2)
    )
    assert isinstance(one, Image)
    np.testing.assert_array_equal(one.pixels, two.pixels)
    for name in ("depth_m", "normal", "body", "label", "flow_px"):
        np.testing.assert_array_equal(getattr(one.truth, name), getattr(two.truth, name))
    assert 20 < one.pixels.mean() < 235
    assert np.ptp(one.pixels.reshape(-1, 3).astype(int), 0).min() > 50


def test_every_second_pixel_is_enough(street):
    """The light from everywhere, asked by half of the pixels, makes no chessboard: rows of either colour have one mean."""
    image = radiance(street, camera(), Pose.at(20.0, -2.0, 1.6))[..., 1]
    column, row = np.meshgrid(np.arange(96), np.arange(64))
    white = (column + row) % 2 == 0
    below = row > 40
    assert image[white & below].mean() == pytest.approx(image[~white & below].mean(), rel=0.02)


def test_auto_exposure_lags_and_arrives():
    """The first images are taken as set; a change shows `lag_frames` later; after a second the mean is at the target."""
    scene = Scene((wall(15.0, 200.0),))
    auto = AutoExposure(exposure_s=20e-6, lag_frames=2, longest_s=0.02)
    device = camera(exposure=auto, processing=Isp(), rate_hz=30.0)
    body = Body("car", model_of(mesh_of_box((0.1, 0.1, 0.1))), Fixed(pose=Pose.at(-5, 0, 0)))
    mount = Mount(name="cam", body="car", pose=Pose.at(1, 0, 0), sensor=device)
    simulation = Simulation(scene.with_bodies([body]), [mount], truth_rate_hz=None)
    images = list(itertools.islice(simulation.samples(2.0), 24))
    exposures = [image.exposure_s for image in images]
    assert exposures[0] == exposures[1] == 20e-6
    assert exposures[2] == pytest.approx(exposures[3], rel=0.02)
    assert exposures[2] > 1.2 * 20e-6
    assert exposures[-1] == pytest.approx(exposures[-3], rel=0.02)
    assert all(image.stamp.ready_ns - image.stamp.time_ns >= round(image.exposure_s * 1e9) for image in images)


def test_a_matt_wall_is_as_bright_as_lambert_says():
    """L = rho / pi (E_sun cos + E_sky), within what the wall's surroundings take and give."""
    scene = Scene((wall(30.0, 400.0),), sun=Sun(elevation_rad="30 deg", azimuth_rad="180 deg"))
    device = camera()
    view = View(scene, EmbreeTracer(scene), Fixed(), Pose.identity(), device.window(0))
    from sensorium.sensors.camera.lighting import lighting

    sky = lighting(view).sky
    direct = sky.beam_w_m2 * np.cos(np.radians(30))
    seen = device.rendered(view).radiance[20:40, 30:60].mean((0, 1))
    low, high = 0.8 / np.pi * direct, 0.8 / np.pi * (direct + 1.6 * sky.level_w_m2 + 0.5 * np.pi * sky.land)
    assert (seen > low).all()
    assert (seen < high).all()


def test_fog_is_airlight():
    """L = L0 exp(-b d) + A (1 - exp(-b d)): two walls at two distances give b = 3.912 / V."""
    state = WeatherState(visibility_m=100.0, cloud_cover=1.0)
    weather = ConstantWeather(state=state)
    dark = [Body("w", wall(d, 800.0, "ideal_none").model, Fixed(pose=Pose.at(d, 0, 0))) for d in (20.0, 60.0)]
    near, far = (radiance(Scene((one,), weather=weather))[32, 48, 1] for one in dark)
    from sensorium.sensors.camera.lighting import lighting

    view = View(
        Scene((dark[0],), weather=weather),
        EmbreeTracer(Scene((dark[0],))),
        Fixed(),
        Pose.identity(),
        camera().window(0),
    )
    air = lighting(view).airlight[1]
    for seen, distance in ((near, 20.0), (far, 60.0)):
        assert seen == pytest.approx(air * (1 - np.exp(-3.912 / 100 * distance)), rel=0.02)


def test_lamps_follow_the_square_of_the_distance():
    """At night a lamp at r lights a wall it faces with I / r2; nothing else does."""
    values = []
    for distance in (4.0, 8.0):
        lamp = Lamp("post", "", (-distance, 0.0, 0.0), (1.0, 0.0, 0.0), 1000.0, 1.0, 0.01)
        post = Body("post", model_of(mesh_of_box((0.01, 0.01, 0.01))), Fixed(pose=Pose.at(*LIT_M)))
        scene = Scene((wall(12.0), post), sun=NIGHT, lamps=(lamp,))
        values.append(radiance(scene)[30:34, 46:50].max())
        power = lamp.intensity_w_sr.max()
        assert values[-1] == pytest.approx(0.8 / np.pi * power / distance**2, rel=0.05)
    assert values[0] / values[1] == pytest.approx(4.0, rel=0.03)


def test_one_sees_through_panes_and_mirrors():
    """A bright wall behind a pane keeps (1 - R)2-ish of its light; a mirror shows what is behind the camera."""
    bright = wall(10.0, 40.0, "lambertian_80")
    pane = Body("pane", wall(5.0, 30.0, "window_glass").model, Fixed(pose=Pose.at(5, 0, 0)))
    clear, behind = radiance(Scene((bright,)))[32, 48], radiance(Scene((bright, pane)))[32, 48]
    assert 0.5 < (behind / clear).mean() < 1.3
    mirror = Body("mirror", model_of(mesh_of_box((0.01, 30.0, 30.0)), material="mirror"), Fixed(pose=Pose.at(5, 0, 0)))
    red = Body("red", model_of(mesh_of_box((0.1, 60.0, 60.0)), material="car_paint_red"), Fixed(pose=Pose.at(-5, 0, 0)))
    seen = radiance(Scene((mirror, red)))[32, 48]
    assert seen[0] > 2 * seen[2]


def board(texture: Texture | None) -> Body:
    corners = np.array([[0, -5, -5], [0, 5, -5], [0, 5, 5], [0, -5, 5]], float)
    uv = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)
    mesh = Mesh(corners[:, [0, 1, 2]], np.array([[0, 2, 1], [0, 3, 2]]), None, uv)
    return Body(
        "board", Model("board", (Part("face", mesh, "lambertian_50", "board", texture),)), Fixed(pose=Pose.at(5, 0, 0))
    )


def test_textures_are_interpolated():
    """A texture's quarters land where u and v say: row 0 at v = 1."""
    pixels = np.zeros((2, 2, 3), np.uint8)
    pixels[0, 0], pixels[0, 1], pixels[1, 0], pixels[1, 1] = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)
    texture = Texture("quarters", np.kron(pixels, np.ones((16, 16, 1), np.uint8)))
    image = radiance(Scene((board(texture),), weather=ConstantWeather(state=WeatherState(cloud_cover=1.0))))
    upper_left, upper_right = image[10, 70], image[10, 25]  # y to the left: u grows to the left of the image
    assert upper_left.argmax() == 0 or upper_left[0] > 3 * upper_left[2]
    assert upper_right[1] > 3 * upper_right[0]
    assert image[55, 70][2] > 2 * image[55, 70][0]


@pytest.mark.parametrize(
    ("pixels", "what"),
    [
        (np.zeros((4, 4), np.uint8), "no image"),
        (np.zeros((4, 4, 3)), "no image"),
        (np.zeros((0, 4, 3), np.uint8), "shape"),
    ],
)
def test_a_broken_texture_is_named_and_plain(pixels, what):
    """The part keeps its plain colour, and a warning names texture and part."""
    with pytest.warns(UserWarning, match=f"texture 'bad' of part 'face'.*{what}.*plain colour"):
        broken = radiance(Scene((board(Texture("bad", pixels)),)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(broken, radiance(Scene((board(None),))))


def test_boxes_go_around_bodies():
    """A box of known corners: full box by projection, visible share by what stands before it."""
    device = camera(truth=ImageTruthSettings(boxes=True))
    box = Body("box", model_of(mesh_of_box((2.0, 2.0, 2.0))), Gliding(Pose.at(11, 0, 0)))
    screen = Body("screen", model_of(mesh_of_box((0.1, 10.0, 10.0))), Fixed(pose=Pose.at(5.05, 5.0, 0)))
    scene = Scene((box, screen))
    truth = device.sense(View(scene, EmbreeTracer(scene), Fixed(), Pose.identity(), device.window(0))).truth
    row = list(truth.boxes.body).index(0)
    focal = LENS.focal_px[0]
    expected = np.array([47.5 - focal / 10, 31.5 - focal / 10, 47.5 + focal / 10, 31.5 + focal / 10])
    np.testing.assert_allclose(truth.boxes.full_px[row], expected, atol=0.02)
    assert truth.boxes.visible_share[row] == pytest.approx(0.5, abs=0.06)
    assert truth.boxes.visible_px[row][0] == pytest.approx(47.5, abs=1.0)
    np.testing.assert_allclose(truth.boxes.centre_m[row], [0, 0, 11], atol=1e-5)
    np.testing.assert_allclose(truth.boxes.size_m[row], [2, 2, 2], atol=1e-5)


def test_vignetting_and_soiling_take_light():
    """cos^4 from the middle to a corner; specks make darker spots; drops only blur."""
    flat = np.ones((64, 96, 3), np.float32)
    plain = Optics(blur_px=0.0, glare=0.0).irradiance(flat, LENS)
    angle = np.arccos(LENS.directions(np.array([0.0, 0.0]))[2])
    assert plain[0, 0, 0] / plain[31:33, 47:49, 0].mean() == pytest.approx(np.cos(angle) ** 4, rel=2e-3)
    assert plain[32, 48, 0] == pytest.approx(np.pi / 4 * 0.9 / 2.8**2, rel=1e-3)
    dirty = Optics(blur_px=0.0, glare=0.0, soiling=Soiling(specks=12, seed=1)).irradiance(flat, LENS)
    assert (dirty <= plain + 1e-7).all()
    assert dirty.min() < 0.7 * plain.min()


def test_white_balance_makes_grey_grey():
    """A grey target in daylight is grey after the colour matrix, within 2 percent."""
    from sensorium.atmosphere.sky import DAY_WHITE
    from sensorium.sensors.camera.light_image import LightImage

    device = camera(processing=Isp(white_balance="daylight", gamma="linear"))
    image = np.broadcast_to((DAY_WHITE * 3.0).astype(np.float32), (64, 96, 3)).copy()
    signal = LightImage(irradiance_w_m2=image, calibration=LENS.calibration, exposure_s=0.0003)
    sample, _ = device.detect(signal, None, Draws(1), Stamp("a", 0, 0, 0))
    mean = sample.pixels.mean((0, 1))
    assert 20 < mean.mean() < 250
    np.testing.assert_allclose(mean, mean.mean(), rtol=0.02)


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"exposure": {"type": "fixed", "exposure_s": -0.001}}, "greater than 0|exposure_s"),
        ({"exposure": {"type": "auto", "shortest_s": 0.01, "longest_s": 0.001}}, "must be smaller"),
        ({"rate_hz": 1000.0, "exposure": {"type": "fixed", "exposure_s": 0.01}}, "images come every 1 ms"),
        ({"rate_hz": 50.0, "shutter": {"type": "rolling", "row_delay_s": 0.001}}, "rows of 1000 us take longer"),
        ({"samples": 0}, "samples"),
        ({"optics": {"f_number": 0.0}}, "f_number"),
    ],
)
def test_bad_settings_are_refused(settings, what):
    """Negative exposures, limits in the wrong order, and more than a period holds."""
    with pytest.raises(ConfigurationError, match=what):
        Camera(**{"lens": LENS, **settings})


@pytest.mark.parametrize(("farthest_m", "drawn"), [(None, True), (25.0, True), (15.0, False)])
def test_nothing_is_drawn_beyond_the_draw_distance(farthest_m, drawn):
    """A black wall at 20 m is there within the draw distance; beyond it the sky of the same direction takes its place."""
    sun = Sun(elevation_rad="40 deg")
    black = Body("w", wall(20.0, 100.0, "ideal_none").model, Fixed(pose=Pose.at(20.0, 0, 0)))
    far = Body("f", wall(1.0, 0.01, "ideal_none").model, Fixed(pose=Pose.at(-50.0, 0, 0)))
    seen = radiance(Scene((black,), sun=sun), camera(draw_distance_m=farthest_m))[10, 48]
    sky = radiance(Scene((far,), sun=sun))[10, 48]
    assert (seen < 0.1 * sky).all() if drawn else seen == pytest.approx(sky)
