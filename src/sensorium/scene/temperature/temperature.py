"""Objects that say how warm a surface is.

{type: fixed, temperature_k: 20 degC}
{type: heat_balance, behind_k: 20 degC, behind_w_m2_k: 2.5}
{type: profile, rise_k: 5, spots: [{centre_m: [3, 0, 0.9], radius_m: 0.4, rise_k: 30}]}
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from sensorium.core.configuration import configured
from sensorium.core.units import Kelvin, Metres, MetresPerSecond, NonNegativeNumber, Number, PositiveMetres

if TYPE_CHECKING:
    from sensorium.scene.temperature.balance import Exchange

Floats = NDArray[np.float64]
Place = tuple[Metres, Metres, Metres]
BodyTemperature = Annotated[Kelvin, Field(ge=50, le=2000)]
"""Above absolute zero, and within what the radiance tables of thermal cameras hold."""


class Warmth(NamedTuple):
    """How warm one kind of surface is now."""

    base_k: Floats
    """[shares] without direct sunlight, by the share of sky that it sees."""
    sun_k: Floats
    """[spans, 3] S: sunlight of a span makes it n . S warmer, n being its normal."""


class Temperature(ABC):
    """How warm a surface is. Implementations are frozen."""

    @abstractmethod
    def solve(self, exchange: Exchange) -> Warmth:
        """Return the temperature of such a surface of a material, on a day."""

    @property
    def profile(self) -> Profile | None:
        """What comes on top in body coordinates."""
        return None


@configured
class FixedTemperature(Temperature):
    """The same temperature everywhere, at all times."""

    type: Literal["fixed"] = "fixed"
    temperature_k: BodyTemperature

    def solve(self, exchange: Exchange) -> Warmth:
        """Return the one temperature."""
        return exchange.constant(self.temperature_k)


@configured
class HeatBalance(Temperature):
    """What sun, sky, ground, air and the layer's own heat make of it over the last 24 hours."""

    type: Literal["heat_balance"] = "heat_balance"
    behind_k: BodyTemperature | None = None
    """Temperature of what lies behind the layer: a heated room, flesh; None: the layer is insulated."""
    behind_w_m2_k: NonNegativeNumber = 2.5
    """Coefficient between the back of the layer and what lies behind it."""
    own_w_m2: NonNegativeNumber = 0.0
    """Heat that the body itself brings to the back of the layer."""
    air_speed_m_s: Annotated[MetresPerSecond, Field(ge=0)] = 0.0
    """Of the air along a body that drives; comes on top of the wind."""
    thickness_m: PositiveMetres | None = None
    """Of the layer; None: that of its material."""

    @model_validator(mode="after")
    def _loses_its_heat(self) -> HeatBalance:
        if self.behind_k is not None and self.behind_w_m2_k == 0:
            raise ValueError(
                "behind_k has no effect while behind_w_m2_k is 0; give a coefficient, or leave behind_k out"
            )
        return self

    def solve(self, exchange: Exchange) -> Warmth:
        """Solve the balance."""
        return exchange.balance(self)


@configured
class HotSpot:
    """A place that is warmer: rise exp(-r^2 / 2), r the distance from the centre in units of the radius along each axis."""

    centre_m: Place
    """In the body's frame."""
    radius_m: PositiveMetres | tuple[PositiveMetres, PositiveMetres, PositiveMetres]
    rise_k: Annotated[Kelvin, Field(ge=-300, le=1500)]
    """A difference: 30 means 30 K warmer."""

    @property
    def row(self) -> tuple[float, ...]:
        """Centre, one over radius, rise: seven numbers for kernels."""
        radius = self.radius_m if isinstance(self.radius_m, tuple) else (self.radius_m,) * 3
        return (*self.centre_m, *(1 / r for r in radius), self.rise_k)


@configured
class Gradient:
    """A temperature that grows along a line."""

    origin_m: Place = (0.0, 0.0, 0.0)
    """Where it adds nothing, in the body's frame."""
    k_m: tuple[Number, Number, Number]
    """Growth in kelvin per metre along the body's axes."""


@configured
class Profile(Temperature):
    """A temperature with a pattern over the body on top: the same rise everywhere, a gradient, hot spots."""

    type: Literal["profile"] = "profile"
    base: Annotated[FixedTemperature | HeatBalance, Field(discriminator="type")] = Field(default_factory=HeatBalance)
    rise_k: Annotated[Kelvin, Field(ge=-300, le=1500)] = 0.0
    """A difference: 30 means 30 K warmer."""
    gradient: Gradient | None = None
    spots: tuple[HotSpot, ...] = ()

    def solve(self, exchange: Exchange) -> Warmth:
        """Return the base's temperature."""
        return self.base.solve(exchange)

    @property
    def profile(self) -> Profile:
        """This pattern."""
        return self


AnyTemperature = Annotated[FixedTemperature | HeatBalance | Profile, Field(discriminator="type")]
