"""The filters that a document may name."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sensorium.tracking.extended import ExtendedKalman
from sensorium.tracking.imm import InteractingModels
from sensorium.tracking.kalman import Kalman
from sensorium.tracking.particle import BootstrapParticles
from sensorium.tracking.unscented import UnscentedKalman

AnyFilter = Annotated[
    Kalman | ExtendedKalman | UnscentedKalman | BootstrapParticles | InteractingModels, Field(discriminator="type")
]
AnyGaussianFilter = Annotated[Kalman | ExtendedKalman | UnscentedKalman, Field(discriminator="type")]
