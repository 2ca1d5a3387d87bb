"""PointCloud2 messages become point clouds again, whatever their layout: columns are found by name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from sensorium.core.errors import RecordingError
from sensorium.recording.point_layouts import POINT_TRUTH, UNKNOWN_CAUSE, Column
from sensorium.recording.received import Received
from sensorium.recording.ros_conventions import WORLD_FRAME, nanoseconds_of
from sensorium.recording.ros_point_cloud import BEAMS_TYPE, DATATYPES
from sensorium.recording.ros_types import deserialise
from sensorium.samples import PointCloud, PointTruth, Stamp
from sensorium.samples.point_cloud import Frame

_TYPES = {number: dtype for dtype, number in DATATYPES.items()}
_FIRST_UNIX_NANOSECOND = 1e12
"""Absolute times above this number are nanoseconds (Livox), below it seconds (Hesai)."""


class PointCloudReader:
    """Joins each cloud with what is true of its beams and its points, which comes just before it."""

    def __init__(self) -> None:
        self._beams: dict[tuple[str, int], NDArray[np.int8]] = {}
        self._points: dict[tuple[str, int], Column] = {}

    def take(self, received: Received) -> PointCloud | None:
        """Return the cloud of a message; None for its truth, which waits for it."""
        message = deserialise(received.cdr, received.topic.type_name)
        whose = received.topic.sensor, received.index
        if received.topic.type_name == BEAMS_TYPE:
            self._beams = {whose: np.asarray(message.data, np.int8)}
            return None
        rows = rows_of(message, received.topic.name)
        if received.topic.layout == POINT_TRUTH.name:
            self._points = {whose: rows}
            return None
        beams, truth = self._beams.pop(whose, None), self._points.pop(whose, None)
        sensor = received.topic.sensor or str(message.header.frame_id)
        stamp_ns = nanoseconds_of(message.header.stamp) - received.epoch_ns
        same_rows = truth is not None and len(truth) == len(rows)
        return _cloud(
            rows,
            truth if same_rows else None,
            beams,
            Stamp(sensor, received.index, stamp_ns, received.ready_ns),
            received.epoch_ns,
            _frame(str(message.header.frame_id), sensor),
        )


def _frame(frame: str, sensor: str) -> Frame:
    if frame == WORLD_FRAME:
        return "world"
    return "sensor" if frame == sensor else "vehicle"


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


def _cloud(
    rows: Column,
    truth: Column | None,
    missing: NDArray[np.int8] | None,
    stamp: Stamp,
    epoch_ns: int,
    frame: Frame,
) -> PointCloud:
    """Return a cloud whose stamp is still that of the message: the start of the scan is not later than its returns."""
    points = np.stack([rows[axis].astype(np.float32) for axis in "xyz"], -1)
    if not np.isfinite(points).all():  # empty places of an organised cloud
        finite = np.isfinite(points).all(1)
        rows, points, truth = rows[finite], points[finite], None if truth is None else truth[finite]
    offset_ns = _offset_ns(rows, stamp.time_ns + epoch_ns)
    before_ns = min(int(offset_ns.min(initial=0)), 0)
    beam = np.arange(len(rows), dtype=np.uint32) if truth is None else truth["beam"].copy()
    fired = 0 if missing is None else len(missing)
    return PointCloud(
        stamp=replace(stamp, time_ns=stamp.time_ns + before_ns),
        points_m=points,
        range_m=_range_m(rows, points, frame),
        intensity=_column(rows, ("intensity",), np.float32),
        ring=_column(rows, ("ring", "channel", "line"), np.uint16),
        time_offset_ns=(offset_ns - before_ns).astype(np.uint32),
        beam=beam,
        return_index=None if truth is None or not truth["return_index"].any() else truth["return_index"].copy(),
        beam_count=max(fired, int(beam.max()) + 1 if len(beam) else 0),
        frame=frame,
        truth=None if truth is None else _point_truth(truth, missing),
    )


def _column(rows: Column, names: tuple[str, ...], dtype: Any) -> Column:
    """Return the first of these columns that the rows have, else zeros."""
    for name in names:
        if name in (rows.dtype.names or ()):
            return rows[name].astype(dtype)
    return np.zeros(len(rows), dtype)


def _range_m(rows: Column, points: Column, frame: Frame) -> NDArray[np.float32]:
    """Return the measured range; without such a column the distance of the point, NaN where that is not from the sensor."""
    names = rows.dtype.names or ()
    if "range" in names:
        scale = 1.0 if rows["range"].dtype.kind == "f" else 1e-3
        return (rows["range"] * scale).astype(np.float32)
    if "distance" in names:
        return rows["distance"].astype(np.float32)
    if frame != "sensor":
        return np.full(len(points), np.nan, np.float32)
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


def _point_truth(rows: Column, missing: NDArray[np.int8] | None) -> PointTruth:
    return PointTruth(
        body=rows["body"].copy(),
        part=rows["part"].copy(),
        material=rows["material"].copy(),
        label=rows["label"].copy(),
        incidence_rad=rows["incidence"].copy(),
        cause=None if (rows["cause"] == UNKNOWN_CAUSE).any() else rows["cause"].copy(),
        missing=missing,
    )
