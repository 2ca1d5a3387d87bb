"""Odometers: distance, binning, noise, speed, and the variances that they tell of themselves."""

from __future__ import annotations

import math

import numpy as np
import pytest
from joints import Accelerating, readings

from sensorium.core.errors import SceneError
from sensorium.scene.scene import Scene
from sensorium.sensors.odometer import Odometer

STEP = math.radians(3.75)


def test_distance() -> None:
    """R u_res floor(u / u_res), forwards and backwards."""
    wheel = Accelerating(0.2, 6.0, -3.0)
    samples = readings(Odometer(joint="joint", wheel_radius_m=0.3, resolution_rad=STEP), wheel, 100)
    time_ns = np.array([sample.stamp.time_ns for sample in samples])
    wanted = 0.3 * STEP * np.floor(wheel.kinematics_at(time_ns).position / STEP)
    np.testing.assert_allclose([sample.distance_m[0] for sample in samples], wanted, atol=1e-12)


def test_speed() -> None:
    """Without noise and bins the speed is the mean over the time between two readings."""
    samples = readings(Odometer(joint="joint", wheel_radius_m=0.3, rate_hz=20), Accelerating(0.0, 6.0, 2.0), 50)
    speeds = np.array([sample.speed_m_s[0] for sample in samples])
    np.testing.assert_allclose(speeds[1:], 0.3 * (6 + 2 * (np.arange(1, 50) - 0.5) * 0.05), rtol=1e-9)
    assert speeds[0] == 0


def test_variances_are_true() -> None:
    """The error of distance and speed has the variance of the message, within 5 sigma^2 sqrt(2 / N).

    N readings of a wheel whose speed sweeps slowly, so that its readings fall everywhere into the bins: sigma^2 +
    (R u_res)^2 / 12, and twice that over T^2 for the speed. (At one even speed the errors of neighbours are related.)
    """
    count, wheel = 6000, Accelerating(0.0, 7.123, 0.02)
    made = Odometer(joint="joint", wheel_radius_m=0.3, resolution_rad=STEP, noise_m=0.004)
    samples = readings(made, wheel, count)
    time_s = np.array([sample.stamp.time_ns for sample in samples]) * 1e-9
    error = np.array([sample.distance_m[0] for sample in samples]) - 0.3 * wheel.kinematics_at(time_s * 1e9).position
    speed = np.array([sample.speed_m_s[0] for sample in samples])[1:] - 0.3 * (7.123 + 0.02 * (time_s[1:] - 0.025))
    told = samples[0].distance_variance_m2
    assert told == pytest.approx(0.004**2 + (0.3 * STEP) ** 2 / 12)
    assert abs(error.var() - told) < 5 * told * math.sqrt(2 / count)
    assert abs(speed.var() - samples[0].speed_variance_m2_s2) < 10 * samples[0].speed_variance_m2_s2 / math.sqrt(count)


def test_wrong_joints() -> None:
    made = Odometer(joint="joint", wheel_radius_m=0.3)
    with pytest.raises(SceneError, match="'joint' is prismatic; an odometer counts the turns"):
        made.check(Scene(joints={"joint": Accelerating(kind="prismatic")}))
    with pytest.raises(SceneError, match=r"no joint 'joint' in the scene\. Did you mean 'joint_1'"):
        made.check(Scene(joints={"joint_1": Accelerating()}))
