"""Where the instruments of an IMU sit on the body that carries it, as tables for the kernels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sensorium.core.pose import Pose
from sensorium.motion.motion import Kinematics

Floats = NDArray[np.float64]


def mounting_of(T_body_imu: Pose, poses: Sequence[Pose]) -> Floats:  # noqa: N803
    """Return a row [12] per instrument: the matrix from body to instrument axes by rows, then its place on the body [m]."""
    rows = np.empty((len(poses), 12))
    for row, pose in zip(rows, poses, strict=True):
        matrix = (T_body_imu @ pose).matrix()
        row[:9], row[9:] = matrix[:3, :3].T.ravel(), matrix[:3, 3]
    return rows


def packed(motion: Kinematics, count: int) -> Floats:
    """Return the motion of a body as one table [count, 16] of the layout that the kernels read: whatever memory its
    vectors share or stride over, the kernel is compiled once.

    Columns: place 0:3, quaternion wxyz 3:7, angular velocity 7:10, acceleration 10:13, angular acceleration 13:16.
    """
    table = np.empty((count, 16))
    table[:, :3], table[:, 3:7] = motion.pose.position_m, motion.pose.quaternion
    table[:, 7:10], table[:, 10:13] = motion.angular_velocity_rad_s, motion.acceleration_m_s2
    table[:, 13:] = motion.angular_acceleration_rad_s2
    return table
