"""A point cloud as one table: the columns that every file format starts from and comes back to."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from sensorium.core.errors import RecordingError
from sensorium.core.pose import Pose
from sensorium.recording.point_layouts import Column
from sensorium.samples import PointCloud, PointTruth, Stamp

_MEASURED = {"x": "f4", "y": "f4", "z": "f4", "intensity": "f4", "range": "f4", "ring": "u2", "t": "u4", "beam": "u4"}
_TRUE = {"body": "i4", "part": "i4", "material": "i4", "label": "i4", "incidence": "f4"}


def table_of(cloud: PointCloud, T_world_sensor: Pose | None = None) -> Column:  # noqa: N803
    """Return the cloud as a structured array [N]: x y z intensity range ring t beam, and the truth if there is any.

    `t` is the firing time in nanoseconds after the start of the scan. Coordinates are float32 in the sensor frame; with
    a pose they are float64 in the world frame.
    """
    place = "f4" if T_world_sensor is None else "f8"
    names = {**_MEASURED, "x": place, "y": place, "z": place} | ({} if cloud.truth is None else _TRUE)
    table = np.empty(len(cloud), [(name, f"<{kind}") for name, kind in names.items()])
    points = cloud.points_m if T_world_sensor is None else T_world_sensor.transform(cloud.points_m.astype(np.float64))
    table["x"], table["y"], table["z"] = points.T
    table["intensity"], table["range"] = cloud.intensity, cloud.range_m
    table["ring"], table["t"], table["beam"] = cloud.ring, cloud.time_offset_ns, cloud.beam
    if cloud.truth is not None:
        for name in ("body", "part", "material", "label"):
            table[name] = getattr(cloud.truth, name)
        table["incidence"] = cloud.truth.incidence_rad
    return table


def cloud_of(table: Column, stamp: Stamp, beam_count: int | None = None) -> PointCloud:
    """Return the cloud of a table; columns that are missing are zero, the range is then the distance of the point."""
    names = table.dtype.names or ()
    if not {"x", "y", "z"} <= set(names):
        raise RecordingError(f"a point cloud needs the columns x, y and z, found {', '.join(names) or 'none'}")
    points = np.stack([table[axis].astype(np.float32) for axis in "xyz"], -1)
    beam = _column(table, "beam", np.arange(len(table)), np.uint32)
    distance_m = 0.0 if "range" in names else np.linalg.norm(points, axis=1)
    return PointCloud(
        stamp=stamp,
        points_m=points,
        range_m=_column(table, "range", distance_m, np.float32),
        intensity=_column(table, "intensity", 0, np.float32),
        ring=_column(table, "ring", 0, np.uint16),
        time_offset_ns=_column(table, "t", 0, np.uint32),
        beam=beam,
        beam_count=beam_count if beam_count is not None else (int(beam.max()) + 1 if len(beam) else 0),
        truth=_truth(table) if set(_TRUE) <= set(names) else None,
    )


def _column(table: Column, name: str, default: Any, dtype: Any) -> Column:
    if name in (table.dtype.names or ()):
        return table[name].astype(dtype)
    return np.broadcast_to(default, len(table)).astype(dtype)


def _truth(table: Column) -> PointTruth:
    numbers = {name: table[name].astype(np.int32) for name in ("body", "part", "material", "label")}
    return PointTruth(**numbers, incidence_rad=table["incidence"].astype(np.float32))


def origin_of(cloud: PointCloud) -> str:
    """Return who measured and when as a line of JSON, for formats that carry comments."""
    stamp = cloud.stamp
    return json.dumps(
        {
            "sensor": stamp.sensor,
            "index": stamp.index,
            "time_ns": stamp.time_ns,
            "ready_ns": stamp.ready_ns,
            "beam_count": cloud.beam_count,
        }
    )


def read_origin(line: str | None, name: str) -> tuple[Stamp, int | None]:
    """Return stamp and number of beams from such a line; without one the file's name stands for the sensor."""
    if line is None:
        return Stamp(name, 0, 0, 0), None
    origin = json.loads(line)
    times = int(origin["index"]), int(origin["time_ns"]), int(origin["ready_ns"])
    return Stamp(str(origin["sensor"]), *times), int(origin["beam_count"])
