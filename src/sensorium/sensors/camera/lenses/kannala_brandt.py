"""The fisheye after Kannala and Brandt, in OpenCV's form.

d = t (1 + k1 t2 + k2 t4 + k3 t6 + k4 t8) with the angle t off the axis; column = fx d x/r + cx, row = fy d y/r + cy.
(J. Kannala, S. Brandt, "A generic camera model and calibration method", PAMI 28, 2006; OpenCV, fisheye.)
"""

from __future__ import annotations

import math
from typing import Annotated, Literal

import numpy as np
from annotated_types import Gt, Le
from numpy.typing import NDArray

from sensorium.core.configuration import configured
from sensorium.core.units import Number, Radians
from sensorium.samples.calibration import Calibration
from sensorium.sensors.camera.lenses.focal import FocalLens

Floats = NDArray[np.float64]
_STEPS = 40


@configured
class KannalaBrandt(FocalLens):
    """A fisheye; it may look behind itself."""

    type: Literal["kannala_brandt"] = "kannala_brandt"
    k1: Number = 0.0
    k2: Number = 0.0
    k3: Number = 0.0
    k4: Number = 0.0
    off_axis_limit_rad: Annotated[Radians, Gt(0), Le(math.pi)] = math.pi
    """Largest angle off the axis that the glass lets in; beyond its circle the image is black."""

    @property
    def _widest_rad(self) -> float:
        return 2 * math.pi

    @property
    def calibration(self) -> Calibration:
        """Equidistant with four coefficients."""
        d = np.array([self.k1, self.k2, self.k3, self.k4])
        return Calibration(width=self.width, height=self.height, model="equidistant", matrix=self.matrix, distortion=d)

    def _focal_px(self, half_px: float, half_rad: float) -> float:
        """Return the focal length of the distorted image, so that a field of view is what is seen."""
        return float(half_px / self._distorted(np.array(half_rad)))

    def _distorted(self, angle: Floats) -> Floats:
        t2 = angle * angle
        return np.asarray(angle * (1 + t2 * (self.k1 + t2 * (self.k2 + t2 * (self.k3 + t2 * self.k4)))))

    def _slope(self, angle: Floats) -> Floats:
        t2 = angle * angle
        return np.asarray(1 + t2 * (3 * self.k1 + t2 * (5 * self.k2 + t2 * (7 * self.k3 + t2 * 9 * self.k4))))

    def directions(self, pixels: Floats) -> Floats:
        """Return unit vectors [..., 3] through pixels [..., 2]; NaN outside the lens's circle."""
        plane = self._to_plane(pixels)
        distorted = np.linalg.norm(plane, axis=-1)
        limit = self.off_axis_limit_rad
        angle = np.minimum(distorted, limit)
        low, high = np.zeros_like(angle), np.full_like(angle, limit)
        for _ in range(_STEPS):  # Newton's method, kept inside a bracket that only shrinks
            miss = self._distorted(angle) - distorted
            if not (np.abs(miss) > 1e-13).any():
                break
            low, high = np.where(miss < 0, angle, low), np.where(miss > 0, angle, high)
            with np.errstate(all="ignore"):
                following = angle - miss / self._slope(angle)
            inside = (following >= low) & (following <= high)
            angle = np.where(inside, following, (low + high) / 2)
        angle = np.where(np.abs(self._distorted(angle) - distorted) < 1e-9, angle, np.nan)
        sine = np.where(distorted > 0, np.sin(angle) / np.where(distorted > 0, distorted, 1.0), 1.0)
        return np.concatenate((plane * sine[..., None], np.cos(angle)[..., None]), -1)

    def project(self, points_m: Floats) -> Floats:
        """Return pixels [..., 2] of points [..., 3]; NaN beyond the lens's limit."""
        points = np.asarray(points_m, np.float64)
        across = np.linalg.norm(points[..., :2], axis=-1)
        angle = np.arctan2(across, points[..., 2])
        angle = np.where(angle <= self.off_axis_limit_rad, angle, np.nan)
        scale = self._distorted(angle) / np.where(across > 0, across, 1.0)
        return self._to_pixels(points[..., :2] * scale[..., None])

    def _check(self) -> None:
        angle = np.linspace(0, self.off_axis_limit_rad, 4001)
        back = np.flatnonzero(~(self._slope(angle) > 0))
        if not len(back):
            return
        turning = float(self._distorted(angle[: back[0] + 1]).max())
        reach = float(np.linalg.norm(self._border, axis=-1).max())
        if turning < reach:
            scale = sum(self.focal_px) / 2
            at = math.degrees(angle[back[0]])
            raise ValueError(
                f"its distortion folds over {turning * scale:.1f} pixels from the principal point ({at:.1f} deg off the axis), but"
                f" the image reaches {reach * scale:.1f} pixels; check the coefficients, or set off_axis_limit_rad below"
                f" {at:.1f} deg"
            )
