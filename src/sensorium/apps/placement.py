"""Where bodies and sensors are at any time of a recording, from its truth samples and the mounts of its sensors."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sensorium.core.pose import Pose
from sensorium.samples import PointCloud, TruthSample

Floats = NDArray[np.float64]


class Mounted(Protocol):
    """A sensor on a body."""

    @property
    def name(self) -> str:
        """Name of the sensor."""

    @property
    def body(self) -> str:
        """Name of the body that carries it."""

    @property
    def pose(self) -> Pose:
        """T_body_sensor."""


@dataclass(frozen=True, eq=False)
class Track:
    """T_world_body at some instants: pose [K], times_ns [K] rising."""

    times_ns: NDArray[np.int64]
    pose: Pose

    def at(self, times_ns: ArrayLike) -> Pose:
        """Return poses [...] by linear and great-circle mixing; before and after the instants the nearest one holds."""
        times = np.asarray(times_ns, np.int64)
        if len(self.times_ns) == 1:
            return Pose(np.broadcast_to(self.pose.position_m[0], (*times.shape, 3)),
                        np.broadcast_to(self.pose.quaternion[0], (*times.shape, 4)))  # fmt: skip
        after = np.clip(np.searchsorted(self.times_ns, times, side="right"), 1, len(self.times_ns) - 1)
        start, end = self.times_ns[after - 1], self.times_ns[after]
        fraction = np.clip((times - start) / np.maximum(end - start, 1), 0.0, 1.0)
        return self.pose[after - 1].interpolate(self.pose[after], fraction)


@dataclass(frozen=True, eq=False)
class Boxes:
    """The boxes of some bodies at one instant, axes along the bodies' own."""

    names: tuple[str, ...]
    labels: tuple[str, ...]
    pose: Pose
    """T_world_box [B], at the centres of the boxes."""
    size_m: Floats
    """[B, 3] edge lengths."""

    @property
    def corners_m(self) -> Floats:
        """Corners in the world [B, 8, 3]: the four of the floor counter-clockwise from front left, then those above."""
        x, y = np.array([1, -1, -1, 1, 1, -1, -1, 1]) / 2, np.array([1, 1, -1, -1, 1, 1, -1, -1]) / 2
        unit = np.stack((x, y, np.repeat([-0.5, 0.5], 4)), -1)
        return self.pose[:, None].transform(unit * self.size_m[:, None])

    def contain(self, points_m: ArrayLike, margin_m: float = 0.15) -> NDArray[np.bool_]:
        """Tell for each point [N, 3] whether it lies in one of the boxes, made larger by a margin."""
        points = np.asarray(points_m, np.float64)
        inside = np.zeros(len(points), bool)
        for box in range(len(self.names)):
            reach = np.linalg.norm(self.size_m[box]) / 2 + 2 * margin_m
            near = np.flatnonzero(np.abs(points - self.pose.position_m[box]).max(-1) < reach)
            local = self.pose[box].inverse().transform(points[near])
            inside[near] |= np.all(np.abs(local) <= self.size_m[box] / 2 + margin_m, -1)
        return inside


EDGES = ((0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7))
"""Pairs of corners that are joined by an edge of a box."""


@dataclass(frozen=True, eq=False)
class Placement:
    """Tracks of all bodies in the truth, and the sensors mounted on them.

    A sensor whose body has no track (a recording without truth) stays where it is mounted, as if its body stood at the
    origin of the world.
    """

    tracks: dict[str, Track] = field(default_factory=dict)
    mounts: dict[str, Mounted] = field(default_factory=dict)
    boxes: dict[str, tuple[str, Floats, Floats]] = field(default_factory=dict)
    """Label, centre_m [3] in the body's frame and size_m [3], by body."""

    @classmethod
    def of(cls, truth: Iterable[TruthSample], mounts: Iterable[Mounted]) -> Placement:
        """Collect the tracks of a recording."""
        samples = sorted(truth, key=lambda sample: sample.stamp.time_ns)
        rows: dict[str, list[tuple[int, Floats, Floats]]] = {}
        boxes: dict[str, tuple[str, Floats, Floats]] = {}
        for sample in samples:
            for row, name in enumerate(sample.names):
                pose = (sample.stamp.time_ns, sample.pose.position_m[row], sample.pose.quaternion[row])
                rows.setdefault(name, []).append(pose)
                boxes[name] = (sample.labels[row], sample.box_centre_m[row], sample.box_size_m[row])
        tracks = {name: _track(poses) for name, poses in rows.items()}
        return cls(tracks, {mount.name: mount for mount in mounts}, boxes)

    def sensor_at(self, sensor: str, times_ns: ArrayLike) -> Pose:
        """Return T_world_sensor at times [...]."""
        mount = self.mounts.get(sensor)
        at = self.body_at(mount.body if mount else "", times_ns)
        return at @ mount.pose if mount else at

    def body_at(self, body: str, times_ns: ArrayLike) -> Pose:
        """Return T_world_body at times [...]; a body that is not in the truth stands at the origin."""
        track = self.tracks.get(body) or Track(np.zeros(1, np.int64), Pose(np.zeros((1, 3)), _UPRIGHT))
        return track.at(times_ns)

    def in_world(self, cloud: PointCloud) -> PointCloud:
        """Return the cloud with its points in the world, each taken from where the sensor was when its beam fired."""
        return replace(cloud, points_m=self._world_points(cloud).astype(np.float32), frame="world")

    def in_sensor(self, cloud: PointCloud) -> PointCloud:
        """Return the cloud with each point in the sensor's frame at its beam's instant, as sensors give it by default.

        Ranges that a recording does not know are then the distances of the points.
        """
        if cloud.frame == "sensor":
            return cloud
        pose = self.sensor_at(cloud.stamp.sensor, _times_ns(cloud))
        points = pose.inverse().transform(self._world_points(cloud)).astype(np.float32)
        reach_m = np.where(np.isnan(cloud.range_m), np.linalg.norm(points, axis=1), cloud.range_m).astype(np.float32)
        return replace(cloud, points_m=points, range_m=reach_m, frame="sensor")

    def round_body(self, cloud: PointCloud, body: str, time_ns: int) -> PointCloud:
        """Return the cloud with its points in the frame of a body at an instant, each from where its beam fired."""
        points = self.body_at(body, time_ns).inverse().transform(self._world_points(cloud))
        return replace(cloud, points_m=points.astype(np.float32), frame="vehicle")

    def _world_points(self, cloud: PointCloud) -> Floats:
        points, mount = cloud.points_m.astype(np.float64), self.mounts.get(cloud.stamp.sensor)
        if cloud.frame == "world":
            return points
        if cloud.frame == "vehicle":
            return self.body_at(mount.body if mount else "", _times_ns(cloud)).transform(points)
        return self.sensor_at(cloud.stamp.sensor, _times_ns(cloud)).transform(points)

    def carrier_of(self, sensor: str) -> str:
        """Return the body that carries a sensor; empty if that is not known."""
        mount = self.mounts.get(sensor)
        return mount.body if mount and mount.body in self.tracks else ""

    def boxes_at(self, time_ns: int, without: Iterable[str] = ()) -> Boxes:
        """Return the boxes of all bodies that have one, at an instant."""
        left_out = set(without)
        names = tuple(name for name, (_, _, size) in self.boxes.items() if name not in left_out and np.all(size > 0))
        poses = [self.tracks[name].at(time_ns) @ Pose(self.boxes[name][1], _UPRIGHT[0]) for name in names]
        position = np.array([pose.position_m for pose in poses]).reshape(-1, 3)
        quaternion = np.array([pose.quaternion for pose in poses]).reshape(-1, 4)
        size = np.array([self.boxes[name][2] for name in names]).reshape(-1, 3)
        return Boxes(names, tuple(self.boxes[name][0] for name in names), Pose(position, quaternion), size)


def _times_ns(cloud: PointCloud) -> NDArray[np.int64]:
    return cloud.stamp.time_ns + cloud.time_offset_ns.astype(np.int64)


_UPRIGHT = np.array([[1.0, 0.0, 0.0, 0.0]])


def _track(poses: list[tuple[int, Floats, Floats]]) -> Track:
    times, positions, quaternions = zip(*poses, strict=True)
    return Track(np.array(times, np.int64), Pose(np.array(positions), np.array(quaternions)))


@dataclass(frozen=True, eq=False)
class Stage:
    """Where that which is shown stands: on the ground, or round a vehicle that takes its frame along."""

    placement: Placement
    vehicle: str | None = None
    """The body whose frame everything is in; None: the world's ("map"). A body without truth stands at the origin."""

    def cloud(self, cloud: PointCloud, time_ns: int) -> PointCloud:
        """Return a cloud as it stands at an instant."""
        if self.vehicle is None:
            return self.placement.in_world(cloud)
        return self.placement.round_body(cloud, self.vehicle, time_ns)

    def place(self, pose: Pose, time_ns: int) -> Pose:
        """Return poses in the world as they stand at an instant."""
        return pose if self.vehicle is None else self.placement.body_at(self.vehicle, time_ns).inverse() @ pose
