"""Scanning mirrors against closed forms."""

import math
from fractions import Fraction

import numpy as np
import pytest

from sensorium.core.errors import ConfigurationError
from sensorium.core.time import TimeWindow
from sensorium.sensors.lidar.patterns import MemsLissajous, MemsRaster, OneWay, Ramp, Resonant

WINDOW = TimeWindow(200_000_000, 300_000_000)
FIELD = {"horizontal_fov_rad": 1.0, "vertical_fov_rad": 0.4}


def angles(beams):
    """Return azimuth and elevation."""
    return np.arctan2(beams.direction[:, 1], beams.direction[:, 0]), np.arcsin(beams.direction[:, 2])


def test_lissajous_coordinates():
    """azimuth = A sin(2 pi f t + p) and elevation likewise, an hour into the scenario.

    The turns f t are taken modulo 1 in exact fractions; in double precision they are off by f t 2^-52, so the angle by
    2 pi A f t 2^-52.
    """
    pattern = MemsLissajous(
        horizontal_rate_hz=11_321.0, horizontal_amplitude_rad=0.6, horizontal_phase_rad=0.3,
        vertical_rate_hz=1_713.0, vertical_amplitude_rad=0.25, vertical_phase_rad=-1.1, laser_rate_hz="1 MHz",
    )  # fmt: skip
    start = 3_600_000_000_123
    beams = pattern.beams(TimeWindow(start, start + 1_000_000))
    assert len(beams) == 1000
    for found, rate, amplitude, phase in zip(angles(beams), (11_321, 1_713), (0.6, 0.25), (0.3, -1.1), strict=True):
        turns = np.array([float(Fraction(rate * int(t), 10**9) % 1) for t in beams.time_ns])
        bound = 2 * math.pi * amplitude * rate * 3600 * 2.0**-51 + 1e-15
        np.testing.assert_allclose(found, amplitude * np.sin(2 * np.pi * turns + phase), atol=bound)


def test_lissajous_figure_closes():
    """Rates of 300 and 200 Hz share 100 Hz: the figure repeats after 10 ms."""
    pattern = MemsLissajous(
        horizontal_rate_hz=300.0, vertical_rate_hz=200.0, horizontal_amplitude_rad=0.5, vertical_amplitude_rad=0.5,
        laser_rate_hz="100 kHz",
    )  # fmt: skip
    beams = pattern.beams(TimeWindow(0, 20_000_000))
    np.testing.assert_allclose(beams.direction[:1000], beams.direction[1000:], atol=1e-9)
    assert np.abs(beams.direction[:500] - beams.direction[500:1000]).max() > 0.1


def test_raster_has_its_lines_and_points():
    """L elevations from the top, V / L apart; each line with P points H / P apart, every other one backwards."""
    lines, points = 24, 50
    beams = MemsRaster(lines=lines, points_per_line=points, **FIELD).beams(WINDOW)
    azimuth, elevation = (angle.reshape(lines, points) for angle in angles(beams))
    np.testing.assert_allclose(
        elevation, np.tile(0.4 * (0.5 - (np.arange(lines)[:, None] + 0.5) / lines), points), atol=1e-12
    )
    from_left = 1.0 * (0.5 - (np.arange(points) + 0.5) / points)
    np.testing.assert_allclose(azimuth[0::2], np.tile(from_left, (lines // 2, 1)), atol=1e-12)
    np.testing.assert_allclose(azimuth[1::2], np.tile(from_left[::-1], (lines // 2, 1)), atol=1e-12)
    np.testing.assert_array_equal(beams.ring.reshape(lines, points)[:, 0], np.arange(lines)[::-1])
    expected = WINDOW.start_ns + (np.arange(lines * points) + 0.5) * WINDOW.duration_ns / (lines * points)
    assert np.abs(beams.time_ns - expected).max() <= 1


def test_one_way_lines_all_run_from_the_left():
    """Lines take (1 - flyback) of their time; the laser rests while the mirror flies back."""
    raster = MemsRaster(lines=20, points_per_line=40, fast_axis=OneWay(flyback_share=0.25), **FIELD)
    beams = raster.beams(WINDOW)
    azimuth = angles(beams)[0].reshape(20, 40)
    np.testing.assert_allclose(azimuth, np.tile(0.5 - (np.arange(40) + 0.5) / 40, (20, 1)), atol=1e-12)
    since = (beams.time_ns - WINDOW.start_ns).reshape(20, 40) - np.arange(20)[:, None] * WINDOW.duration_ns / 20
    assert since.max() == pytest.approx(0.75 * (39.5 / 40) * WINDOW.duration_ns / 20, abs=1)


def test_resonant_lines_follow_the_swing():
    """azimuth = -+H/2 sin(w (t - middle of the line)) / sin(pi used / 2), w = pi / line: half a swing per line."""
    used, lines = 0.7, 16
    raster = MemsRaster(lines=lines, points_per_line=200, fast_axis=Resonant(used_share=used), **FIELD)
    beams = raster.beams(WINDOW)
    line_ns = WINDOW.duration_ns / lines
    line = np.repeat(np.arange(lines), 200)
    middle = WINDOW.start_ns + (line + 0.5) * line_ns
    swing = np.sin(np.pi * (beams.time_ns - middle) / line_ns) / np.sin(np.pi * used / 2)
    expected = -0.5 * np.where(line % 2, -1, 1) * swing
    assert np.abs(angles(beams)[0] - expected).max() < 0.5 * np.pi / line_ns / np.sin(np.pi * used / 2) + 1e-12  # 1 ns
    assert np.abs(expected).max() == pytest.approx(0.5, rel=0.01)


def test_a_free_running_laser_is_gated_by_the_mirror():
    """Rate x frame x (1 - retrace) x lit share of shots, give or take one per line edge; none in the dark."""
    raster = MemsRaster(
        lines=30, laser_rate_hz="500 kHz", fast_axis=Resonant(used_share=0.6), retrace_share=0.2, **FIELD
    )
    beams = raster.beams(WINDOW)
    assert abs(len(beams) - 5e5 * 0.1 * 0.8 * 0.6) <= 30
    assert beams.time_ns.max() < WINDOW.start_ns + 0.8 * WINDOW.duration_ns
    assert (beams.time_ns % 2000 == 0).all()
    assert np.abs(angles(beams)[0]).max() <= 0.5
    assert len(np.unique(beams.ring)) == 30


def test_a_ramp_leans_the_lines():
    """Elevation falls in proportion to the time since the start of the frame: V (1/2 - t / T)."""
    beams = MemsRaster(lines=10, points_per_line=30, slow_axis=Ramp(), **FIELD).beams(WINDOW)
    expected = 0.4 * (0.5 - (beams.time_ns - WINDOW.start_ns) / WINDOW.duration_ns)
    np.testing.assert_allclose(angles(beams)[1], expected, atol=0.4 / WINDOW.duration_ns + 1e-12)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "found neither"),
        ({"points_per_line": 3, "laser_rate_hz": 10.0}, "found both"),
        ({"points_per_line": 0}, "points_per_line"),
        ({"laser_rate_hz": "2 GHz"}, "laser_rate_hz"),
        ({"points_per_line": 3, "fast_axis": {"type": "one_way", "flyback_share": 1.0}}, "flyback_share"),
        ({"points_per_line": 3, "fast_axis": {"type": "triangle"}}, "fast_axis.type"),
        ({"points_per_line": 3, "retrace_share": 1.0}, "retrace_share"),
    ],
)
def test_impossible_rasters_are_refused(settings, message):
    """The message names the setting."""
    with pytest.raises(ConfigurationError, match=message):
        MemsRaster(lines=10, **FIELD, **settings)
