"""Dead reckoning against ways that are known in closed form."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sensorium.core.errors import RecordingError
from sensorium.core.pose import Pose
from sensorium.evaluation.dead_reckoning import drift_of, inertial_track, readings_of, wheel_track
from sensorium.samples import ImuSample, OdometerReading, Stamp, TriaxialReadings, TruthSample

SPEED, RADIUS, START = 8.0, 20.0, Pose.at(3, -2, 0, 0.6)
G = 9.80665


def circle(mount: Pose, seconds: float = 10.0, bias: float = 0.0, rest_s: float = 0.0, odometers: int = 1):
    """Samples of a body that stands for a while, then drives a circle with constant speed: truth, odometers, IMU."""
    rate = SPEED / RADIUS

    def heading(t):
        return 0.6 + rate * np.maximum(t - rest_s, 0)

    samples = []
    for n in range(int(seconds * 50) + 1):
        t = n / 50
        psi, moves = float(heading(t)), t >= rest_s
        place = (3 + RADIUS * (math.sin(psi) - math.sin(0.6)), -2 - RADIUS * (math.cos(psi) - math.cos(0.6)), 0.0)
        velocity = SPEED * moves * np.array([[math.cos(psi), math.sin(psi), 0]])
        body = Pose.at(*place, psi)
        samples.append(
            TruthSample(
                stamp=Stamp("truth", n, n * 20_000_000, n * 20_000_000), names=("car",), labels=("car",), pose=body[None],
                velocity_m_s=velocity, angular_velocity_rad_s=np.array([[0, 0, rate * moves]]),
                acceleration_m_s2=np.zeros((1, 3)), box_centre_m=np.zeros((1, 3)), box_size_m=np.ones((1, 3)),
            )
        )  # fmt: skip
        for k in range(odometers):
            distance = SPEED * max(t - rest_s, 0) * (1 + 0.1 * (k - (odometers - 1) / 2))
            stamp = Stamp(f"odometer_{k}", n, n * 20_000_000, n * 20_000_000)
            samples.append(
                OdometerReading(
                    stamp=stamp, body="car", distance_m=np.array([distance]), speed_m_s=np.array([SPEED]),
                    distance_variance_m2=1e-8, speed_variance_m2_s2=1e-4,
                )
            )  # fmt: skip
    times = np.arange(0, seconds, 0.0025)
    moves = (times >= rest_s)[:, None]
    spin = rate * moves * np.array([0, 0, 1.0]) + bias
    lever = mount.position_m
    force = moves * (np.array([0, SPEED * rate, 0]) + np.cross([0, 0, rate], np.cross([0, 0, rate], lever))) + [0, 0, G]
    back = mount.inverse()
    time_ns = np.rint(times * 1e9).astype(np.int64)
    samples.append(
        ImuSample(
            stamp=Stamp("imu", 0, 0, int(time_ns[-1])),
            specific_force=TriaxialReadings(
                time_ns=time_ns, values=back.rotate(force) + 3 * bias, covariance=np.eye(3)
            ),
            angular_velocity=TriaxialReadings(time_ns=time_ns, values=back.rotate(spin), covariance=np.eye(3)),
        )
    )
    return samples


MOUNTS = [Pose.identity(), Pose.from_rpy((1.2, -0.4, 0.5), (0.3, -0.2, 1.0))]


@pytest.mark.parametrize("mount", MOUNTS)
def test_circle_by_wheels(mount):
    """Arcs follow a circle: nothing is lost but what straight lines between truth samples cost, v w T^2 / 8."""
    readings = readings_of(circle(mount), "car")
    drift = drift_of(wheel_track(readings, mount), readings.truth)
    assert drift.way_m == pytest.approx(80, abs=0.3)
    assert drift.error_m.max() < SPEED * SPEED / RADIUS * 0.02**2 / 8 + 1e-6


@pytest.mark.parametrize("mount", MOUNTS)
def test_circle_by_inertia(mount):
    """A centripetal force of v^2 / r, turned and integrated twice: trapezoids err by t a w^2 T^2 / 12 in velocity."""
    readings = readings_of(circle(mount), "car")
    drift = drift_of(inertial_track(readings, mount), readings.truth)
    assert drift.error_m.max() < 2e-3


def test_bias_of_the_gyroscope():
    """A rate error b on a straight-out drive turns the way by b t: on a circle the error after one turn is known too.

    dp/dt = v (cos(psi + b t), sin(psi + b t)): integrated in closed form and compared.
    """
    bias = 0.01
    readings = readings_of(circle(Pose.identity(), bias=bias), "car")
    track = wheel_track(readings, Pose.identity())
    rate, t = SPEED / RADIUS + bias, 9.9
    x = 3 + SPEED / rate * (math.sin(0.6 + rate * t) - math.sin(0.6))
    y = -2 - SPEED / rate * (math.cos(0.6 + rate * t) - math.cos(0.6))
    np.testing.assert_allclose(track.at(np.array([9_900_000_000]))[0, :2], [x, y], atol=0.003)


def test_instruments_are_zeroed_at_rest():
    """Two seconds of rest take the biases away: of the gyroscope, and of the accelerometer."""
    readings = readings_of(circle(Pose.identity(), seconds=12, bias=0.01, rest_s=2.0), "car")
    assert readings.rest_ns == pytest.approx(2e9, abs=5e7)
    assert drift_of(wheel_track(readings, Pose.identity()), readings.truth).final_m < 0.05
    still = readings_of(circle(Pose.identity(), seconds=12, bias=0.01, rest_s=20.0), "car")
    assert drift_of(inertial_track(still, Pose.identity()), still.truth).final_m < 1e-6


def test_mean_of_two_wheels():
    """The middle of an axle goes the mean way of its wheels."""
    readings = readings_of(circle(Pose.identity(), odometers=2), "car")
    assert drift_of(wheel_track(readings, Pose.identity()), readings.truth).final_m < 0.01
    outer = readings_of(circle(Pose.identity(), odometers=2), "car", odometers=("odometer_1",))
    assert outer.way[1][-1] == pytest.approx(84, abs=0.01)


def test_what_is_missing():
    samples = circle(Pose.identity())
    with pytest.raises(RecordingError, match=r"no truth of a body 'cat'\. Did you mean 'car'"):
        readings_of(samples, "cat")
    with pytest.raises(RecordingError, match=r"no odometer 'odometer_7'\. Did you mean 'odometer_0'"):
        readings_of(samples, "car", odometers=("odometer_7",))
    alone = readings_of([one for one in samples if not isinstance(one, ImuSample)], "car")
    with pytest.raises(RecordingError, match="needs a gyroscope"):
        wheel_track(alone, Pose.identity())
