"""The catalogue against the figures that the makers print, and a source beside each figure."""

import math
import re

import numpy as np
import pytest

from sensorium.core.units import quantity
from sensorium.sensors import device, device_names, sensor_of
from sensorium.sensors.catalog import device_text
from sensorium.sensors.lidar import ColumnScan, Spinning

LIDARS = [name for name in device_names() if device(name).sensor["type"] == "lidar"]

# As data sheets print it: name, channels, lowest and highest elevation [deg], finest gap [deg], points per second.
HEADS = [
    ("velodyne_vlp16", 16, -15.0, 15.0, 2.0, 300e3),
    ("velodyne_hdl32e", 32, -30.67, 10.67, 1.33, 695e3),
    ("velodyne_vlp32c", 32, -25.0, 15.0, 0.333, 600e3),
    ("velodyne_hdl64e", 64, -24.9, 2.0, 1 / 3, 1.1e6),
    ("velodyne_alpha_prime", 128, -25.0, 15.0, 0.11, 2.4e6),
    ("ouster_os0_128", 128, -45.0, 45.0, 0.7, 1_310_720),
    ("ouster_os1_128", 128, -22.5, 22.5, 0.35, 1_310_720),
    ("ouster_os1_64", 64, -22.5, 22.5, 0.7, 655_360),
    ("ouster_os1_64_gen1", 64, -16.6, 16.6, 0.53, 655_360),
    ("ouster_os2_128", 128, -11.25, 11.25, 0.18, 1_310_720),
]


def test_every_head_is_checked():
    """No turning head of the catalogue escapes the table above."""
    heads = {name for name in LIDARS if isinstance(sensor_of(name).pattern, Spinning | ColumnScan)}
    assert heads == {row[0] for row in HEADS}


@pytest.mark.parametrize(("name", "channels", "low", "high", "gap", "rate"), HEADS)
def test_fan_of_a_head(name, channels, low, high, gap, rate):
    """Channels, field of view (calibrated units: within 1.3 deg), finest step (median for those), points per second."""
    lidar = sensor_of(name)
    calibrated = name == "velodyne_hdl64e" or name.startswith("ouster")
    rows = lidar.pattern.channels if isinstance(lidar.pattern, Spinning) else lidar.pattern.rows
    elevation = np.degrees(sorted(row.elevation_rad for row in rows))
    assert len(elevation) == channels
    assert [row.ring for row in sorted(rows, key=lambda row: row.elevation_rad)] == list(range(channels))
    tolerance = 1.3 if calibrated else 0.01
    assert elevation[0] == pytest.approx(low, abs=tolerance)
    assert elevation[-1] == pytest.approx(high, abs=tolerance)
    step = np.median(np.diff(elevation)) if calibrated else np.diff(elevation).min()
    assert step == pytest.approx(gap, rel=0.2 if calibrated else 0.02)
    assert len(lidar.pattern.beams(lidar.window(0))) * lidar.rate_hz == pytest.approx(rate, rel=0.04)


@pytest.mark.parametrize(
    ("name", "radius_mm"), [("velodyne_hdl32e", 28.95), ("velodyne_vlp32c", 42.40), ("velodyne_alpha_prime", 58.63)]
)
def test_beams_leave_through_one_point(name, radius_mm):
    """z0 = -R tan(e): the line of every beam passes a point R before the axis, to the 0.01 mm of the table."""
    channels = sensor_of(name).pattern.channels
    elevation, height = (
        np.array([getattr(c, key) for c in channels]) for key in ("elevation_rad", "vertical_offset_m")
    )
    np.testing.assert_allclose(height, -radius_mm * 1e-3 * np.tan(elevation), atol=0.011e-3)


@pytest.mark.parametrize(
    ("name", "laser", "elevation_deg", "azimuth_deg", "height_mm", "firing_us"),
    [
        ("velodyne_hdl32e", 0, -30.67, 0.0, 17.17, 0.0),
        ("velodyne_hdl32e", 31, 10.67, 0.0, -5.45, 35.712),
        ("velodyne_vlp32c", 0, -25.0, -1.4, 19.77, 0.0),
        ("velodyne_vlp32c", 29, 15.0, 1.4, -11.36, 14 * 2.304),
        ("velodyne_alpha_prime", 36, -25.0, 0.911, 27.34, 4 * 2.665),
        ("velodyne_alpha_prime", 127, 0.43, 6.354, -0.44, 16 * 2.665),
    ],
)
def test_spot_values_of_velodynes_tables(name, laser, elevation_deg, azimuth_deg, height_mm, firing_us):
    """Single lasers as the default calibration of velodyne_decoder 3.1 and the manuals' firing times have them."""
    channel = sensor_of(name).pattern.channels[laser]
    assert math.degrees(channel.elevation_rad) == pytest.approx(elevation_deg)
    assert math.degrees(channel.azimuth_rad) == pytest.approx(azimuth_deg)
    assert channel.vertical_offset_m * 1e3 == pytest.approx(height_mm, abs=0.006)
    assert channel.firing_offset_s * 1e6 == pytest.approx(firing_us)


def test_firing_cycles():
    """46.08 = 32 x 1.152 + 9.216, 55.296 = 16 x 2.304 + 18.432, 53.3 = 20 x 2.665 us; eight lasers at once."""
    assert sensor_of("velodyne_hdl32e").pattern.firing_cycle_s == pytest.approx((32 * 1.152 + 9.216) * 1e-6)
    assert sensor_of("velodyne_vlp32c").pattern.firing_cycle_s == pytest.approx((16 * 2.304 + 18.432) * 1e-6)
    prime = sensor_of("velodyne_alpha_prime").pattern
    assert prime.firing_cycle_s == pytest.approx(20 * 2.665e-6)
    offsets, counts = np.unique([round(c.firing_offset_s * 1e9) for c in prime.channels], return_counts=True)
    np.testing.assert_array_equal(counts, np.full(16, 8))
    np.testing.assert_array_equal(
        np.flatnonzero(np.diff(offsets) > 2 * 2665 - 1), [7]
    )  # the pause after the eighth group


def test_horizontal_resolution_of_the_alpha_prime():
    """0.1 to 0.4 deg between 5 and 20 Hz, as printed (to the 0.1 deg that is printed)."""
    for rate_hz, printed in ((5.0, 0.1), (20.0, 0.4)):
        lidar = sensor_of("velodyne_alpha_prime", rate_hz=rate_hz)
        assert np.degrees(lidar.pattern.angular_step_rad(lidar.window(0))) == pytest.approx(printed, abs=0.05)


def test_the_rosette_has_its_circle_and_rate():
    """38.4 deg of circular field and 100,000 points per second."""
    lidar = sensor_of("livox_mid40_like")
    assert 2 * np.degrees(lidar.pattern.deflection_rad) == pytest.approx(38.4, abs=0.01)
    directions = np.concatenate([lidar.pattern.beams(lidar.window(k)).direction for k in range(10)])
    assert len(directions) == 100_000
    assert 2 * np.degrees(np.arccos(directions[:, 0]).max()) == pytest.approx(38.4, abs=0.2)


@pytest.mark.parametrize(
    ("name", "beams", "wide_deg", "high_deg"),
    [("generic_mems", 64_000, 60, 20), ("generic_flash", 4096, 120, 30), ("generic_opa", 20_000, 60, 15)],
)
def test_generic_devices(name, beams, wide_deg, high_deg):
    """Beams per scan and fields of view as their titles say, to one beam's step."""
    lidar = sensor_of(name)
    direction = lidar.pattern.beams(lidar.window(5)).direction
    assert len(direction) == beams
    ahead = direction[np.argsort(np.abs(direction[:, 2]))[: beams // 20]]
    assert np.ptp(np.degrees(np.arctan2(ahead[:, 1], ahead[:, 0]))) == pytest.approx(wide_deg, abs=1.0)
    ahead = direction[np.argsort(np.abs(direction[:, 1]))[: beams // 20]]
    assert np.ptp(np.degrees(np.arcsin(ahead[:, 2]))) == pytest.approx(high_deg, abs=1.0)


@pytest.mark.parametrize("name", LIDARS)
def test_data_sheet_is_complete_and_consistent(name):
    """The receiver agrees with the LiDAR equation: P eta (0.1 / pi) A / R^2 = 3 NEP sqrt(B) at the range for 10 %."""
    sheet, lidar = device(name).data_sheet, sensor_of(name)
    aperture = math.pi / 4 * quantity(sheet["receiver_aperture_m"], "m") ** 2
    power = 0.5 * quantity(sheet["peak_power_w"], "W") * 0.1 / math.pi * aperture / sheet["range_10_percent_m"] ** 2
    threshold = 3 * sheet["nep_w_sqrt_hz"] * math.sqrt(quantity(sheet["receiver_bandwidth_hz"], "Hz"))
    assert power == pytest.approx(threshold, rel=0.01)
    assert sheet["range_10_percent_m"] < lidar.range_max_m
    assert 1e-4 < quantity(sheet["divergence_horizontal_rad"], "rad") < 0.02
    assert 1e-4 < quantity(sheet["divergence_vertical_rad"], "rad") < 0.02
    assert "full angle" in sheet["divergence_measure"]
    assert quantity(sheet["pulse_width_s"], "s") == pytest.approx(5e-9, rel=1)
    assert lidar.range_noise_m <= quantity(sheet["range_accuracy_m"], "m")
    assert set(sheet["return_modes"]) <= {"first", "last", "strongest", "second", "dual"}


@pytest.mark.parametrize("name", device_names())
def test_every_figure_has_its_source_beside_it(name):
    """Each line with a figure, tables aside, ends in a comment that names a source of the list or says assumed."""
    text = device_text(name)
    tags = set(re.findall(r'^  - "\[([\w-]+)\]', text, re.MULTILINE))
    body = text[text.index("data_sheet:") :]
    for line in body.splitlines():
        figure = re.match(r'\s+(- \{wedge_rad|[a-z_0-9]+): *"?-?\[?[\d.]+', line)
        if not figure or "ring:" in line or "nep_w_sqrt_hz" in line:
            continue
        comment = line.partition("#")[2]
        assert comment, line
        assert set(re.findall(r"\[([\w-]+)\]", comment)) & tags or re.search(
            "assum|ASSUM|usual|unit of|data_sheet", comment
        ), line
