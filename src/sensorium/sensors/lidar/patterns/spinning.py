"""A spinning head: a stack of lasers that fire one after the other while the head turns."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Annotated, Literal

import numpy as np
from annotated_types import Gt, Le
from numpy.typing import NDArray
from pydantic import Field, model_validator

from sensorium.core.configuration import configured
from sensorium.core.time import NANOSECONDS_PER_SECOND, TimeWindow
from sensorium.core.units import Metres, NonNegativeSeconds, Radians
from sensorium.sensors.lidar.beams import Beams
from sensorium.sensors.lidar.patterns.firing_loop import FiringLoop, Period

Step = Annotated[Radians, Gt(0), Le(2 * math.pi)]


@configured
class Channel:
    """One laser and its detector in the head."""

    ring: Annotated[int, Field(ge=0, le=65535)]
    """Rank by elevation, 0 = lowest."""
    elevation_rad: Radians
    azimuth_rad: Radians = 0.0
    """Turn against the head, counter-clockwise seen from above."""
    firing_offset_s: NonNegativeSeconds = 0.0
    """Time after the start of the firing cycle."""
    vertical_offset_m: Metres = 0.0
    """Height of the point where the beam crosses the axis of the head."""
    lateral_offset_m: Metres = 0.0
    """Distance of the beam from the axis of the head, positive to the left of the beam."""


@configured
class Spinning:
    """Lasers fire in a fixed cycle that runs on without regard to the head's turn, as in real units.

    A beam fired at time t leaves at the head's azimuth plus that of its channel. The head turns once per scan,
    clockwise seen from above, and points to `start_azimuth_rad` when a scan starts (default: backwards, so that the cut
    between two scans lies behind the vehicle).

    Two ways to say how densely the head fires round the horizon:
    - `firing_cycle_s` alone: the step follows from the rate, 2 pi x cycle x rate, as in real units.
    - `horizontal_step_rad` as well: a cycle starts whenever the head has turned by the step, counted from the start of
    the
      scan. Longer cycles keep the offsets of the channels and wait; shorter ones squeeze the offsets in proportion.
    """

    type: Literal["spinning"] = "spinning"
    firing_cycle_s: Period
    """Time between two shots of the same laser."""
    horizontal_step_rad: Step | None = None
    """Turn of the head between two shots of the same laser; None: as the firing cycle has it."""
    channels: Annotated[tuple[Channel, ...], Field(min_length=1)]
    start_azimuth_rad: Radians = np.pi
    clockwise: bool = True

    @model_validator(mode="after")
    def _offsets_inside_cycle(self) -> Spinning:
        for number, channel in enumerate(self.channels):
            if channel.firing_offset_s >= self.firing_cycle_s:
                raise ValueError(
                    f"channels[{number}] fires {channel.firing_offset_s} s after the start of a cycle that lasts "
                    f"{self.firing_cycle_s} s; make firing_offset_s smaller than firing_cycle_s"
                )
        return self

    @cached_property
    def _in_firing_order(self) -> list[Channel]:
        return sorted(self.channels, key=lambda channel: channel.firing_offset_s)

    @cached_property
    def _rings(self) -> NDArray[np.uint16]:
        return np.array([channel.ring for channel in self._in_firing_order], np.uint16)

    @cached_property
    def _free_running(self) -> FiringLoop:
        return self._loop(self.firing_cycle_s)

    def _loop(self, cycle_s: float) -> FiringLoop:
        squeeze = min(1.0, cycle_s / self.firing_cycle_s)
        return FiringLoop.of([squeeze * channel.firing_offset_s for channel in self._in_firing_order], cycle_s)

    def _firing(self, window: TimeWindow) -> tuple[FiringLoop, int]:
        """Return the firing order, and the instant from which it counts."""
        if self.horizontal_step_rad is None:
            return self._free_running, 0
        scan_s = window.duration_ns / NANOSECONDS_PER_SECOND
        return self._loop(scan_s * self.horizontal_step_rad / (2 * math.pi)), window.start_ns

    def _rows(self, turn_of_offset: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return origin and direction [C, 3] of the channels in the head's frame at the start of a cycle."""
        channels = self._in_firing_order
        azimuth = np.array([channel.azimuth_rad for channel in channels]) + turn_of_offset
        elevation = np.array([channel.elevation_rad for channel in channels])
        left, up = np.array([(channel.lateral_offset_m, channel.vertical_offset_m) for channel in channels]).T
        cos, sin, flat = np.cos(azimuth), np.sin(azimuth), np.cos(elevation)
        return np.stack((-left * sin, left * cos, up), 1), np.stack((flat * cos, flat * sin, np.sin(elevation)), 1)

    def beams(self, window: TimeWindow) -> Beams:
        """Return the beams that fire in [start, end) while the head turns once."""
        from sensorium.sensors.lidar import pattern_kernels

        loop, anchor_ns = self._firing(window)
        since = TimeWindow(window.start_ns - anchor_ns, window.end_ns - anchor_ns)
        starts, inside = loop.repetitions(since)
        turn_per_ns = (-2 if self.clockwise else 2) * math.pi / max(1, window.duration_ns)
        head = self.start_azimuth_rad + turn_per_ns * (starts - since.start_ns)
        origin, direction = self._rows(turn_per_ns * loop.offset_ns.astype(np.float64))
        time_ns, origins, directions, rings = pattern_kernels.turned(
            starts + anchor_ns, head, loop.offset_ns, origin, direction, self._rings
        )
        return Beams(time_ns[inside], origins[inside], directions[inside], rings[inside])

    def angular_step_rad(self, window: TimeWindow) -> float:
        """Return the head's turn between two shots of the same laser."""
        return 2 * math.pi * self._firing(window)[0].period_ns / max(1, window.duration_ns)
