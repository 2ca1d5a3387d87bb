"""Motions of MuJoCo bodies against MuJoCo's own inertial sensors, and against mechanics."""

from __future__ import annotations

import numpy as np
import pytest
from engine_sensors import engine_readings

from sensorium.core.pose import Pose, conjugate, rotate
from sensorium.motion.mujoco.commands import Ramps
from sensorium.motion.mujoco.dynamics import open_dynamics
from sensorium.motion.mujoco.loading import model_path
from sensorium.motion.mujoco.moving import MujocoMotion

MOUNTS = [
    Pose.identity(),
    Pose.from_rpy((0.3, -0.2, 0.4), (0.5, -0.3, 2.0)),
    Pose.from_rpy((-1.1, 0.7, 1.3), (-2.0, 0.4, -0.6)),
]
DRIVE = Ramps(
    points=[
        {"time_s": 0.2, "values": {"drive": 0, "steering": 0, "brake": 0}},
        {"time_s": 0.6, "values": {"drive": 2500, "steering": 0}},
        {"time_s": 1.0, "values": {"steering": 0.3}},
        {"time_s": 1.6, "values": {"drive": 2500, "steering": -0.2, "brake": 0}},
        {"time_s": 1.8, "values": {"drive": 0, "brake": 1}},
    ]
)


def motion_of(dynamics, body: str) -> MujocoMotion:
    number = dynamics.model.body(body).id
    return MujocoMotion(dynamics, dynamics.moving.index(number))


def assert_same_readings(dynamics, body, mount, theirs):
    """f = R^T (a - g) and w in the frame of the mount, at every step instant, to 1e-6 of MuJoCo's own sensors."""
    times = dynamics.record.instants_ns[: len(theirs.gyro)]
    k = motion_of(dynamics, body).kinematics_at(times).at_mount(mount)
    back = conjugate(k.pose.quaternion)
    force = rotate(back, k.acceleration_m_s2 - np.array(dynamics.gravity_m_s2))
    worst = {
        "specific force": np.abs(force - theirs.accelerometer).max(),
        "rate": np.abs(rotate(back, k.angular_velocity_rad_s) - theirs.gyro).max(),
        "velocity": np.abs(rotate(back, k.velocity_m_s) - theirs.velocimeter).max(),
        "place": np.abs(k.pose.position_m - theirs.position).max(),
    }
    assert max(worst.values()) < 1e-6, worst


@pytest.mark.parametrize("mount", MOUNTS)
@pytest.mark.parametrize("body", ["upper", "lower"])
def test_tumbling_pendulum_feels_what_the_engine_feels(body, mount):
    """f = R^T (dv/dt + dw/dt x r + w x (w x r) - g), u = R^T w: two rods that tumble for three seconds."""
    path = model_path("double_pendulum")
    dynamics = open_dynamics(path, Ramps(points=[{"time_s": 0, "values": {}}]), keyframe="swing")
    dynamics.reach(3_000_000_000)
    theirs = engine_readings(path, body, mount, 3000, keyframe="swing")
    assert np.abs(theirs.gyro).max() > 5
    assert_same_readings(dynamics, body, mount, theirs)


@pytest.mark.parametrize("mount", MOUNTS)
@pytest.mark.parametrize("body", ["car", "front_left_wheel"])
def test_driving_vehicle_feels_what_the_engine_feels(body, mount):
    """The same on the chassis and on a steered, driven, sprung wheel of a car that accelerates, turns and brakes."""
    path = model_path("road_vehicle")
    dynamics = open_dynamics(path, DRIVE)
    dynamics.reach(2_500_000_000)
    order = [DRIVE.actuators.index(name) for name in dynamics.actuators]
    theirs = engine_readings(path, body, mount, 1250, lambda t: DRIVE.values_at(round(t * 1e9))[order])
    assert np.abs(theirs.accelerometer).max() > 15
    assert_same_readings(dynamics, body, mount, theirs)


def test_at_rest_the_specific_force_points_up():
    """A car that stands on its springs: f = -g, 9.81 m/s^2 upwards, and no rate."""
    dynamics = open_dynamics(model_path("road_vehicle"), Ramps(points=[{"time_s": 0, "values": {}}]))
    k = motion_of(dynamics, "car").kinematics_at(np.array([10_000_000_000]))
    force = rotate(conjugate(k.pose.quaternion), k.acceleration_m_s2 - np.array(dynamics.gravity_m_s2))
    np.testing.assert_allclose(force, [[0, 0, 9.81]], atol=0.01)
    np.testing.assert_allclose(k.angular_velocity_rad_s, 0, atol=1e-4)


def test_pendulum_between_its_steps_is_the_movement_itself():
    """A step of 4 ms, read between its instants, against the same pendulum in steps of 0.25 ms: errors of order h^4."""
    worst = {}
    fine = open_dynamics(model_path("double_pendulum"), Ramps(points=[{"time_s": 0, "values": {}}]), 0.00025, "swing")
    times = np.arange(0, 1_500_000_000, 1_250_000)
    for step_s in (0.004, 0.002):
        coarse = open_dynamics(
            model_path("double_pendulum"), Ramps(points=[{"time_s": 0, "values": {}}]), step_s, "swing"
        )
        a, b = (motion_of(each, "lower").kinematics_at(times) for each in (coarse, fine))
        turned = (a.pose.inverse() @ b.pose).quaternion[:, 1:]
        worst[step_s] = [
            np.abs(a.pose.position_m - b.pose.position_m).max(), np.abs(turned).max(),
            np.abs(a.velocity_m_s - b.velocity_m_s).max(),
            np.abs(a.angular_velocity_rad_s - b.angular_velocity_rad_s).max(),
            np.abs(a.acceleration_m_s2 - b.acceleration_m_s2).max(),
            np.abs(a.angular_acceleration_rad_s2 - b.angular_acceleration_rad_s2).max(),
        ]  # fmt: skip
    ratio = np.array(worst[0.004]) / np.array(worst[0.002])
    assert (ratio[:4] > 10).all(), ratio
    assert (ratio[4:] > 6).all(), ratio  # the slope of a cubic: order h^3
    assert np.max(worst[0.002]) < 1e-3, worst
