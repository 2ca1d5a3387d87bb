"""Turning heads against their formulas: free-running lasers, and columns fired by the encoder."""

import numpy as np
import pytest

from sensorium.core.errors import ConfigurationError
from sensorium.core.time import TimeWindow
from sensorium.sensors import device, device_names, sensor_of
from sensorium.sensors.lidar import Channel, ColumnScan, Spinning

LIDARS = [name for name in device_names() if device(name).sensor["type"] == "lidar"]
SPINNING = [name for name in LIDARS if isinstance(sensor_of(name).pattern, Spinning)]
COLUMNS = [name for name in LIDARS if isinstance(sensor_of(name).pattern, ColumnScan)]


def figures(pattern, name):
    """Return a figure of all channels or rows by ring."""
    entries = pattern.channels if isinstance(pattern, Spinning) else pattern.rows
    return np.array([getattr(entry, name) for entry in sorted(entries, key=lambda entry: entry.ring)])


@pytest.mark.parametrize("name", SPINNING)
def test_every_laser_fires_once_per_cycle(name):
    """All firings of four scans: laser c at n cycles + offset, as integers, without a gap between the scans."""
    lidar = sensor_of(name)
    cycle_ns, offset_ns = lidar.pattern.firing_cycle_s * 1e9, figures(lidar.pattern, "firing_offset_s") * 1e9
    scans = [lidar.pattern.beams(lidar.window(k)) for k in range(4)]
    time_ns, ring = (np.concatenate([getattr(scan, field) for scan in scans]) for field in ("time_ns", "ring"))
    starts = np.rint(np.arange(int(0.4e9 / cycle_ns) + 2) * cycle_ns)
    expected = (starts[:, None] + np.rint(offset_ns)).astype(np.int64)
    for channel in range(len(offset_ns)):
        column = expected[:, channel]
        np.testing.assert_array_equal(time_ns[ring == channel], column[column < 400_000_000])


@pytest.mark.parametrize("name", SPINNING)
def test_direction_is_the_heads_azimuth_plus_the_channels(name):
    """Azimuth of a beam: pi - 2 pi (t - t0) / T + channel azimuth; elevation and offsets those of the channel."""
    lidar = sensor_of(name)
    window = lidar.window(3)
    beams = lidar.pattern.beams(window)
    of = {key: figures(lidar.pattern, key)[beams.ring] for key in
          ("azimuth_rad", "elevation_rad", "lateral_offset_m", "vertical_offset_m")}  # fmt: skip
    azimuth = np.pi - 2 * np.pi * (beams.time_ns - window.start_ns) / window.duration_ns + of["azimuth_rad"]
    difference = np.arctan2(beams.direction[:, 1], beams.direction[:, 0]) - azimuth
    assert np.abs(np.angle(np.exp(1j * difference))).max() < 1e-9
    np.testing.assert_allclose(np.arcsin(beams.direction[:, 2]), of["elevation_rad"], atol=1e-9)
    left = np.stack((-np.sin(azimuth), np.cos(azimuth)), 1)
    np.testing.assert_allclose(beams.origin_m[:, :2], of["lateral_offset_m"][:, None] * left, atol=1e-12)
    np.testing.assert_allclose(beams.origin_m[:, 2], of["vertical_offset_m"], atol=1e-12)


def test_a_channel_must_fire_within_its_cycle():
    """An offset beyond the cycle is refused by number."""
    with pytest.raises(ConfigurationError, match=r"channels\[0\] fires"):
        Spinning(firing_cycle_s=1e-5, channels=(Channel(ring=0, elevation_rad=0, firing_offset_s=2e-5),))


def test_counter_clockwise_heads_turn_the_other_way():
    """The azimuth grows with time if clockwise is false."""
    ahead = (Channel(ring=0, elevation_rad=0),)
    pattern = Spinning(firing_cycle_s=1e-4, channels=ahead, clockwise=False, start_azimuth_rad=0)
    beams = pattern.beams(TimeWindow(0, 10**8))
    assert np.arctan2(beams.direction[1, 1], beams.direction[1, 0]) == pytest.approx(2 * np.pi / 1000)


@pytest.mark.parametrize(("step_deg", "rate_hz", "shots"), [(0.9, 10, 400), (0.09, 5, 4000), (0.2, 20, 1800)])
def test_the_horizontal_step_can_be_set(step_deg, rate_hz, shots):
    """360 deg / step shots of every laser of an HDL-64E per scan, each one step of the head after the other."""
    lidar = sensor_of("velodyne_hdl64e", rate_hz=rate_hz, pattern={"horizontal_step_rad": f"{step_deg} deg"})
    window = lidar.window(1)
    beams = lidar.pattern.beams(window)
    assert len(beams) == 64 * shots
    assert np.degrees(lidar.pattern.angular_step_rad(window)) == pytest.approx(step_deg, rel=1e-6)
    for ring in (0, 63):
        time_ns = beams.time_ns[beams.ring == ring]
        assert len(time_ns) == shots
        assert np.abs(np.diff(time_ns) - window.duration_ns * step_deg / 360).max() <= 1


def test_lasers_wait_for_a_wide_step_and_hurry_for_a_narrow_one():
    """Offsets inside the cycle stay below the device's cycle; for a shorter one they shrink by cycle / 57.6 us."""
    wide = sensor_of("velodyne_hdl64e", pattern={"horizontal_step_rad": "0.9 deg"})
    narrow = sensor_of("velodyne_hdl64e", rate_hz=5, pattern={"horizontal_step_rad": "0.09 deg"})
    offset = figures(wide.pattern, "firing_offset_s")
    for lidar, squeeze in ((wide, 1.0), (narrow, 50.0 / 57.6)):
        beams = lidar.pattern.beams(lidar.window(0))
        cycle = beams.time_ns[:64][np.argsort(beams.ring[:64])]
        np.testing.assert_allclose(cycle, squeeze * offset * 1e9, atol=1.0)


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_follow_the_makers_formula(name):
    """A point at range r of row i in column m lies where Ouster's formula puts it, turned into the sensor frame.

    x = (r - n) cos(te + ta) cos(p) + n cos(te) and so on, te = 2 pi (1 - m / W), ta = -beam azimuth, n the beam origin,
    r counted from the lidar origin; then half a turn about z and up by the height (lidar_to_sensor_transform).
    """
    lidar, r = sensor_of(name), 25.0
    pattern, window = lidar.pattern, lidar.window(2)
    beams = pattern.beams(window)
    rows, width, n = len(pattern.rows), pattern.columns_per_turn, pattern.beam_origin_m
    m, i = np.divmod(np.arange(len(beams)), rows)
    te, ta = 2 * np.pi * (1 - m / width), np.array([row.azimuth_rad for row in pattern.rows])[i]
    p = np.array([row.elevation_rad for row in pattern.rows])[i]
    x = (r - n) * np.cos(te + ta) * np.cos(p) + n * np.cos(te)
    y = (r - n) * np.sin(te + ta) * np.cos(p) + n * np.sin(te)
    expected = np.stack((-x, -y, (r - n) * np.sin(p) + pattern.height_m), 1)
    np.testing.assert_allclose(beams.origin_m + beams.direction * (r - n), expected, atol=1e-12)
    np.testing.assert_array_equal(beams.time_ns, window.start_ns + m * window.duration_ns // width)


def test_ousters_own_angles():
    """The first row of the OS1-128 in hand: altitude 21.34 deg, azimuth 4.27 deg clockwise, origin 15.806 mm out.

    (Metadata of that unit, ouster-sdk.) The first column looks backwards; its beam is turned to the right of backwards
    as seen along it, so to +y.
    """
    beams = sensor_of("ouster_os1_128").pattern.beams(TimeWindow(0, 10**8))
    x, y, z = beams.direction[0]
    assert np.degrees(np.arcsin(z)) == pytest.approx(21.34)
    assert np.degrees(np.arctan2(y, -x)) == pytest.approx(4.27)
    np.testing.assert_allclose(beams.origin_m[0], (-15.806e-3, 0, 36.18e-3), atol=1e-12)
