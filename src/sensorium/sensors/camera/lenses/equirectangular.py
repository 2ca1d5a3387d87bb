"""All around in one image: columns are longitudes, rows are latitudes."""

from __future__ import annotations

import math
from typing import Annotated, Literal

import numpy as np
from annotated_types import Gt, Le
from numpy.typing import NDArray

from sensorium.core.configuration import configured
from sensorium.core.units import Radians
from sensorium.samples.calibration import Calibration
from sensorium.sensors.camera.lens import Lens, PixelCount

Floats = NDArray[np.float64]


@configured
class Equirectangular(Lens):
    """column = fx atan2(x, z) + cx, row = fy asin(y / |p|) + cy; the middle of the image looks along the axis."""

    type: Literal["equirectangular"] = "equirectangular"
    width: PixelCount
    height: PixelCount
    horizontal_rad: Annotated[Radians, Gt(0), Le(2 * math.pi + 1e-12)] = 2 * math.pi
    """Longitudes from edge to edge."""
    vertical_rad: Annotated[Radians, Gt(0), Le(math.pi + 1e-12)] = math.pi
    """Latitudes from edge to edge."""

    @property
    def _scale(self) -> tuple[float, float]:
        """Pixels per radian."""
        return self.width / self.horizontal_rad, self.height / self.vertical_rad

    @property
    def calibration(self) -> Calibration:
        """The scale in pixels per radian in place of the focal lengths."""
        (fx, fy), (cx, cy) = self._scale, ((self.width - 1) / 2, (self.height - 1) / 2)
        matrix = np.array([[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]])
        return Calibration(
            width=self.width, height=self.height, model="equirectangular", matrix=matrix, distortion=np.zeros(0)
        )

    def directions(self, pixels: Floats) -> Floats:
        """Return unit vectors [..., 3] through pixels [..., 2]; NaN beyond the poles."""
        middle = np.array([(self.width - 1) / 2, (self.height - 1) / 2])
        angle = (np.asarray(pixels, np.float64) - middle) / self._scale
        longitude, latitude = angle[..., 0], angle[..., 1]
        latitude = np.where(np.abs(latitude) <= math.pi / 2, latitude, np.nan)
        flat = np.cos(latitude)
        return np.stack((flat * np.sin(longitude), np.sin(latitude), flat * np.cos(longitude)), -1)

    def project(self, points_m: Floats) -> Floats:
        """Return pixels [..., 2] of points [..., 3]; NaN for the lens's own place."""
        points = np.asarray(points_m, np.float64)
        length = np.linalg.norm(points, axis=-1)
        longitude = np.arctan2(points[..., 0], points[..., 2])
        latitude = np.arcsin(np.clip(points[..., 1] / np.where(length > 0, length, np.nan), -1, 1))
        middle = np.array([(self.width - 1) / 2, (self.height - 1) / 2])
        return np.asarray(np.stack((longitude, latitude), -1) * self._scale + middle)
