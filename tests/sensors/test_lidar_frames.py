"""The frames of points: the same returns seen from the sensor, from the vehicle and from the world."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from worlds import Gliding, mesh_of_box, model_of, wall

from sensorium.apps.placement import Placement
from sensorium.core.pose import Pose
from sensorium.recording import open_recording
from sensorium.recording.mcap_writer import McapRecorder
from sensorium.recording.ros_conventions import RosConventions
from sensorium.samples import PointCloud, TruthSample
from sensorium.scene.body import Body
from sensorium.scene.scene import Scene
from sensorium.sensors import sensor_of
from sensorium.simulation import Simulation
from sensorium.simulation.rig import Mount

CAR = Gliding(Pose.at(0, 0, 1.0), (10.0, 2.0, 0.0), (0.0, 0.0, 0.5))
SCENE = Scene((wall(30.0), Body("car", model_of(mesh_of_box((0.1, 0.1, 0.1))), CAR)))
SEAT = Pose.from_rpy((0.5, 0.1, 1.2), (0.02, 0.1, 0.7))


def mount(frame: str) -> Mount:
    lidar = sensor_of("velodyne_vlp16", frame={"type": frame}, range_noise_m=0, range_resolution_m=0, range_min_m=1.0)
    return Mount(name="lidar", sensor=lidar, body="car", pose=SEAT)


def scan(frame: str) -> PointCloud:
    samples = Simulation(SCENE, [mount(frame)], truth_rate_hz=None).samples(0.1)
    return next(sample for sample in samples if isinstance(sample, PointCloud))


def test_a_wall_is_flat_in_the_world_and_bent_in_the_sensor():
    """x = 30 m for every point of the wall: the world frame takes the movement out, 1 m and 3 deg during the scan."""
    world, sensor = scan("world"), scan("sensor")
    assert len(world) == len(sensor) > 1000
    assert np.ptp(world.points_m[:, 0]) < 1e-3
    placed = SEAT.transform(sensor.points_m.astype(float))
    assert np.ptp(CAR.pose_at(np.array([0]))[0].transform(placed)[:, 0]) > 0.3


def test_each_frame_is_the_poses_away_from_the_sensor():
    """p_vehicle = T_vehicle_sensor p and p_world = T_world_vehicle(t) T_vehicle_sensor p with t of each beam."""
    sensor, vehicle, world = scan("sensor"), scan("vehicle"), scan("world")
    placed = SEAT.transform(sensor.points_m.astype(float))
    np.testing.assert_allclose(vehicle.points_m, placed, atol=1e-5)
    times = sensor.stamp.time_ns + sensor.time_offset_ns.astype(np.int64)
    np.testing.assert_allclose(world.points_m, CAR.pose_at(times).transform(placed), atol=1e-4)
    for cloud in (vehicle, world):
        np.testing.assert_array_equal(cloud.range_m, sensor.range_m)
        np.testing.assert_array_equal(cloud.intensity, sensor.intensity)


@pytest.mark.parametrize(("frame", "frame_id"), [("sensor", "lidar"), ("vehicle", "car"), ("world", "map")])
def test_recordings_name_the_frame(tmp_path: Path, frame: str, frame_id: str):
    """The header says where the points are; read back, the cloud knows it, and viewers place it right."""
    mounts = (mount(frame),)
    path = tmp_path / "a.mcap"
    with McapRecorder(path, RosConventions(mounts=mounts)) as recorder:
        for sample in Simulation(SCENE, mounts, truth_rate_hz=200.0).samples(0.2):
            recorder.write(sample)
    samples = list(open_recording(path).samples())
    cloud = next(sample for sample in samples if isinstance(sample, PointCloud))
    assert cloud.frame == frame
    assert np.isnan(cloud.range_m).any() == (frame != "sensor")  # this layout has no column for it
    placement = Placement.of([sample for sample in samples if isinstance(sample, TruthSample)], mounts)
    np.testing.assert_allclose(placement.in_world(cloud).points_m, scan("world").points_m, atol=2e-3)
    np.testing.assert_allclose(placement.in_sensor(cloud).points_m, scan("sensor").points_m, atol=2e-3)
    np.testing.assert_allclose(
        placement.in_sensor(cloud).range_m, scan("sensor").range_m, atol=0.2
    )  # beams leave beside the axis
    assert frame_id in _frames(path)


def _frames(path: Path) -> set[str]:
    """Return the frames of all clouds, by a reader of another project."""
    from mcap.reader import make_reader
    from mcap_ros2.decoder import DecoderFactory

    with path.open("rb") as stream:
        messages = make_reader(stream, decoder_factories=[DecoderFactory()]).iter_decoded_messages(["/lidar/points"])
        return {message.header.frame_id for *_, message in messages}
