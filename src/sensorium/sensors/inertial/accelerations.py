"""Where accelerations come from: the motion's own derivatives, or differences of its velocities."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from sensorium.core.configuration import configured
from sensorium.core.time import NANOSECONDS_PER_SECOND, Times, nanoseconds
from sensorium.core.units import PositiveSeconds
from sensorium.motion.motion import Kinematics, Motion


@configured
class TrueDerivatives:
    """The motion knows its accelerations: polynomials, springs, an engine's equations of motion."""

    type: Literal["true"] = "true"

    def kinematics(self, carrier: Motion, times_ns: Times, rate_hz: float) -> Kinematics:
        """Return how the carrier moves at times [N]."""
        return carrier.kinematics_at(times_ns)


@configured
class VelocityDifferences:
    """a = (v(t) - v(t - step)) / step, dw/dt likewise: for engines that know only velocities.

    The result is the mean over the step, so that it lags by half of it.
    """

    type: Literal["differences"] = "differences"
    step_s: PositiveSeconds | None = None
    """None: the time between two readings."""

    def kinematics(self, carrier: Motion, times_ns: Times, rate_hz: float) -> Kinematics:
        """Return how the carrier moves at times [N]; before the scenario it has not moved."""
        step_ns = round(NANOSECONDS_PER_SECOND / rate_hz) if self.step_s is None else nanoseconds(self.step_s)
        now = carrier.kinematics_at(times_ns)
        before = carrier.kinematics_at(np.maximum(np.asarray(times_ns) - step_ns, 0))
        per_s = NANOSECONDS_PER_SECOND / step_ns
        return replace(
            now,
            acceleration_m_s2=(now.velocity_m_s - before.velocity_m_s) * per_s,
            angular_acceleration_rad_s2=(now.angular_velocity_rad_s - before.angular_velocity_rad_s) * per_s,
        )
