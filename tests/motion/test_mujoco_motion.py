"""Motions and joints of a MuJoCo world keep the contracts, exactly at the steps and smoothly between them."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import mujoco
import numpy as np
import pytest
from differentiation import OFFSETS, differences
from scipy.spatial.transform import Rotation

from sensorium.core.configuration import build
from sensorium.motion.fixed import Fixed
from sensorium.motion.mujoco.commands import Commands, Constant, CsvCommands, Ramps
from sensorium.motion.mujoco.dynamics import Dynamics, open_dynamics
from sensorium.motion.mujoco.loading import model_path
from sensorium.motion.mujoco.moving import MujocoJoint, MujocoMotion
from sensorium.motion.mujoco.record import Record
from sensorium.scene.mujoco_world import MujocoWorld

STEP_NS = 1_000_000


@pytest.fixture(scope="module")
def pendulum() -> Dynamics:
    made = open_dynamics(model_path("double_pendulum"), Constant(), keyframe="swing")
    made.reach(2_000_000_000)
    return made


@pytest.fixture
def lower(pendulum: Dynamics) -> MujocoMotion:
    return MujocoMotion(pendulum, 1)


@pytest.mark.parametrize("shape", [(), (1,), (7,), (3, 4), (0,), (2, 0)])
def test_answers_have_the_shape_of_the_times(pendulum: Dynamics, lower: MujocoMotion, shape: tuple[int, ...]) -> None:
    times = np.arange(int(np.prod(shape)), dtype=np.int64).reshape(shape) * 10**7 + 123
    k = lower.kinematics_at(times)
    assert [getattr(k, field.name).shape for field in dataclasses.fields(k)[1:]] == [(*shape, 3)] * 4
    assert k.pose.shape == lower.pose_at(times).shape == shape
    j = MujocoJoint(pendulum, "elbow").kinematics_at(times)
    assert j.position.shape == j.velocity.shape == j.acceleration.shape == shape


def test_steps_are_the_engine_to_the_last_bit(pendulum: Dynamics, lower: MujocoMotion) -> None:
    """Positions, orientations, joints and their rates at the steps are those that MuJoCo alone computes."""
    model = mujoco.MjModel.from_xml_path(str(model_path("double_pendulum")))
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, model.key("swing").id)
    number, elbow = model.body("lower").id, MujocoJoint(pendulum, "elbow")
    for step in range(500):
        mujoco.mj_forward(model, data)
        time = np.array([step * STEP_NS])
        pose, joint = lower.pose_at(time), elbow.kinematics_at(time)
        assert (pose.position_m[0] == data.xpos[number]).all()
        assert (pose.quaternion[0] == data.xquat[number]).all()
        assert (joint.position[0], joint.velocity[0], joint.acceleration[0]) == (
            data.qpos[1],
            data.qvel[1],
            data.qacc[1],
        )
        mujoco.mj_step(model, data)


def test_smooth_over_the_steps(pendulum: Dynamics, lower: MujocoMotion) -> None:
    """A nanosecond before and after a step everything is what it is at the step, but for the rate times that time."""
    steps = np.arange(5, 1500, 7) * STEP_NS
    at = lower.kinematics_at(steps)
    for shift in (-1, 1):
        near = lower.kinematics_at(steps + shift)
        for field in dataclasses.fields(at)[1:]:
            a, b = getattr(at, field.name), getattr(near, field.name)
            assert np.abs(a - b).max() < 1e-5 * (1 + np.abs(a).max()), field.name
        assert np.abs(at.pose.position_m - near.pose.position_m).max() < 1e-7
        assert np.abs((at.pose.inverse() @ near.pose).quaternion[:, 1:]).max() < 1e-7


def test_rates_are_derivatives_between_the_steps(pendulum: Dynamics, lower: MujocoMotion) -> None:
    """With Runge-Kutta steps dp/dt = v, dv/dt = a, dR/dt = w x R, dw/dt; dp/dt is off by what the engine errs in a step."""
    step_ns = 20_000
    times = (np.arange(50, 1800, 53) * STEP_NS + STEP_NS // 2)[:, None] + OFFSETS * step_ns
    k, middle = lower.kinematics_at(times), lower.kinematics_at(times[:, 4])
    axes = k.pose.matrix()[..., :3, :3]
    turning = np.cross(middle.angular_velocity_rad_s[:, None], axes[:, 4].swapaxes(1, 2)).swapaxes(1, 2)
    pairs = (
        (k.pose.position_m, middle.velocity_m_s), (k.velocity_m_s, middle.acceleration_m_s2), (axes, turning),
        (k.angular_velocity_rad_s, middle.angular_acceleration_rad_s2),
    )  # fmt: skip
    for values, rate in pairs:
        off = np.abs(differences(values, step_ns * 1e-9) - rate).max()
        assert off < 2e-6 * (1 + np.abs(rate).max()), off
    j = MujocoJoint(pendulum, "elbow").kinematics_at(times)
    assert np.abs(differences(j.position, step_ns * 1e-9) - j.velocity[:, 4]).max() < 1e-6
    assert np.abs(differences(j.velocity, step_ns * 1e-9) - j.acceleration[:, 4]).max() < 1e-5


def test_turns_between_far_steps() -> None:
    """R(t) = exp(a t) exp(b t) turns with w = a + Ra b, dw/dt = a x Ra b: a quintic of the rotation vector errs by h^6."""
    a, b = np.array([0.3, -1.0, 4.0]), np.array([5.0, 2.0, -1.0])

    def exact(t: np.ndarray) -> tuple[Rotation, np.ndarray, np.ndarray]:
        outer = Rotation.from_rotvec(a * t[:, None])
        carried = outer.apply(np.tile(b, (len(t), 1)))
        return outer * Rotation.from_rotvec(b * t[:, None]), a + carried, np.cross(a, carried)

    worst = []
    for step_s in (0.1, 0.05):
        record, count = Record(1, 0, step_s), round(1 / step_s) + 1
        turns, spin, spin_rate = exact(np.arange(count) * step_s)
        for row in range(count):
            line, _ = record.next_rows()
            line[0, 3:7], line[0, 10:13] = turns[row].as_quat(scalar_first=True), spin[row]
            line[0, 16:19] = spin_rate[row]
            record.grow()
        times = np.linspace(0, 1, 333)
        _, quaternion = record.poses([0], np.rint(times * 1e9).astype(np.int64))
        off = exact(np.rint(times * 1e9) * 1e-9)[0].inv() * Rotation.from_quat(quaternion[0], scalar_first=True)
        worst.append(off.magnitude().max())
    assert worst[1] < 3e-6
    assert worst[0] / worst[1] > 40


def test_a_batch_is_its_members(pendulum: Dynamics) -> None:
    """Bodies of several worlds in one batch, in any order."""
    other = open_dynamics(model_path("double_pendulum"), Constant())
    motions = [MujocoMotion(pendulum, 0), MujocoMotion(other, 1), MujocoMotion(pendulum, 1), MujocoMotion(other, 1)]
    times = np.linspace(-1e8, 1e9, 23).astype(np.int64)
    batch = MujocoMotion.poses_of(motions, times)
    assert batch.shape == (4, 23)
    for row, motion in enumerate(motions):
        alone = motion.pose_at(times)
        np.testing.assert_array_equal(batch.position_m[row], alone.position_m)
        np.testing.assert_array_equal(batch.quaternion[row], alone.quaternion)
    moving = MujocoMotion.kinematics_of(motions, times)
    for row, motion in enumerate(motions):
        single = motion.kinematics_at(times)
        np.testing.assert_array_equal(moving.pose.quaternion[row], single.pose.quaternion)
        for field in dataclasses.fields(single)[1:]:
            np.testing.assert_array_equal(getattr(moving, field.name)[row], getattr(single, field.name))


def test_before_the_start_it_rests(pendulum: Dynamics, lower: MujocoMotion) -> None:
    k = lower.kinematics_at(np.array([-5, 0]))
    assert (k.pose.position_m[0] == k.pose.position_m[1]).all()
    assert not k.velocity_m_s[0].any()
    assert k.velocity_m_s[1].any()
    j = MujocoJoint(pendulum, "elbow").kinematics_at(np.array([-5]))
    assert j.velocity[0] == j.acceleration[0] == 0


def test_energy_of_the_pendulum_stays() -> None:
    """Without friction Runge-Kutta keeps kinetic and potential energy to 1e-4 over ten seconds."""
    dynamics = open_dynamics(model_path("double_pendulum"), Constant(), keyframe="swing")
    model, data = dynamics.model, dynamics._data
    model.opt.enableflags |= int(mujoco.mjtEnableBit.mjENBL_ENERGY)
    dynamics.reach(1_000_000)
    first = data.energy.sum()
    dynamics.reach(10_000_000_000)
    assert data.energy.sum() == pytest.approx(first, abs=1e-4 * np.abs(data.energy).max())


def test_steps_of_any_length() -> None:
    """A step that is no whole number of nanoseconds: instants are rint(k h), and nothing drifts."""
    dynamics = open_dynamics(model_path("double_pendulum"), Constant(), step_s=1 / 240)
    dynamics.reach(10_000_000_000)
    instants = dynamics.record.instants_ns
    np.testing.assert_array_equal(instants, np.rint(np.arange(len(instants)) / 240 * 1e9))
    np.testing.assert_array_equal(
        MujocoMotion(dynamics, 1).pose_at(instants).position_m, dynamics.record.bodies[:, 1, :3]
    )


def test_bodies_that_cannot_move_are_fixed() -> None:
    scene = MujocoWorld(file="double_pendulum").build()
    assert isinstance(scene.body("stand").motion, Fixed)
    assert isinstance(scene.body("upper").motion, MujocoMotion)


def test_ramps() -> None:
    """Lines between the points that name an actuator; constant before and after."""
    made = Ramps(
        points=[
            {"time_s": 1, "values": {"a": 2}},
            {"time_s": 2, "values": {"b": 5}},
            {"time_s": 3, "values": {"a": 6, "b": 7}},
        ]
    )
    assert made.actuators == ("a", "b")
    for time_s, values in ((0, (2, 5)), (1, (2, 5)), (2, (4, 5)), (2.5, (5, 6)), (9, (6, 7))):
        np.testing.assert_allclose(made.values_at(int(time_s * 1e9)), values)


def test_table(tmp_path: Path) -> None:
    """Each row holds until the next one."""
    path = tmp_path / "c.csv"
    path.write_text("time_s, a, b\n0.1, 1, 2\n0.3, 3, 4\n")
    made: Commands = build(CsvCommands, {"path": str(path)})
    assert made.actuators == ("a", "b")
    for time_ns, values in ((0, (1, 2)), (10**8, (1, 2)), (299_999_999, (1, 2)), (3 * 10**8, (3, 4)), (10**10, (3, 4))):
        np.testing.assert_array_equal(made.values_at(time_ns), values)
