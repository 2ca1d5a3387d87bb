"""A flash LiDAR's pixels against the geometry of its lens."""

import numpy as np
import pytest

from sensorium.core.errors import ConfigurationError
from sensorium.core.time import TimeWindow
from sensorium.sensors.lidar.patterns import Flash, FTheta, Pinhole

WINDOW = TimeWindow(5_000, 33_338_333)


def test_a_pinhole_makes_an_even_grid_on_a_wall():
    """A wall at x = 1 is hit at y = tan(H/2) (1 - (2 c + 1) / W), z = tan(V/2) (1 - (2 r + 1) / R), top left first."""
    flash = Flash(columns=7, rows=4, horizontal_fov_rad="80 deg", vertical_fov_rad="40 deg", lens=Pinhole())
    beams = flash.beams(WINDOW)
    wall = (beams.direction / beams.direction[:, :1]).reshape(4, 7, 3)
    half_width, half_height = np.tan(np.radians((40, 20)))
    pitch = 2 * half_width / 7
    np.testing.assert_allclose(wall[:, :, 1], np.tile(half_width - pitch * (np.arange(7) + 0.5), (4, 1)), atol=1e-12)
    pitch = 2 * half_height / 4
    np.testing.assert_allclose(wall[:, 0, 2], half_height - pitch * (np.arange(4) + 0.5), atol=1e-12)
    np.testing.assert_allclose(wall[:, 1:, 2], wall[:, :-1, 2], atol=1e-12)  # rows are straight lines


def test_f_theta_keeps_angles_from_the_axis():
    """The angle from the axis is the distance in the image: hypot(a, b) with a = H/2 l, b = V/2 u; so is its side."""
    flash = Flash(columns=41, rows=21, horizontal_fov_rad="160 deg", vertical_fov_rad="100 deg", lens=FTheta())
    beams = flash.beams(WINDOW)
    row, column = np.divmod(np.arange(41 * 21), 41)
    a = np.radians(80) * (1 - (2 * column + 1) / 41)
    b = np.radians(50) * (1 - (2 * row + 1) / 21)
    np.testing.assert_allclose(np.arccos(np.clip(beams.direction[:, 0], -1, 1)), np.hypot(a, b), atol=2e-8)
    np.testing.assert_allclose(beams.direction[:, 1] * b, beams.direction[:, 2] * a, atol=1e-12)
    np.testing.assert_array_less(-1e-12, beams.direction[:, 1] * a)
    np.testing.assert_allclose(np.linalg.norm(beams.direction, axis=1), 1.0, atol=1e-12)


def test_a_wide_fisheye_looks_backwards_at_its_edges():
    """An f-theta lens of 240 deg sees 120 deg off the axis on the edge of a single row."""
    flash = Flash(columns=240, rows=1, horizontal_fov_rad="240 deg", vertical_fov_rad="1 deg", lens=FTheta())
    azimuth = np.degrees(np.arctan2(*flash.beams(WINDOW).direction[:, 1::-1].T))
    np.testing.assert_allclose(azimuth, np.arange(119.5, -120, -1.0), atol=1e-9)


def test_all_pixels_fire_at_once():
    """Every beam carries the start of the scan; the ring is the row, counted from the bottom."""
    beams = Flash(columns=5, rows=3, horizontal_fov_rad=0.5, vertical_fov_rad=0.3).beams(WINDOW)
    assert (beams.time_ns == WINDOW.start_ns).all()
    np.testing.assert_array_equal(beams.ring, np.repeat((2, 1, 0), 5))
    assert not beams.origin_m.any()


@pytest.mark.parametrize(
    ("lens", "expected"), [(Pinhole(), 2 * np.degrees(np.arctan(np.tan(np.radians(30)) / 61))), (FTheta(), 60 / 61)]
)
def test_angular_step_is_that_of_the_middle_pixel(lens, expected):
    """The middle pixel of an odd row reaches from edge to edge over the stated step."""
    flash = Flash(columns=61, rows=1, horizontal_fov_rad="60 deg", vertical_fov_rad="1 deg", lens=lens)
    assert np.degrees(flash.angular_step_rad(WINDOW)) == pytest.approx(expected)
    azimuth = np.arctan2(*flash.beams(WINDOW).direction[:, 1::-1].T)
    assert flash.angular_step_rad(WINDOW) == pytest.approx((azimuth[29] - azimuth[31]) / 2, rel=1e-3)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"horizontal_fov_rad": "176 deg"}, "pinhole sees at most 175 deg, found a field of view of 176 deg"),
        ({"horizontal_fov_rad": "300 deg", "vertical_fov_rad": "300 deg", "lens": FTheta()}, "corners"),
        ({"columns": 0}, "columns"),
        ({"rows": 65_537}, "rows"),
    ],
)
def test_impossible_arrays_are_refused(settings, message):
    """The message says what the lens can do."""
    with pytest.raises(ConfigurationError, match=message):
        Flash(**{"columns": 4, "rows": 4, "horizontal_fov_rad": 1.0, "vertical_fov_rad": 1.0, **settings})
