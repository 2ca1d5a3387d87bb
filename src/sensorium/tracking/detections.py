"""What a detector finds in one sample: measurements of things, and what they look like."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sensorium.core.pose import Pose
from sensorium.samples import Stamp
from sensorium.tracking.measurement_models import MeasurementModel
from sensorium.tracking.measurements import Measurements

PoseAt = Callable[[NDArray[np.int64]], Pose]
"""T_world_sensor [N] at times [N]: from the truth, from odometry, or `standing` for a sensor that does not move."""


@dataclass(frozen=True, eq=False)
class Detections:
    """D things found in one sample; each has its own time and place of the sensor."""

    stamp: Stamp
    measurements: Measurements
    """[D, 1]."""
    features: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    """By name [D]: what the detector knows besides."""

    def __len__(self) -> int:
        return len(self.measurements)

    def __getitem__(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> Detections:
        """Return some of them."""
        chosen = np.arange(len(self))[rows]
        return Detections(self.stamp, self.measurements[chosen], {k: v[chosen] for k, v in self.features.items()})


def standing(pose: Pose) -> PoseAt:
    """Return the pose of a sensor that does not move."""
    return lambda times_ns: Pose(np.broadcast_to(pose.position_m, (len(times_ns), 3)), pose.quaternion)


def detections(
    stamp: Stamp,
    model: MeasurementModel,
    times_ns: NDArray[np.int64],
    values: NDArray[np.float64],
    covariances: NDArray[np.float64],
    pose_at: PoseAt,
    features: Mapping[str, NDArray[np.float64]] | None = None,
    velocity_m_s: NDArray[np.float64] | None = None,
) -> Detections:
    """Return detections of one model: times [D], values [D, m], covariances [D, m, m], velocities of the sensor [D, 3]."""
    pose = pose_at(times_ns)
    seat = Pose(np.broadcast_to(pose.position_m, (len(times_ns), 3))[:, None], pose.quaternion.reshape(-1, 1, 4))
    found = Measurements.of(
        model, times_ns[:, None], values.reshape(-1, 1, model.size), covariances.reshape(-1, 1, model.size, model.size),
        pose=seat, velocity_m_s=0.0 if velocity_m_s is None else velocity_m_s[:, None],
    )  # fmt: skip
    return Detections(stamp, found, dict(features or {}))
