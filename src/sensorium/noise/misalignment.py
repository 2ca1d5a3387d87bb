"""Misalignment: the triad as a whole is turned a little in its housing."""

from __future__ import annotations

from typing import Literal

import numpy as np

from sensorium.core.configuration import configured
from sensorium.core.pose import Pose
from sensorium.core.units import Angles3
from sensorium.noise.fault import Fault, Floats, Operation, Step


@configured
class Misalignment(Fault):
    """u' = R^-1 u, R the rotation by roll, pitch and yaw about the fixed axes (REP 103) from housing to triad."""

    type: Literal["misalignment"] = "misalignment"
    rpy_rad: Angles3

    def _matrix(self) -> Floats:
        return np.asarray(Pose.from_rpy((0, 0, 0), self.rpy_rad).matrix()[:3, :3].T)

    def steps(self, rate_hz: float) -> tuple[Step, ...]:
        """Return the product."""
        return (Step(Operation.AFFINE, tuple(self._matrix().ravel().tolist())),)

    def covariance(self, before: Floats, rate_hz: float) -> Floats:
        """Turn what comes in."""
        matrix = self._matrix()
        return np.asarray(matrix @ before @ matrix.T)
