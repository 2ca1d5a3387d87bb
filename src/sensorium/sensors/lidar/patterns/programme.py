"""What an optical phased array is told to do: directions in their order, each with the time it is held."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from annotated_types import Gt, Le
from numpy.typing import NDArray
from pydantic import Field, model_validator

from sensorium.core.arrays import InUnitArray
from sensorium.core.configuration import configured
from sensorium.core.units import Radians
from sensorium.sensors.lidar.patterns.firing_loop import Period
from sensorium.sensors.lidar.patterns.neighbours import typical_step_rad

Floats = NDArray[np.float64]
AngleList = Annotated[Floats, InUnitArray("rad", (None,))]
TimeList = Annotated[Floats, InUnitArray("s", (None,))]

_PLASTIC = 1.324717957244746
"""Root of x^3 = x + 1; its powers spread points evenly over a square."""


@dataclass(frozen=True, eq=False)
class Stations:
    """The directions [M] of a programme in the order in which they are held."""

    azimuth_rad: Floats
    elevation_rad: Floats
    dwell_s: Floats
    ring: NDArray[np.uint16]


@configured
class ListedDirections:
    """Any directions in any order: a region of interest, a track, a search."""

    type: Literal["listed"] = "listed"
    azimuth_rad: AngleList
    """[M] counter-clockwise from straight ahead."""
    elevation_rad: AngleList
    """[M] upwards."""
    dwell_s: TimeList
    """[M] how long each direction is held, or [1] for all."""
    ring: tuple[Annotated[int, Field(ge=0, le=65535)], ...] = (0,)
    """Channel of each direction, or one for all."""

    @model_validator(mode="after")
    def _lists_fit(self) -> ListedDirections:
        count = len(self.azimuth_rad)
        if count == 0:
            raise ValueError("azimuth_rad holds no direction; at least one is needed")
        if len(self.elevation_rad) != count:
            raise ValueError(f"azimuth_rad and elevation_rad go in pairs, found {count} and {len(self.elevation_rad)}")
        for name, length in (("dwell_s", len(self.dwell_s)), ("ring", len(self.ring))):
            if length not in (1, count):
                raise ValueError(f"{name} has {length} entries; expected 1, or {count} as azimuth_rad has")
        if not ((self.dwell_s >= 1e-9) & (self.dwell_s <= 1e6)).all():
            raise ValueError(f"dwell_s must be 1e-9 to 1e6 s, found {self.dwell_s.min():g} to {self.dwell_s.max():g} s")
        if not (np.abs(self.elevation_rad) <= math.pi / 2).all():
            raise ValueError("elevation_rad must lie within -90 .. 90 deg")
        return self

    def stations(self) -> Stations:
        """Return the list as it stands."""
        shape = self.azimuth_rad.shape
        dwell, ring = np.broadcast_to(self.dwell_s, shape), np.broadcast_to(np.array(self.ring, np.uint16), shape)
        return Stations(self.azimuth_rad, self.elevation_rad, dwell, ring)

    @property
    def step_rad(self) -> float:
        """Median horizontal angle between directions that follow one another in a channel."""
        return typical_step_rad(self.azimuth_rad, self.stations().ring)


@configured
class RowByRow:
    """From the top row to the bottom one, each from the left."""

    type: Literal["row_by_row"] = "row_by_row"

    def cells(self, columns: int, rows: int) -> NDArray[np.int64]:
        """Return the cells, counted row by row, in the order of their turn."""
        return np.arange(rows * columns)


@configured
class Scattered:
    """Far apart one after the other: after any part of the period the whole field is evenly covered.

    Cell k of the order is k s modulo the number of cells. The stride s moves on by 1 / p of the rows and 1 / p^2 of the
    columns, p^3 = p + 1 (a rank-1 lattice), made coprime to the number of cells so that each one has its turn.
    """

    type: Literal["scattered"] = "scattered"

    def cells(self, columns: int, rows: int) -> NDArray[np.int64]:
        """Return the cells, counted row by row, in the order of their turn."""
        stride = round(rows / _PLASTIC) * columns + round(columns / _PLASTIC**2)
        while math.gcd(stride, rows * columns) != 1:
            stride += 1
        return np.arange(rows * columns) * stride % (rows * columns)


VisitOrder = Annotated[RowByRow | Scattered, Field(discriminator="type")]


@configured
class RasterDirections:
    """The middles of equal cells of a field of view."""

    type: Literal["raster"] = "raster"
    columns: Annotated[int, Field(ge=1)]
    rows: Annotated[int, Field(ge=1, le=65536)]
    horizontal_fov_rad: Annotated[Radians, Gt(0), Le(2 * math.pi)]
    vertical_fov_rad: Annotated[Radians, Gt(0), Le(math.pi)]
    dwell_s: Period
    """How long each direction is held."""
    order: VisitOrder = RowByRow()

    def stations(self) -> Stations:
        """Return one direction per cell; the ring is the row, 0 = lowest."""
        row, column = np.divmod(self.order.cells(self.columns, self.rows), self.columns)
        azimuth = self.horizontal_fov_rad * (0.5 - (column + 0.5) / self.columns)
        elevation = self.vertical_fov_rad * (0.5 - (row + 0.5) / self.rows)
        return Stations(azimuth, elevation, np.full(len(row), self.dwell_s), (self.rows - 1 - row).astype(np.uint16))

    @property
    def step_rad(self) -> float:
        """Horizontal angle between neighbouring cells."""
        return self.horizontal_fov_rad / self.columns


Programme = Annotated[ListedDirections | RasterDirections, Field(discriminator="type")]
