"""Ranges as ROS 2 messages, read by an independent decoder and by our own reader."""

import math

import numpy as np
import pytest
from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory

from sensorium.core.pose import Pose
from sensorium.motion import Spline, Waypoint
from sensorium.recording import McapRecorder, RosConventions, open_recording
from sensorium.scene.build import body, part
from sensorium.scene.scene import Scene
from sensorium.scene.shapes import Box
from sensorium.sensors import ConeSensor, sensor_of
from sensorium.simulation import Mount, Simulation

DRIVE = Spline(waypoints=(Waypoint(time_s=0, position_m=(0, 0, 0)), Waypoint(time_s=2, position_m=(3.1, 0, 0))))


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """A car that drives up to a wall until the wall is in the blind zone, with a parking sensor and a sensor that tells all."""
    car = body("car", part("hull", Box(size_m=(1, 1, 1)), "painted_metal"), motion=DRIVE)
    wall = body("wall", part("wall", Box(size_m=(1, 9, 9)), "concrete", pose=Pose.at(4.2, 0, 0)))
    rig = (
        Mount(name="park", sensor=sensor_of("ultrasonic_parking"), body="car", pose=Pose.at(0.5, 0, 0)),
        Mount(name="full", sensor=ConeSensor(length_m=2.0), body="car", pose=Pose.at(0.5, 0, 0)),
    )
    samples = list(Simulation(Scene((car, wall)), rig, seed=1, truth_rate_hz=None).samples(2.0))
    path = tmp_path_factory.mktemp("ranges") / "park.mcap"
    with McapRecorder(path, RosConventions(mounts=rig)) as recorder:
        for sample in samples:
            recorder.write(sample)
    return path, samples


def messages(path, topic):
    with path.open("rb") as file:
        reader = make_reader(file, decoder_factories=[DecoderFactory()])
        return [message for _, _, _, message in reader.iter_decoded_messages([topic])]


def test_range_follows_rep_117(recorded):
    """+inf while there is nothing, the range, -inf in the blind zone; limits and type of the device."""
    path, _ = recorded
    far = messages(path, "/full/range")
    near = messages(path, "/park/range")
    assert far[0].range == math.inf
    assert near[-1].range == -math.inf
    assert near[0].radiation_type == 0
    assert near[0].header.frame_id == "park"
    assert near[0].min_range == np.float32(0.15)
    assert near[0].max_range == np.float32(4.5)
    assert near[0].field_of_view == pytest.approx(math.radians(120))
    assert near[0].variance == pytest.approx(1e-4 + 1e-4 / 12)
    assert near[0].range == pytest.approx(3.2, abs=0.06)


def test_detections_have_named_channels(recorded):
    """Points and channels agree with the sample."""
    path, samples = recorded
    ours = [sample for sample in samples if sample.stamp.sensor == "full"]
    for message, sample in zip(messages(path, "/full/detections"), ours, strict=True):
        found = {channel.name: list(channel.values) for channel in message.channels}
        assert set(found) == {"range", "azimuth", "elevation", "radial_speed", "speed"}
        np.testing.assert_allclose(found["range"], sample.range_m, rtol=1e-6)
        np.testing.assert_allclose([p.x for p in message.points], sample.points_m[:, 0], rtol=1e-6)


def test_round_trip(recorded):
    """What is read back is what was written, in single precision; truth included."""
    path, samples = recorded
    for sensor in ("park", "full"):
        ours = [sample for sample in samples if sample.stamp.sensor == sensor]
        for back, sample in zip(open_recording(path).samples(sensor), ours, strict=True):
            assert back.stamp == sample.stamp
            for name in ("range_m", "azimuth_rad", "elevation_rad", "radial_speed_m_s", "speed_m_s"):
                np.testing.assert_allclose(getattr(back, name), getattr(sample, name), rtol=1e-6, atol=1e-7)
            assert (back.too_near, back.radiation) == (sample.too_near, sample.radiation)
            assert back.truth.body.tolist() == sample.truth.body.tolist()
            np.testing.assert_allclose(back.truth.points_m, sample.truth.points_m, atol=1e-6)
