"""PointCloud2 messages become point clouds again, whatever their layout: columns are found by name."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from sensorium.core.errors import RecordingError
from sensorium.recording.point_layouts import POINT_TRUTH, Column
from sensorium.recording.received import Received
from sensorium.recording.ros_conventions import nanoseconds_of
from sensorium.recording.ros_point_cloud import DATATYPES
from sensorium.recording.ros_types import deserialise
from sensorium.samples import PointCloud, PointTruth, Stamp

_TYPES = {number: dtype for dtype, number in DATATYPES.items()}
_FIRST_UNIX_NANOSECOND = 1e12
"""Absolute times above this number are nanoseconds (Livox), below it seconds (Hesai)."""


class PointCloudReader:
    """Joins each cloud with the truth of its points, which comes just before it."""

    def __init__(self) -> None:
        self._truth: dict[str, tuple[int, Column]] = {}

    def take(self, received: Received) -> PointCloud | None:
        """Return the cloud of a message; None for the truth of points, which waits for its cloud."""
        message = deserialise(received.cdr, received.topic.type_name)
        rows = rows_of(message, received.topic.name)
        sensor = received.topic.sensor or str(message.header.frame_id)
        if received.topic.layout == POINT_TRUTH.name:
            self._truth[sensor] = received.index, rows
            return None
        index, truth = self._truth.pop(sensor, (-1, rows[:0]))
        matches = index == received.index and len(truth) == len(rows)
        stamp_ns = nanoseconds_of(message.header.stamp) - received.epoch_ns
        return _cloud(rows, truth if matches else None, sensor, stamp_ns, received)


def rows_of(message: Any, topic: str) -> Column:
    """Return the points of a PointCloud2 as a structured array [N]."""
    order: Literal["<", ">"] = ">" if message.is_bigendian else "<"
    names, formats, offsets = [], [], []
    for field in message.fields:
        if field.datatype not in _TYPES or field.count > 1:
            raise RecordingError(f"field '{field.name}' of a cloud on {topic} is not a single number")
        names.append(field.name)
        formats.append(np.dtype(_TYPES[field.datatype]).newbyteorder(order))
        offsets.append(field.offset)
    missing = {"x", "y", "z"} - set(names)
    if missing:
        raise RecordingError(f"a cloud on {topic} has no field {', '.join(sorted(missing))}; it has {', '.join(names)}")
    step = int(message.point_step)
    dtype = np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": step})
    data, count = np.ascontiguousarray(message.data, np.uint8), int(message.width) * int(message.height)
    if len(data) != count * step:
        raise RecordingError(f"a cloud on {topic} has {len(data)} bytes, but {count} points of {step} bytes")
    return np.frombuffer(data, dtype, count)


def _cloud(rows: Column, truth: Column | None, sensor: str, stamp_ns: int, received: Received) -> PointCloud:
    points = np.stack([rows[axis].astype(np.float32) for axis in "xyz"], -1)
    if not np.isfinite(points).all():  # empty places of an organised cloud
        finite = np.isfinite(points).all(1)
        rows, points, truth = rows[finite], points[finite], None if truth is None else truth[finite]
    offset_ns = _offset_ns(rows, stamp_ns + received.epoch_ns)
    before_ns = min(int(offset_ns.min(initial=0)), 0)
    beam = np.arange(len(rows), dtype=np.uint32) if truth is None else truth["beam"]
    return PointCloud(
        stamp=Stamp(sensor, received.index, stamp_ns + before_ns, received.ready_ns),
        points_m=points,
        range_m=_range_m(rows, points),
        intensity=_column(rows, ("intensity",), np.float32),
        ring=_column(rows, ("ring", "channel", "line"), np.uint16),
        time_offset_ns=(offset_ns - before_ns).astype(np.uint32),
        beam=beam,
        beam_count=int(beam.max()) + 1 if len(beam) else 0,
        truth=None if truth is None else _point_truth(truth),
    )


def _column(rows: Column, names: tuple[str, ...], dtype: Any) -> Column:
    """Return the first of these columns that the rows have, else zeros."""
    for name in names:
        if name in (rows.dtype.names or ()):
            return rows[name].astype(dtype)
    return np.zeros(len(rows), dtype)


def _range_m(rows: Column, points: Column) -> NDArray[np.float32]:
    """Return the measured range; without such a column the distance of the point."""
    names = rows.dtype.names or ()
    if "range" in names:
        scale = 1.0 if rows["range"].dtype.kind == "f" else 1e-3
        return (rows["range"] * scale).astype(np.float32)
    if "distance" in names:
        return rows["distance"].astype(np.float32)
    return np.asarray(np.linalg.norm(points, axis=1), np.float32)


def _offset_ns(rows: Column, stamp_unix_ns: int) -> NDArray[np.int64]:
    """Return the firing times relative to the header's stamp, from whichever time column there is."""
    names = rows.dtype.names or ()
    if "timestamp" in names:
        times = rows["timestamp"].astype(np.float64)
        unit = 1.0 if times.max(initial=0.0) > _FIRST_UNIX_NANOSECOND else 1e9
        return np.rint((times - stamp_unix_ns / unit) * unit).astype(np.int64)
    if "time" in names:
        return np.rint(rows["time"].astype(np.float64) * 1e9).astype(np.int64)
    return _column(rows, ("t", "time_stamp"), np.int64)


def _point_truth(rows: Column) -> PointTruth:
    columns = {name: rows[name].copy() for name in ("body", "part", "material", "label")}
    return PointTruth(**columns, incidence_rad=rows["incidence"].copy())
