"""Where things are in an image, and when: rolling rows, motion blur, depth, flow, shadows."""

from __future__ import annotations

from datetime import datetime

import numpy as np
import pytest
from worlds import Gliding, mesh_of_box, model_of

from sensorium.atmosphere.solar_position import sun_direction
from sensorium.core.pose import Pose
from sensorium.motion import Fixed
from sensorium.scene.body import Body
from sensorium.scene.origin import Origin
from sensorium.scene.scene import Scene
from sensorium.scene.view import View
from sensorium.sensors.camera.camera import Camera, ImageTruthSettings
from sensorium.sensors.camera.exposure import FixedExposure
from sensorium.sensors.camera.imager import Imager, Monochrome
from sensorium.sensors.camera.lens import T_SENSOR_OPTICAL
from sensorium.sensors.camera.lenses import BrownConrady, KannalaBrandt, Pinhole
from sensorium.sensors.camera.optics import Optics
from sensorium.sensors.camera.shutter import GlobalShutter, RollingShutter
from sensorium.tracing import EmbreeTracer

FOCAL_PX = 200.0
LENS = Pinhole(width=160, height=120, fx_px=FOCAL_PX)


def camera(lens=LENS, shutter=None, exposure_s=0.004, **settings) -> Camera:
    return Camera(
        lens=lens, shutter=shutter or GlobalShutter(), exposure=FixedExposure(exposure_s=exposure_s), rate_hz=20.0, grain=False,
        imager=Imager(filter=Monochrome(efficiency=(0.5, 0.6, 0.4))), optics=Optics(blur_px=0.0, glare=0.0), **settings,
    )  # fmt: skip


def view_of(device: Camera, bodies, carrier=None, mount=None, index=1, **scene) -> View:
    world = Scene(tuple(bodies), **scene)
    return View(world, EmbreeTracer(world), carrier or Fixed(), mount or Pose.identity(), device.window(index))


def board(size_m, at, velocity=(0.0, 0.0, 0.0), name="board") -> Body:
    return Body(name, model_of(mesh_of_box(size_m), material="ideal_diffuser"), Gliding(Pose.at(*at), velocity))


def test_rolling_shutter_leans_what_moves():
    """An upright edge that passes at v leans by f v T_row / Z columns per row; with a global shutter it does not."""
    delay, speed, distance, thick = 1e-4, 20.0, 8.0, 0.2
    expected = FOCAL_PX * -speed * delay / (distance - thick / 2)  # to the left in the sensor frame is minus in columns
    for shutter, slope in ((RollingShutter(row_delay_s=delay), expected), (GlobalShutter(), 0.0)):
        device = camera(shutter=shutter, exposure_s=1e-5, truth=ImageTruthSettings())
        start = (distance, -speed * 0.05, 0.0)
        truth = device.sense(view_of(device, [board((thick, 1.0, 20.0), start, (0, speed, 0))])).truth
        rows = np.arange(LENS.height)
        middle = np.array([np.flatnonzero(truth.body[row] == 0).mean() for row in rows])
        assert np.polyfit(rows, middle, 1)[0] == pytest.approx(slope, abs=0.003)


def test_every_row_sees_its_own_instant():
    """A wall that comes nearer at v has the depth Z - v (t0 + row T_row + T/2) in each row."""
    delay, exposure, speed = 2e-4, 4e-3, 15.0
    device = camera(shutter=RollingShutter(row_delay_s=delay), exposure_s=exposure, truth=ImageTruthSettings())
    wall = board((0.2, 60.0, 60.0), (20.0, 0, 0), (-speed, 0, 0))
    truth = device.sense(view_of(device, [wall])).truth
    instant = device.window(1).start_ns * 1e-9 + np.arange(LENS.height) * delay + exposure / 2
    expected = 20.0 - 0.1 - speed * instant
    np.testing.assert_allclose(truth.depth_m, np.repeat(expected[:, None], LENS.width, 1), atol=2e-4)
    np.testing.assert_allclose(truth.normal, np.broadcast_to([0, 0, -1.0], truth.normal.shape), atol=1e-6)


@pytest.mark.parametrize("length_px", [4.0, 12.0])
def test_blur_is_as_long_as_the_way(length_px):
    """An edge that moves L = f v T / Z columns within the exposure is a ramp whose slope has the variance (L^2 + 1) / 12."""
    distance, exposure = 6.0, 0.01
    speed = length_px * distance / FOCAL_PX / exposure
    device = camera(exposure_s=exposure, samples=64, depth=0)
    thin = board((0.002, 20.0, 40.0), (distance, 10.0 - speed * 0.055, 0.0), (0.0, speed, 0.0))
    radiance = device.rendered(view_of(device, [thin])).radiance[..., 1]
    profile = radiance[20:100].mean(0)
    slope = np.abs(np.diff(profile))
    slope[slope < 0.25 * slope.max()] = 0
    place = np.arange(len(slope))
    mean = (slope @ place) / slope.sum()
    variance = (slope @ (place - mean) ** 2) / slope.sum()
    assert np.sqrt(12 * variance - 1) == pytest.approx(length_px, rel=0.04)


@pytest.mark.parametrize(
    "lens",
    [
        LENS,
        BrownConrady(width=160, height=120, fx_px=FOCAL_PX, k1=-0.2, k2=0.05, p1=1e-3),
        KannalaBrandt(width=160, height=120, field_of_view_rad="90 deg", k1=-0.02),
    ],
)
def test_flow_on_moving_planes(lens):
    """p2 - p1 = project(R^T (X + v T - c(t + T))) - project(X) for a plane and a camera that both move."""
    device = camera(lens=lens, truth=ImageTruthSettings(flow=True))
    speed, carried, spin = np.array([-2.0, 3.0, 1.0]), np.array([8.0, 0.5, 0.0]), 0.3
    carrier = Gliding(Pose.identity(), tuple(carried), (0.0, 0.0, spin))
    wall = board((0.2, 300.0, 300.0), (30.0, 0.0, 0.0), tuple(speed))
    view = view_of(device, [wall], carrier)
    truth = device.sense(view).truth
    middle, period = device.window(1).start_ns * 1e-9 + 0.002, 0.05
    column, row = np.meshgrid(np.arange(160.0), np.arange(120.0))
    rays = T_SENSOR_OPTICAL.rotate(lens.directions(np.stack((column, row), -1)))

    def turn(t):
        return np.array([[np.cos(spin * t), -np.sin(spin * t), 0], [np.sin(spin * t), np.cos(spin * t), 0], [0, 0, 1]])

    world = rays @ turn(middle).T
    plane = 30.0 - 0.1 + speed[0] * middle
    point = carried * middle + world * ((plane - carried[0] * middle) / world[..., 0])[..., None]
    later = (point + speed * period - carried * (middle + period)) @ turn(middle + period)
    expected = lens.project(T_SENSOR_OPTICAL.inverse().rotate(later)) - np.stack((column, row), -1)
    assert np.isfinite(truth.flow_px).all()
    np.testing.assert_allclose(truth.flow_px, expected, atol=0.01)


def test_the_sky_flows_with_the_turn_alone():
    """Where nothing is, only the camera's rotation moves the image."""
    device = camera(truth=ImageTruthSettings(flow=True))
    carrier = Gliding(Pose.identity(), (30.0, 0.0, 0.0), (0.0, 0.0, 0.2))
    truth = device.sense(view_of(device, [board((1, 1, 1), (-50.0, 0, 0))], carrier)).truth
    assert truth.flow_px[60, 80, 0] == pytest.approx(FOCAL_PX * np.tan(0.2 * 0.05), rel=0.02)
    assert (truth.body == -1).all()
    assert np.isinf(truth.depth_m).all()


@pytest.mark.parametrize("hour", [7, 10, 15])
def test_the_shadow_of_a_pole_falls_where_the_ephemeris_says(hour):
    """From the foot to -h s_xy / s_z; seen from straight above, within 1.5 pixels in length and 0.5 degrees in direction."""
    height, above = 2.0, 30.0
    origin = Origin(latitude_rad="48 deg", longitude_rad="11 deg", start_utc=datetime(2026, 5, 10, hour))
    sun = sun_direction(origin.latitude_rad, origin.longitude_rad, origin.start_unix_ns, temperature_k=288.15)
    tip = -height * sun[:2] / sun[2]
    lens = Pinhole(width=400, height=400, fx_px=1000.0)
    device = camera(lens=lens, depth=0)
    pole = Body(
        "pole",
        model_of(mesh_of_box((0.04, 0.04, height)), material="ideal_none"),
        Fixed(pose=Pose.at(0, 0, height / 2)),
    )
    ground = Body(
        "ground", model_of(mesh_of_box((200.0, 200.0, 1.0)), material="ideal_diffuser"), Fixed(pose=Pose.at(0, 0, -0.5))
    )
    middle = Pose.from_rpy((tip[0] / 2, tip[1] / 2, above), (0, np.pi / 2, 0))
    view = view_of(device, [ground, pole], mount=middle, index=0, origin=origin)
    image = device.rendered(view).radiance[..., 1]
    along = np.linspace(0.2, 1.5, 600)
    spots = np.stack((along * tip[0], along * tip[1], 0 * along), -1)
    pixels = lens.project((middle @ T_SENSOR_OPTICAL).inverse().transform(spots))
    inside = (pixels > 2).all(-1) & (pixels < 397).all(-1)
    column, row = np.rint(pixels[inside]).astype(int).T
    dark = image[row, column] < 0.6 * np.median(image)
    length = along[inside][dark].max() * np.linalg.norm(tip)
    assert length == pytest.approx(np.linalg.norm(tip), abs=1.5 * above / 1000.0)
    rows, columns = np.nonzero(image < 0.6 * np.median(image))
    ground_places = spots_of(lens, middle, columns, rows)
    away = np.linalg.norm(ground_places, axis=1)
    far = ground_places[(away > 0.5 * np.linalg.norm(tip)) & (ground_places @ tip > 0)].mean(0)
    angle = np.degrees(np.arctan2(far[1], far[0]) - np.arctan2(tip[1], tip[0]))
    assert abs((angle + 180) % 360 - 180) < 0.5


def spots_of(lens, pose, columns, rows):
    """Where on the ground pixels look."""
    ray = (pose @ T_SENSOR_OPTICAL).rotate(lens.directions(np.stack((columns, rows), -1).astype(float)))
    return (pose.position_m - ray * (pose.position_m[2] / ray[..., 2:]))[..., :2]
