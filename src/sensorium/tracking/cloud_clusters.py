"""Things in a point cloud: points that hang together, and the shape that they make."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge
from numpy.typing import NDArray

from sensorium.core.configuration import configured
from sensorium.core.units import Metres, NonNegativeRadians, PositiveMetres
from sensorium.samples import PointCloud
from sensorium.tracking.cloud_background import CloudBackground
from sensorium.tracking.cloud_precision import precision_of
from sensorium.tracking.cloud_shapes import Shapes, shapes_of
from sensorium.tracking.detections import Detections, PoseAt, detections
from sensorium.tracking.measurement_models import RangeAngles

Floats = NDArray[np.float64]


@configured
class ClusterDetector:
    """Removes road and background, joins points that are near to each other, and measures each group.

    The covariance follows from the steps of the scan and the range noise, see `cloud_precision`.
    """

    type: Literal["cluster_detector"] = "cluster_detector"
    link_m: PositiveMetres = 0.45
    """Points nearer than this belong together; larger than the gap between two beams on the farthest thing of interest."""
    least_points: Annotated[int, Ge(1)] = 3
    largest_m: PositiveMetres = 5.0
    """Larger groups are walls and hedges, not things."""
    road_m: Metres = 0.0
    """Height of the road in the world."""
    clearance_m: Metres = 0.12
    """Points lower than this above the road belong to it."""
    farthest_m: PositiveMetres = 60.0
    azimuth_step_rad: NonNegativeRadians = 0.003
    """HDL-64E at 10 Hz: 0.1728 deg."""
    elevation_step_rad: NonNegativeRadians = 0.00745
    """HDL-64E: 26.9 deg over 63 steps."""
    range_noise_m: PositiveMetres = 0.02

    def detect(self, cloud: PointCloud, pose_at: PoseAt, background: CloudBackground | None = None) -> Detections:
        """Return one detection for each group, with its shape as features."""
        times_ns = cloud.stamp.time_ns + cloud.time_offset_ns.astype(np.int64)
        world = pose_at(times_ns).transform(cloud.points_m.astype(np.float64))
        kept = (world[:, 2] > self.road_m + self.clearance_m) & (cloud.range_m < self.farthest_m)
        if background is not None:
            kept[kept] = ~background.holds(world[kept])
        rows = np.flatnonzero(kept)
        groups = linked(world[rows], self.link_m)
        order = np.argsort(groups, kind="stable")
        rows, groups = rows[order], groups[order]
        found = shapes_of(world[rows], groups)
        good = (found.count >= self.least_points) & (found.extent_m[:, 0] <= self.largest_m)
        return self._measured(
            cloud, times_ns[rows], cloud.points_m[rows].astype(np.float64), groups, found, good, pose_at
        )

    def _measured(
        self, cloud: PointCloud, times_ns: NDArray[np.int64], points_m: Floats, groups: NDArray[np.intp],
        found: Shapes, good: NDArray[np.bool_], pose_at: PoseAt,
    ) -> Detections:  # fmt: skip
        """Return range and angles of the middle of each good group in the sensor's frame."""
        count = np.maximum(found.count, 1)
        middle = np.stack([np.bincount(groups, points_m[:, k], len(count)) / count for k in range(3)], -1)
        offset = np.bincount(groups, (times_ns - cloud.stamp.time_ns).astype(np.float64), len(count)) / count
        distance = np.linalg.norm(middle, axis=1)
        depth, sigma = precision_of(
            found, distance, self.azimuth_step_rad, self.elevation_step_rad, self.range_noise_m
        )  # fmt: skip
        value = np.stack(
            (distance + depth, np.arctan2(middle[:, 1], middle[:, 0]),
             np.arctan2(middle[:, 2], np.hypot(middle[:, 0], middle[:, 1]))), -1,
        )  # fmt: skip
        times = cloud.stamp.time_ns + np.rint(offset).astype(np.int64)
        made = detections(
            cloud.stamp, RangeAngles(), times[good], value[good], (sigma[..., None] ** 2 * np.eye(3))[good], pose_at,
            {name: column[good] for name, column in found.columns().items()},
        )  # fmt: skip
        return made


def linked(points_m: Floats, link_m: float) -> NDArray[np.intp]:
    """Return the group [N] of each point: the connected components of all pairs nearer than a distance.

    Points of one small cell are one before the pairs are sought, so that a dense wall does not make millions of pairs.
    """
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial import cKDTree

    if not len(points_m):
        return np.empty(0, np.intp)
    cells = np.floor(points_m / (link_m / 6)).astype(np.int64)
    _, first, inverse = np.unique(cells, axis=0, return_index=True, return_inverse=True)
    few = points_m[first]
    pairs = cKDTree(few).query_pairs(link_m, output_type="ndarray")
    graph = coo_matrix((np.ones(len(pairs), np.bool_), (pairs[:, 0], pairs[:, 1])), (len(few), len(few)))
    _, label = connected_components(graph, directed=False)
    return np.asarray(label[inverse.reshape(-1)], np.intp)
