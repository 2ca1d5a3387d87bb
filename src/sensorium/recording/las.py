"""LAS 1.4 and LAZ, the surveyors' formats: coordinates on a grid of 0.1 mm, everything else as extra dimensions.

Intensity is stretched from 0..255 to the format's 0..65535. GPS time holds the seconds since the scenario's start.
"""

from __future__ import annotations

import datetime
import struct
from io import BytesIO
from typing import IO, Any

import numpy as np

from sensorium.core.errors import RecordingError
from sensorium.core.pose import Pose
from sensorium.recording.point_layouts import Column
from sensorium.recording.point_table import cloud_of, origin_of, read_origin, table_of
from sensorium.samples import PointCloud

GRID_M = 1e-4
_INTENSITY_STEPS = 257.0
_STANDARD = ("x", "y", "z", "intensity")
_HEAD = struct.Struct("<25xB68xHIIBHI132xIQ")
"""Minor version, header size, start of points, VLRs, point format, row length, points, EVLRs, points of LAS 1.4."""
_COMPRESSED = 128
_MOST_COMPRESSION = 1000
_VLR_HEAD_BYTES, _EVLR_HEAD_BYTES = 54, 60
_CREATED = datetime.date(2026, 1, 1)  # a fixed day: the same cloud gives the same bytes


def write_las(file: IO[bytes], cloud: PointCloud, T_world_sensor: Pose | None) -> None:  # noqa: N803
    """Write an uncompressed LAS file; with a pose in the world frame."""
    _write(file, cloud, T_world_sensor, compress=False)


def write_laz(file: IO[bytes], cloud: PointCloud, T_world_sensor: Pose | None) -> None:  # noqa: N803
    """Write a compressed LAS file; with a pose in the world frame."""
    _write(file, cloud, T_world_sensor, compress=True)


def _write(file: IO[bytes], cloud: PointCloud, pose: Pose | None, *, compress: bool) -> None:
    import laspy

    table = table_of(cloud, pose)
    places = np.stack([table[axis].astype(np.float64) for axis in "xyz"], -1)
    header = _header(table, places)
    header.vlrs.append(laspy.VLR("sensorium", 1, "origin of the cloud", origin_of(cloud).encode()))
    las = laspy.LasData(header)
    las.x, las.y, las.z = places.T
    las.intensity = np.clip(np.rint(table["intensity"] * _INTENSITY_STEPS), 0, 65535).astype(np.uint16)
    las.gps_time = (cloud.time_offset_ns + np.int64(cloud.stamp.time_ns)) * 1e-9
    las.return_number = las.number_of_returns = np.ones(len(table), np.uint8)
    for name in _extra(table):
        las[name] = table[name]
    whole = BytesIO()  # the LAZ writer closes its file
    las.write(whole, do_compress=compress)
    file.write(whole.getbuffer())


def _header(table: Column, places: Column) -> Any:
    import laspy

    header = laspy.LasHeader(version="1.4", point_format=6)
    header.creation_date = _CREATED
    header.generating_software = "sensorium"
    header.scales = np.full(3, GRID_M)
    header.offsets = np.floor(places.min(0)) if len(places) else np.zeros(3)
    header.add_extra_dims([laspy.ExtraBytesParams(name, table.dtype[name]) for name in _extra(table)])
    return header


def _extra(table: Column) -> list[str]:
    return [name for name in table.dtype.names or () if name not in _STANDARD]


def read_las(file: IO[bytes], name: str) -> PointCloud:
    """Read LAS or LAZ, of any source."""
    import laspy

    data = file.read()
    _refuse_impossible_counts(data)
    las = laspy.read(BytesIO(data))
    extra = list(las.point_format.extra_dimension_names)
    columns = {axis: np.asarray(las[axis]) for axis in "xyz"} | {each: np.asarray(las[each]) for each in extra}
    columns["intensity"] = np.asarray(las.intensity) / _INTENSITY_STEPS
    table = np.empty(len(las), [(each, values.dtype) for each, values in columns.items()])
    for each, values in columns.items():
        table[each] = values
    origins = [vlr.record_data for vlr in las.header.vlrs if vlr.user_id == "sensorium"]
    return cloud_of(table, *read_origin(origins[0].decode() if origins else None, name))


def _refuse_impossible_counts(data: bytes) -> None:
    """Raise when the header counts more than the file can hold; the library would loop or allocate for hours."""
    if len(data) < _HEAD.size:
        raise RecordingError("the file ends inside the LAS header; it was cut")
    minor, head_size, start, vlrs, form, row, points_1_3, evlrs, points_1_4 = _HEAD.unpack_from(data)
    points = points_1_4 if minor >= 4 else points_1_3
    compressed = form >= _COMPRESSED
    possible = len(data) * _MOST_COMPRESSION if compressed else max(len(data) - start, 0) // max(row, 1)
    if vlrs * _VLR_HEAD_BYTES > max(start - head_size, 0) or (minor >= 4 and evlrs * _EVLR_HEAD_BYTES > len(data)):
        raise RecordingError("the LAS header counts more variable records than the file can hold; it is damaged")
    if points > possible:
        raise RecordingError(
            f"the LAS header promises {points} points, more than the file can hold; it was cut or damaged"
        )
