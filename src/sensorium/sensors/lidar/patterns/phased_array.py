"""An optical phased array: no moving part, any direction at any time."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sensorium.core.configuration import configured
from sensorium.core.time import TimeWindow
from sensorium.sensors.lidar.beams import Beams
from sensorium.sensors.lidar.patterns.firing_loop import FiringLoop
from sensorium.sensors.lidar.patterns.programme import Programme


@configured
class PhasedArray:
    """The programme runs for ever on the scenario's clock; a beam fires at the start of the time for which it is held.

    A scan may hold a part of the programme, or several passes of it.
    """

    type: Literal["phased_array"] = "phased_array"
    programme: Programme

    @cached_property
    def _loop(self) -> FiringLoop:
        dwell_s = self.programme.stations().dwell_s
        end_s = np.cumsum(dwell_s)
        return FiringLoop.of(np.concatenate(([0.0], end_s[:-1])), float(end_s[-1]))

    @cached_property
    def _direction(self) -> NDArray[np.float64]:
        from sensorium.sensors.lidar import pattern_kernels

        stations = self.programme.stations()
        return np.asarray(pattern_kernels.towards(stations.azimuth_rad.copy(), stations.elevation_rad.copy()))

    @cached_property
    def _rings(self) -> NDArray[np.uint16]:
        return self.programme.stations().ring.copy()

    @property
    def period_s(self) -> float:
        """Time of one pass of the programme."""
        return float(self.programme.stations().dwell_s.sum())

    def beams(self, window: TimeWindow) -> Beams:
        """Return the beams that fire in [start, end)."""
        from sensorium.sensors.lidar import pattern_kernels

        first, time_ns = self._loop.shots(window)
        direction, ring = pattern_kernels.loop_rows(first, len(time_ns), self._direction, self._rings)
        return Beams(time_ns, np.zeros((len(time_ns), 3)), direction, ring)

    def angular_step_rad(self, window: TimeWindow) -> float:
        """Return the horizontal angle between neighbouring directions of the programme."""
        return self.programme.step_rad
