"""PLY, the mesh viewers' format: binary little endian, one vertex per return, every column a property."""

from __future__ import annotations

from typing import IO

import numpy as np

from sensorium.core.errors import RecordingError
from sensorium.core.pose import Pose
from sensorium.recording.point_table import cloud_of, origin_of, read_origin, table_of
from sensorium.samples import PointCloud

_TYPES = (
    ("f4", "float", "float32"),
    ("f8", "double", "float64"),
    ("i1", "char", "int8"),
    ("u1", "uchar", "uint8"),
    ("i2", "short", "int16"),
    ("u2", "ushort", "uint16"),
    ("i4", "int", "int32"),
    ("u4", "uint", "uint32"),
)
_NAMES = {code: name for code, name, _ in _TYPES}
_CODES = {each: code for code, *names in _TYPES for each in names}
_MOST_HEADER_LINES = 200


def write_ply(file: IO[bytes], cloud: PointCloud, T_world_sensor: Pose | None) -> None:  # noqa: N803
    """Write a cloud with all its columns; with a pose in the world frame."""
    table = table_of(cloud, T_world_sensor)
    properties = [f"property {_NAMES[table.dtype[name].str[1:]]} {name}" for name in table.dtype.names or ()]
    head = ["ply", "format binary_little_endian 1.0", f"comment sensorium {origin_of(cloud)}"]
    file.write("\n".join([*head, f"element vertex {len(table)}", *properties, "end_header", ""]).encode())
    file.write(table.tobytes())


def read_ply(file: IO[bytes], name: str) -> PointCloud:
    """Read the vertices of a binary PLY; faces after them are ignored."""
    lines = _header(file)
    if ["format", "binary_little_endian", "1.0"] not in lines:
        raise RecordingError("only binary little-endian PLY is read; convert the file first")
    count, columns = _vertices(lines)
    row, data = np.dtype(columns), file.read()
    if len(data) < count * row.itemsize:
        held = len(data) // row.itemsize
        raise RecordingError(f"the header promises {count} vertices, the file holds {held}; it was cut")
    table = np.frombuffer(data, row, count)
    comments = [line[2:] for line in lines if line[:2] == ["comment", "sensorium"]]
    return cloud_of(table, *read_origin(" ".join(comments[0]) if comments else None, name))


def _header(file: IO[bytes]) -> list[list[str]]:
    if file.readline(16).strip() != b"ply":
        raise RecordingError("it does not begin with 'ply'; this is not a PLY file")
    lines = []
    for _ in range(_MOST_HEADER_LINES):
        lines.append(file.readline(65536).decode().split())
        if lines[-1] == ["end_header"]:
            return lines
    raise RecordingError("the PLY header has no end")


def _vertices(lines: list[list[str]]) -> tuple[int, list[tuple[str, str]]]:
    """Return the number of vertices and their columns; the vertices must be the first element."""
    elements = [number for number, line in enumerate(lines) if line[:1] == ["element"]]
    if not elements or lines[elements[0]][1] != "vertex":
        raise RecordingError("the first element of the PLY file is not 'vertex'")
    end = elements[1] if len(elements) > 1 else len(lines)
    columns = []
    for line in lines[elements[0] + 1 : end]:
        if line[:1] == ["property"]:
            if line[1] not in _CODES:
                raise RecordingError(f"the vertex property '{' '.join(line[1:])}' of the PLY file is not a number")
            columns.append((line[2], f"<{_CODES[line[1]]}"))
    return int(lines[elements[0]][2]), columns
