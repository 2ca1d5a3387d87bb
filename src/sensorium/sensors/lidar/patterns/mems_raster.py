"""A MEMS mirror that writes lines: a fast axis along them, a slow axis from line to line."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Annotated, Literal

import numpy as np
from annotated_types import Gt, Le, Lt
from numpy.typing import NDArray
from pydantic import Field, model_validator

from sensorium.core.configuration import configured
from sensorium.core.time import NANOSECONDS_PER_SECOND, Times, TimeWindow
from sensorium.core.units import Fraction, Radians
from sensorium.sensors.lidar.beams import Beams
from sensorium.sensors.lidar.patterns.firing_loop import FiringLoop, PulseRate
from sensorium.sensors.lidar.patterns.mirror_sweep import BackAndForth, FastAxis, SlowAxis, Staircase

Floats = NDArray[np.float64]


@configured
class MemsRaster:
    """One frame per scan, written like a page: the first line on top, its first point on the left.

    Angles are optical ones (twice the tilt of the mirror) behind the lens that corrects the mirror's distortion, so
    that the two axes are azimuth and elevation:

        azimuth = -d H / 2,  elevation = h V

    with H and V the fields of view, d and h the deflections of the two axes (see `mirror_sweep`). Either the mirror
    gates the laser (`points_per_line`: evenly spread over the lit time of each line, at the middles of equal spans) or
    the laser runs freely (`laser_rate_hz`, on the scenario's clock) and its shots outside the lit time are suppressed.
    """

    type: Literal["mems_raster"] = "mems_raster"
    horizontal_fov_rad: Annotated[Radians, Gt(0), Le(2 * math.pi)]
    vertical_fov_rad: Annotated[Radians, Gt(0), Le(math.pi)]
    lines: Annotated[int, Field(ge=1, le=65536)]
    """Lines per frame."""
    points_per_line: Annotated[int, Field(ge=1)] | None = None
    laser_rate_hz: PulseRate | None = None
    fast_axis: FastAxis = BackAndForth()
    slow_axis: SlowAxis = Staircase()
    retrace_share: Annotated[Fraction, Lt(1)] = 0.0
    """Part of a frame that the slow axis takes to return to the top, laser off."""

    @model_validator(mode="after")
    def _one_way_to_fire(self) -> MemsRaster:
        if (self.points_per_line is None) == (self.laser_rate_hz is None):
            found = "both" if self.laser_rate_hz is not None else "neither"
            raise ValueError(f"expected either points_per_line or laser_rate_hz, found {found}")
        return self

    @cached_property
    def _gated(self) -> tuple[Floats, Floats, NDArray[np.uint16]]:
        """Phase, direction and ring of every point of a frame, where the mirror gates the laser."""
        points, (start, end) = self.points_per_line or 0, self.fast_axis.lit
        along = start + (end - start) * (np.arange(points) + 0.5) / points
        phase = (np.arange(self.lines)[:, None] + along).ravel()
        return phase, *self._look(phase)

    def _look(self, phase: Floats) -> tuple[Floats, NDArray[np.uint16]]:
        """Return direction and ring after so many lines."""
        from sensorium.sensors.lidar import pattern_kernels

        fast, fields = self.fast_axis, (self.horizontal_fov_rad, self.vertical_fov_rad)
        direction, ring = pattern_kernels.raster(
            phase, fields, self.lines, fast.lit, fast.alternates, fast.swings, self.slow_axis.steps
        )
        return direction, ring

    def _free_running(self, window: TimeWindow, line_ns: float, laser_rate_hz: float) -> tuple[Times, Floats]:
        """Return times and phases of the shots in the lit time, where the laser runs by itself."""
        _, time_ns = FiringLoop.of([0.0], 1.0 / laser_rate_hz).shots(window)
        phase, (start, end) = (time_ns - window.start_ns) / line_ns, self.fast_axis.lit
        if self.retrace_share == 0 and end - start == 1:
            return time_ns, phase
        part = phase - np.floor(phase)
        lit = np.flatnonzero((part >= start) & (part < end) & (phase < self.lines))
        return time_ns[lit], phase[lit]

    def beams(self, window: TimeWindow) -> Beams:
        """Return the beams of the frame that fills the window."""
        line_ns = window.duration_ns * (1.0 - self.retrace_share) / self.lines
        if self.laser_rate_hz is not None:
            time_ns, phase = self._free_running(window, line_ns, self.laser_rate_hz)
            direction, ring = self._look(phase)
        else:
            phase, direction, ring = self._gated
            points = len(phase) if window.duration_ns else 0
            time_ns = window.start_ns + (phase[:points] * line_ns).astype(np.int64)
            direction, ring = direction[:points].copy(), ring[:points].copy()
        return Beams(time_ns, np.zeros((len(time_ns), 3)), direction, ring)

    def angular_step_rad(self, window: TimeWindow) -> float:
        """Return the angle between neighbouring points of a line where the mirror is fastest."""
        start, end = self.fast_axis.lit
        if self.points_per_line is not None:
            shot = (end - start) / self.points_per_line
        else:
            line_s = window.duration_ns * (1.0 - self.retrace_share) / self.lines / NANOSECONDS_PER_SECOND
            shot = 1.0 / ((self.laser_rate_hz or math.inf) * line_s) if line_s else math.inf
        return self.horizontal_fov_rad / 2 * self.fast_axis.steepest * shot
