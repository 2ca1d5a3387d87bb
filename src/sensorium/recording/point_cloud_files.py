"""Point clouds as files: the format follows the suffix, and a file is there whole or not at all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from sensorium.core.errors import RecordingError, SensoriumError, did_you_mean
from sensorium.core.pose import Pose
from sensorium.recording.float_rows import read_kitti, read_nuscenes, write_kitti, write_nuscenes
from sensorium.recording.las import read_las, write_las, write_laz
from sensorium.recording.pcd import read_pcd, write_pcd
from sensorium.recording.ply import read_ply, write_ply
from sensorium.samples import PointCloud


@dataclass(frozen=True)
class PointCloudFormat:
    """How clouds of one format are written to and read from an open file."""

    write: Callable[[IO[bytes], PointCloud, Pose | None], None]
    read: Callable[[IO[bytes], str], PointCloud]


FORMATS = {
    ".pcd.bin": PointCloudFormat(write_nuscenes, read_nuscenes),
    ".bin": PointCloudFormat(write_kitti, read_kitti),
    ".pcd": PointCloudFormat(write_pcd, read_pcd),
    ".ply": PointCloudFormat(write_ply, read_ply),
    ".las": PointCloudFormat(write_las, read_las),
    ".laz": PointCloudFormat(write_laz, read_las),
}
"""Formats by suffix: nuScenes, KITTI, PCD, PLY, LAS, LAZ. Longer suffixes come first."""


def write_point_cloud(path: str | Path, cloud: PointCloud, T_world_sensor: Pose | None = None) -> None:  # noqa: N803
    """Write a cloud in the format of the path's suffix.

    Without a pose the points are in the sensor frame. With T_world_sensor (one pose) they are in the world frame,
    except in PCD, which keeps them in the sensor frame and carries the pose as its viewpoint.
    """
    target = Path(path)
    form = format_of(target)
    part = target.with_name(target.name + ".part")
    try:
        with part.open("wb") as file:
            form.write(file, cloud, T_world_sensor)
        os.replace(part, target)
    except OSError as error:
        raise RecordingError(f"cannot write the point cloud {target}: {error.strerror or error}") from error
    finally:
        part.unlink(missing_ok=True)


def read_point_cloud(path: str | Path) -> PointCloud:
    """Read a cloud from a file of any of these formats."""
    source = Path(path)
    form = format_of(source)
    with _damage_named(source), source.open("rb") as file:
        return form.read(file, source.name.split(".")[0])


def format_of(path: Path) -> PointCloudFormat:
    """Return the format of a path's suffix."""
    for suffix, form in FORMATS.items():
        if path.name.lower().endswith(suffix):
            return form
    raise RecordingError(f"{path} has no suffix of a point cloud format.{did_you_mean(path.suffix, FORMATS)}")


@contextlib.contextmanager
def _damage_named(path: Path) -> Iterator[None]:
    """Name the file whenever it cannot be read; damaged bytes can make a parser fail in any way."""
    try:
        yield
    except SensoriumError as error:
        raise RecordingError(f"{path}: {error}") from error
    except Exception as error:
        raise RecordingError(
            f"{path} is damaged or not what its suffix says: {type(error).__name__}: {error}"
        ) from error
