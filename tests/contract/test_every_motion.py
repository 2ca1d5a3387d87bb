"""What every motion promises; a new motion is found by itself through `sensorium.motion.MotionSettings`."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from differentiation import assert_kinematics

from sensorium.core.configuration import build, to_document
from sensorium.core.kinds import members
from sensorium.core.pose import Pose
from sensorium.motion import (
    Attached,
    Ballistic,
    Fixed,
    Motion,
    MotionSettings,
    Playback,
    Spinning,
    Spline,
)

CAR = Spline.through([(0, 0, 0), (10, 1, 0), (20, 8, 1), (20, 20, 2)], 9.0)


@pytest.fixture(scope="module")
def examples(tmp_path_factory) -> dict[type, Motion]:
    path = tmp_path_factory.mktemp("records") / "a.tum"
    path.write_text("".join(f"{0.5 * n} {n} {n % 3} 0 0 0 {np.sin(n / 5)} {np.cos(n / 5)}\n" for n in range(9)))
    motions = [
        Fixed(pose=Pose.at(1, 2, 3, 0.5)),
        CAR,
        Playback(file=path),
        Ballistic(position_m=(0, 0, 1), velocity_m_s=(1, 2, 3), angular_velocity_rad_s=(4, 5, 6), radius_m=0.1),
        Spinning(angular_velocity_rad_s=(1, 2, 3)),
        Attached(parent=CAR, T_parent_child=Pose.at(1, 0, 0), motion=Spinning(angular_velocity_rad_s=(0, 20, 0))),
    ]
    return {type(motion): motion for motion in motions}


KINDS = members(MotionSettings)


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__name__)
def motion(request, examples) -> Any:
    return examples[request.param]


@pytest.mark.parametrize("shape", [(), (1,), (7,), (3, 4), (0,), (2, 0)])
def test_answers_have_the_shape_of_the_times(motion, shape):
    """Times [...] give positions [..., 3], quaternions [..., 4] and rates [..., 3], also for one time and for none."""
    times = np.arange(int(np.prod(shape)), dtype=np.int64).reshape(shape) * 10**8
    k = motion.kinematics_at(times)
    vectors = [getattr(k, field.name) for field in dataclasses.fields(k)[1:]]
    assert [vector.shape for vector in vectors] == [(*shape, 3)] * 4
    for pose in (k.pose, motion.pose_at(times)):
        assert np.broadcast_shapes(pose.position_m.shape, (*shape, 3)) == (*shape, 3)
        assert pose.shape == shape


def test_pose_alone_is_the_pose_of_the_kinematics(motion):
    """pose_at and kinematics_at speak of one pose, at one time as among many, before, in and after the movement."""
    times = np.linspace(-2e9, 9e9, 40).astype(np.int64)
    k, poses = motion.kinematics_at(times), motion.pose_at(times)
    assert np.abs(k.pose.position_m - poses.position_m).max() < 1e-12
    assert np.abs(k.pose.quaternion - poses.quaternion).max() < 1e-12
    for number in (0, 20, 39):
        one = motion.pose_at(times[number])
        assert np.abs(one.position_m - poses.position_m[number]).max() < 1e-12
        assert np.abs(one.quaternion - poses.quaternion[number]).max() < 1e-12


def test_a_batch_is_its_members(motion):
    """poses_of(motions)[i] is motions[i].pose_at for each, and kinematics_of(motions)[i] is motions[i].kinematics_at."""
    other = dataclasses.replace(motion)
    times = np.linspace(-2e9, 9e9, 9).astype(np.int64)
    batch = type(motion).poses_of([motion, other, motion], times)
    assert batch.shape == (3, 9)
    alone = motion.pose_at(times)
    assert np.abs(batch.position_m - alone.position_m).max() < 1e-12
    assert np.abs(batch.quaternion - alone.quaternion).max() < 1e-12
    batch, alone = type(motion).kinematics_of([motion, other, motion], times), motion.kinematics_at(times)
    for field in dataclasses.fields(alone)[1:]:
        assert np.abs(getattr(batch, field.name) - getattr(alone, field.name)).max() < 1e-12
    assert np.abs(batch.pose.position_m - alone.pose.position_m).max() < 1e-12


def test_rates_are_derivatives(motion):
    """Velocity, acceleration, angular velocity and acceleration are the derivatives of the pose."""
    corners = [waypoint.time_s * 1e9 for waypoint in CAR.waypoints]
    if isinstance(motion, Playback):
        corners = [n * 5e8 for n in range(9)]
    if isinstance(motion, Ballistic):
        corners = motion._table.start_s * 1e9
    assert_kinematics(motion, np.linspace(1e7, 4.1e9, 30).astype(np.int64), np.rint(corners), elapsed_s=5)


def test_times_are_not_written(motion):
    """Neither the times nor the answers of before change when a motion is asked."""
    times = np.arange(5) * 10**9
    first = motion.pose_at(times).position_m.copy()
    motion.kinematics_at(times)
    assert times.tolist() == [0, 10**9, 2 * 10**9, 3 * 10**9, 4 * 10**9]
    assert (motion.pose_at(times).position_m == first).all()


def test_is_frozen_and_can_be_written_in_a_document(motion):
    """A motion cannot be changed, and build(MotionSettings, to_document(motion)) == motion."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        motion.type = "other"
    assert build(MotionSettings, to_document(motion)) == motion


def test_what_does_not_move_says_so(motion):
    """moves is False only if the pose is the same at all times."""
    poses = motion.pose_at(np.linspace(-1e9, 9e9, 50).astype(np.int64))
    same = np.ptp(poses.position_m, axis=0).max() == 0 and np.ptp(poses.quaternion, axis=0).max() == 0
    assert motion.moves != same
