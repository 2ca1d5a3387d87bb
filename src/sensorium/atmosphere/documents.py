"""Air as it stands in scenario files.

air: {type: preset, name: light_fog}
air: {type: rain, rate_mm_h: 25}
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator

from sensorium.atmosphere.medium import CLEAR, Medium, medium, rain
from sensorium.core.configuration import configured
from sensorium.core.errors import ConfigurationError
from sensorium.core.units import PositiveNumber


@configured
class Preset:
    """One of the media with a name."""

    type: Literal["preset"] = "preset"
    name: str = CLEAR.name

    @field_validator("name")
    @classmethod
    def _known(cls, name: str) -> str:
        try:
            return medium(name).name
        except ConfigurationError as error:
            raise ValueError(str(error)) from None

    def build(self) -> Medium:
        """Return the medium."""
        return medium(self.name)


@configured
class Rain:
    """Rain of a rate."""

    type: Literal["rain"] = "rain"
    rate_mm_h: Annotated[PositiveNumber, Field(le=500)]
    drops: bool = True
    """Whether single drops send back; otherwise the rain attenuates alone."""

    def build(self) -> Medium:
        """Return the medium."""
        return rain(self.rate_mm_h, self.drops)


AnyAir = Annotated[Preset | Rain, Field(discriminator="type")]
