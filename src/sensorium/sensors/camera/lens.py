"""The contract of every lens: from pixels to directions and back, in the optical frame (x right, y down, z forward)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Annotated

import numpy as np
from annotated_types import Ge, Le
from numpy.typing import NDArray

from sensorium.core.pose import Pose
from sensorium.samples.calibration import Calibration

Floats = NDArray[np.float64]
PixelCount = Annotated[int, Ge(1), Le(16_384)]

T_SENSOR_OPTICAL = Pose(np.zeros(3), np.array([0.5, -0.5, 0.5, -0.5]))
"""From the optical frame to the sensor frame (x forward, y left, z up), REP 103: x = z', y = -x', z = -y'."""


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
        """Return pixels [..., 2] (column, row) of points [..., 3]; NaN for points that the lens cannot see.

        A pixel outside the image is given as it is.
        """
