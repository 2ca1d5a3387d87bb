"""Radar scans in a recording: decoded by another library, and read back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory
from parcels import cloud

from sensorium.recording import McapRecorder, open_recording
from sensorium.samples import PointCloud, RadarCube, RadarMap, RadarScan, RadarTruth, Stamp


def scan(index: int = 0, count: int = 7) -> RadarScan:
    """A scan of random detections with everything in it."""
    rng = np.random.default_rng([index, count])
    columns = {
        name: rng.normal(size=count).astype(np.float32)
        for name in ("speed_m_s", "azimuth_rad", "elevation_rad", "snr_db")
    }
    covariance = np.zeros((count, 4, 4), np.float32)
    covariance[:, range(4), range(4)] = rng.uniform(0, 1, (count, 4))
    samples = rng.normal(size=(4, 2, 8)) + 1j * rng.normal(size=(4, 2, 8))
    return RadarScan(
        stamp=Stamp("front", index, 50_000_000 * index, 50_000_000 * index + 12_000_000),
        range_m=rng.uniform(1, 50, count).astype(np.float32),
        **columns,
        cross_section_m2=rng.uniform(0.01, 100, count).astype(np.float32),
        covariance=covariance,
        truth=RadarTruth(
            body=rng.integers(-1, 9, count).astype(np.int32),
            part=rng.integers(-1, 9, count).astype(np.int32),
            bounces=rng.integers(-3, 3, count).astype(np.int8),
        ),
        map=RadarMap(
            power_db=rng.normal(size=(8, 4)).astype(np.float32),
            range_m=np.arange(8, dtype=np.float32) * np.float32(0.25),
            speed_m_s=np.arange(-2, 2).astype(np.float32) * np.float32(0.5),
        ),
        cube=RadarCube(
            samples=samples.astype(np.complex64), sample_rate_hz=1e7, slope_hz_s=2e13, start_hz=76.5e9, chirp_period_s=6e-5
        ),
    )  # fmt: skip


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    path = tmp_path / "radar.mcap"
    with McapRecorder(path) as recorder:
        for index in range(3):
            recorder.write(scan(index))
            recorder.write(cloud(index))
    return path


def test_another_reader_decodes_radar_msgs(recording: Path) -> None:
    """mcap-ros2 reads RadarScan by the definition in the file; its doppler_velocity is positive for what recedes."""
    with recording.open("rb") as file:
        messages = make_reader(file, decoder_factories=[DecoderFactory()]).iter_decoded_messages()
        found = {channel.topic: decoded for _, channel, _, decoded in messages}
    expected = scan(2)
    rows = found["/front/scan"].returns
    np.testing.assert_array_equal(np.array([row.range for row in rows], np.float32), expected.range_m)
    np.testing.assert_array_equal(np.array([row.doppler_velocity for row in rows], np.float32), expected.speed_m_s)
    np.testing.assert_array_equal(np.array([row.azimuth for row in rows], np.float32), expected.azimuth_rad)
    np.testing.assert_array_equal(np.array([row.elevation for row in rows], np.float32), expected.elevation_rad)
    np.testing.assert_array_equal(np.array([row.amplitude for row in rows], np.float32), expected.snr_db)
    assert found["/front/scan"].header.frame_id == "front"
    points = found["/front/points"]
    assert [field.name for field in points.fields][:8] == ["x", "y", "z", "intensity", "range", "speed", "rcs", "snr"]
    data = np.frombuffer(bytes(points.data), np.float32).reshape(-1, points.point_step // 4)
    np.testing.assert_array_equal(data[:, :3], expected.points_m)
    np.testing.assert_array_equal(data[:, 5], expected.speed_m_s)
    assert [each.label.split()[0] for each in found["/front/map"].layout.dim] == ["range_m", "speed_m_s"]
    assert [each.size for each in found["/front/cube"].layout.dim] == [4, 2, 8, 2]


def test_scans_come_back(recording: Path) -> None:
    """Everything to the bit, cross sections within the rounding of decibels; clouds of LiDARs are still clouds."""
    samples = list(open_recording(recording).samples())
    assert sum(isinstance(sample, PointCloud) for sample in samples) == 3
    for index, found in enumerate(sample for sample in samples if isinstance(sample, RadarScan)):
        expected = scan(index)
        assert found.stamp == expected.stamp
        for name in ("range_m", "speed_m_s", "azimuth_rad", "elevation_rad", "snr_db", "covariance"):
            np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
        np.testing.assert_allclose(found.cross_section_m2, expected.cross_section_m2, rtol=1e-5)
        for part in ("truth", "map", "cube"):
            for name, value in vars(getattr(expected, part)).items():
                np.testing.assert_array_equal(getattr(getattr(found, part), name), value, err_msg=name)


def test_an_empty_scan_comes_back(tmp_path: Path) -> None:
    """A frame without detections is a sample as well."""
    with McapRecorder(tmp_path / "empty.mcap") as recorder:
        recorder.write(scan(0, 0))
    (found,) = open_recording(tmp_path / "empty.mcap").samples()
    assert len(found) == 0
    assert found.covariance.shape == (0, 4, 4)
