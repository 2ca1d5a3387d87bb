import struct

import numpy as np
import pytest

from sensorium.sensors import device, sensor_of

RANGE_M, CYCLES_PER_SPIN = 20.0, 1800


def table(name):
    """Return elevation, azimuth, firing offset, vertical and lateral offset, ring of all channels, each [C]."""
    channels = sensor_of(name).pattern.channels
    names = ("elevation_rad", "azimuth_rad", "firing_offset_s", "vertical_offset_m", "lateral_offset_m", "ring")
    return tuple(np.array([getattr(channel, each) for channel in channels]) for each in names)


@pytest.mark.parametrize("name", ["velodyne_vlp16", "velodyne_hdl64e"])
def test_rings_count_upwards(name):
    """Ring k is the k-th lowest elevation, and every figure has a source in the document."""
    elevation, *_, ring = table(name)
    np.testing.assert_array_equal(np.argsort(elevation), np.argsort(ring))
    assert sorted(ring) == list(range(len(elevation)))
    assert len(device(name).sources) >= 4


def test_vlp16_fan_and_optics():
    """-15 to +15 deg in steps of 2 deg; all beams leave one point 41.91 mm before the axis: z0 = -41.91 mm tan(e).

    The manual prints z0 to 0.1 mm.
    """
    elevation, azimuth, offset, vertical, lateral, _ = table("velodyne_vlp16")
    np.testing.assert_allclose(np.sort(np.degrees(elevation)), np.arange(-15, 16, 2), atol=1e-12)
    np.testing.assert_allclose(vertical, -0.04191 * np.tan(elevation), atol=0.05e-3 + 1e-6)
    np.testing.assert_allclose(offset, np.arange(16) * 2.304e-6, atol=1e-12)
    assert not azimuth.any()
    assert not lateral.any()
    assert sensor_of("velodyne_vlp16").pattern.firing_cycle_s == pytest.approx(16 * 2.304e-6 + 18.432e-6)


def test_hdl64e_fan_and_optics():
    """Two blocks of 32 between -24.9 and +2 deg; the beams of a block leave one point: z0 = H - R tan(e).

    z0 is written to 0.01 mm, so the best line misses it by 5 um at most, plus 0.1 um for angles written to 1e-4 deg.
    """
    elevation, _, _, vertical, lateral, _ = table("velodyne_hdl64e")
    degrees = np.sort(np.degrees(elevation))
    assert -24.9 <= degrees[0] < -24.0 < 1.5 < degrees[-1] <= 2.0
    assert np.diff(degrees[:32]).mean() == pytest.approx(0.5, abs=0.05)
    assert np.diff(degrees[32:]).mean() == pytest.approx(1 / 3, abs=0.05)
    for block, radius_m in ((slice(0, 32), 0.0719), (slice(32, 64), 0.0621)):
        slope, height = np.polyfit(np.tan(elevation[block]), vertical[block], 1)
        np.testing.assert_allclose(vertical[block], height + slope * np.tan(elevation[block]), atol=6e-6)
        assert -slope == pytest.approx(radius_m, abs=1e-4)
    np.testing.assert_allclose(np.abs(lateral), 0.026)


def test_hdl64e_blocks_fire_together():
    """Laser i and laser 32 + i fire at once, in groups of four that start every 7.2 us; eight groups fill 57.6 us."""
    offset = table("velodyne_hdl64e")[2]
    np.testing.assert_array_equal(offset[:32], offset[32:])
    np.testing.assert_allclose(offset[:32:4], np.arange(8) * 7.2e-6, atol=1e-12)
    assert sensor_of("velodyne_hdl64e").pattern.firing_cycle_s == pytest.approx(8 * 7.2e-6)


@pytest.mark.parametrize("name", ["velodyne_vlp16", "velodyne_hdl64e"])
def test_points_lie_where_an_independent_decoder_puts_them(name):
    """A return at 20 m lies on the line that its channel describes, at its time, as velodyne-decoder reads raw packets.

    The decoder knows the VLP-16; of the HDL-64E it gets the angles and offsets, and adds signs, frames and times of its
    own. It calculates in float32 (2 um at 20 m); the manual rounds offsets to 0.1 mm, packets azimuths to 0.01 deg.
    """
    decoder = pytest.importorskip("velodyne_decoder")
    elevation, azimuth, offset, vertical, lateral, ring = table(name)
    points = decoded(decoder, name)
    laser = np.argsort(ring)[points["ring"]]
    forward = RANGE_M * np.cos(elevation[laser])
    np.testing.assert_allclose(points["z"], vertical[laser] + RANGE_M * np.sin(elevation[laser]), atol=0.06e-3)
    np.testing.assert_allclose(np.hypot(points["x"], points["y"]), np.hypot(forward, lateral[laser]), atol=0.06e-3)
    towards = np.arctan2(points["y"], points["x"]) - np.arctan2(lateral[laser], forward) - azimuth[laser]
    cycle_s = sensor_of(name).pattern.firing_cycle_s
    head = -2 * np.pi * (points["time"] - points["time"].min()) / (CYCLES_PER_SPIN * cycle_s)
    away = np.angle(np.exp(1j * (towards - head)))
    assert np.degrees(np.abs(away - np.median(away))).max() < 0.02
    first = points["column"] == 5
    found = points["time"][first].astype(float)
    np.testing.assert_allclose(found - found.min(), offset[laser[first]], atol=0.02e-6)


def decoded(decoder, name):
    """Return what the decoder makes of ten packets in which every laser reports 20 m and the head turns clockwise."""
    large = name == "velodyne_hdl64e"
    config = decoder.Config(model=decoder.Model.HDL64E_S3 if large else decoder.Model.VLP16, min_range=0.1)
    if large:
        config.calibration = decoder.Calibration.from_string(calibration_text(name))
    stream, cycles_per_block = decoder.StreamDecoder(config), 0.5 if large else 2
    returns = struct.pack("<HB", round(RANGE_M / 0.002), 100) * 32
    cycle_us = sensor_of(name).pattern.firing_cycle_s * 1e6
    for packet in range(10):
        blocks = b""
        for block in range(12):
            cycle = int((packet * 12 + block) * cycles_per_block)
            bank = 0xDDFF if large and block % 2 else 0xEEFF
            blocks += struct.pack("<HH", bank, cycle * 36000 // CYCLES_PER_SPIN) + returns
        stamp_us = round(1_000_000 + packet * 12 * cycles_per_block * cycle_us)
        stream.decode(stamp_us * 1e-6, blocks + struct.pack("<IBB", stamp_us, 0x37, 0 if large else 0x22), True)
    return stream.finish(True)[1]


def calibration_text(name):
    elevation, azimuth, _, vertical, lateral, _ = table(name)
    rows = [
        f"  - {{laser_id: {i}, rot_correction: {azimuth[i]:.9f}, vert_correction: {elevation[i]:.9f}, "
        f"dist_correction: 0.0, vert_offset_correction: {vertical[i]:.9f}, horiz_offset_correction: {lateral[i]:.9f}}}"
        for i in range(len(azimuth))
    ]
    return "\n".join([f"num_lasers: {len(rows)}", "distance_resolution: 0.002", "lasers:", *rows])
