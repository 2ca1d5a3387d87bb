"""When an IMU reads: instants computed from the number of each reading, so that nothing adds up."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sensorium.core.time import NANOSECONDS_PER_SECOND, Times, TimeWindow


def reading_ns(number: int, rate_hz: float) -> int:
    """Return the instant of a reading after that of reading 0."""
    return round(number * NANOSECONDS_PER_SECOND / rate_hz)


@dataclass(frozen=True)
class BlockWindow(TimeWindow):
    """The span from the first to the last reading of a block, both included."""

    first: int
    """Number of the first reading, counted from the start of the run."""
    phase_ns: int
    """Instant of reading 0."""


@dataclass(frozen=True, eq=False)
class Clock:
    """The instants at which one block looks at the motion: `oversampling` of them for each reading, the last at it."""

    rate_hz: float
    readings: int
    oversampling: int

    def window(self, index: int, phase_ns: int) -> BlockWindow:
        """Return the span of block `index`."""
        first = index * self.readings
        start = phase_ns + reading_ns(first, self.rate_hz)
        end = start if self.readings == 1 else phase_ns + reading_ns(first + self.readings - 1, self.rate_hz)
        return BlockWindow(start, end, first, phase_ns)

    def reading_times(self, window: TimeWindow) -> Times:
        """Return the instants [readings] of a block's readings."""
        if self.readings == 1:
            return np.array((window.start_ns,), np.int64)
        first, phase_ns = (window.first, window.phase_ns) if isinstance(window, BlockWindow) else (0, window.start_ns)
        numbers = np.arange(first, first + self.readings, dtype=np.int64)
        return phase_ns + np.rint(numbers * NANOSECONDS_PER_SECOND / self.rate_hz).astype(np.int64)

    def looks(self, window: TimeWindow, times_ns: Times) -> Times:
        """Return the instants [readings x oversampling] at which the motion is looked at, none before reading 0."""
        if self.oversampling == 1:
            return times_ns
        looks: NDArray[np.int64] = (times_ns[:, None] - self.back_ns).ravel()
        if isinstance(window, BlockWindow) and window.first > 0:
            return looks
        return np.maximum(looks, window.start_ns)

    @cached_property
    def back_ns(self) -> Times:
        """How long before a reading the looks are that belong to it [oversampling]."""
        steps = np.arange(self.oversampling - 1, -1, -1)
        return np.rint(steps * NANOSECONDS_PER_SECOND / (self.rate_hz * self.oversampling)).astype(np.int64)
