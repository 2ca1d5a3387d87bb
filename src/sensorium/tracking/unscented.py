"""Unscented Kalman filter: measurements are made linear by sigma points."""

from __future__ import annotations

from typing import Annotated, Literal

from annotated_types import Gt
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.units import Number
from sensorium.tracking.kalman import GaussianFilter
from sensorium.tracking.motion_models import AnyMotionModel, WienerAcceleration


@configured
class UnscentedKalman(GaussianFilter):
    """Takes every measurement model; better than the extended filter where the uncertainty bends the measurement.

    S. Julier, J. Uhlmann, "Unscented filtering and nonlinear estimation", Proc. IEEE 92, 2004. Most measurements depend
    on the place alone and the rest of the state is linear in it, so that seven points in three dimensions do the same
    as nineteen in nine; those of a radar depend on the velocity as well and take thirteen points, twice as wide.
    """

    type: Literal["unscented_kalman"] = "unscented_kalman"
    motion: AnyMotionModel = Field(default_factory=WienerAcceleration)
    point_spread: Annotated[Number, Gt(0)] = 3.0
    """c: the points lie at sqrt(c) standard deviations; their mean has the weight 1 - 3 / c. 3 fits a normal distribution."""

    @property
    def spread(self) -> float:
        """Spread of the sigma points."""
        return self.point_spread
