"""Carried bodies: composition of poses, and the formulas of relative motion against numerical differentiation."""

import numpy as np
import pytest
from differentiation import assert_kinematics

from sensorium.core.configuration import build, to_document
from sensorium.core.errors import ConfigurationError
from sensorium.core.pose import Pose
from sensorium.motion import Attached, AtWaypoints, Fixed, MotionSettings, Spinning, Spline, Waypoint

MOUNT = Pose.from_rpy((1.2, -0.8, 0.3), (0.2, -0.1, 0.7))


def tumbling(seed: int) -> Spline:
    rng = np.random.default_rng(seed)
    waypoints = [
        Waypoint(time_s=float(t), position_m=tuple(rng.normal(size=3)), rpy_rad=tuple(rng.uniform(-0.7, 0.7, 3)))
        for t in range(8)
    ]
    return Spline(waypoints=waypoints, orientation=AtWaypoints())


@pytest.mark.parametrize(
    "motion",
    [
        Attached(parent=tumbling(1), T_parent_child=MOUNT),
        Attached(parent=tumbling(1), T_parent_child=MOUNT, motion=Spinning(angular_velocity_rad_s=(0, 40, 3))),
        Attached(parent=tumbling(1), T_parent_child=MOUNT, motion=tumbling(2)),
        Attached(parent=Attached(parent=tumbling(3), motion=tumbling(4)), motion=tumbling(5)),
    ],
    ids=["fixed", "wheel", "slide", "chain"],
)
def test_relative_motion(motion):
    """Velocity with w x r, acceleration with Euler, centripetal and Coriolis terms, added spins are derivatives."""
    times = (np.linspace(0.1, 6.9, 60) * 1e9).astype(np.int64)
    assert_kinematics(motion, times, np.arange(8) * 10**9, elapsed_s=7)


def test_poses_are_chained():
    """T_world_child = T_world_parent T_parent_child T_child's own, for one and for a batch that shares parents."""
    parent, other = tumbling(1), tumbling(2)
    wheels = [Spinning(angular_velocity_rad_s=(0, 10.0 * n, 0), pose=Pose.at(n, 0, 0)) for n in range(4)]
    motions = [
        Attached(parent=parent if n % 2 else other, T_parent_child=MOUNT, motion=w) for n, w in enumerate(wheels)
    ]
    motions.append(Attached(parent=Fixed(pose=MOUNT)))
    times = np.linspace(-1e9, 8e9, 23).astype(np.int64)
    batch = Attached.poses_of(motions, times)
    for number, motion in enumerate(motions):
        wanted = motion.parent.pose_at(times) @ motion.T_parent_child @ motion.motion.pose_at(times)
        alone = motion.pose_at(times)
        for found in (alone, batch[number]):
            assert np.abs(found.position_m - wanted.position_m).max() < 1e-13
            assert np.abs(np.abs(np.sum(found.quaternion * wanted.quaternion, -1)) - 1).max() < 1e-14
    assert motions[0].moves
    assert not motions[-1].moves


def test_can_be_written_in_a_document():
    """Motions inside motions are read from settings with their types, and what is wrong there is told."""
    settings = {
        "type": "attached",
        "parent": {
            "type": "attached",
            "parent": {"type": "fixed"},
            "motion": {"type": "spinning", "angular_velocity_rad_s": [0, 0, "10 deg/s"]},
        },
        "T_parent_child": {"position_m": [1, 0, 0]},
    }
    motion = build(MotionSettings, settings)
    assert isinstance(motion.parent.motion, Spinning)
    assert build(MotionSettings, to_document(motion)) == motion
    settings["parent"]["motion"]["type"] = "spining"
    with pytest.raises(ConfigurationError, match=r"parent.*'spining' is not known. Did you mean 'spinning'"):
        build(MotionSettings, settings)
    with pytest.raises(ConfigurationError, match="parent"):
        Attached(parent=3)
