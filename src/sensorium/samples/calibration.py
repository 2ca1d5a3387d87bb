"""The calibration of a camera, in the conventions of OpenCV and sensor_msgs/CameraInfo."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

DistortionModel = Literal["plumb_bob", "rational_polynomial", "equidistant", "equirectangular"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Calibration:
    """How a point in the optical frame (x right, y down, z forward) becomes a pixel; pixel (0, 0) is a pixel's centre."""

    width: int
    height: int
    model: DistortionModel
    """plumb_bob: pinhole and Brown-Conrady with 5 coefficients; rational_polynomial: with 8; equidistant: Kannala-Brandt."""
    matrix: NDArray[np.float64]
    """K [3, 3]: focal lengths and principal point in pixels."""
    distortion: NDArray[np.float64] = field(default_factory=lambda: np.zeros(5))
    """D, in the order of OpenCV."""
