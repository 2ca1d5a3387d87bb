"""A spinning head: a stack of lasers that fire one after the other while the head turns."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from sensorium.core.configuration import configured
from sensorium.core.time import NANOSECONDS_PER_SECOND, TimeWindow
from sensorium.core.units import Metres, NonNegativeSeconds, PositiveSeconds, Radians
from sensorium.sensors.lidar.beams import Beams


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

    A beam fired at time t leaves at the head's azimuth plus that of its channel. The head turns once per scan, clockwise
    seen from above, and points to `start_azimuth_rad` when a scan starts (default: backwards, so that the cut between two
    scans lies behind the vehicle).
    """

    type: Literal["spinning"] = "spinning"
    firing_cycle_s: PositiveSeconds
    """Time between two shots of the same laser."""
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
    def _table(self) -> NDArray[np.float64]:
        """Channels in firing order [C, 5]: offset ns, elevation, azimuth, vertical offset, lateral offset."""
        rows = [
            (round(c.firing_offset_s * NANOSECONDS_PER_SECOND), c.elevation_rad, c.azimuth_rad, c.vertical_offset_m,
             c.lateral_offset_m)
            for c in self._in_firing_order
        ]  # fmt: skip
        return np.array(rows, np.float64)

    @cached_property
    def _in_firing_order(self) -> list[Channel]:
        return sorted(self.channels, key=lambda channel: channel.firing_offset_s)

    @cached_property
    def _rings(self) -> NDArray[np.uint16]:
        return np.array([channel.ring for channel in self._in_firing_order], np.uint16)

    def beams(self, window: TimeWindow) -> Beams:
        """Return the beams that fire in [start, end) while the head turns once."""
        from sensorium.sensors.lidar import kernels

        cycle_ns = self.firing_cycle_s * NANOSECONDS_PER_SECOND
        first = max(0, int(window.start_ns / cycle_ns) - 1)
        cycles = np.arange(first, int(window.end_ns / cycle_ns) + 1)
        start_ns = np.rint(cycles * cycle_ns).astype(np.int64)
        times = (start_ns[:, None] + self._table[:, 0].astype(np.int64)).ravel()
        low, high = np.searchsorted(times, (window.start_ns, window.end_ns))
        times = times[low:high]
        turn = (-2 if self.clockwise else 2) * np.pi / max(1, window.duration_ns)
        origin, direction = kernels.spin(times, window.start_ns, self.start_azimuth_rad, turn, self._table, low)
        ring = np.resize(np.roll(self._rings, -(low % len(self._rings))), len(times))
        return Beams(times, origin, direction, ring)
