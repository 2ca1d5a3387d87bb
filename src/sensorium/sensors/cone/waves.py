"""What carries the measurement: nothing in particular, sound, or radio waves; and what the weather does to it."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from sensorium.atmosphere.weather import WeatherState
from sensorium.core.configuration import configured
from sensorium.core.units import Hertz, Kelvin

ZERO_CELSIUS_K, TWENTY_CELSIUS_K = 273.15, 293.15
_REFERENCE_PA = 101_325.0


class Wave(ABC):
    """A way to measure distances through the air."""

    radiation: ClassVar[str]
    """What a sensor_msgs/Range calls it: ultrasound or infrared (all that is light or radio)."""

    @abstractmethod
    def stretch(self, weather: WeatherState) -> float:
        """Return reported over true distance."""

    @abstractmethod
    def attenuation_db_m(self, weather: WeatherState) -> float:
        """Return what the air takes on one metre, one way."""


@configured
class Ideal(Wave):
    """Straight through the air without loss: the sensor is its geometry."""

    type: Literal["ideal"] = "ideal"
    radiation: ClassVar[str] = "infrared"

    def stretch(self, weather: WeatherState) -> float:
        """Return 1."""
        return 1.0

    def attenuation_db_m(self, weather: WeatherState) -> float:
        """Return 0."""
        return 0.0


@configured
class Sound(Wave):
    """Ultrasound: its speed depends on the temperature, its reach on temperature and humidity.

    The device turns the time of flight 2 r / c into a distance with the speed of sound that it believes in:
    r' = r c(assumed) / c(air), c = 331.3 m/s sqrt(T / 273.15 K) (dry air; humidity adds at most 0.4 % below 30 degrees).
    """

    type: Literal["sound"] = "sound"
    radiation: ClassVar[str] = "ultrasound"
    frequency_hz: Annotated[Hertz, Field(ge=1e3, le=1e6)] = 48e3
    assumed_k: Annotated[Kelvin, Field(gt=150, lt=350)] | None = TWENTY_CELSIUS_K
    """Air temperature that the device reckons with; None (in a file: null): it measures the true one."""

    def stretch(self, weather: WeatherState) -> float:
        """Return c(assumed) / c(air) = sqrt(T(assumed) / T(air))."""
        return 1.0 if self.assumed_k is None else math.sqrt(self.assumed_k / weather.temperature_k)

    def attenuation_db_m(self, weather: WeatherState) -> float:
        """Return the absorption of ISO 9613-1:1993, equations 3 to 5 and B.3: by viscosity, oxygen and nitrogen.

        The tables of the standard end at 10 kHz; its equations hold for f / p up to 10 MHz/atm (ANSI S1.26).
        """
        pressure, warm, f = (
            weather.pressure_pa / _REFERENCE_PA,
            weather.temperature_k / TWENTY_CELSIUS_K,
            self.frequency_hz,
        )
        saturation = 10 ** (-6.8346 * (273.16 / weather.temperature_k) ** 1.261 + 4.6151)
        water = 100 * weather.humidity * saturation / pressure
        oxygen = pressure * (24 + 4.04e4 * water * (0.02 + water) / (0.391 + water))
        nitrogen = pressure / math.sqrt(warm) * (9 + 280 * water * math.exp(-4.170 * (warm ** (-1 / 3) - 1)))
        relaxation = 0.01275 * math.exp(-2239.1 / weather.temperature_k) / (oxygen + f * f / oxygen)
        relaxation += 0.1068 * math.exp(-3352.0 / weather.temperature_k) / (nitrogen + f * f / nitrogen)
        return float(8.686 * f * f * (1.84e-11 / pressure * math.sqrt(warm) + warm**-2.5 * relaxation))


# ITU-R P.838-3, tables 1 and 3, horizontal polarisation: rows (a, b, c) of the sums, then slope and offset
_K = (
    (-5.33980, -0.10008, 1.13098),
    (-0.35351, 1.26970, 0.45400),
    (-0.23789, 0.86036, 0.15354),
    (-0.94158, 0.64552, 0.16817),
)
_K_LINE = -0.18961, 0.71147
_ALPHA = (
    (-0.14318, 1.82442, -0.55187), (0.29591, 0.77564, 0.19822), (0.32177, 0.63773, 0.13164),
    (-5.37610, -0.96230, 1.47828), (16.1721, -3.29980, 3.43990),
)  # fmt: skip
_ALPHA_LINE = 0.67849, -1.95537


@configured
class Radio(Wave):
    """Radar: rain takes from it, temperature and humidity do not matter on such short ways."""

    type: Literal["radio"] = "radio"
    radiation: ClassVar[str] = "infrared"
    frequency_hz: Annotated[Hertz, Field(ge=1e9, le=1000e9)] = 77e9

    def stretch(self, weather: WeatherState) -> float:
        """Return 1: the refractive index of air, 1.0003, is within the calibration."""
        return 1.0

    def attenuation_db_m(self, weather: WeatherState) -> float:
        """Return gamma = k R^alpha of ITU-R P.838-3 for rain of R mm/h; dry snow takes next to nothing."""
        if weather.rain_mm_h == 0:
            return 0.0
        decade = math.log10(self.frequency_hz / 1e9)
        k = 10 ** (_bells(_K, decade) + _K_LINE[0] * decade + _K_LINE[1])
        alpha = _bells(_ALPHA, decade) + _ALPHA_LINE[0] * decade + _ALPHA_LINE[1]
        return float(k * weather.rain_mm_h**alpha / 1000)


def _bells(rows: tuple[tuple[float, float, float], ...], decade: float) -> float:
    """Return the sum of a exp(-((log10 f - b) / c)^2), equations 2 and 3 of the recommendation."""
    return sum(a * math.exp(-(((decade - b) / c) ** 2)) for a, b, c in rows)


AnyWave = Annotated[Ideal | Sound | Radio, Field(discriminator="type")]
