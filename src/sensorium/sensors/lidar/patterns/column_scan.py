"""A spinning head whose rows all fire at once, at columns that are evenly spread round the horizon."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.time import TimeWindow
from sensorium.core.units import Metres, NonNegativeMetres, Radians
from sensorium.sensors.lidar.beams import Beams


@configured
class Row:
    """One emitter and its detector in the column."""

    ring: Annotated[int, Field(ge=0, le=65535)]
    """Rank by elevation, 0 = lowest."""
    elevation_rad: Radians
    azimuth_rad: Radians = 0.0
    """Turn against the head, counter-clockwise seen from above."""


@configured
class ColumnScan:
    """Column j of W fires when the head has made j / W of its turn: the encoder triggers, not a free-running clock.

    The beams leave a common point that turns with the head, `beam_origin_m` before its axis and `height_m` above the
    sensor's origin:

        origin = R(h) (n, 0, z),  direction = (cos e cos(h + a), cos e sin(h + a), sin e),  h = start -+ 2 pi j / W

    with n the beam origin, a and e azimuth and elevation of the row. (Ouster, Sensor Documentation, "Lidar Range to
    XYZ", with the encoder angle counted clockwise and `lidar_origin_to_beam_origin_mm` for n.)
    """

    type: Literal["column_scan"] = "column_scan"
    columns_per_turn: Annotated[int, Field(ge=1)] = 1024
    rows: Annotated[tuple[Row, ...], Field(min_length=1)]
    beam_origin_m: NonNegativeMetres = 0.0
    """Distance of the beams' common origin from the axis of the head."""
    height_m: Metres = 0.0
    """Height of that point above the sensor's origin."""
    start_azimuth_rad: Radians = np.pi
    clockwise: bool = True

    @cached_property
    def _angles(self) -> NDArray[np.float64]:
        """Azimuth and elevation of the rows [2, R]."""
        return np.array([[row.azimuth_rad for row in self.rows], [row.elevation_rad for row in self.rows]])

    @cached_property
    def _rings(self) -> NDArray[np.uint16]:
        return np.array([row.ring for row in self.rows], np.uint16)

    def beams(self, window: TimeWindow) -> Beams:
        """Return the beams that fire in [start, end) while the head turns once, column by column."""
        from sensorium.sensors.lidar import pattern_kernels

        column = np.arange(self.columns_per_turn if window.duration_ns else 0)
        time_ns = window.start_ns + column * window.duration_ns // self.columns_per_turn
        head = self.start_azimuth_rad + (-2 if self.clockwise else 2) * math.pi / self.columns_per_turn * column
        origin = np.tile((self.beam_origin_m, 0.0, self.height_m), (len(self.rows), 1))
        direction = pattern_kernels.towards(*self._angles)
        together = np.zeros(len(self.rows), np.int64)
        return Beams(*pattern_kernels.turned(time_ns, head, together, origin, direction, self._rings))

    def angular_step_rad(self, window: TimeWindow) -> float:
        """Return the turn of the head between two columns."""
        return 2 * math.pi / self.columns_per_turn
