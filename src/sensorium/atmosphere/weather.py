"""The weather: one state of the air that every sensor reads.

weather: {temperature_k: 3 degC, humidity: 95 %, rain_mm_h: 4, visibility_m: 2 km}
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Annotated

from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.units import Fraction, Kelvin, MetresPerSecond, NonNegativeNumber, PositiveMetres, PositiveNumber


@configured
class WeatherState:
    """The weather of one instant, the same everywhere; the defaults are those of the standard atmosphere (ISO 2533:1975)."""

    temperature_k: Annotated[Kelvin, Field(gt=150, lt=350)] = 288.15
    """Of the air near the ground."""
    humidity: Fraction = 0.5
    """Relative humidity over water."""
    pressure_pa: PositiveNumber = 101_325.0
    """At the world's origin."""
    wind_m_s: tuple[MetresPerSecond, MetresPerSecond] = (0.0, 0.0)
    """Where the air goes: towards east, towards north."""
    cloud_cover: Fraction = 0.0
    """Part of the sky that is covered."""
    visibility_m: PositiveMetres = 23_000.0
    """Meteorological optical range at 550 nm, without rain, snow and dust (contrast 2 percent, Koschmieder)."""
    rain_mm_h: NonNegativeNumber = 0.0
    snow_mm_h: NonNegativeNumber = 0.0
    """As melted water."""
    dust_g_m3: NonNegativeNumber = 0.0


class Weather(ABC):
    """How the weather goes on; implementations are frozen."""

    @abstractmethod
    def at(self, time_ns: int) -> WeatherState:
        """Return the state of an instant."""


@configured
class ConstantWeather(Weather):
    """The same weather at all times."""

    state: WeatherState = Field(default_factory=WeatherState)

    def at(self, time_ns: int) -> WeatherState:
        """Return the one state."""
        return self.state
