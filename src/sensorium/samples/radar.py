"""What a radar hands out: detections, and where they are kept the range-speed map and the samples behind them.

Speeds are changes of the range: positive is receding. ROS (radar_msgs) leaves the sign open; this is the one that is recorded.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.samples.sample import Sample


@dataclass(frozen=True, eq=False, kw_only=True)
class RadarMap:
    """Power over range and speed, summed over the channels."""

    power_db: NDArray[np.float32]
    """[ranges, speeds] over the noise's own mean."""
    range_m: NDArray[np.float32]
    """[ranges] of the bins, evenly spaced."""
    speed_m_s: NDArray[np.float32]
    """[speeds] of the bins, evenly spaced; positive: receding."""


@dataclass(frozen=True, eq=False, kw_only=True)
class RadarCube:
    """Samples of a frame as the converters hand them out: I + jQ, square root of watts at the antenna."""

    samples: NDArray[np.complex64]
    """[chirps, channels, samples]; channel i K + j hears transmitter i with receiver j of K."""
    sample_rate_hz: float
    slope_hz_s: float
    start_hz: float
    """Frequency at the first sample."""
    chirp_period_s: float
    """Between two chirps of one transmitter."""


@dataclass(frozen=True, eq=False, kw_only=True)
class RadarTruth:
    """What each detection really is, row by row; numbers refer to the scene. A false alarm has -1."""

    body: NDArray[np.int32]
    """[N]"""
    part: NDArray[np.int32]
    """[N]"""
    bounces: NDArray[np.int8]
    """[N] surfaces on the way to the scatterer, itself included: 1 is direct, more is a corner; negative: a ghost, which went over
    a mirror both ways; 0: nothing."""


@dataclass(frozen=True, eq=False, kw_only=True)
class RadarScan(Sample):
    """Detections of one frame, strongest first, in the sensor frame."""

    range_m: NDArray[np.float32]
    """[N]"""
    speed_m_s: NDArray[np.float32]
    """[N] positive: receding."""
    azimuth_rad: NDArray[np.float32]
    """[N] positive: to the left."""
    elevation_rad: NDArray[np.float32]
    """[N] positive: upwards; 0 if the antenna cannot tell."""
    cross_section_m2: NDArray[np.float32]
    """[N] radar cross section as the radar equation has it."""
    snr_db: NDArray[np.float32]
    """[N] after all integration."""
    covariance: NDArray[np.float32]
    """[N, 4, 4] of range [m], speed [m/s], azimuth [rad] and elevation [rad]."""
    truth: RadarTruth | None = None
    map: RadarMap | None = None
    cube: RadarCube | None = None

    def __len__(self) -> int:
        return len(self.range_m)

    @property
    def points_m(self) -> NDArray[np.float32]:
        """[N, 3] x forward, y left, z up."""
        flat = np.cos(self.elevation_rad)
        direction = (flat * np.cos(self.azimuth_rad), flat * np.sin(self.azimuth_rad), np.sin(self.elevation_rad))
        return np.asarray(self.range_m[:, None] * np.stack(direction, -1), np.float32)
