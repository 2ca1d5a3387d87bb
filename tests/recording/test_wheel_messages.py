"""Encoders and odometers in ROS 2 messages, read by mcap_ros2 and by our own reader."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from mcap_ros2.reader import read_ros2_messages

from sensorium.recording import open_recording
from sensorium.recording.mcap_writer import McapRecorder
from sensorium.recording.ros_conventions import EPOCH_2026_NS, RosConventions
from sensorium.samples import EncoderReading, OdometerReading, Stamp


def readings(count: int):
    for n in range(count):
        stamp = Stamp("wheel", n, n * 10_000_000 + 3, n * 10_000_000 + 5)
        yield EncoderReading(stamp=stamp, joint="rear_left", position=np.array([0.1 * n]), velocity=np.array([10.5]))
        stamp = Stamp("way", n, n * 10_000_000 + 4, n * 10_000_000 + 6)
        yield OdometerReading(
            stamp=stamp, body="car", distance_m=np.array([0.03 * n]), speed_m_s=np.array([3.0]),
            distance_variance_m2=1.5e-4, speed_variance_m2_s2=0.12,
        )  # fmt: skip


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "wheels.mcap"
    with McapRecorder(path, RosConventions(), seed=1) as recorder:
        for sample in readings(5):
            recorder.write(sample)
    return path


def test_joint_state_by_another_reader(path: Path) -> None:
    """Name, radians, radians per second, no effort; the stamp is the instant of the measurement."""
    found = [each.ros_msg for each in read_ros2_messages(path, topics=["/wheel/joint_states"])]
    assert len(found) == 5
    last = found[-1]
    assert list(last.name) == ["rear_left"]
    assert list(last.position) == [pytest.approx(0.4)]
    assert list(last.velocity) == [10.5]
    assert len(last.effort) == 0
    assert last.header.stamp.sec * 10**9 + last.header.stamp.nanosec == EPOCH_2026_NS + 40_000_003
    assert last.header.frame_id == "wheel"


def test_odometry_by_another_reader(path: Path) -> None:
    """x of pose and twist with their variances; what is not measured is as good as unknown."""
    last = [each.ros_msg for each in read_ros2_messages(path, topics=["/way/odom"])][-1]
    assert last.child_frame_id == "car"
    assert last.header.frame_id == "way_odom"
    assert last.pose.pose.position.x == pytest.approx(0.12)
    assert last.pose.pose.orientation.w == 1.0
    assert last.twist.twist.linear.x == 3.0
    for covariance, variance in ((last.pose.covariance, 1.5e-4), (last.twist.covariance, 0.12)):
        matrix = np.array(covariance).reshape(6, 6)
        np.testing.assert_array_equal(matrix, np.diag([variance, *[1e6] * 5]))


def test_there_and_back(path: Path) -> None:
    """What was recorded is read as it was; edges are not recorded."""
    back = list(open_recording(path).samples())
    assert len(back) == 10
    for sent, got in zip(readings(5), back, strict=True):
        assert type(sent) is type(got)
        assert sent.stamp == got.stamp
        for name in ("position", "velocity", "distance_m", "speed_m_s"):
            if hasattr(sent, name):
                np.testing.assert_array_equal(getattr(sent, name), getattr(got, name))
    assert back[1].distance_variance_m2 == 1.5e-4
    assert back[1].body == "car"
    assert back[0].joint == "rear_left"
