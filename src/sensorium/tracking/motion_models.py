"""How a target moves between measurements: linear models that are the same on every axis but for their noise.

Y. Bar-Shalom, X. R. Li, T. Kirubarajan, "Estimation with Applications to Tracking and Navigation", Wiley 2001, chapter 6.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import numpy as np
from annotated_types import Ge, Gt
from numpy.typing import NDArray
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.units import STANDARD_GRAVITY_M_S2, Acceleration3, Number

Floats = NDArray[np.float64]
Density3 = tuple[Annotated[Number, Ge(0)], Annotated[Number, Ge(0)], Annotated[Number, Ge(0)]]
_LARGE: Density3 = (1.0, 1.0, 1.0)


@configured
class WienerAcceleration:
    """Nearly constant acceleration: jerk is white noise of spectral density S. States of nine numbers.

    F = [[1, t, t^2/2], [0, 1, t], [0, 0, 1]],
    Q = S [[t^5/20, t^4/8, t^3/6], [t^4/8, t^3/3, t^2/2], [t^3/6, t^2/2, t]].
    """

    type: Literal["wiener_acceleration"] = "wiener_acceleration"
    jerk_density_m2_s5: Density3 = _LARGE
    """S on each axis."""

    order: ClassVar[int] = 3

    def parameters(self) -> Floats:
        """Return what the kernels know of it [8]."""
        return np.array([0.0, *self.jerk_density_m2_s5, 0.0, 0.0, 0.0, 0.0])


@configured
class ConstantVelocity:
    """Nearly constant velocity: acceleration is a known part g and white noise of spectral density S. Six numbers.

    F = [[1, t], [0, 1]], u = g (t^2/2, t), Q = S [[t^3/3, t^2/2], [t^2/2, t]].
    """

    type: Literal["constant_velocity"] = "constant_velocity"
    acceleration_density_m2_s3: Density3 = _LARGE
    """S on each axis."""
    acceleration_m_s2: Acceleration3 = (0.0, 0.0, 0.0)
    """Known acceleration g, for example that of gravity."""

    order: ClassVar[int] = 2

    def parameters(self) -> Floats:
        """Return what the kernels know of it [8]."""
        return np.array([1.0, *self.acceleration_density_m2_s3, *self.acceleration_m_s2, 0.0])


@configured
class Flight:
    """Known acceleration g in a state of nine numbers, so that it can stand beside `WienerAcceleration` in one filter.

    Place and velocity move as with `ConstantVelocity`; the acceleration becomes g with a small uncertainty.
    """

    type: Literal["flight"] = "flight"
    acceleration_density_m2_s3: Density3 = (0.01, 0.01, 0.01)
    """S on each axis; large on an axis along which the target may be pushed."""
    acceleration_m_s2: Acceleration3 = (0.0, 0.0, -STANDARD_GRAVITY_M_S2)
    """g: that of gravity in a frame whose z points up, or zero for what rolls."""
    acceleration_noise_m_s2: Annotated[Number, Gt(0)] = 0.1
    """Standard deviation of the acceleration after a step."""

    order: ClassVar[int] = 3

    def parameters(self) -> Floats:
        """Return what the kernels know of it [8]."""
        known = self.acceleration_noise_m_s2
        return np.array([2.0, *self.acceleration_density_m2_s3, *self.acceleration_m_s2, known])


AnyMotionModel = Annotated[WienerAcceleration | ConstantVelocity | Flight, Field(discriminator="type")]
MotionModel = WienerAcceleration | ConstantVelocity | Flight
