"""Targets whose motion and measurements are exactly what a filter assumes, drawn from a seed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sensorium.core.pose import Pose
from sensorium.tracking.measurement_models import MeasurementModel
from sensorium.tracking.measurements import Measurements
from sensorium.tracking.motion_models import MotionModel

STEP_NS = 100_000_000
SENSOR = Pose.from_rpy((0.3, -0.2, 1.1), (0.02, -0.05, 0.4))


def transition(model: MotionModel, dt: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """F [n, n], u [n] and Q [n, n] over all axes, written out by hand."""
    order = model.order
    f, u, q = np.zeros((3 * order,) * 2), np.zeros(3 * order), np.zeros((3 * order,) * 2)
    for axis in range(3):
        block = slice(axis * order, (axis + 1) * order)
        if model.type == "wiener_acceleration":
            s = model.jerk_density_m2_s5[axis]
            f[block, block] = [[1, dt, dt**2 / 2], [0, 1, dt], [0, 0, 1]]
            q[block, block] = s * np.array(
                [
                    [dt**5 / 20, dt**4 / 8, dt**3 / 6],
                    [dt**4 / 8, dt**3 / 3, dt**2 / 2],
                    [dt**3 / 6, dt**2 / 2, dt],
                ]
            )
            continue
        s, g = model.acceleration_density_m2_s3[axis], model.acceleration_m_s2[axis]
        part = slice(axis * order, axis * order + 2)
        f[part, part] = [[1, dt], [0, 1]]
        q[part, part] = s * np.array([[dt**3 / 3, dt**2 / 2], [dt**2 / 2, dt]])
        u[part] = g * dt**2 / 2, g * dt
        if order == 3:
            u[axis * 3 + 2], q[axis * 3 + 2, axis * 3 + 2] = g, model.acceleration_noise_m_s2**2
    return f, u, q


CARRIED = np.array([3.0, -1.0, 0.4])
"""Velocity of the sensor in the world."""


def h_of(
    model: MeasurementModel, place: np.ndarray, pose: Pose = SENSOR, velocity: np.ndarray | None = None,
    carried: np.ndarray = CARRIED,
) -> np.ndarray:  # fmt: skip
    """What a sensor at a pose measures of places [..., 3] with velocities, written out by hand."""
    x, y, z = np.moveaxis(pose.inverse().transform(place), -1, 0)
    azimuth, elevation = np.arctan2(y, x), np.arctan2(z, np.hypot(x, y))
    distance = np.sqrt(x**2 + y**2 + z**2)
    away = np.zeros(3) if velocity is None else np.asarray(velocity) - carried
    speed = ((place - pose.position_m) * away).sum(-1) / distance
    rows = {
        "position": (x, y, z),
        "cross_position": (y, z),
        "angles": (azimuth, elevation),
        "range_angles": (distance, azimuth, elevation),
        "range_angles_speed": (distance, azimuth, elevation, speed),
        "range_angle_speed": (distance, np.arcsin(y / distance), speed),
    }
    return np.stack(rows[model.type], -1)


@dataclass(frozen=True, eq=False)
class Chase:
    truth: np.ndarray
    """[B, T, n]."""
    mean: np.ndarray
    """[B, n] at time 0."""
    covariance: np.ndarray
    """[n, n] at time 0."""
    noise: np.ndarray
    """[m, m]."""
    measurements: Measurements


def chase(
    motion: MotionModel, model: MeasurementModel, noise: np.ndarray, runs: int, steps: int, seed: int,
    place: tuple[float, float, float] = (15.0, 4.0, 1.0), scale: float = 1.0,
) -> Chase:  # fmt: skip
    """Draw the truth from the prior and from the model, and measure it."""
    rng = np.random.default_rng(seed)
    order = motion.order
    mean = np.zeros(3 * order)
    mean[::order], mean[1::order] = place, (1.0, -2.0, 0.5)
    covariance = np.diag(np.tile([0.5, 0.4, 0.3][:order], 3)) * scale**2
    f, u, q = transition(motion, STEP_NS * 1e-9)
    state = rng.multivariate_normal(mean, covariance, runs)
    truth = np.empty((runs, steps, 3 * order))
    for t in range(steps):
        state = state @ f.T + u + rng.multivariate_normal(np.zeros(3 * order), q, runs)
        truth[:, t] = state
    values = h_of(model, truth[..., ::order], velocity=truth[..., 1::order]) + rng.multivariate_normal(
        np.zeros(len(noise)), noise, (runs, steps)
    )
    times = STEP_NS * np.arange(1, steps + 1)
    found = Measurements.of(model, times, values, noise, pose=SENSOR, velocity_m_s=CARRIED)
    return Chase(truth, np.tile(mean, (runs, 1)), covariance, noise, found)
