"""Every beam fires at its own time: the sweep of a moving LiDAR is distorted exactly as the motion says."""

import numpy as np
import pytest
from worlds import Gliding, mesh_of_box, model_of, wall

from sensorium.core.pose import Pose
from sensorium.scene.body import Body
from sensorium.scene.scene import Scene
from sensorium.sensors import Lidar, sensor_of
from sensorium.sensors.lidar import Channel, Spinning
from sensorium.sensors.lidar.links import Radar
from sensorium.simulation import observe

ONE_BEAM = Spinning(firing_cycle_s="50 us", channels=(Channel(ring=0, elevation_rad=0.0),))


def forward_lidar(**settings) -> Lidar:
    """Ten scans per second of a single beam without noise."""
    return Lidar(pattern=ONE_BEAM, rate_hz=10, link=Radar(peak_power_w=1e6), **settings)


def test_range_along_the_sweep_follows_the_vehicle():
    """Wall at 20 m, car at 10 m/s, 10 Hz: x of the wall is 20 - 10 t at each beam's own time, within 1 mm."""
    car = Body("car", model_of(mesh_of_box((0.1, 0.1, 0.1))), Gliding(Pose.at(0, 0, 0), velocity_m_s=(10, 0, 0)))
    scene = Scene((wall(20.0, size_m=400.0), car))
    cloud = observe(scene, forward_lidar(range_max_m=300), Pose.at(0, 0, 0.5), body="car")
    t = cloud.time_offset_ns * 1e-9
    assert len(cloud) > 900  # half a turn of 2000 beams looks forward
    assert np.abs(cloud.points_m[:, 0] - (20 - 10 * t)).max() < 1e-3
    assert t.max() - t.min() > 0.045


def test_range_straight_ahead_at_start_and_end_of_the_sweep():
    """The same for a real unit that looks ahead in mid-scan: 19.5 m at 50 ms, and 1 m less a scan later."""
    car = Body("car", model_of(mesh_of_box((0.1, 0.1, 0.1))), Gliding(Pose.at(0, 0, 0), velocity_m_s=(10, 0, 0)))
    scene = Scene((wall(20.0), car))
    for scan, expected in ((0, 19.5), (1, 18.5)):
        cloud = observe(scene, forward_lidar(), Pose.at(0, 0, 0.5), body="car", time_s=scan * 0.1)
        ahead = np.argmin(np.abs(cloud.points_m[:, 1]))
        assert cloud.points_m[ahead, 0] == pytest.approx(expected, abs=1e-3)


def test_rotating_body_is_sheared_by_its_rotation():
    """A plate turning at 5 rad/s about the sensor's axis: at time t the beam at azimuth a meets it at d / cos(a - w t)."""
    rate, distance = 5.0, 10.0
    plate = Body("plate", model_of(mesh_of_box((2.0, 60.0, 2.0))), Gliding(Pose.at(0, 0, 0), spin_rad_s=(0, 0, rate)))
    mesh = plate.model.parts[0].mesh
    shifted = model_of(type(mesh)(mesh.vertices_m + [distance + 1, 0, 0], mesh.triangles))
    cloud = observe(Scene((Body("plate", shifted, plate.motion),)), forward_lidar())
    azimuth = np.arctan2(cloud.points_m[:, 1], cloud.points_m[:, 0])
    relative = azimuth - rate * cloud.time_offset_ns * 1e-9
    front = np.abs(relative) < 1.1
    assert front.sum() > 300
    expected = distance / np.cos(relative[front])
    slope = np.abs(np.tan(relative[front])) + 1
    assert (np.abs(cloud.range_m[front] - expected) / slope / expected).max() < 3e-5


def test_points_keep_the_direction_of_their_beam():
    """A point lies on its beam: origin plus direction times range, in the sensor frame (VLP-16, elevations of the manual)."""
    lidar = sensor_of("velodyne_vlp16", range_noise_m=0)
    cloud = observe(Scene((wall(10.0, 60.0),)), lidar)
    height = {c.ring: c.vertical_offset_m for c in lidar.pattern.channels}
    elevation = {c.ring: c.elevation_rad for c in lidar.pattern.channels}
    z = cloud.points_m[:, 2] - [height[ring] for ring in cloud.ring]
    seen = np.arctan2(z, np.hypot(cloud.points_m[:, 0], cloud.points_m[:, 1]))
    assert np.abs(seen - [elevation[ring] for ring in cloud.ring]).max() < 1e-6


def test_a_turning_and_braking_carrier_is_followed():
    """Carrier on a circle: world points of a still wall lie on the wall when each beam is undone with its own pose."""
    centre, rate, radius = np.array([0.0, 0.0, 0.0]), 1.5, 6.0

    class Circle(Gliding):
        def pose_at(self, times_ns):
            a = rate * np.asarray(times_ns) * 1e-9
            return Pose.from_rpy(
                centre + np.stack((radius * np.sin(a), radius * (1 - np.cos(a)), 0 * a), -1),
                np.stack((0 * a, 0 * a, a), -1),
            )

        def kinematics_at(self, times_ns):
            k = super().kinematics_at(times_ns)
            a = rate * np.asarray(times_ns) * 1e-9
            velocity = radius * rate * np.stack((np.cos(a), np.sin(a), 0 * a), -1)
            return type(k)(
                self.pose_at(times_ns), velocity, k.angular_velocity_rad_s, k.acceleration_m_s2, k.acceleration_m_s2
            )

    carrier = Circle(Pose.identity())
    body = Body("carrier", model_of(mesh_of_box((0.1, 0.1, 0.1))), carrier)
    cloud = observe(
        Scene((wall(30.0, 400.0), body)), forward_lidar(range_max_m=200), body="carrier", pose=Pose.at(1, 0, 0.5)
    )
    world = (
        carrier.pose_at(cloud.stamp.time_ns + cloud.time_offset_ns.astype(np.int64)) @ Pose.at(1, 0, 0.5)
    ).transform(cloud.points_m.astype(float))
    assert len(world) > 500
    assert np.abs(world[:, 0] - 30.0).max() < 1e-3
