"""The bouncing ball seen by a simulated LiDAR in the street, beside the same throws at the level of measurements.

The simulated scans go through background removal, clustering and the filter of the study. The level of measurements takes
over what the detector states of itself (its covariance), after that was held against the truth; then both must err alike.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sensorium.apps.studies.ball_tracking import FILTERS, Errors, start, track
from sensorium.apps.studies.bouncing_ball import LIDAR, BouncingBall
from sensorium.core.errors import SceneError
from sensorium.core.pose import Pose
from sensorium.core.random import Draws
from sensorium.motion.ballistic import Ballistic
from sensorium.samples import PointCloud
from sensorium.simulation.scenario import Scenario, load_scenario, scenario_path
from sensorium.tracking.cloud_background import CloudBackground
from sensorium.tracking.cloud_clusters import ClusterDetector
from sensorium.tracking.detections import standing
from sensorium.tracking.measurement_models import RangeAngles
from sensorium.tracking.measurements import Measurements

Floats = NDArray[np.float64]
FILTER = "extended_kalman"
SEAT = Pose.at(64.85, -1.75, 1.90)
"""Of the LiDAR in the scenario `bouncing_ball`; the study counts from the ground below it."""
DETECTOR = ClusterDetector(azimuth_step_rad=math.radians(0.20736), elevation_step_rad=math.radians(0.33944))
"""Steps of the upper block of the HDL-64E in the catalogue: 57.6 us at 10 Hz; 10.52 deg over 31 gaps."""
_NEAR_M, _RADIUS_M = 1.0, 0.11
_BACKGROUND_S = 0.3
_RESAMPLED = 4000


@dataclass(frozen=True, eq=False)
class Simulated:
    """What the LiDAR detected of the ball in B throws of T scans."""

    measurements: Measurements
    """[B, T]; not valid where the ball was missed."""
    position_m: Floats
    """[B, T, 3] true place at the time of each detection, in the world."""
    exact: Floats
    """[B, T, 3] range, azimuth, elevation of that place."""
    foreign: int
    """Detections that were not the ball."""

    def nis(self, whole: bool = False) -> Floats:
        """Return e' R^-1 e [M] of the detections against the truth, 3 degrees of freedom: of all, or of a ball seen as a whole.

        The pavement lies in the lowest cells of the background, which takes one cell more: a ball below it loses points.
        """
        m = self.measurements
        clear = self.position_m[..., 2] > 2 * CloudBackground().cell_m + _RADIUS_M
        used = m.valid & clear if whole else m.valid
        off = (m.value - self.exact)[used]
        return np.asarray(np.sum(off * np.linalg.solve(m.covariance[used], off[..., None])[..., 0], -1))

    @property
    def noise(self) -> Floats:
        """[3] root mean square of the standard deviations that the detector states: range, azimuth, elevation."""
        m = self.measurements
        return np.asarray(np.sqrt(np.mean(np.diagonal(m.covariance[m.valid], 0, 1, 2), 0)))


def simulated(study: BouncingBall) -> Simulated:
    """Simulate the throws of a study in the street, each scan with all its beams."""
    background = _background()
    rows = [_seen(study, run, background) for run in range(study.first_run, study.first_run + study.runs)]
    times, values, covariances, valid, truth = (np.array([row[k] for row in rows]) for k in range(5))
    if not valid[:, 0].all():
        raise SceneError("the first scan missed the ball; the study wants throws that begin in sight of the LiDAR")
    made = Measurements.of(RangeAngles(), times, values, covariances, valid, SEAT)
    return Simulated(made, truth, spherical(SEAT.inverse().transform(truth)), sum(row[5] for row in rows))


def errors_of(found: Simulated) -> Floats:
    """Return the position errors [B, T] of the study's filter on simulated detections."""
    belief, filter_ = start(found.measurements), FILTERS[FILTER]
    keep = np.arange(found.measurements.steps)
    _, history = filter_.run(
        filter_.init(belief.time_ns, belief.mean, belief.covariance), found.measurements, keep, None
    )
    return np.asarray(np.linalg.norm(history.mean[..., ::3] - found.position_m, axis=-1))


def level_of_measurements(study: BouncingBall, found: Simulated, runs: int, threads: int | None = None) -> Errors:
    """Track throws of the same kind, measured with what the detector states of itself, at the times of the scans."""
    distance, azimuth, elevation = found.noise.tolist()
    first_s = float(np.mean(found.measurements.time_ns[:, 0])) * 1e-9
    lidar = replace(
        LIDAR, first_s=first_s, range_noise_m=distance, azimuth_noise_rad=azimuth, elevation_noise_rad=elevation
    )
    return track(replace(study, runs=runs, instruments=(lidar,)), FILTER, threads)


def rms_band(errors: Floats, runs: int, confidence: float, seed: int = 0) -> tuple[Floats, Floats]:
    """Return where the root mean square over `runs` throws lies at each of K instants, all instants together.

    `errors` [M, K] are many throws of what is to be confirmed. `runs` of them are drawn with replacement, again and again;
    the quantiles of their RMS are the band (bootstrap under the hypothesis that both are alike: no shape is assumed, bounces
    make these errors far from chi-squared). Bonferroni: each instant has the K-th part of the risk.
    """
    drawn = Draws(seed, 0, "band").uniform("throws", _RESAMPLED * runs).reshape(_RESAMPLED, runs)
    square = errors[(drawn * len(errors)).astype(np.intp)] ** 2
    tail = (1 - confidence) / (2 * errors.shape[1])
    low, high = np.quantile(np.sqrt(square.mean(1)), (tail, 1 - tail), axis=0)
    return np.asarray(low), np.asarray(high)


def spherical(place_m: Floats) -> Floats:
    """Return range, azimuth and elevation [..., 3] of places."""
    x, y, z = np.moveaxis(place_m, -1, 0)
    return np.stack((np.sqrt(x**2 + y**2 + z**2), np.arctan2(y, x), np.arctan2(z, np.hypot(x, y))), -1)


def _scenario(*settings: str) -> Scenario:
    whole = load_scenario(scenario_path("bouncing_ball"), settings)
    return replace(whole, rig=tuple(mount for mount in whole.rig if mount.name == "lidar"))


def _clouds(scenario: Scenario, duration_s: float) -> Iterator[PointCloud]:
    for sample in scenario.simulation().samples(duration_s):
        if isinstance(sample, PointCloud):
            yield sample


def _background() -> CloudBackground:
    """Learn the street without the ball; the road itself is removed by its height."""
    found = CloudBackground()
    for cloud in _clouds(_scenario("bodies[1].motion={type: fixed, pose: {position_m: [0, 60, 50]}}"), _BACKGROUND_S):
        points_m = SEAT.transform(cloud.points_m.astype(np.float64))
        found = found.learned(points_m[points_m[:, 2] > DETECTOR.road_m + DETECTOR.clearance_m])
    return found


def _thrown(study: BouncingBall, run: int) -> tuple[Scenario, Ballistic]:
    """Return the scenario with a throw of the study in it."""
    throw = study.throw(run)
    place = (np.asarray(throw.position_m) + SEAT.position_m * (1, 1, 0)).tolist()
    velocity = np.asarray(throw.velocity_m_s, np.float64).tolist()
    settings = {"position_m": place, "velocity_m_s": velocity, "restitution": study.restitution,
                "rest_speed_m_s": throw.rest_speed_m_s, "start_s": 0.0}  # fmt: skip
    scenario = _scenario(
        *(f"bodies[1].motion.{k}={v}" for k, v in settings.items()), f"seed={study.seed}", f"run={run}"
    )
    return scenario, replace(throw, position_m=tuple(place))


def _seen(
    study: BouncingBall, run: int, background: CloudBackground
) -> tuple[Floats, Floats, Floats, NDArray[np.bool_], Floats, int]:
    """Return times [T], values, covariances, validity and true places of one throw, and how many others were detected."""
    scenario, throw = _thrown(study, run)
    rows, foreign = [], 0
    for cloud in _clouds(scenario, study.duration_s):
        found = DETECTOR.detect(cloud, standing(SEAT), background).measurements
        place = throw.kinematics_at(found.time_ns[:, 0]).pose.position_m.reshape(-1, 3)
        off = np.linalg.norm(_place(found.value[:, 0]) - SEAT.inverse().transform(place), axis=1)
        best = int(np.argmin(off)) if len(off) else 0
        seen = bool(len(off) and off[best] < _NEAR_M)
        foreign += len(off) - seen
        if seen:
            rows.append((found.time_ns[best, 0], found.value[best, 0], found.covariance[best, 0], True, place[best]))
        else:
            middle_ns = (cloud.stamp.time_ns + cloud.stamp.ready_ns) // 2
            there = throw.kinematics_at(np.array([middle_ns])).pose.position_m.reshape(3)
            rows.append((middle_ns, np.zeros(3), np.eye(3), False, there))
    times, values, covariances, valid, truth = (np.array(column) for column in zip(*rows, strict=True))
    return times, values, covariances, valid, truth, foreign


def _place(value: Floats) -> Floats:
    distance, azimuth, elevation = np.moveaxis(value, -1, 0)
    flat = distance * np.cos(elevation)
    return np.stack((flat * np.cos(azimuth), flat * np.sin(azimuth), distance * np.sin(elevation)), -1)
