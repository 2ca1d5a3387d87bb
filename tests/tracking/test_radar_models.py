"""What a radar measures of a target: values and derivatives against a textbook, and filters that believe them."""

from __future__ import annotations

import numpy as np
import pytest
from chases import CARRIED, SENSOR, chase, h_of

from sensorium.core.pose import Pose
from sensorium.evaluation.consistency import band, nees
from sensorium.tracking.extended import ExtendedKalman
from sensorium.tracking.imm import InteractingModels
from sensorium.tracking.initiation import SinglePoint
from sensorium.tracking.measurement_models import Position, RangeAngleSpeed, RangeAnglesSpeed
from sensorium.tracking.measurements import Measurements
from sensorium.tracking.motion_models import ConstantVelocity, WienerAcceleration
from sensorium.tracking.particle import BootstrapParticles
from sensorium.tracking.unscented import UnscentedKalman

WIENER = WienerAcceleration(jerk_density_m2_s5=(2.0, 1.0, 3.0))
FULL, FLAT = RangeAnglesSpeed(), RangeAngleSpeed()
NOISE = {4: np.diag([0.04, 1e-4, 2e-4, 0.02]), 3: np.diag([0.04, 1e-4, 0.02])}


@pytest.mark.parametrize("model", [FULL, FLAT], ids=lambda m: m.type)
@pytest.mark.parametrize("seed", range(8))
def test_value_and_derivatives(model, seed):
    """Any place, velocity, pose and motion of the sensor: h by hand within 1e-12, its derivatives by differences within 1e-8."""
    from sensorium.tracking.measurement_kernels import jacobian, measured

    rng = np.random.default_rng(seed)
    state = np.concatenate((rng.uniform(-30, 30, 3), rng.uniform(-9, 9, 3)))
    pose = Pose.from_rpy(tuple(rng.uniform(-3, 3, 3)), tuple(rng.uniform(-1, 1, 3)))
    carried, axes = rng.uniform(-20, 20, 3), pose.matrix()[:3, :3]
    h, j = np.empty(6), np.full((12, 6), np.nan)

    def h_at(x):
        return h_of(model, x[..., :3], pose, x[..., 3:], carried)

    measured(model.code, state, pose.position_m, carried, axes, h)
    np.testing.assert_allclose(h[: model.size], h_at(state), atol=1e-12)
    jacobian(model.code, state, pose.position_m, carried, axes, j)
    step = np.eye(6) * 1e-5
    expected = (h_at(state + step) - h_at(state - step)).T / 2e-5
    np.testing.assert_allclose(j[: model.size], expected, atol=1e-8)


def test_sign_of_the_speed():
    """A thing at rest 20 m ahead of a radar that drives towards it at 10 m/s comes nearer: -10 m/s; behind it: +10 m/s."""
    from sensorium.tracking.measurement_kernels import measured

    for ahead, expected in ((20.0, -10.0), (-20.0, 10.0)):
        h = np.empty(6)
        measured(4, np.array([ahead, 0, 0, 0, 0, 0]), np.zeros(3), np.array([10.0, 0, 0]), np.eye(3), h)
        assert h[3] == pytest.approx(expected)


@pytest.mark.parametrize("filter_", [
    ExtendedKalman(motion=WIENER), UnscentedKalman(motion=WIENER), InteractingModels(models=(WIENER, WIENER), dwell_s=(1, 1)),
    InteractingModels(models=(WIENER, WIENER), dwell_s=(1, 1), point_spread=3.0)], ids=lambda f: f.type)  # fmt: skip
@pytest.mark.parametrize("model", [FULL, FLAT], ids=lambda m: m.type)
def test_filters_are_as_good_as_they_say(filter_, model):
    """Squared errors in units of the covariance after 10 steps of 150 targets: mean n, within the band of 99.9 %.

    The errors of one target are correlated in time, so that only one step of each counts. 40 m away, where an elevation that
    nobody measures does not bend range and angle much.
    """
    made = chase(WIENER, model, NOISE[model.size], 150, 10, seed=11, scale=0.5, place=(40.0, 9.0, 1.0))
    _, history = filter_.run(filter_.init(0, made.mean, made.covariance), made.measurements)
    low, high = band(9, 150, 0.999)
    found = nees(history.mean[:, -1], history.covariance[:, -1], made.truth[:, -1]).mean()
    assert low < found < high
    low, high = band(model.size, 150, 0.999)
    assert low < history.nis[:, -1].mean() < high


def test_particles_take_the_speed():
    """Ten thousand particles end within half a standard deviation of the extended filter, and know the speed as well."""
    motion = ConstantVelocity(acceleration_density_m2_s3=(8.0, 8.0, 8.0))
    made = chase(motion, FULL, 20 * NOISE[4], 3, 6, seed=5)
    exact, particles = ExtendedKalman(motion=motion), BootstrapParticles(motion=motion, particles=10_000)
    best = exact.step(exact.init(0, made.mean, made.covariance), made.measurements)
    cloud = particles.estimate(particles.step(particles.init(0, made.mean, made.covariance), made.measurements))
    sigma = np.sqrt(np.einsum("bii->bi", best.covariance))
    assert (np.abs(cloud.mean - best.mean) < 0.5 * sigma).all()


def test_short_and_long_measurements_mix():
    """A LiDAR's places beside a radar's four numbers give what places alone give, while the radar says nothing."""
    places = np.random.default_rng(1).normal((15, 4, 1), 0.1, (1, 6, 3))
    wide = np.concatenate((places, np.zeros((1, 6, 1))), -1)
    valid = np.array([[True, False] * 3])
    models = [Position(), FULL] * 3
    times = np.arange(1, 7) * 50_000_000
    filter_ = ExtendedKalman(motion=WIENER)
    start = filter_.init(0, [15, 0, 0, 4, 0, 0, 1, 0, 0], np.eye(9))
    mixed = filter_.step(start, Measurements.of(models, times, wide, np.eye(4) * 0.01, valid))
    alone = filter_.step(start, Measurements.of(Position(), times, places, np.eye(3) * 0.01, valid))
    np.testing.assert_array_equal(mixed.mean, alone.mean)


@pytest.mark.parametrize("model", [FULL, FLAT], ids=lambda m: m.type)
def test_one_measurement_starts_a_track(model):
    """The first belief agrees with the measurement: its place, and its speed along the line of sight, own motion taken out."""
    truth = np.array([[12.0, -5.0, 1.4]]), np.array([[-4.0, 2.0, 0.1]])
    value = h_of(model, truth[0], velocity=truth[1])[None]
    m = Measurements.of(model, [[0]], value, 1e-6 * np.eye(model.size), pose=SENSOR, velocity_m_s=CARRIED)
    found = SinglePoint().state(m, 3)
    line = found.position_m[0] - SENSOR.position_m
    line /= np.linalg.norm(line)
    assert line @ (found.velocity_m_s[0] - CARRIED) == pytest.approx(value[0, 0, -1], abs=1e-4)
    assert line @ found.velocity_covariance_m2_s2[0] @ line < 1e-5
    assert np.linalg.eigvalsh(found.covariance[0]).min() > 0
    if model is FULL:
        np.testing.assert_allclose(found.position_m, truth[0], atol=1e-9)
