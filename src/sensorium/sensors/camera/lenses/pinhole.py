"""A lens without distortion."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sensorium.core.configuration import configured
from sensorium.samples.calibration import Calibration
from sensorium.sensors.camera.lenses.focal import FocalLens

Floats = NDArray[np.float64]


@configured
class Pinhole(FocalLens):
    """column = fx x / z + cx, row = fy y / z + cy."""

    type: Literal["pinhole"] = "pinhole"

    def _check(self) -> None:
        """Every pinhole makes an image."""

    @property
    def calibration(self) -> Calibration:
        """Plumb bob with all coefficients zero."""
        return Calibration(width=self.width, height=self.height, model="plumb_bob", matrix=self.matrix)

    def directions(self, pixels: Floats) -> Floats:
        """Return unit vectors [..., 3] through pixels [..., 2]."""
        return unit_through(self._to_plane(pixels))

    def project(self, points_m: Floats) -> Floats:
        """Return pixels [..., 2] of points [..., 3]; NaN behind the lens."""
        return self._to_pixels(on_plane(points_m))


def unit_through(plane: Floats) -> Floats:
    """Return unit vectors [..., 3] through places [..., 2] in the plane at distance one."""
    ray = np.concatenate((plane, np.ones((*plane.shape[:-1], 1))), -1)
    return np.asarray(ray / np.linalg.norm(ray, axis=-1, keepdims=True))


def on_plane(points_m: Floats) -> Floats:
    """Return where points [..., 3] are seen in the plane at distance one [..., 2]; NaN behind the lens."""
    points = np.asarray(points_m, np.float64)
    z = np.where(points[..., 2:] > 0, points[..., 2:], np.nan)
    return np.asarray(points[..., :2] / z)
