"""Rows of float32 without a header: KITTI (x y z reflectance) and nuScenes (x y z intensity ring)."""

from __future__ import annotations

from typing import IO

import numpy as np
from numpy.typing import NDArray

from sensorium.core.errors import RecordingError
from sensorium.core.pose import Pose
from sensorium.recording.point_table import cloud_of
from sensorium.samples import PointCloud, Stamp

_FULL_SCALE = 255.0


def write_kitti(file: IO[bytes], cloud: PointCloud, T_world_sensor: Pose | None) -> None:  # noqa: N803
    """Write x, y, z and reflectance 0..1."""
    file.write(_rows(cloud, T_world_sensor, cloud.intensity / _FULL_SCALE))


def read_kitti(file: IO[bytes], name: str) -> PointCloud:
    """Read x, y, z and reflectance 0..1."""
    rows = _table(file.read(), 4)
    rows["intensity"] *= _FULL_SCALE
    return cloud_of(rows, Stamp(name, 0, 0, 0))


def write_nuscenes(file: IO[bytes], cloud: PointCloud, T_world_sensor: Pose | None) -> None:  # noqa: N803
    """Write x, y, z, intensity 0..255 and ring."""
    file.write(_rows(cloud, T_world_sensor, cloud.intensity, cloud.ring))


def read_nuscenes(file: IO[bytes], name: str) -> PointCloud:
    """Read x, y, z, intensity 0..255 and ring."""
    return cloud_of(_table(file.read(), 5), Stamp(name, 0, 0, 0))


def _rows(cloud: PointCloud, pose: Pose | None, *columns: NDArray[np.generic]) -> bytes:
    points = cloud.points_m if pose is None else pose.transform(cloud.points_m.astype(np.float64))
    return np.column_stack((points, *columns)).astype("<f4").tobytes()


def _table(data: bytes, width: int) -> NDArray[np.void]:
    if len(data) % (4 * width):
        raise RecordingError(
            f"{len(data)} bytes are not rows of {width} float32; the file was cut or has another format"
        )
    names = ("x", "y", "z", "intensity", "ring")[:width]
    return np.frombuffer(data, [(name, "<f4") for name in names]).copy()
