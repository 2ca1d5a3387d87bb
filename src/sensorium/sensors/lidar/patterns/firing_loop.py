"""A firing order that repeats for ever on the scenario's clock: which shots fall into a window, and when."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Ge, Le
from numpy.typing import ArrayLike, NDArray

from sensorium.core.time import NANOSECONDS_PER_SECOND, Times, TimeWindow
from sensorium.core.units import PositiveHertz, PositiveSeconds

PulseRate = Annotated[PositiveHertz, Ge(1e-6), Le(1e9)]
"""Shots per second of one laser; times are whole nanoseconds, so no more than one in each."""
Period = Annotated[PositiveSeconds, Ge(1e-9), Le(1e6)]
"""Time of one repetition."""


@dataclass(frozen=True, eq=False)
class FiringLoop:
    """Shot k is entry k mod M of repetition k div M; repetition n starts at n periods, rounded to a nanosecond.

    The time of a shot follows from its number alone, so that rounding never adds up and windows share no shot.
    """

    offset_ns: NDArray[np.int64]
    """[M] when an entry fires after the start of a repetition, in order; shorter than the period."""
    period_ns: float

    @classmethod
    def of(cls, offset_s: ArrayLike, period_s: float) -> FiringLoop:
        """Round the offsets [M] to nanoseconds, each still inside the period."""
        period_ns = max(1.0, period_s * NANOSECONDS_PER_SECOND)
        offset_ns = np.rint(np.asarray(offset_s, np.float64) * NANOSECONDS_PER_SECOND).astype(np.int64)
        return cls(np.minimum(offset_ns, math.floor(period_ns) - 1), period_ns)

    def start_ns(self, repetition: int) -> int:
        """Return when a repetition starts."""
        return math.floor(repetition * self.period_ns + 0.5)

    def first_at(self, time_ns: int) -> int:
        """Return the number of the first shot at or after a time."""
        repetition = math.floor(time_ns / self.period_ns) - 1
        while self.start_ns(repetition + 1) <= time_ns:
            repetition += 1
        inside = int(np.searchsorted(self.offset_ns, time_ns - self.start_ns(repetition)))
        return repetition * len(self.offset_ns) + inside

    def repetitions(self, window: TimeWindow) -> tuple[Times, slice]:
        """Return the starts of all repetitions that touch a window, and which of their shots lie inside it."""
        entries = len(self.offset_ns)
        first, end = self.first_at(window.start_ns), self.first_at(window.end_ns)
        low, high = first // entries, -(-end // entries)
        starts = np.floor(np.arange(low, high) * self.period_ns + 0.5).astype(np.int64)
        return starts, slice(first - low * entries, end - low * entries)

    def shots(self, window: TimeWindow) -> tuple[int, Times]:
        """Return the number of the first shot in a window, and the times of all of them."""
        from sensorium.sensors.lidar import pattern_kernels

        first = self.first_at(window.start_ns)
        count = self.first_at(window.end_ns) - first
        return first, pattern_kernels.loop_times(first, count, self.offset_ns, self.period_ns)
