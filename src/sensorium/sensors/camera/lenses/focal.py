"""What lenses with focal lengths share: the camera matrix, given by focal length or by field of view."""

from __future__ import annotations

import math
from abc import abstractmethod
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from pydantic import model_validator

from sensorium.core.configuration import configured
from sensorium.core.units import Number, PositiveNumber, Radians
from sensorium.sensors.camera.lens import Lens, PixelCount

Floats = NDArray[np.float64]


@configured
class FocalLens(Lens):
    """A lens with the camera matrix K = [[fx, 0, cx], [0, fy, cy], [0, 0, 1]], in pixels."""

    width: PixelCount
    """Columns of the image."""
    height: PixelCount
    """Rows of the image."""
    fx_px: PositiveNumber | None = None
    """Focal length in columns; either this or `field_of_view_rad`."""
    fy_px: PositiveNumber | None = None
    """Focal length in rows; default: that in columns."""
    cx_px: Number | None = None
    """Column of the principal point, 0 at the centre of the first pixel; default: the middle of the image."""
    cy_px: Number | None = None
    """Row of the principal point; default: the middle of the image."""
    field_of_view_rad: Radians | None = None
    """Horizontal, from edge to edge of the image, about the middle and before distortion."""

    @model_validator(mode="after")
    def _one_focal_length(self) -> FocalLens:
        if (self.fx_px is None) == (self.field_of_view_rad is None):
            raise ValueError("give either fx_px or field_of_view_rad")
        widest = self._widest_rad
        if self.field_of_view_rad is not None and not 0 < self.field_of_view_rad < widest:
            found = math.degrees(self.field_of_view_rad)
            raise ValueError(
                f"field_of_view_rad must lie between 0 and {math.degrees(widest):g} deg, found {found:g} deg"
            )
        self._check()
        return self

    @property
    def _widest_rad(self) -> float:
        return math.pi

    @abstractmethod
    def _check(self) -> None:
        """ValueError if the lens cannot make an image."""

    def _focal_px(self, half_px: float, half_rad: float) -> float:
        """Return the focal length at which an angle off the axis falls on a distance from the middle."""
        return half_px / math.tan(half_rad)

    @cached_property
    def focal_px(self) -> tuple[float, float]:
        """Focal lengths in columns and rows."""
        if self.field_of_view_rad is not None:
            fx = self._focal_px(self.width / 2, self.field_of_view_rad / 2)
        else:
            fx = float(self.fx_px or 1)
        return fx, fx if self.fy_px is None else self.fy_px

    @cached_property
    def centre_px(self) -> tuple[float, float]:
        """Column and row of the principal point."""
        cx = (self.width - 1) / 2 if self.cx_px is None else self.cx_px
        return cx, (self.height - 1) / 2 if self.cy_px is None else self.cy_px

    @property
    def matrix(self) -> Floats:
        """K [3, 3]."""
        (fx, fy), (cx, cy) = self.focal_px, self.centre_px
        return np.array([[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]])

    def _to_plane(self, pixels: Floats) -> Floats:
        """Return K^-1 (column, row, 1) without its last entry [..., 2]."""
        return (np.asarray(pixels, np.float64) - self.centre_px) / self.focal_px

    def _to_pixels(self, plane: Floats) -> Floats:
        """Return pixels of places [..., 2] in the plane at distance one."""
        return np.asarray(plane * self.focal_px + self.centre_px)

    @cached_property
    def _border(self) -> Floats:
        """Places [N, 2] in the plane at distance one along the image's outer edge."""
        columns, rows = np.linspace(-0.5, self.width - 0.5, 65), np.linspace(-0.5, self.height - 0.5, 65)
        sides = [np.stack((columns, np.full(65, edge)), -1) for edge in (-0.5, self.height - 0.5)]
        sides += [np.stack((np.full(65, edge), rows), -1) for edge in (-0.5, self.width - 0.5)]
        return self._to_plane(np.concatenate(sides))
