"""Time is integer nanoseconds since the scenario's start; seconds appear only at the door."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.core.errors import ConfigurationError

NANOSECONDS_PER_SECOND = 1_000_000_000

Times = NDArray[np.int64]


def nanoseconds(seconds: float) -> int:
    """Return the nearest whole number of nanoseconds."""
    if not math.isfinite(seconds):
        raise ConfigurationError(f"a time must be a finite number of seconds, found {seconds}")
    return round(seconds * NANOSECONDS_PER_SECOND)


def seconds(time_ns: Times | int, since_ns: int = 0) -> NDArray[np.float64]:
    """Return times [ns] as float64 seconds since an instant; the difference is exact, it is taken in integers."""
    return np.asarray((np.asarray(time_ns, np.int64) - np.int64(since_ns)) / NANOSECONDS_PER_SECOND, np.float64)


@dataclass(frozen=True)
class TimeWindow:
    """The half-open span [start_ns, end_ns) in which a sample is taken; an instant has start_ns == end_ns."""

    start_ns: int
    end_ns: int

    def __post_init__(self) -> None:
        if self.end_ns < self.start_ns:
            raise ConfigurationError(
                f"a time window cannot end ({self.end_ns} ns) before it starts ({self.start_ns} ns)"
            )

    @property
    def duration_ns(self) -> int:
        """Length of the window."""
        return self.end_ns - self.start_ns

    def instants(self, count: int) -> Times:
        """Return `count` times evenly spread from start to end, both included."""
        return self.start_ns + np.rint(np.linspace(0, self.duration_ns, count)).astype(np.int64)
