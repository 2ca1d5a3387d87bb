"""Extended Kalman filter: angles are made linear at the mean."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.tracking.kalman import GaussianFilter
from sensorium.tracking.motion_models import AnyMotionModel, WienerAcceleration


@configured
class ExtendedKalman(GaussianFilter):
    """Takes every measurement model; good while the uncertainty is small beside the range."""

    type: Literal["extended_kalman"] = "extended_kalman"
    motion: AnyMotionModel = Field(default_factory=WienerAcceleration)
