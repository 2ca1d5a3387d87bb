"""A point cloud as one table: the columns that every file format starts from and comes back to."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from sensorium.core.errors import RecordingError
from sensorium.core.pose import Pose
from sensorium.recording.point_layouts import Column
from sensorium.samples import PointCloud, PointTruth, Stamp

_DTYPES = {
    "intensity": "<f4",
    "range": "<f4",
    "ring": "<u2",
    "t": "<u4",
    "beam": "<u4",
    "return_index": "|u1",
    "body": "<i4",
    "part": "<i4",
    "material": "<i4",
    "label": "<i4",
    "incidence": "<f4",
    "cause": "|i1",
}


def table_of(cloud: PointCloud, T_world_sensor: Pose | None = None) -> Column:  # noqa: N803
    """Return the cloud as a structured array [N]: x y z intensity range ring t beam, and what else it knows.

    `t` is the firing time in nanoseconds after the start of the scan. Coordinates are float32 in the sensor frame; with
    a pose they are float64 in the world frame. The truth of beams without a return has no row and is left out.
    """
    points = cloud.points_m if T_world_sensor is None else T_world_sensor.transform(cloud.points_m.astype(np.float64))
    columns: dict[str, Column] = {
        "x": points[:, 0],
        "y": points[:, 1],
        "z": points[:, 2],
        "intensity": cloud.intensity,
        "range": cloud.range_m,
        "ring": cloud.ring,
        "t": cloud.time_offset_ns,
        "beam": cloud.beam,
    }
    if cloud.return_index is not None:
        columns["return_index"] = cloud.return_index
    if cloud.truth is not None:
        columns |= {name: getattr(cloud.truth, name) for name in ("body", "part", "material", "label")}
        columns["incidence"] = cloud.truth.incidence_rad
        if cloud.truth.cause is not None:
            columns["cause"] = cloud.truth.cause
    place = "<f4" if T_world_sensor is None else "<f8"
    table = np.empty(len(cloud), [(name, place if name in "xyz" else _DTYPES[name]) for name in columns])
    for name, values in columns.items():
        table[name] = values
    return table


def cloud_of(table: Column, stamp: Stamp, beam_count: int | None = None) -> PointCloud:
    """Return the cloud of a table; columns that are missing are zero, the range is then the distance of the point."""
    names = set(table.dtype.names or ())
    if not {"x", "y", "z"} <= names:
        raise RecordingError(f"a point cloud needs the columns x, y and z, found {', '.join(sorted(names)) or 'none'}")
    points = np.stack([table[axis].astype(np.float32) for axis in "xyz"], -1)
    beam = _column(table, "beam", np.arange(len(table)))
    distance_m = 0.0 if "range" in names else np.linalg.norm(points, axis=1)
    return PointCloud(
        stamp=stamp,
        points_m=points,
        range_m=_column(table, "range", distance_m),
        intensity=_column(table, "intensity"),
        ring=_column(table, "ring"),
        time_offset_ns=_column(table, "t"),
        beam=beam,
        return_index=_column(table, "return_index") if "return_index" in names else None,
        beam_count=beam_count if beam_count is not None else (int(beam.max()) + 1 if len(beam) else 0),
        truth=_truth(table) if names >= {"body", "part", "material", "label", "incidence"} else None,
    )


def _column(table: Column, name: str, default: Any = 0) -> Column:
    """Return a column in its own type, whatever type the file gave it."""
    values = table[name] if name in (table.dtype.names or ()) else np.broadcast_to(default, len(table))
    return values.astype(_DTYPES[name])


def _truth(table: Column) -> PointTruth:
    return PointTruth(
        body=_column(table, "body"),
        part=_column(table, "part"),
        material=_column(table, "material"),
        label=_column(table, "label"),
        incidence_rad=_column(table, "incidence"),
        cause=_column(table, "cause") if "cause" in (table.dtype.names or ()) else None,
    )


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
