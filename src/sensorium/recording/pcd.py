"""PCD v0.7, the point cloud library's format: a header in text, then the table as it is in memory.

Points stay in the sensor frame; the pose goes to VIEWPOINT (tx ty tz qw qx qy qz), where PCL and CloudCompare look.
"""

from __future__ import annotations

from typing import IO, Any

import numpy as np

from sensorium.core.errors import RecordingError
from sensorium.core.pose import Pose
from sensorium.recording.point_table import cloud_of, origin_of, read_origin, table_of
from sensorium.samples import PointCloud

_KINDS = {"f": "F", "i": "I", "u": "U"}
_MOST_HEADER_LINES = 100


def write_pcd(file: IO[bytes], cloud: PointCloud, T_world_sensor: Pose | None) -> None:  # noqa: N803
    """Write a cloud as binary PCD with all its columns."""
    table, pose = table_of(cloud), T_world_sensor or Pose.identity()
    names = table.dtype.names or ()
    types = [table.dtype[name] for name in names]
    lines: dict[str, list[Any]] = {
        "VERSION": ["0.7"],
        "FIELDS": list(names),
        "SIZE": [each.itemsize for each in types],
        "TYPE": [_KINDS[each.kind] for each in types],
        "COUNT": [1] * len(types),
        "WIDTH": [len(table)],
        "HEIGHT": [1],
        "VIEWPOINT": [repr(float(value)) for value in (*pose.position_m, *pose.quaternion)],
        "POINTS": [len(table)],
        "DATA": ["binary"],
    }
    head = ["# .PCD v0.7 - Point Cloud Data file format", f"# sensorium {origin_of(cloud)}"]
    head += [f"{key} {' '.join(map(str, values))}" for key, values in lines.items()]
    file.write("\n".join([*head, ""]).encode())
    file.write(table.tobytes())


def read_pcd(file: IO[bytes], name: str) -> PointCloud:
    """Read a binary PCD; any set of columns that has x, y and z."""
    lines, origin = _header(file)
    if lines.get("DATA") != ["binary"]:
        raise RecordingError(f"only binary PCD is read, found DATA {' '.join(lines['DATA'])}; convert it first")
    row, count, data = _row(lines), int(lines["POINTS"][0]), file.read()
    if len(data) < count * row.itemsize:
        held = len(data) // row.itemsize
        raise RecordingError(f"the header promises {count} points, the file holds {held}; it was cut")
    return cloud_of(np.frombuffer(data, row, count), *read_origin(origin, name))


def _header(file: IO[bytes]) -> tuple[dict[str, list[str]], str | None]:
    lines: dict[str, list[str]] = {}
    origin = None
    for _ in range(_MOST_HEADER_LINES):
        line = file.readline(65536).decode()
        if line.startswith("# sensorium "):
            origin = line.removeprefix("# sensorium ")
        elif line.strip() and not line.startswith("#"):
            key, *values = line.split()
            lines[key] = values
        if "DATA" in lines:
            return lines, origin
    raise RecordingError("there is no PCD header with a DATA line; this is not a PCD file")


def _row(lines: dict[str, list[str]]) -> np.dtype[np.void]:
    numpy_kinds = {kind: code for code, kind in _KINDS.items()}
    counts = map(int, lines.get("COUNT", ["1"] * len(lines["FIELDS"])))
    columns = zip(lines["FIELDS"], lines["TYPE"], lines["SIZE"], counts, strict=True)
    shapes = {1: ()}
    return np.dtype([(name, f"<{numpy_kinds[kind]}{size}", shapes.get(n, (n,))) for name, kind, size, n in columns])
