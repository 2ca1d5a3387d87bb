"""Following everything that a simulated LiDAR sees, from samples alone: clusters, tracks, who moves, who will be in the way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.core.pose import Pose
from sensorium.samples import PointCloud, Sample, TruthSample
from sensorium.tracking.apparent_motion import CommonMotion
from sensorium.tracking.cloud_background import CloudBackground
from sensorium.tracking.cloud_clusters import ClusterDetector
from sensorium.tracking.cloud_shapes import ROUND
from sensorium.tracking.collision import CollisionAlert
from sensorium.tracking.detections import Detections
from sensorium.tracking.extended import ExtendedKalman
from sensorium.tracking.frames import seen_from
from sensorium.tracking.initiation import SinglePoint
from sensorium.tracking.motion_models import WienerAcceleration
from sensorium.tracking.pose_path import PosePath
from sensorium.tracking.tracker import Tracker
from sensorium.tracking.tracks import Tracks

Floats = NDArray[np.float64]
TRACKER = Tracker(
    filter=ExtendedKalman(motion=WienerAcceleration(jerk_density_m2_s5=(1.0, 1.0, 3000.0))),
    initiation=SinglePoint(speed_noise_m_s=4.0, acceleration_noise_m_s2=6.0),
)
BACKGROUND_SCANS = 4
"""Scans of a car that stands, from which it learns what has always been there."""
_STANDS_M_S = 0.05
_KEPT_TRUTH = 30


@dataclass(frozen=True, eq=False)
class Scene:
    """What is believed after a scan."""

    time_ns: int
    detections: Detections
    tracks: Tracks
    moving: NDArray[np.bool_]
    """[N]."""
    alert: NDArray[np.bool_]
    """[N]."""
    alert_in_s: Floats
    """[N]."""
    truth: TruthSample
    """The last one."""


def follow(samples: Iterable[Sample], lidar: str, body: str, mount: Pose, road_m: float = 0.0) -> Iterator[Scene]:
    """Yield what is believed after each scan of a LiDAR on a body; a car that stands removes the background."""
    detector, motion, alarm = ClusterDetector(road_m=road_m), CommonMotion(), CollisionAlert()
    tracks, background, scans = TRACKER.init(), CloudBackground(), 0
    truth: list[TruthSample] = []
    for sample in samples:
        if isinstance(sample, TruthSample):
            truth = [*truth[-_KEPT_TRUTH:], sample]
        elif isinstance(sample, PointCloud) and sample.stamp.sensor == lidar:
            row = truth[-1].names.index(body)
            path, velocity = PosePath.of_truth(truth, body, mount), truth[-1].velocity_m_s[row]
            stands = float(np.linalg.norm(velocity)) < _STANDS_M_S
            scans += 1
            if stands and scans <= BACKGROUND_SCANS:
                times_ns = sample.stamp.time_ns + sample.time_offset_ns.astype(np.int64)
                background = background.learned(path(times_ns).transform(sample.points_m.astype(np.float64)))
                continue
            found = detector.detect(sample, path, background if stands else None)
            if not stands:  # no background: of all that stands around only small things are worth a track
                found = found[found.features["kind"] == ROUND]
            tracks = TRACKER.step(tracks, found)
            seen = seen_from(tracks.belief, truth[-1].pose[row], velocity)
            still = -truth[-1].pose[row].inverse().rotate(velocity)
            moving = motion.apparent(seen, still).moving & (tracks.status != 0) & (tracks.hits >= 4)
            own = seen_from(tracks.belief, truth[-1].pose[row])
            told = alarm.assess(own, moving, float(np.linalg.norm(velocity)))
            yield Scene(sample.stamp.ready_ns, found, tracks, moving, told.alert, told.time_s, truth[-1])
