"""Tracking the bouncing ball: filters, their start, and the errors over time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sensorium.apps.studies.bouncing_ball import POSE, BouncingBall, Throws, angular, cartesian, throws
from sensorium.evaluation.track_errors import rms
from sensorium.tracking.extended import ExtendedKalman
from sensorium.tracking.gaussian import Gaussian
from sensorium.tracking.imm import InteractingModels
from sensorium.tracking.initiation import SinglePoint
from sensorium.tracking.kalman import Kalman
from sensorium.tracking.measurements import Measurements
from sensorium.tracking.motion_models import Flight, WienerAcceleration
from sensorium.tracking.particle import BootstrapParticles
from sensorium.tracking.unscented import UnscentedKalman

Floats = NDArray[np.float64]
JERK = WienerAcceleration(jerk_density_m2_s5=(1.0, 1.0, 3000.0))
"""A bounce is 10 m/s within one sample: the vertical density weighs the error at bounces against that in flight."""
FILTERS: dict[str, Any] = {
    "kalman": Kalman(motion=JERK),
    "extended_kalman": ExtendedKalman(motion=JERK),
    "unscented_kalman": UnscentedKalman(motion=JERK),
    "interacting_models": InteractingModels(
        models=(
            Flight(acceleration_density_m2_s3=(0.01, 0.01, 0.02)),
            Flight(acceleration_density_m2_s3=(1.0, 1.0, 3000.0), acceleration_noise_m_s2=3.0),
        ),
        dwell_s=(0.8, 0.04),
    ),
    "bootstrap_particles": BootstrapParticles(motion=JERK, particles=20_000),
}
"""By name. `kalman` takes the measurements as published, the others angles."""
PRIOR = SinglePoint(range_m=18.0, range_noise_m=4.0, speed_noise_m_s=5.0, acceleration_noise_m_s2=10.0)
"""The guess of the range before the LiDAR has seen the ball is 2 m off."""
_CHUNK = 250


@dataclass(frozen=True, eq=False)
class Errors:
    """What the tracker got wrong."""

    time_s: Floats
    """[K]."""
    position_m: Floats
    """[B, K] distance of the estimated place from the true one."""
    speed_m_s: Floats
    """[B, K] length of the difference of the velocities."""
    radial_speed_m_s: Floats
    """[B, K] that of the speed along the line of sight."""
    nees: Floats
    """[B, K] of place and velocity, 6 degrees of freedom."""
    nis: Floats
    """[B, T] of all measurements."""
    true_position_m: Floats
    """[B, K, 3]."""
    true_velocity_m_s: Floats
    """[B, K, 3]."""


def start(measurements: Measurements) -> Gaussian:
    """Return the belief that the first measurement of each run makes."""
    return PRIOR.state(measurements.between(0, 1), 3)


def track(study: BouncingBall, name: str = "extended_kalman", threads: int | None = None) -> Errors:
    """Run a filter over all throws and return its errors at the times of the fastest instrument."""
    parts = list(_parts(study, name, threads))
    time_s = parts[0].time_s
    stacked = {
        field: np.concatenate([getattr(part, field) for part in parts])
        for field in (
            "position_m",
            "speed_m_s",
            "radial_speed_m_s",
            "nees",
            "nis",
            "true_position_m",
            "true_velocity_m_s",
        )
    }
    return Errors(time_s, **stacked)


def particles_beside_kalman(
    study: BouncingBall, threads: int | None = None, from_s: float = 0.3
) -> tuple[float, float]:
    """Return the RMS position errors of particles and of the extended filter, both from the same belief on [m].

    They part when the LiDAR has scanned three times: particles spread over the whole range before that would have to be
    far too many.
    """
    made = throws(study, 0, study.runs)
    measurements, cut = angular(study, made), int(np.searchsorted(made.time_ns, from_s * 1e9, "right"))
    early, late = measurements.between(0, cut), measurements.between(cut, measurements.steps)
    extended, particles = FILTERS["extended_kalman"], FILTERS["bootstrap_particles"]
    belief = extended.step(start(measurements), early)
    keep = np.arange(late.steps)
    _, exact = extended.run(belief, late, keep, threads)
    _, cloud = particles.run(particles.init(belief.time_ns, belief.mean, belief.covariance), late, keep, threads)
    truth = made.position_m[:, cut:]
    rms = [float(np.sqrt(np.mean(np.sum((one.mean[..., ::3] - truth) ** 2, -1)))) for one in (cloud, exact)]
    return rms[0], rms[1]


def _parts(study: BouncingBall, name: str, threads: int | None) -> Iterator[Errors]:
    filter_, view = FILTERS[name], cartesian if name == "kalman" else angular
    end = study.first_run + study.runs
    for first in range(study.first_run, end, _CHUNK):
        made = throws(study, first, min(first + _CHUNK, end))
        keep = _last_of_each_time(made)
        measurements = view(study, made)
        belief = start(measurements)
        state = filter_.init(belief.time_ns, belief.mean, belief.covariance)
        _, history = filter_.run(state, measurements, keep, threads)
        yield _errors(made, keep, history.mean, history.covariance, history.nis)


def _last_of_each_time(made: Throws) -> NDArray[np.int64]:
    """Return the steps after which all measurements of an instant are used, at least 15 ms apart."""
    last = np.flatnonzero(np.diff(made.time_ns, append=np.iinfo(np.int64).max) > 0)
    grid = np.unique(np.searchsorted(made.time_ns[last], np.arange(0, made.time_ns[-1] + 1, 16_666_667)))
    return last[grid[grid < len(last)]]


def _errors(made: Throws, keep: NDArray[np.int64], mean: Floats, covariance: Floats, nis: Floats) -> Errors:
    moving = np.array([0, 3, 6, 1, 4, 7])
    truth = np.concatenate((made.position_m[:, keep], made.velocity_m_s[:, keep]), -1)
    off = mean[..., moving] - truth
    whitened = np.linalg.solve(covariance[..., moving[:, None], moving], off[..., None])[..., 0]
    line = truth[..., :3] - POSE.position_m
    radial = np.abs((off[..., 3:] * line).sum(-1)) / np.linalg.norm(line, axis=-1)
    return Errors(
        np.asarray(made.time_ns[keep] * 1e-9, np.float64),
        rms(off[..., :3], np.zeros(3), None), rms(off[..., 3:], np.zeros(3), None), radial,
        np.asarray(np.sum(off * whitened, -1), np.float64), nis, truth[..., :3], truth[..., 3:],
    )  # fmt: skip
