"""Lenses against OpenCV, against themselves, and against calibrations that cannot be."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sensorium.core.errors import ConfigurationError
from sensorium.sensors.camera.lens import T_SENSOR_OPTICAL
from sensorium.sensors.camera.lenses import BrownConrady, Equirectangular, KannalaBrandt, Pinhole

PLANAR = [
    Pinhole(width=640, height=480, field_of_view_rad="60 deg"),
    BrownConrady(width=640, height=480, fx_px=500, fy_px=510, cx_px=300, k1=-0.3, k2=0.1, p1=1e-3, p2=-2e-3, k3=-0.01),
    BrownConrady(width=640, height=480, fx_px=500, k1=-0.1, k2=0.1, p1=1e-3, k3=0.02, k4=0.2, k5=0.1, k6=0.01),
]
FISHEYE = KannalaBrandt(
    width=1280, height=960, field_of_view_rad="170 deg", k1=-0.02, k2=0.01, k3=-0.003, off_axis_limit_rad="100 deg"
)
EVERY = [*PLANAR, FISHEYE, Equirectangular(width=720, height=360)]


def grid(reach=0.6) -> np.ndarray:
    x, y = np.meshgrid(np.linspace(-reach, reach, 25), np.linspace(-0.75 * reach, 0.75 * reach, 19))
    return np.stack((x, y, np.ones_like(x)), -1).reshape(-1, 3) * np.random.default_rng(0).uniform(1, 30, (x.size, 1))


@pytest.mark.parametrize("lens", PLANAR)
def test_projection_is_that_of_opencv(lens):
    """A grid of points lands within 0.01 pixel of cv2.projectPoints with the lens's own K and D."""
    told = lens.calibration
    theirs = cv2.projectPoints(grid(), np.zeros(3), np.zeros(3), told.matrix, told.distortion)[0][:, 0]
    assert np.abs(lens.project(grid()) - theirs).max() < 0.01


def test_fisheye_is_that_of_opencv():
    """A grid of points lands within 0.01 pixel of cv2.fisheye.projectPoints."""
    points, told = grid(4.0), FISHEYE.calibration
    theirs = cv2.fisheye.projectPoints(points[:, None], np.zeros(3), np.zeros(3), told.matrix, told.distortion)[0][:, 0]
    assert np.abs(FISHEYE.project(points) - theirs).max() < 0.01


def test_equirectangular_is_linear_in_angles():
    """A turn is the width of the image: column = w (lon / 2 pi) + (w - 1) / 2, row = h (lat / pi) + (h - 1) / 2."""
    lens, rng = EVERY[-1], np.random.default_rng(1)
    longitude, latitude = rng.uniform(-3.1, 3.1, 500), rng.uniform(-1.5, 1.5, 500)
    points = np.stack(
        (np.cos(latitude) * np.sin(longitude), np.sin(latitude), np.cos(latitude) * np.cos(longitude)), -1
    )
    expected = np.stack((720 * longitude / (2 * math.pi) + 359.5, 360 * latitude / math.pi + 179.5), -1)
    np.testing.assert_allclose(lens.project(7 * points), expected, atol=1e-9)


@pytest.mark.parametrize("lens", EVERY)
def test_directions_undo_projection(lens):
    """Every pixel, corners included, comes back within a millionth of a pixel; directions have length one."""
    column, row = np.meshgrid(np.linspace(-0.5, lens.width - 0.5, 31), np.linspace(-0.5, lens.height - 0.5, 23))
    pixels = np.stack((column, row), -1)
    ray = lens.directions(pixels)
    seen = np.isfinite(ray).all(-1)
    assert seen.mean() > 0.6
    np.testing.assert_allclose(np.linalg.norm(ray[seen], axis=-1), 1, atol=1e-12)
    back = lens.project(ray * 3.0)
    off = np.abs(back - pixels)[seen]
    if isinstance(lens, Equirectangular):
        off = off[(np.abs(pixels[seen][:, 0] - 359.5) < 359) & (np.abs(pixels[seen][:, 1] - 179.5) < 179)]
    assert off.max() < 1e-6


@given(st.floats(-0.25, 0.25), st.floats(-0.05, 0.05), st.floats(-0.003, 0.003), st.floats(-0.003, 0.003))
@settings(max_examples=40, deadline=None)
def test_any_lens_that_is_accepted_can_be_inverted(k1, k2, p1, p2):
    """Either a calibration is refused, or every pixel of its image has a direction that projects onto it."""
    try:
        lens = BrownConrady(width=64, height=48, fx_px=50, k1=k1, k2=k2, p1=p1, p2=p2)
    except ConfigurationError:
        return
    column, row = np.meshgrid(np.arange(64.0), np.arange(48.0))
    pixels = np.stack((column, row), -1)
    assert np.abs(lens.project(lens.directions(pixels)) - pixels).max() < 1e-6


def test_field_of_view_is_from_edge_to_edge():
    """Rays through the middles of the left and the right edge enclose the field of view."""
    for lens, angle in ((PLANAR[0], 60.0), (FISHEYE, 170.0)):
        middle = (lens.height - 1) / 2
        a, b = lens.directions(np.array([[-0.5, middle], [lens.width - 0.5, middle]]))
        assert math.degrees(math.acos(a @ b)) == pytest.approx(angle, abs=1e-6)


def test_points_behind_are_not_seen():
    """Nothing behind a plane lens has a pixel; a fisheye sees to its limit and no farther."""
    assert np.isnan(PLANAR[0].project(np.array([0.0, 0.0, -1.0]))).all()
    angle = np.radians([99.0, 101.0])
    seen = FISHEYE.project(np.stack((np.sin(angle), 0 * angle, np.cos(angle)), -1))
    assert np.isfinite(seen[0]).all()
    assert np.isnan(seen[1]).all()


@pytest.mark.parametrize(
    ("make", "radius"),
    [
        (lambda: BrownConrady(width=640, height=480, fx_px=400, k1=-0.8), 400 * 2 / 3 / math.sqrt(3 * 0.8)),
        (lambda: KannalaBrandt(width=640, height=480, fx_px=200, k1=-0.2), 200 * 2 / 3 / math.sqrt(3 * 0.2)),
    ],
)
def test_folding_distortion_is_refused_with_its_radius(make, radius):
    """r (1 + k r2) turns back at r = 1/sqrt(-3 k), where the image is 2/3 of that away from its middle."""
    with pytest.raises(ConfigurationError, match=rf"folds over {radius:.1f} pixels from the principal point"):
        make()


@pytest.mark.parametrize(
    "wrong", [{}, {"fx_px": 100, "field_of_view_rad": 1.0}, {"field_of_view_rad": "180 deg"}, {"fx_px": -5}]
)
def test_focal_length_is_said_once(wrong):
    """Neither, both, too wide and negative are refused."""
    with pytest.raises(ConfigurationError):
        Pinhole(width=64, height=48, **wrong)


def test_optical_frame_follows_rep_103():
    """z of the optical frame looks forward, x right, y down."""
    np.testing.assert_allclose(T_SENSOR_OPTICAL.rotate(np.eye(3)), [[0, -1, 0], [0, 0, -1], [1, 0, 0]], atol=1e-15)
