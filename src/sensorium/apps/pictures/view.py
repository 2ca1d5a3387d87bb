"""What the pictures show of the world: one scan, and what other scans saw of the things that stand still."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.apps.colourings import Colouring
from sensorium.apps.colours import Rgb
from sensorium.apps.placement import Boxes, Placement
from sensorium.core.pose import Pose
from sensorium.samples import PointCloud

Floats = NDArray[np.float64]

BACKDROP_SCANS = 24
_BACKDROP_POINTS = 900_000
_SLICES = 10  # a car at 30 m/s moves 0.15 m to either side of the middle of a slice of a scan at 10 Hz


@dataclass(frozen=True, eq=False)
class View:
    """The chosen scan, the backdrop of other scans, and the truth at that time; all in the world."""

    points_m: Floats
    """[N, 3] the chosen scan."""
    colours: Rgb
    backdrop_m: Floats
    """[M, 3] other scans, without the bodies in the truth."""
    backdrop_colours: Rgb
    boxes: Boxes
    """Bodies when the middle of the scan was measured."""
    sensor: Pose
    """T_world_sensor then."""
    heading_rad: float
    """Yaw of the body that carries the sensor; of the sensor where that body is unknown."""
    path_m: Floats
    """[K, 3] where the sensor went."""
    other_paths_m: tuple[Floats, ...] = ()
    """Where the other bodies went that moved."""

    @classmethod
    def of(cls, chosen: PointCloud, others: Sequence[PointCloud], placement: Placement, colouring: Colouring) -> View:
        """Place scans of one sensor in the world."""
        sensor, time_ns = chosen.stamp.sensor, middle_ns(chosen)
        scan = placement.in_world(chosen)
        backdrop, colours = _backdrop(others, placement, colouring)
        carrier = placement.carrier_of(sensor)
        times = placement.tracks[carrier].times_ns if carrier else np.array([time_ns])
        path = placement.sensor_at(sensor, times).position_m
        rest = [track.pose.position_m for name, track in placement.tracks.items() if name != carrier]
        moved = tuple(p for p in rest if np.ptp(p, axis=0).max(initial=0.0) > 0.5)
        pose = placement.sensor_at(sensor, time_ns)
        ahead = placement.tracks[carrier].at(time_ns) if carrier else pose
        boxes = placement.boxes_at(time_ns, without=(carrier,))
        return cls(scan.points_m.astype(np.float64), colouring(scan), backdrop, colours, boxes, pose,
                   float(ahead.rpy_rad()[2]), path, moved)  # fmt: skip


def middle_ns(cloud: PointCloud) -> int:
    """Return the time at which the middle of a scan is measured."""
    return cloud.stamp.time_ns + int(cloud.time_offset_ns.max(initial=0)) // 2


def _backdrop(clouds: Sequence[PointCloud], placement: Placement, colouring: Colouring) -> tuple[Floats, Rgb]:
    points, colours = [np.empty((0, 3))], [np.empty((0, 3), np.uint8)]
    stride = max(1, -(-sum(len(cloud) for cloud in clouds) // _BACKDROP_POINTS))
    for cloud in clouds:
        placed = placement.in_world(cloud)
        rows = np.arange(0, len(placed), stride)
        stands = rows[~_on_bodies(placed, rows, placement)]
        points.append(placed.points_m[stands].astype(np.float64))
        colours.append(colouring(placed)[stands])
    return np.concatenate(points), np.concatenate(colours)


def _on_bodies(placed: PointCloud, rows: NDArray[np.int64], placement: Placement) -> NDArray[np.bool_]:
    """Tell which of some points lie in the box of a body; boxes move on from slice to slice of the scan."""
    offset_ns = placed.time_offset_ns[rows].astype(np.int64)
    length_ns = max(1, int(offset_ns.max(initial=0)) // _SLICES + 1)
    inside = np.zeros(len(rows), bool)
    for part in range(_SLICES):
        some = np.flatnonzero(offset_ns // length_ns == part)
        boxes = placement.boxes_at(placed.stamp.time_ns + length_ns * part + length_ns // 2)
        inside[some] = boxes.contain(placed.points_m[rows[some]], margin_m=0.3)
    return inside
