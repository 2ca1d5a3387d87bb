"""What a full-waveform LiDAR digitises, before it looks for echoes.

No ROS 2 message carries it: records stay in memory with their point cloud, and a recording holds the points alone. Who wants to
keep them stores the arrays himself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Waveforms:
    """Sampled records of M beams on one clock, which starts anew with every beam's firing."""

    beam: NDArray[np.uint32]
    """[M] number of the beam inside the scan."""
    start_ns: float
    """Time of the first sample after the firing; may be negative."""
    period_ns: float
    """Time between samples."""
    counts: NDArray[np.uint16] | NDArray[np.float32]
    """[M, S] what the digitiser says; the power itself [W] without one."""
    watts_per_count: float = 1.0
    zero_count: float = 0.0
    """What stands for no power."""

    def __len__(self) -> int:
        return len(self.beam)

    @property
    def time_ns(self) -> NDArray[np.float64]:
        """Time of each sample after the firing [S]."""
        return self.start_ns + self.period_ns * np.arange(self.counts.shape[1], dtype=np.float64)

    @property
    def range_m(self) -> NDArray[np.float64]:
        """Range to which each sample belongs [S]: c t / 2."""
        return self.time_ns * (0.299792458 / 2)

    @property
    def power_w(self) -> NDArray[np.float64]:
        """Received power [M, S]."""
        return (self.counts.astype(np.float64) - self.zero_count) * self.watts_per_count
