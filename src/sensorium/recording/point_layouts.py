"""How the rows of a point cloud lie in a PointCloud2: the fields of each maker's driver, byte for byte.

SLAM packages choose their code path by the names `ring` and `time`, `t` or `timestamp`, so a cloud is recorded in the
layout of the device that it stands for. A layout is a value: make your own from `PointField`s where none of these fits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sensorium.core.errors import RecordingError, did_you_mean
from sensorium.core.time import NANOSECONDS_PER_SECOND
from sensorium.samples import PointCloud

Column = NDArray[Any]
Filling = Callable[[PointCloud, int], Column]
"""(cloud, epoch_ns) -> one value per row."""

UNKNOWN_CAUSE = -1
"""Stands in the column `cause` of a cloud that does not know what made its returns."""


@dataclass(frozen=True)
class PointField:
    """One column: its name, its NumPy type, its place in the row, and where its values come from."""

    name: str
    dtype: str
    offset: int
    values: Filling


@dataclass(frozen=True)
class PointLayout:
    """The columns of a cloud, the length of a row in bytes, and the instant of the header's stamp."""

    name: str
    fields: tuple[PointField, ...]
    step: int
    stamp_ns: Callable[[PointCloud], int]

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The row as a structured type."""
        return np.dtype(
            {
                "names": [field.name for field in self.fields],
                "formats": [field.dtype for field in self.fields],
                "offsets": [field.offset for field in self.fields],
                "itemsize": self.step,
            }
        )

    def fill(self, rows: Column, cloud: PointCloud, epoch_ns: int) -> None:
        """Write the cloud into rows [N] of this layout's type; bytes that belong to no field stay as they are."""
        for field in self.fields:
            rows[field.name] = field.values(cloud, epoch_ns)


def _start(cloud: PointCloud) -> int:
    return cloud.stamp.time_ns


def _last_return(cloud: PointCloud) -> int:
    return cloud.stamp.time_ns + int(cloud.time_offset_ns.max(initial=0))


def _byte(values: Column) -> Column:
    return np.clip(np.rint(values), 0, 255).astype(np.uint8)


def _zero(cloud: PointCloud, epoch_ns: int) -> Column:
    return np.zeros(len(cloud), np.uint8)


def _x(cloud: PointCloud, epoch_ns: int) -> Column:
    return cloud.points_m[:, 0]


def _y(cloud: PointCloud, epoch_ns: int) -> Column:
    return cloud.points_m[:, 1]


def _z(cloud: PointCloud, epoch_ns: int) -> Column:
    return cloud.points_m[:, 2]


def _intensity(cloud: PointCloud, epoch_ns: int) -> Column:
    return cloud.intensity


def _intensity_byte(cloud: PointCloud, epoch_ns: int) -> Column:
    return _byte(cloud.intensity)


def _ring(cloud: PointCloud, epoch_ns: int) -> Column:
    return cloud.ring


def _ring_byte(cloud: PointCloud, epoch_ns: int) -> Column:
    return _byte(cloud.ring)


def _seconds_since_start(cloud: PointCloud, epoch_ns: int) -> Column:
    return np.asarray(cloud.time_offset_ns * 1e-9)


def _seconds_since_last_return(cloud: PointCloud, epoch_ns: int) -> Column:
    return np.asarray((cloud.time_offset_ns - np.int64(cloud.time_offset_ns.max(initial=0))) * 1e-9)


def _nanoseconds_since_start(cloud: PointCloud, epoch_ns: int) -> Column:
    return cloud.time_offset_ns


def _unix_nanoseconds(cloud: PointCloud, epoch_ns: int) -> Column:
    return cloud.time_offset_ns + np.int64(epoch_ns + cloud.stamp.time_ns)


def _unix_seconds(cloud: PointCloud, epoch_ns: int) -> Column:
    whole, rest_ns = divmod(epoch_ns + cloud.stamp.time_ns, NANOSECONDS_PER_SECOND)
    return whole + (cloud.time_offset_ns + np.int64(rest_ns)) * 1e-9  # rounded once


def _beam(cloud: PointCloud, epoch_ns: int) -> Column:
    return cloud.beam


def _return_index(cloud: PointCloud, epoch_ns: int) -> Column:
    return _zero(cloud, epoch_ns) if cloud.return_index is None else cloud.return_index


def _cause(cloud: PointCloud, epoch_ns: int) -> Column:
    known = cloud.truth is not None and cloud.truth.cause is not None
    return _truth("cause")(cloud, epoch_ns) if known else np.full(len(cloud), UNKNOWN_CAUSE, np.int8)


def _range_millimetres(cloud: PointCloud, epoch_ns: int) -> Column:
    return np.asarray(np.rint(cloud.range_m * 1e3))


def _range(cloud: PointCloud, epoch_ns: int) -> Column:
    return cloud.range_m


def _azimuth(cloud: PointCloud, epoch_ns: int) -> Column:
    azimuth = np.arctan2(cloud.points_m[:, 1], cloud.points_m[:, 0])
    return np.where(azimuth < 0, azimuth + np.float32(2 * np.pi), azimuth)


def _elevation(cloud: PointCloud, epoch_ns: int) -> Column:
    x, y, z = cloud.points_m.T
    return np.asarray(np.arctan2(z, np.hypot(x, y)))


def _truth(name: str) -> Filling:
    def values(cloud: PointCloud, epoch_ns: int) -> Column:
        column: Column = getattr(cloud.truth, name)
        return column

    return values


_XYZ = (PointField("x", "<f4", 0, _x), PointField("y", "<f4", 4, _y), PointField("z", "<f4", 8, _z))
_XYZI = (*_XYZ, PointField("intensity", "<f4", 12, _intensity))
_XYZIR = (*_XYZI, PointField("ring", "<u2", 16, _ring))

SENSORIUM = PointLayout(
    "sensorium", (*_XYZIR, PointField("time", "<f4", 18, _seconds_since_start)), step=22, stamp_ns=_start
)
"""Velodyne's fields with the stamp at the start of the scan: `time` is in seconds after the stamp, never negative."""

VELODYNE = PointLayout(
    "velodyne", (*_XYZIR, PointField("time", "<f4", 18, _seconds_since_last_return)), step=22, stamp_ns=_last_return
)
"""The ROS 2 driver's default: stamp of the last firing, `time` in seconds before it (zero or negative)."""

OUSTER = PointLayout(
    "ouster",
    (
        *_XYZ,
        PointField("intensity", "<f4", 16, _intensity),
        PointField("t", "<u4", 20, _nanoseconds_since_start),
        PointField("reflectivity", "<u2", 24, _intensity_byte),
        PointField("ring", "<u2", 26, _ring),
        PointField("ambient", "<u2", 28, _zero),
        PointField("range", "<u4", 32, _range_millimetres),
    ),
    step=48,
    stamp_ns=_start,
)
"""The "original" point type: `t` in ns after the stamp, range in mm. Returns only (height 1); ambient light is zero."""

HESAI = PointLayout("hesai", (*_XYZIR, PointField("timestamp", "<f8", 18, _unix_seconds)), step=26, stamp_ns=_start)
"""`timestamp` in absolute seconds; a float64 resolves 0.24 us there."""

LIVOX = PointLayout(
    "livox",
    (
        *_XYZI,
        PointField("tag", "|u1", 16, _zero),
        PointField("line", "|u1", 17, _ring_byte),
        PointField("timestamp", "<f8", 18, _unix_nanoseconds),
    ),
    step=26,
    stamp_ns=_start,
)
"""`timestamp` in absolute nanoseconds, stored as float64 (which resolves 256 ns there); tag 0 means high confidence."""

AUTOWARE = PointLayout(
    "autoware",
    (
        *_XYZ,
        PointField("intensity", "|u1", 12, _intensity_byte),
        PointField("return_type", "|u1", 13, _zero),
        PointField("channel", "<u2", 14, _ring),
        PointField("azimuth", "<f4", 16, _azimuth),
        PointField("elevation", "<f4", 20, _elevation),
        PointField("distance", "<f4", 24, _range),
        PointField("time_stamp", "<u4", 28, _nanoseconds_since_start),
    ),
    step=32,
    stamp_ns=_start,
)
"""PointXYZIRCAEDT: azimuth in rad from x towards y, 0..2 pi; `time_stamp` in ns after the stamp; return type 0."""

POINT_TRUTH = PointLayout(
    "truth",
    (
        *_XYZ,
        PointField("body", "<i4", 12, _truth("body")),
        PointField("part", "<i4", 16, _truth("part")),
        PointField("material", "<i4", 20, _truth("material")),
        PointField("label", "<i4", 24, _truth("label")),
        PointField("incidence", "<f4", 28, _truth("incidence_rad")),
        PointField("beam", "<u4", 32, _beam),
        PointField("return_index", "|u1", 36, _return_index),
        PointField("cause", "|i1", 37, _cause),
    ),
    step=38,
    stamp_ns=_start,
)
"""What each point really is, row by row with the sensor's cloud; x y z first, so that viewers can colour by `label`."""

LAYOUTS = {layout.name: layout for layout in (SENSORIUM, VELODYNE, OUSTER, HESAI, LIVOX, AUTOWARE)}


def point_layout(name: str) -> PointLayout:
    """Return the layout of that name."""
    if name not in LAYOUTS:
        raise RecordingError(f"there is no point layout '{name}'.{did_you_mean(name, LAYOUTS)}")
    return LAYOUTS[name]
