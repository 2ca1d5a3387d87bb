"""Small samples for tests: every number drawn from a seed, so that two calls give the same sample."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sensorium.core.pose import Pose
from sensorium.samples import PointCloud, PointTruth, Stamp, TruthSample

SCAN_NS = 100_000_000


@dataclass(frozen=True, eq=False)
class Seat:
    """Where a sensor sits, as a rig would say it."""

    name: str
    body: str
    pose: Pose


def cloud(
    index: int = 0, count: int = 50, sensor: str = "roof", truth: bool = False, time_ns: int | None = None
) -> PointCloud:
    """A scan of 0.1 s with points on every side, in firing order."""
    rng = np.random.default_rng([index, count, *sensor.encode()])
    points = (rng.normal(size=(count, 3)) * (30, 30, 3)).astype(np.float32)
    start = index * SCAN_NS if time_ns is None else time_ns
    return PointCloud(
        stamp=Stamp(sensor, index, start, start + SCAN_NS),
        points_m=points,
        range_m=np.linalg.norm(points, axis=1).astype(np.float32),
        intensity=rng.uniform(0, 255, count).astype(np.float32),
        ring=rng.integers(0, 64, count).astype(np.uint16),
        time_offset_ns=np.sort(rng.integers(0, SCAN_NS, count)).astype(np.uint32),
        beam=np.sort(rng.choice(3 * count + 1, count, replace=False)).astype(np.uint32),
        beam_count=3 * count + 1,
        return_index=rng.integers(0, 2, count).astype(np.uint8) if truth else None,
        truth=point_truth(rng, count, 3 * count + 1) if truth else None,
    )


def point_truth(rng: np.random.Generator, count: int, beams: int) -> PointTruth:
    numbers = {name: rng.integers(-1, 9, count, np.int32) for name in ("body", "part", "material", "label")}
    return PointTruth(
        **numbers,
        incidence_rad=rng.uniform(0, 1.5, count).astype(np.float32),
        cause=rng.integers(0, 7, count).astype(np.int8),
        missing=rng.integers(0, 5, beams).astype(np.int8),
    )


def truth(index: int = 0, names: tuple[str, ...] = ("car", "bike", "walker"), step_ns: int = 50_000_000) -> TruthSample:
    """Bodies anywhere, turned and moving in any way."""
    rng, count = np.random.default_rng([7, index]), len(names)
    time_ns = index * step_ns
    return TruthSample(
        stamp=Stamp("truth", index, time_ns, time_ns),
        names=names,
        labels=tuple(f"class_{number % 2}" for number in range(count)),
        pose=Pose(rng.normal(size=(count, 3)) * 50, rng.normal(size=(count, 4))),
        velocity_m_s=rng.normal(size=(count, 3)) * 10,
        angular_velocity_rad_s=rng.normal(size=(count, 3)),
        acceleration_m_s2=rng.normal(size=(count, 3)),
        box_centre_m=rng.normal(size=(count, 3)),
        box_size_m=rng.uniform(0.5, 5, (count, 3)),
    )


def drive(scans: int, count: int = 50) -> list[PointCloud | TruthSample]:
    """A stream of truth at 20 Hz and a lidar at 10 Hz, in the order of readiness."""
    samples = [truth(index) for index in range(2 * scans + 1)] + [
        cloud(index, count, truth=True) for index in range(scans)
    ]
    return sorted(samples, key=lambda sample: sample.stamp.ready_ns)


def assert_same_cloud(found: PointCloud, expected: PointCloud, time_ns: float = 0.0) -> None:
    """The measured columns agree to the bit; firing times within a resolution."""
    for name in ("points_m", "range_m", "intensity", "ring"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name), err_msg=name)
    shift = np.int64(found.stamp.time_ns) - expected.stamp.time_ns
    late = found.time_offset_ns.astype(np.int64) + shift - expected.time_offset_ns
    assert np.abs(late).max(initial=0) <= time_ns
    assert (found.stamp.sensor, found.stamp.index) == (expected.stamp.sensor, expected.stamp.index)
