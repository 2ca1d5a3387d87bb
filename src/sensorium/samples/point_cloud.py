"""A LiDAR's parcel: one row per return."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sensorium.samples.sample import Sample
from sensorium.samples.waveforms import Waveforms

Frame = Literal["sensor", "vehicle", "world"]


@dataclass(frozen=True, eq=False, kw_only=True)
class PointTruth:
    """What each return really met, row by row with the cloud; numbers refer to the scene."""

    body: NDArray[np.int32]
    """[N] body number."""
    part: NDArray[np.int32]
    """[N] part number inside the body."""
    material: NDArray[np.int32]
    """[N] row in the material library."""
    label: NDArray[np.int32]
    """[N] class number."""
    incidence_rad: NDArray[np.float32]
    """[N] angle between the beam and the surface normal."""
    cause: NDArray[np.int8] | None = None
    """[N] what made the return, a `Cause`."""
    missing: NDArray[np.int8] | None = None
    """[beam_count] why a beam gave no return, a `Missing`."""


@dataclass(frozen=True, eq=False, kw_only=True)
class PointCloud(Sample):
    """Returns in firing order, by default in the sensor frame at the instant of each beam (not motion-compensated)."""

    points_m: NDArray[np.float32]
    """[N, 3] x forward, y left, z up (REP 103); in the world: east, north, up."""
    range_m: NDArray[np.float32]
    """[N] measured distance along the beam."""
    intensity: NDArray[np.float32]
    """[N] 0..255."""
    ring: NDArray[np.uint16]
    """[N] channel, 0 = lowest beam."""
    time_offset_ns: NDArray[np.uint32]
    """[N] firing time after `time_ns`."""
    beam: NDArray[np.uint32]
    """[N] number of the beam inside the scan."""
    return_index: NDArray[np.uint8] | None = None
    """[N] 0 for the first reported return of a beam, 1 for the second; None: one return per beam."""
    beam_count: int
    """Beams fired, with or without a return."""
    frame: Frame = "sensor"
    """Where the points are: in the frame of the sensor, of the vehicle that carries it, or of the world."""
    truth: PointTruth | None = None
    waveforms: Waveforms | None = None
    """Records of a full-waveform LiDAR that keeps them."""

    def __len__(self) -> int:
        return len(self.points_m)
