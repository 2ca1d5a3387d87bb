"""Scans of simple rooms, made with a formula each, and recordings of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from sensorium.core.pose import Pose
from sensorium.samples import PointCloud, Stamp, TruthSample

RINGS, COLUMNS = 8, 180
SCAN_NS, TRUTH_NS = 100_000_000, 50_000_000
SPEED_M_S = 10.0
MOUNT = Pose.from_rpy((1.0, 0.0, 2.0), (0.0, 0.0, np.pi / 2))


@dataclass(frozen=True)
class Mounted:
    name: str
    body: str
    pose: Pose


def cloud_of(points_m, ring, *, range_m=None, intensity=None, index=0, time_ns=0, sensor="lidar", beams=None):
    points = np.asarray(points_m, np.float32).reshape(-1, 3)
    count = len(points)
    distance = np.linalg.norm(points, axis=1) if range_m is None else np.asarray(range_m)
    return PointCloud(
        stamp=Stamp(sensor, index, time_ns, time_ns + SCAN_NS),
        points_m=points,
        range_m=distance.astype(np.float32),
        intensity=np.full(count, 40.0, np.float32) if intensity is None else np.asarray(intensity, np.float32),
        ring=np.asarray(ring, np.uint16),
        time_offset_ns=np.linspace(0, SCAN_NS, count, endpoint=False).astype(np.uint32),
        beam=np.arange(count, dtype=np.uint32),
        beam_count=beams or count,
    )


def directions():
    """Beams of a head that turns clockwise from backwards: [COLUMNS * RINGS, 3], with ring numbers."""
    azimuth = np.pi - 2 * np.pi * (np.arange(COLUMNS)[:, None] + 0.5) / COLUMNS
    elevation = np.broadcast_to(np.radians(np.linspace(-24, 4, RINGS)), (COLUMNS, RINGS))
    cosine = np.cos(elevation)
    each = np.stack((cosine * np.cos(azimuth), cosine * np.sin(azimuth), np.sin(elevation)), -1)
    return each.reshape(-1, 3), np.tile(np.arange(RINGS), COLUMNS)


@pytest.fixture(scope="session")
def make_cloud():
    return cloud_of


@pytest.fixture
def sphere_room():
    """A scan from the centre of a sphere of radius 5 m."""
    direction, ring = directions()
    return cloud_of(5.0 * direction, ring)


@pytest.fixture
def mounts():
    """A LiDAR that sits 1 m before and 2 m above the car's origin and looks to the left."""
    return (Mounted("lidar", "ego", MOUNT),)


def truth_at(index: int) -> TruthSample:
    time_ns = index * TRUTH_NS
    x = SPEED_M_S * time_ns * 1e-9
    position = np.array([[x, 0.0, 0.0], [20.0, 3.0, 1.0]])
    return TruthSample(
        stamp=Stamp("truth", index, time_ns, time_ns),
        names=("ego", "van"),
        labels=("car", "truck"),
        pose=Pose(position, np.tile([1.0, 0.0, 0.0, 0.0], (2, 1))),
        velocity_m_s=np.array([[SPEED_M_S, 0, 0], [0, 0, 0]], float),
        angular_velocity_rad_s=np.zeros((2, 3)),
        acceleration_m_s2=np.zeros((2, 3)),
        box_centre_m=np.array([[0.0, 0.0, 0.8], [0.0, 0.0, 0.0]]),
        box_size_m=np.array([[4.0, 2.0, 1.6], [6.0, 2.0, 2.0]]),
    )


def wall_scan(index: int) -> PointCloud:
    """What the LiDAR of the moving car sees of a wall at x = 40 m in the world, each beam from its own place."""
    start = index * SCAN_NS
    angle = np.linspace(-0.9, 0.9, 4000)
    direction = np.stack((np.cos(angle), np.sin(angle), np.full_like(angle, 0.05)), -1)
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    offset = np.linspace(0, SCAN_NS, len(angle), endpoint=False).astype(np.int64)
    origin_x = SPEED_M_S * (start + offset) * 1e-9 + 1.0
    distance = (40.0 - origin_x) / direction[:, 0]
    local = MOUNT.inverse().rotate(direction) * distance[:, None]  # the mount is turned: world x is the sensor's -y
    return cloud_of(local, np.arange(len(angle)) % RINGS, range_m=distance, index=index, time_ns=start)


@pytest.fixture
def drive():
    """Half a second of a car that drives towards a wall: five scans and eleven truth samples, as they get ready."""
    samples = [*map(wall_scan, range(5)), *map(truth_at, range(11))]
    return sorted(samples, key=lambda sample: sample.stamp.ready_ns)


@pytest.fixture
def recorded_drive(drive, mounts, tmp_path):
    """The drive as a recording on disk, opened."""
    return record(tmp_path / "drive.mcap", drive, mounts)


def record(path: Path, samples, mounts=()):
    from sensorium.recording.mcap_writer import McapRecorder
    from sensorium.recording.reader import open_recording
    from sensorium.recording.ros_conventions import RosConventions

    with McapRecorder(path, RosConventions(mounts=mounts), seed=7, metadata={"scenario": "towards a wall"}) as recorder:
        for sample in samples:
            recorder.write(sample)
    return open_recording(path)


@pytest.fixture
def record_samples():
    return record
