"""A scan pattern from a file: one row per beam, repeated every period."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import model_validator

from sensorium.core.configuration import configured
from sensorium.core.files import InputFile
from sensorium.core.time import TimeWindow
from sensorium.sensors.lidar.beams import Beams
from sensorium.sensors.lidar.patterns.beam_table import BeamTable, read_beam_table
from sensorium.sensors.lidar.patterns.firing_loop import FiringLoop, Period
from sensorium.sensors.lidar.patterns.neighbours import typical_step_rad


@configured
class CsvPattern:
    """Beams of a text table with a header, for patterns that no formula gives (makers publish such tables).

    Columns by name and unit, in any order: `time_s` (or _ms, _us, _ns), `azimuth_deg` (or _rad, _mrad), `elevation_deg`
    or `zenith_deg` (elevation = 90 deg - zenith), and `ring` if there are channels. Azimuth is counter-clockwise from
    straight ahead. A slash may stand for the underline: "Time/s, Azimuth/deg, Zenith/deg". Other columns are an error.
    The file is read when the pattern is made.
    """

    type: Literal["csv"] = "csv"
    file: InputFile
    period_s: Period
    """After this time the table starts again; every time in it must be smaller."""

    @model_validator(mode="after")
    def _table_is_sound(self) -> CsvPattern:
        _ = self._table
        return self

    @cached_property
    def _table(self) -> BeamTable:
        return read_beam_table(self.file, self.period_s)

    @cached_property
    def _loop(self) -> FiringLoop:
        return FiringLoop.of(self._table.time_s, self.period_s)

    @cached_property
    def _direction(self) -> NDArray[np.float64]:
        from sensorium.sensors.lidar import pattern_kernels

        return np.asarray(pattern_kernels.towards(self._table.azimuth_rad, self._table.elevation_rad))

    def beams(self, window: TimeWindow) -> Beams:
        """Return the beams that fire in [start, end)."""
        from sensorium.sensors.lidar import pattern_kernels

        first, time_ns = self._loop.shots(window)
        direction, ring = pattern_kernels.loop_rows(first, len(time_ns), self._direction, self._table.ring)
        return Beams(time_ns, np.zeros((len(time_ns), 3)), direction, ring)

    def angular_step_rad(self, window: TimeWindow) -> float:
        """Return the median horizontal angle between beams that follow one another in a channel."""
        return typical_step_rad(self._table.azimuth_rad, self._table.ring)
