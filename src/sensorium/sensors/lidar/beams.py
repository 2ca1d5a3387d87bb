"""What a scan pattern yields: beams, each with its own time, starting point and direction in the sensor frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sensorium.core.time import Times, TimeWindow


@dataclass(frozen=True, eq=False)
class Beams:
    """N beams in firing order."""

    time_ns: Times
    """[N] inside the window of the scan."""
    origin_m: NDArray[np.float64]
    """[N, 3] where the beam leaves the sensor, sensor frame."""
    direction: NDArray[np.float64]
    """[N, 3] unit length, sensor frame."""
    ring: NDArray[np.uint16]
    """[N] channel, 0 = lowest."""

    def __len__(self) -> int:
        return len(self.time_ns)


class ScanPattern(Protocol):
    """Where the beams of one scan go. A pattern is frozen; the same window gives the same beams.

    Windows that follow one another without a gap give every beam exactly once.
    """

    def beams(self, window: TimeWindow) -> Beams:
        """Return the beams that fire in [start, end) of the window."""

    def angular_step_rad(self, window: TimeWindow) -> float:
        """Return the horizontal resolution: the angle between neighbouring beams where they lie farthest apart.

        It depends on the window where one scan is one turn or one frame: a head that turns faster leaves wider gaps.
        """
