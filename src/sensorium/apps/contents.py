"""What a recording holds, found in one pass without keeping the points."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sensorium.core.errors import RecordingError, did_you_mean
from sensorium.core.time import nanoseconds
from sensorium.samples import Image, PointCloud, TruthSample
from sensorium.samples.radar import RadarScan

if TYPE_CHECKING:
    from sensorium.recording.reader import Recording

Counts = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Scans:
    """The scans of one LiDAR [S] in the order of the recording."""

    times_ns: Counts
    returns: Counts
    beams: Counts


@dataclass(frozen=True, eq=False)
class Contents:
    """Times of all samples, point counts of all scans, and the truth."""

    times_ns: dict[str, Counts]
    """Start of every sample, by sensor."""
    scans: dict[str, Scans]
    """By LiDAR."""
    truth: tuple[TruthSample, ...] = field(default=())
    cameras: tuple[str, ...] = ()
    """Names of the sensors that sent images."""
    radars: tuple[str, ...] = ()
    """Names of the sensors that sent radar scans."""

    @classmethod
    def of(cls, recording: Recording) -> Contents:
        """Read a recording once."""
        times: dict[str, list[int]] = {}
        scans: dict[str, list[tuple[int, int, int]]] = {}
        truth: list[TruthSample] = []
        cameras: list[str] = []
        radars: list[str] = []
        for sample in recording.samples():
            name, time_ns = sample.stamp.sensor, sample.stamp.time_ns
            times.setdefault(name, []).append(time_ns)
            if isinstance(sample, PointCloud):
                scans.setdefault(name, []).append((time_ns, len(sample), sample.beam_count))
            elif isinstance(sample, TruthSample):
                truth.append(sample)
            elif isinstance(sample, Image) and name not in cameras:
                cameras.append(name)
            elif isinstance(sample, RadarScan) and name not in radars:
                radars.append(name)
        tables = {name: Scans(*np.array(rows, np.int64).T) for name, rows in scans.items()}
        return cls(
            {name: np.array(rows, np.int64) for name, rows in times.items()},
            tables,
            tuple(truth),
            tuple(cameras),
            tuple(radars),
        )

    def lidar(self, name: str | None = None) -> str:
        """Return the LiDAR of that name; without a name the one with the most points, or "" if there is none."""
        if name is None:
            return max(self.scans, key=lambda lidar: int(self.scans[lidar].returns.sum()), default="")
        if name not in self.scans:
            near = did_you_mean(name, self.scans)
            raise RecordingError(f"there are no point clouds of '{name}' in the recording.{near}")
        return name

    def scan_number(self, lidar: str, time_s: float | None = None) -> int:
        """Return which scan of a LiDAR starts nearest to a time; without a time the middle one."""
        times = self.scans[lidar].times_ns
        return len(times) // 2 if time_s is None else int(np.abs(times - nanoseconds(time_s)).argmin())
