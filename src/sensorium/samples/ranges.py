"""What a range sensor hands out: the nearest point of each object in its cone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.samples.sample import Sample

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, kw_only=True)
class RangeTruth:
    """What each detection really is, row by row."""

    body: NDArray[np.int32]
    """[N] body number in the scene."""
    part: NDArray[np.int32]
    """[N] part number inside the body."""
    points_m: Floats
    """[N, 3] the nearest point in the sensor frame, without noise and without the air's influence."""
    degenerate_faces: int = 0
    """Triangles of the scene that have no area and were left out."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Ranges(Sample):
    """Detections from near to far; none: nothing was seen. Angles follow REP 103: x forward, y left, z up."""

    range_m: Floats
    """[N] reported distance."""
    azimuth_rad: Floats
    """[N] atan2(y, x), positive to the left; NaN: the sensor does not tell."""
    elevation_rad: Floats
    """[N] angle above the plane z = 0, atan2(z, hypot(x, y)); NaN: the sensor does not tell."""
    radial_speed_m_s: Floats
    """[N] change of the distance, positive: going away; NaN: not known yet."""
    speed_m_s: Floats
    """[N] length of the change of position in the sensor frame; NaN: not known."""
    too_near: bool = False
    """Whether something is in the blind zone."""
    range_min_m: float
    range_max_m: float
    field_of_view_rad: float
    """The larger opening angle."""
    variance_m2: float = 0.0
    """Of the first range; 0: not known."""
    radiation: str = "ultrasound"
    """What carries the measurement: ultrasound or infrared, as sensor_msgs/Range knows it."""
    truth: RangeTruth | None = None

    def __len__(self) -> int:
        return len(self.range_m)

    @property
    def points_m(self) -> Floats:
        """Reported positions [N, 3]: r (cos e cos a, cos e sin a, sin e); NaN without angles."""
        flat = self.range_m * np.cos(self.elevation_rad)
        height = self.range_m * np.sin(self.elevation_rad)
        return np.stack((flat * np.cos(self.azimuth_rad), flat * np.sin(self.azimuth_rad), height), -1)

    @property
    def profile_rad(self) -> Floats:
        """Elevation as seen from the side, atan2(z, x) [N], which is how document 000 defines it (equation 3.8)."""
        return np.arctan2(np.tan(self.elevation_rad), np.cos(self.azimuth_rad))

    @property
    def nearest_m(self) -> float:
        """The one number of REP 117: -inf for something too near, +inf for nothing, else the first range."""
        if self.too_near:
            return -np.inf
        return float(self.range_m[0]) if len(self.range_m) else np.inf
