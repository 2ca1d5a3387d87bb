"""Tracks of keys: between the keys a kernel finds the pose of the motion within the stated tolerances."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sensorium.core.errors import MotionError
from sensorium.core.pose import Pose
from sensorium.core.time import TimeWindow
from sensorium.motion import (
    AtRest,
    Attached,
    AtWaypoints,
    Ballistic,
    Closed,
    Fixed,
    Kinematics,
    Motion,
    Spinning,
    Spline,
    Waypoint,
)
from sensorium.motion.track import POSITION_TOLERANCE_M, ROTATION_TOLERANCE_RAD, PoseTrack

ROUNDED_NS = 0.5  # keys are evaluated at whole nanoseconds


def between(track: PoseTrack, times_ns) -> tuple[np.ndarray, np.ndarray]:
    """Return position and quaternion as a kernel makes them: cubic Hermite, and the normalised mix of neighbours."""
    keys = len(track.position_m)
    place = (times_ns - track.window.start_ns) / track.window.duration_ns * (keys - 1)
    i = np.clip(np.floor(place).astype(int), 0, keys - 2)
    f = (place - i)[:, None]
    p, m, q = track.position_m, track.step_m, track.quaternion
    here, ahead = (1 + 2 * f) * (1 - f) ** 2, f**2 * (3 - 2 * f)
    position = here * p[i] + ahead * p[i + 1] + f * (1 - f) ** 2 * m[i] - f**2 * (1 - f) * m[i + 1]
    mixed = (1 - f) * q[i] + f * q[i + 1]
    return position, mixed / np.linalg.norm(mixed, axis=1, keepdims=True)


def errors(motion: Motion, window: TimeWindow) -> tuple[float, float, float, int]:
    """Return the largest errors in position and angle, the fastest spin, and the number of keys."""
    track = PoseTrack.over(window, motion.kinematics_at)
    times = np.linspace(window.start_ns, window.end_ns, 20_011).astype(np.int64)
    position, quaternion = between(track, times)
    k = motion.kinematics_at(times)
    sign = np.sign(np.sum(quaternion * k.pose.quaternion, 1, keepdims=True))
    angle = 2 * np.linalg.norm(sign * quaternion - k.pose.quaternion, axis=1)
    spin = np.linalg.norm(k.angular_velocity_rad_s, axis=1).max()
    return np.linalg.norm(position - k.pose.position_m, axis=1).max(), angle.max(), spin, len(track.position_m)


def assert_followed(motion: Motion, window: TimeWindow, share: float = 1.0) -> int:
    """Return the number of keys; the estimates of the errors are leading terms, whence a margin of a tenth."""
    off_m, off_rad, spin, keys = errors(motion, window)
    rounded_rad = spin * ROUNDED_NS * 1e-9
    assert off_m < 1.1 * share * POSITION_TOLERANCE_M * 3**0.5 + rounded_rad * 10
    assert off_rad < 1.1 * share * ROTATION_TOLERANCE_RAD + rounded_rad + 1e-15
    return keys


def tumbling(seed: int) -> Spline:
    rng = np.random.default_rng(seed)
    waypoints = [
        Waypoint(time_s=float(t), position_m=tuple(rng.normal(size=3)), rpy_rad=tuple(rng.uniform(-0.7, 0.7, 3)))
        for t in range(6)
    ]
    return Spline(waypoints=waypoints, orientation=AtWaypoints(), ends=AtRest())


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**9), st.integers(0, 4_900_000_000), st.integers(1, 10**8))
def test_smooth_motions_are_followed(seed, start_ns, length_ns):
    """A C2 motion that tumbles with a few rad/s stays within 1e-6 m and 1e-7 rad, whatever window of up to 0.1 s."""
    keys = assert_followed(tumbling(seed), TimeWindow(start_ns, start_ns + length_ns))
    assert keys <= 1025


@settings(max_examples=25, deadline=None)
@given(st.floats(0.1, 150.0), st.integers(10**6, 10**8), st.floats(0, 2.0))
def test_steady_turns_are_followed(spin_rad_s, length_ns, lever_m):
    """An even turn, which mixed quaternions follow exactly at the middle of an interval, is followed elsewhere too."""
    motion = Attached(
        parent=Spinning(angular_velocity_rad_s=(0.3, -0.2, spin_rad_s)), T_parent_child=Pose.at(lever_m, 0, 0.1)
    )
    assert_followed(motion, TimeWindow(7, 7 + length_ns))


def test_headings_that_pass_south_are_followed():
    """A quaternion and its negative are one rotation: where the yaw passes from pi to -pi the mix stays short."""
    angle = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    round_the_block = Spline.through(
        np.stack((5 * np.cos(angle), 5 * np.sin(angle), 0 * angle), -1), 5.0, ends=Closed()
    )
    for start in range(0, 6 * 10**9, 10**8):
        assert_followed(round_the_block, TimeWindow(start, start + 10**8))


@pytest.mark.parametrize("turns", [1, 2, 4, 8, 16])
def test_whole_turns_are_not_taken_for_rest(turns):
    """A wheel that makes whole turns between keys is not mistaken for one that stands still."""
    motion = Spinning(angular_velocity_rad_s=(0, 0, 2 * np.pi * turns / 0.1))
    off_m, off_rad, spin, _ = errors(motion, TimeWindow(0, 10**8))
    assert off_m == 0
    assert off_rad < 2 * ROTATION_TOLERANCE_RAD + spin * ROUNDED_NS * 1e-9


class Shaking(Motion):
    """Swings along x with whole periods between the first keys."""

    def pose_at(self, times_ns):
        return self.kinematics_at(times_ns).pose

    def kinematics_at(self, times_ns):
        w = 2 * np.pi / 0.0125
        t = np.asarray(times_ns)[..., None] * 1e-9 * [1, 0, 0]
        still = np.zeros(t.shape)
        pose = Pose(0.01 * np.sin(w * t), np.broadcast_to([1.0, 0, 0, 0], (*t.shape[:-1], 4)))
        return Kinematics(pose, 0.01 * w * np.cos(w * t) * [1, 0, 0], still, -0.01 * w * w * np.sin(w * t), still)


def test_a_swing_is_not_taken_for_rest():
    """A vibration whose period divides the distance of the keys shows in the slope between them."""
    off_m, _, _, _ = errors(Shaking(), TimeWindow(0, 10**8))
    assert off_m < 1.1 * POSITION_TOLERANCE_M


def test_a_bounce_is_followed_within_a_millimetre():
    """A jump of the velocity dv leaves h dv / 8 with the most keys: here 24 us times 7.5 m/s."""
    ball = Ballistic(position_m=(0, 0, 1.1), velocity_m_s=(1, 0, 0), angular_velocity_rad_s=(0, 3, 0), radius_m=0.1)
    off_m, off_rad, _, keys = errors(ball, TimeWindow(400_000_000, 500_000_000))
    assert keys == 4097
    assert off_m < 0.1 / 4096 * 7.6 / 8 * 1.1
    assert off_rad < 1e-4


def test_what_cannot_be_followed_is_refused():
    """A heading that jumps by half a turn, where a path turns back, is told."""
    there_and_back = Spline(
        waypoints=[Waypoint(time_s=t, position_m=(x, 0, 0)) for t, x in ((0, 0), (1, 5), (2, 0))],
    )
    with pytest.raises(MotionError, match="jumps"):
        PoseTrack.over(TimeWindow(950_000_000, 1_050_000_000), there_and_back.kinematics_at)


def test_still_things_have_one_key():
    """What does not move, or a window without length, is one key."""
    assert len(PoseTrack.over(TimeWindow(0, 10**8), Fixed().kinematics_at, moves=False).position_m) == 1
    assert len(PoseTrack.over(TimeWindow(5, 5), tumbling(1).kinematics_at).position_m) == 1
    assert len(PoseTrack.over(TimeWindow(0, 10**8), Fixed().kinematics_at).position_m) == 3
