"""Following everything that sensors on a car see, from samples alone: detections, tracks, who moves, who will be in the way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sensorium.core.pose import Pose
from sensorium.samples import Image, PointCloud, Sample, TruthSample
from sensorium.samples.radar import RadarScan
from sensorium.tracking.apparent_motion import CommonMotion
from sensorium.tracking.cloud_background import CloudBackground
from sensorium.tracking.cloud_clusters import ClusterDetector
from sensorium.tracking.cloud_shapes import ROUND
from sensorium.tracking.collision import CollisionAlert
from sensorium.tracking.detections import Detections
from sensorium.tracking.extended import ExtendedKalman
from sensorium.tracking.frames import seen_from
from sensorium.tracking.image_detectors import FrameDifference, Seen
from sensorium.tracking.initiation import SinglePoint
from sensorium.tracking.motion_models import WienerAcceleration
from sensorium.tracking.pose_path import PosePath
from sensorium.tracking.radar_detector import RadarDetector
from sensorium.tracking.tracker import Tracker
from sensorium.tracking.tracks import Status, Tracks

Floats = NDArray[np.float64]
TRACKER = Tracker(
    filter=ExtendedKalman(motion=WienerAcceleration(jerk_density_m2_s5=(1.0, 1.0, 3000.0))),
    initiation=SinglePoint(speed_noise_m_s=4.0, acceleration_noise_m_s2=6.0),
)
RADAR = RadarDetector(static_speed_m_s=0.25, speed_noise_m_s=0.15)
BACKGROUND_SCANS = 4
"""Scans of a car that stands, from which it learns what has always been there."""
_STANDS_M_S = 0.05
_KEPT_TRUTH = 30
_FEWEST_HITS = 4
_DRIVING_SCANS = 3
"""So many scans in a row a driving car tells a thing to move before it believes it: one wrong pair of static things makes a
speed that the next scans take back."""


@dataclass(frozen=True, eq=False)
class Scene:
    """What is believed after a scan."""

    time_ns: int
    detections: Detections
    """Of the scan."""
    tracks: Tracks
    moving: NDArray[np.bool_]
    """[N]."""
    alert: NDArray[np.bool_]
    """[N]."""
    alert_in_s: Floats
    """[N]."""
    truth: TruthSample
    """The last one."""
    image_detections: Mapping[str, int]
    """By camera, since the scan before."""
    radar_detections: Mapping[str, int] = field(default_factory=dict)
    """By radar, since the scan before."""


@dataclass
class _Memory:
    """What is carried from sample to sample."""

    tracks: Tracks
    background: CloudBackground = field(default_factory=CloudBackground)
    scans: int = 0
    truth: list[TruthSample] = field(default_factory=list)
    seen: dict[str, Seen] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    heard: dict[str, int] = field(default_factory=dict)
    streaks: dict[int, int] = field(default_factory=dict)
    """Scans in a row in which a track, by its number, was told to move."""


def follow(
    samples: Iterable[Sample], lidar: str, body: str, mounts: Mapping[str, Pose], road_m: float = 0.0
) -> Iterator[Scene]:
    """Yield what is believed after each scan of a LiDAR; radars among the mounts help, cameras on a car that stands.

    `mounts` are the poses of the sensors on the body; the body's own way is taken from the truth, in place of odometry. A
    car that stands removes the background of scans and images; of all that a moving one passes it follows small round things.
    Radars tell by the speed what stands, and update tracks that others have begun: what they hear alone has no shape.
    """
    memory, detector, cameras = _Memory(TRACKER.init()), ClusterDetector(road_m=road_m), FrameDifference()
    for sample in samples:
        name = sample.stamp.sensor
        if isinstance(sample, TruthSample):
            memory.truth = [*memory.truth[-_KEPT_TRUTH:], sample]
            continue
        if name not in mounts:
            continue
        path = PosePath.of_truth(memory.truth, body, mounts[name])
        stands = bool(np.linalg.norm(_velocity(memory, body)) < _STANDS_M_S)
        if isinstance(sample, Image) and stands:
            seen = memory.seen.get(name, cameras.init())
            memory.seen[name], found = cameras.step(seen, sample, path)
            memory.counts[name] = memory.counts.get(name, 0) + len(found)
            memory.tracks = TRACKER.step(memory.tracks, found)
        elif isinstance(sample, RadarScan):
            heard = RADAR.detect(sample, path, path.velocity_m_s)
            heard = heard[TRACKER.near(memory.tracks, heard)]
            memory.heard[name] = memory.heard.get(name, 0) + len(heard)
            memory.tracks = TRACKER.step(memory.tracks, heard)
        elif isinstance(sample, PointCloud) and name == lidar:
            memory.scans += 1
            if stands and memory.scans <= BACKGROUND_SCANS:
                times_ns = sample.stamp.time_ns + sample.time_offset_ns.astype(np.int64)
                points_m = path(times_ns).transform(sample.points_m.astype(np.float64))
                memory.background = memory.background.learned(points_m)
                continue
            found = detector.detect(sample, path, memory.background if stands else None)
            if not stands:
                found = found[found.features["kind"] == ROUND]
            memory.tracks = TRACKER.step(memory.tracks, found)
            yield _judged(memory, body, sample.stamp.ready_ns, found)


def _velocity(memory: _Memory, body: str) -> Floats:
    last = memory.truth[-1]
    return np.asarray(last.velocity_m_s[last.names.index(body)])


def _judged(memory: _Memory, body: str, time_ns: int, found: Detections) -> Scene:
    """Tell who moves and who will be in the way."""
    tracks, last = memory.tracks, memory.truth[-1]
    pose, velocity = last.pose[last.names.index(body)], _velocity(memory, body)
    apparent = CommonMotion().apparent(seen_from(tracks.belief, pose, velocity), -pose.inverse().rotate(velocity))
    moving = apparent.moving & (tracks.status == Status.CONFIRMED) & (tracks.hits >= _FEWEST_HITS)
    numbers = tracks.number[moving].tolist()
    memory.streaks = {number: memory.streaks.get(number, 0) + 1 for number in numbers}
    if np.linalg.norm(velocity) >= _STANDS_M_S:
        moving = np.array([memory.streaks.get(n, 0) >= _DRIVING_SCANS for n in tracks.number.tolist()], np.bool_)
    told = CollisionAlert().assess(seen_from(tracks.belief, pose), moving, float(np.linalg.norm(velocity)))
    counts, memory.counts = memory.counts, {}
    heard, memory.heard = memory.heard, {}
    return Scene(time_ns, found, tracks, moving, told.alert, told.time_s, last, counts, heard)
