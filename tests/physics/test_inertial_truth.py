"""Without noise an IMU reads what mechanics says of its place, against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from inertial_records import FIELD_T, joined, record

from sensorium.core.pose import Pose
from sensorium.core.units import STANDARD_GRAVITY_M_S2 as G
from sensorium.motion.fixed import Fixed
from sensorium.motion.motion import Kinematics, Motion
from sensorium.motion.spinning import Spinning
from sensorium.motion.spline import Spline
from sensorium.scene.scene import Scene
from sensorium.sensors import Imu

NINE_AXES = {"accelerometer": {}, "gyroscope": {}, "magnetometer": {}}


class Helix(Motion):
    """A body on a helix, turned about the vertical with its angle: every derivative in closed form."""

    radius_m, rate_rad_s, climb_m_s = 3.0, 2.0, 0.5

    def pose_at(self, times_ns):
        return self.kinematics_at(times_ns).pose

    def kinematics_at(self, times_ns):
        t = np.asarray(times_ns) * 1e-9
        angle, w, r, zero = self.rate_rad_s * t, self.rate_rad_s, self.radius_m, 0 * t
        c, s = np.cos(angle), np.sin(angle)
        quaternion = np.stack((np.cos(angle / 2), zero, zero, np.sin(angle / 2)), -1)
        return Kinematics(
            Pose(np.stack((r * c, r * s, self.climb_m_s * t), -1), quaternion),
            np.stack((-r * w * s, r * w * c, zero + self.climb_m_s), -1),
            np.stack((zero, zero, zero + w), -1),
            np.stack((-r * w * w * c, -r * w * w * s, zero), -1),
            np.zeros((*t.shape, 3)),
        )


def test_at_rest_it_reads_gravity_upwards():
    """f = -F^-1 g: +9.81 on the axis that points up, however the IMU lies (REP 145)."""
    for rpy, expected in (((0, 0, 0), (0, 0, G)), ((math.pi / 2, 0, 0), (0, G, 0)), ((0, math.pi / 2, 0), (-G, 0, 0))):
        (sample,) = record(Imu(rate_hz=100.0, **NINE_AXES), 1, mount=Pose.from_rpy((1, 2, 3), rpy))
        assert sample.specific_force_m_s2[0] == pytest.approx(expected, abs=1e-14)
        assert sample.angular_velocity_rad_s[0] == pytest.approx((0, 0, 0), abs=0)


def test_in_free_fall_it_reads_nothing():
    """f = a - g = 0 where the carrier falls as everything does; gravity is that of the scene."""
    scene = Scene(gravity_m_s2=(0.0, 0.0, 0.0))
    (sample,) = record(Imu(rate_hz=100.0, accelerometer={}), 1, scene=scene)
    assert sample.specific_force_m_s2[0] == pytest.approx((0, 0, 0), abs=0)


def test_turning_body_reads_towards_the_axis():
    """At offset r from the axis of a body that turns at w: f = -w^2 r (towards the axis) + g upwards; gyroscope w."""
    w, r = 3.0, 0.4
    motion = Spinning(angular_velocity_rad_s=(0, 0, w))
    imu = Imu(rate_hz=100.0, accelerometer={"pose": Pose.at(r / 2, 0, 0)}, gyroscope={})
    readings = record(imu, 50, motion, mount=Pose.at(r / 2, 0, 0.2))
    np.testing.assert_allclose(joined(readings, "specific_force"), np.tile((-w * w * r, 0, G), (50, 1)), atol=1e-12)
    np.testing.assert_allclose(joined(readings), np.tile((0, 0, w), (50, 1)), atol=1e-12)


def test_turned_instruments_read_in_their_own_axes():
    """u = F^-1 w with F = F_body F_mount F_instrument."""
    motion = Fixed(pose=Pose.from_rpy((0, 0, 0), (0.3, -0.2, 0.9)))
    mount, own = Pose.from_rpy((1, 0, 0), (0.1, 0.2, -2.0)), Pose.from_rpy((0, 1, 0), (-1.0, 0.5, 0.3))
    (sample,) = record(
        Imu(rate_hz=10.0, accelerometer={"pose": own}, magnetometer={"pose": own}), 1, motion, mount=mount
    )
    back = (motion.pose @ mount @ own).inverse()
    assert sample.specific_force_m_s2[0] == pytest.approx(back.rotate(np.array((0, 0, G))), abs=1e-13)
    assert sample.flux_density_t[0] == pytest.approx(back.rotate(np.array(FIELD_T)), abs=1e-18)


def test_on_a_helix():
    """On a helix the centripetal force points to the axis: f = (-(R + x) w^2, 0, g) in the body frame for an offset x."""
    (sample,) = record(Imu(rate_hz=200.0, readings=400, accelerometer={"pose": Pose.at(0.5, 0, 0.1)}), 1, Helix())
    expected = np.tile((-(3.0 + 0.5) * 4.0, 0, G), (400, 1))
    np.testing.assert_allclose(sample.specific_force_m_s2, expected, atol=1e-12)


def test_offset_instruments_feel_what_their_place_does():
    """On a tumbling spline the force at an offset is the second derivative of the offset's own path minus gravity.

    The path is differentiated numerically by central differences of fourth order with h = 1 ms: h^4 x^(6)/90 and rounding
    8 eps x / h^2 = 2e-8 leave 1e-6.
    """
    waypoints = [
        {"time_s": t, "position_m": p, "rpy_rad": a}
        for t, p, a in ((0, (0, 0, 0), (0, 0, 0)), (1, (2, 1, 0), (0.4, 0.3, 1.0)), (2, (3, 3, 1), (-0.5, 0.2, 2.0)),
                        (3, (1, 2, 0), (0.1, -0.6, 0.5)))
    ]  # fmt: skip
    motion = Spline(waypoints=waypoints, orientation={"type": "at_waypoints"})
    mount, own, t, h = (
        Pose.from_rpy((0.3, -0.2, 0.5), (0.2, 0.1, 0.4)),
        Pose.at(0.1, 0.7, -0.3),
        1_500_000_000,
        1_000_000,
    )
    (sample,) = record(Imu(rate_hz=100.0, accelerometer={"pose": own}), 1, motion, mount=mount, phase_ns=t)
    whole = mount @ own
    path = (motion.pose_at(t + h * np.arange(-2, 3)) @ whole).position_m
    acceleration = np.array((-1, 16, -30, 16, -1)) @ path / (12 * (h * 1e-9) ** 2)
    force = (motion.pose_at(np.array(t)) @ whole).inverse().rotate(acceleration + (0, 0, G))
    assert sample.specific_force_m_s2[0] == pytest.approx(force, abs=1e-6)


def test_velocity_differences_give_the_mean_acceleration():
    """a = (v(t) - v(t - h)) / h; on a circle this is R w^2 sin(wh/2)/(wh/2), half a step back."""
    imu = Imu(rate_hz=50.0, accelerometer={}, accelerations={"type": "differences", "step_s": "10 ms"})
    (sample,) = record(imu, 1, Helix(), phase_ns=1_000_000_000)
    half = 2.0 * 0.01 / 2
    size, angle = 3.0 * 4.0 * math.sin(half) / half, -half
    assert sample.specific_force_m_s2[0] == pytest.approx(
        (-size * math.cos(angle), -size * math.sin(angle), G), abs=1e-9
    )


def test_iron_turns_with_the_vehicle():
    """u = S F^-1 B + h: over a full turn a compass without tilt draws a circle about the hard iron, stretched by the soft."""
    hard, soft = (3e-6, -2e-6, 1e-6), ((1.1, 0.02, 0), (0.02, 0.9, 0), (0, 0, 1.0))
    imu = Imu(rate_hz=100.0, readings=100, magnetometer={"hard_iron_t": hard, "soft_iron": soft})
    (sample,) = record(imu, 1, Spinning(angular_velocity_rad_s=(0, 0, 2 * math.pi)))
    circle = (sample.flux_density_t - hard) @ np.linalg.inv(soft).T
    assert np.hypot(circle[:, 0], circle[:, 1]) == pytest.approx(math.hypot(*FIELD_T[:2]), rel=1e-12)
    assert sample.flux_density_t.mean(0) == pytest.approx((3e-6, -2e-6, 1e-6 + FIELD_T[2]), abs=1e-17)
