"""A constant spin against SciPy's rotations."""

import numpy as np
from differentiation import assert_kinematics
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from sensorium.core.pose import Pose
from sensorium.motion import Spinning

parts = st.floats(-200, 200)


@settings(deadline=None)
@given(st.tuples(parts, parts, parts), st.integers(-(10**10), 10**10))
def test_turns_about_the_world_axis(spin, time_ns):
    """R(t) = exp([w (t - t0)]x) R0 at a fixed place, before the start too; only the angle is rounded."""
    start = Pose.from_rpy((1, 2, 3), (0.1, 0.2, 0.3))
    motion = Spinning(angular_velocity_rad_s=spin, pose=start, start_s=1.5)
    pose = motion.pose_at(np.array(time_ns))
    since_s = (time_ns - 1_500_000_000) * 1e-9
    turned = Rotation.from_rotvec(np.array(spin) * since_s).as_matrix() @ start.matrix()[:3, :3]
    assert pose.position_m.tolist() == [1, 2, 3]
    angle = np.linalg.norm(spin) * 12
    assert np.abs(pose.matrix()[:3, :3] - turned).max() < 8 * np.finfo(float).eps * (1 + angle)


def test_rates_are_derivatives():
    """Only the angular velocity is not zero, and it is that of the pose."""
    motion = Spinning(angular_velocity_rad_s=(3, -4, 50), pose=Pose.at(1, 2, 3, 0.5))
    assert_kinematics(motion, np.arange(-5, 5) * 10**9, elapsed_s=5)
    assert motion.moves
    assert not Spinning(angular_velocity_rad_s=(0, 0, 0)).moves


def test_epoch_times_lose_nothing():
    """A start 1.7e9 s after zero turns as one at zero: times are subtracted as integers."""
    near = Spinning(angular_velocity_rad_s=(0, 0, 100))
    far = Spinning(angular_velocity_rad_s=(0, 0, 100), start_s=1.7e9)
    times = np.arange(0, 10**9, 12_345_679)
    assert (near.pose_at(times).quaternion == far.pose_at(times + 1_700_000_000 * 10**9).quaternion).all()
