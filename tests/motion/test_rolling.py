"""A wheel turns by its vehicle's way."""

import numpy as np
from worlds import Gliding

from sensorium.core.pose import Pose
from sensorium.motion import Spline
from sensorium.motion.rolling import Rolling

TIMES_NS = np.array([0, 1_234_567_890, 5_000_000_000])


def test_constant_speed():
    """u = v t / R."""
    wheel = Rolling(Gliding(Pose.identity(), (3.0, 4.0, 0.0)), radius_m=0.5, end_s=10.0)
    found = wheel.kinematics_at(TIMES_NS)
    np.testing.assert_allclose(found.position, TIMES_NS * 1e-9 * 5 / 0.5, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found.velocity, 10.0)
    np.testing.assert_allclose(found.acceleration, 0.0, atol=1e-9)


def test_rate_and_acceleration_are_derivatives():
    """Differences of the angle on a winding way that speeds up: to the step of the table."""
    way = Spline.through(np.array([[0, 0, 0], [20, 3, 0], [60, -4, 1], [80, 0, 0]], float), speed_m_s=8.0)
    wheel = Rolling(way, radius_m=0.3, end_s=9.0)
    h = 5_000_000
    at = np.arange(1, 8) * 1_000_000_000
    before, now, after = (wheel.kinematics_at(at + k * h) for k in (-1, 0, 1))
    np.testing.assert_allclose((after.position - before.position) / 0.01, now.velocity, rtol=1e-3)
    np.testing.assert_allclose((after.velocity - before.velocity) / 0.01, now.acceleration, atol=2e-2)


def test_it_stands_still_outside_its_span():
    wheel = Rolling(Gliding(Pose.identity(), (1.0, 0.0, 0.0)), radius_m=1.0, end_s=2.0)
    found = wheel.kinematics_at(np.array([3_000_000_000]))
    np.testing.assert_allclose((found.position[0], found.velocity[0]), (2.0, 0.0), rtol=1e-12)
