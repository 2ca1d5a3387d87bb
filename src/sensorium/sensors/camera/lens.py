"""The contract of every lens: from pixels to directions and back, in the optical frame (x right, y down, z forward)."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from sensorium.samples.calibration import Calibration

Floats = NDArray[np.float64]


class Lens(ABC):
    """A projection with its image size. Implementations are frozen, in pixels; pixel (0, 0) is the centre of the first."""

    width: int
    height: int

    @property
    @abstractmethod
    def calibration(self) -> Calibration:
        """The same lens in OpenCV's words."""

    @abstractmethod
    def directions(self, pixels: Floats) -> Floats:
        """Return unit vectors [..., 3] from the lens through pixels [..., 2] (column, row); NaN where the lens sees nothing."""

    @abstractmethod
    def project(self, points_m: Floats) -> Floats:
        """Return pixels [..., 2] (column, row) of points [..., 3]; NaN for points that the lens cannot see."""
