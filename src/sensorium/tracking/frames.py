"""Beliefs seen from a vehicle."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sensorium.core.pose import Pose
from sensorium.tracking.gaussian import Gaussian


def seen_from(belief: Gaussian, pose: Pose, velocity_m_s: NDArray[np.float64] | None = None) -> Gaussian:
    """Return world states in the frame of a vehicle at T_world_vehicle: places, velocities and accelerations in its axes.

    With a velocity [3] of the vehicle the velocities are apparent ones, of a vehicle that does not turn.
    """
    order, count = belief.order, len(belief)
    rotation = pose.matrix()[:3, :3].T
    turn = np.kron(rotation, np.eye(order))
    mean = belief.mean.reshape(count, 3, order).copy()
    mean[:, :, 0] -= pose.position_m
    if velocity_m_s is not None:
        mean[:, :, 1] -= velocity_m_s
    return Gaussian(belief.time_ns, mean.reshape(count, 3 * order) @ turn.T, turn @ belief.covariance @ turn.T)
