"""Radial and tangential distortion after Brown and Conrady, in OpenCV's form.

x' = x s + 2 p1 x y + p2 (r2 + 2 x2),  y' = y s + p1 (r2 + 2 y2) + 2 p2 x y,  r2 = x2 + y2,
s = (1 + k1 r2 + k2 r4 + k3 r6) / (1 + k4 r2 + k5 r4 + k6 r6)
(D. Brown, "Close-range camera calibration", 1971; OpenCV, camera calibration, with 5 or 8 coefficients.)
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sensorium.core.configuration import configured
from sensorium.core.units import Number
from sensorium.samples.calibration import Calibration
from sensorium.sensors.camera.lenses.focal import FocalLens
from sensorium.sensors.camera.lenses.pinhole import on_plane, unit_through

Floats = NDArray[np.float64]
_STEPS, _CLOSE = 40, 1e-12
_WIDEST = 20.0


@configured
class BrownConrady(FocalLens):
    """A lens of moderate width with radial and tangential distortion; refused if the image folds over inside its border."""

    type: Literal["brown_conrady"] = "brown_conrady"
    k1: Number = 0.0
    k2: Number = 0.0
    p1: Number = 0.0
    p2: Number = 0.0
    k3: Number = 0.0
    k4: Number = 0.0
    """k4, k5 and k6 make it OpenCV's rational model."""
    k5: Number = 0.0
    k6: Number = 0.0

    @property
    def coefficients(self) -> Floats:
        """D in the order of OpenCV: k1 k2 p1 p2 k3, and k4 k5 k6 if the model is rational."""
        rational = (self.k4, self.k5, self.k6)
        return np.array([self.k1, self.k2, self.p1, self.p2, self.k3, *(rational if any(rational) else ())])

    @property
    def calibration(self) -> Calibration:
        """Plumb bob with 5 or rational polynomial with 8 coefficients."""
        d = self.coefficients
        model: Literal["plumb_bob", "rational_polynomial"] = "plumb_bob" if len(d) == 5 else "rational_polynomial"
        return Calibration(width=self.width, height=self.height, model=model, matrix=self.matrix, distortion=d)

    def directions(self, pixels: Floats) -> Floats:
        """Return unit vectors [..., 3] through pixels [..., 2]; found by Newton's method."""
        return unit_through(self._undistorted(self._to_plane(pixels)))

    def project(self, points_m: Floats) -> Floats:
        """Return pixels [..., 2] of points [..., 3]; NaN behind the lens and where the distortion has folded over."""
        plane = on_plane(points_m)
        seen = np.sum(plane * plane, -1) < self._fold() ** 2
        return self._to_pixels(np.where(seen[..., None], self._distorted(plane), np.nan))

    def _radial(self, r2: Floats) -> tuple[Floats, Floats]:
        """Return s and ds / d(r2)."""
        top = 1 + r2 * (self.k1 + r2 * (self.k2 + r2 * self.k3))
        bottom = 1 + r2 * (self.k4 + r2 * (self.k5 + r2 * self.k6))
        d_top = self.k1 + r2 * (2 * self.k2 + r2 * 3 * self.k3)
        d_bottom = self.k4 + r2 * (2 * self.k5 + r2 * 3 * self.k6)
        return top / bottom, (d_top * bottom - top * d_bottom) / (bottom * bottom)

    def _distorted(self, plane: Floats) -> Floats:
        x, y = plane[..., 0], plane[..., 1]
        r2 = x * x + y * y
        s, _ = self._radial(r2)
        dx = 2 * self.p1 * x * y + self.p2 * (r2 + 2 * x * x)
        dy = self.p1 * (r2 + 2 * y * y) + 2 * self.p2 * x * y
        return np.stack((x * s + dx, y * s + dy), -1)

    def _jacobian(self, x: Floats, y: Floats) -> tuple[Floats, Floats, Floats]:
        """Return dx'/dx, dx'/dy = dy'/dx and dy'/dy."""
        s, slope = self._radial(x * x + y * y)
        xx = s + 2 * slope * x * x + 2 * self.p1 * y + 6 * self.p2 * x
        xy = 2 * slope * x * y + 2 * self.p1 * x + 2 * self.p2 * y
        yy = s + 2 * slope * y * y + 6 * self.p1 * y + 2 * self.p2 * x
        return xx, xy, yy

    def _undistorted(self, target: Floats) -> Floats:
        """Return what is distorted to these places; NaN where nothing is."""
        fold = self._fold()
        plane = target * np.minimum(
            1.0, 0.9 * fold / np.maximum(np.linalg.norm(target, axis=-1, keepdims=True), 1e-300)
        )
        for _ in range(_STEPS):
            miss = self._distorted(plane) - target
            if not (np.abs(miss) > _CLOSE).any():
                break
            xx, xy, yy = self._jacobian(plane[..., 0], plane[..., 1])
            det = xx * yy - xy * xy
            move = np.stack((yy * miss[..., 0] - xy * miss[..., 1], xx * miss[..., 1] - xy * miss[..., 0]), -1)
            following = plane - move / det[..., None]
            length = np.linalg.norm(following, axis=-1, keepdims=True)
            plane = following * np.minimum(1.0, fold / np.maximum(length, 1e-300))  # stay on the sheet that is seen
        off = np.abs(self._distorted(plane) - target).max(-1, keepdims=True)
        return np.asarray(np.where(off < 1e-9, plane, np.nan))

    def _fold(self) -> float:
        """Return the radius before distortion at which the image turns back, infinity if it never does within 87 degrees.

        d(r s)/dr = s + 2 r2 s' changes its sign there.
        """
        r2 = np.linspace(0, _WIDEST, 20_001) ** 2
        with np.errstate(all="ignore"):
            s, slope = self._radial(r2)
            back = np.flatnonzero(~(s + 2 * r2 * slope > 0))
        return float(np.sqrt(r2[back[0]])) if len(back) else np.inf

    def _check(self) -> None:
        fold = self._fold()
        reach = float(np.linalg.norm(self._border, axis=-1).max())
        if np.isfinite(fold):
            r = np.linspace(0, fold, 2001)[:-1]
            turning = float((r * self._radial(r * r)[0]).max())
            if turning < reach:
                scale = sum(self.focal_px) / 2
                what = f"its distortion folds over {turning * scale:.1f} pixels from the principal point (at r = {fold:.4g}"
                raise ValueError(
                    f"{what} before distortion), but the image reaches {reach * scale:.1f} pixels; check the signs and the"
                    " order k1 k2 p1 p2 k3, or take a kannala_brandt lens"
                )
        undone = self._undistorted(self._border)
        xx, xy, yy = self._jacobian(undone[..., 0], undone[..., 1])
        if not (xx * yy - xy * xy > 0).all():
            radius = (
                float(np.linalg.norm(self._border[~(xx * yy - xy * xy > 0)], axis=-1).min()) * sum(self.focal_px) / 2
            )
            raise ValueError(
                f"its distortion folds over inside the image, {radius:.1f} pixels from the principal point"
            )
