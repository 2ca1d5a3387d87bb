"""A weather station: temperature, humidity, wet bulb, and the decision between water and snow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.random import Draws
from sensorium.core.time import NANOSECONDS_PER_SECOND, nanoseconds
from sensorium.core.units import Fraction, Kelvin, NonNegativeSeconds, PositiveHertz
from sensorium.samples import Stamp
from sensorium.samples.station import StationReading
from sensorium.scene.view import View
from sensorium.sensors.sensor import Sensor
from sensorium.sensors.thermometer.lag import lagged
from sensorium.sensors.weather_station.housing import AnyPlace, Shelter
from sensorium.sensors.weather_station.humid_air import ZERO_CELSIUS_K, saturation_pa, wet_bulb_c

NoiseK = Annotated[Kelvin, Field(ge=0)]


@dataclass(frozen=True)
class AirAtStation:
    """The air that reaches the sensors."""

    temperature_k: float
    humidity: float
    pressure_pa: float


@configured
class WeatherStation(Sensor[AirAtStation, bool]):
    """Measures the air where it sits: a warm housing makes it read too warm, too dry, and its wet bulb too high."""

    type: Literal["weather_station"] = "weather_station"
    device: str = ""
    """Name in the catalogue, if it comes from there."""
    rate_hz: PositiveHertz = 0.1
    place: AnyPlace = Field(default_factory=Shelter)
    lag_s: NonNegativeSeconds = 60.0
    """Time constant with which sensors and hull follow; assumed."""
    noise_k: NoiseK = 0.1
    """Standard deviation of a temperature."""
    humidity_noise: Fraction = 0.02
    """Standard deviation of a relative humidity."""
    snow_below_k: Annotated[Kelvin, Field(gt=0)] = ZERO_CELSIUS_K - 2.5
    """Wet bulb below which snow is made; assumed."""
    hysteresis_k: NoiseK = 0.3
    """Snow stops only when the wet bulb is higher than that by this; assumed."""

    def sense(self, view: View) -> AirAtStation:
        """Return temperature and humidity in the housing: warming changes the saturation, not the vapour."""

        def inside(times_s: NDArray[np.float64]) -> NDArray[np.float64]:
            free = [view.scene.weather.at(nanoseconds(time_s)) for time_s in times_s.tolist()]
            warmer = [self.place.warmer_k(times_s[row : row + 1], state)[0] for row, state in enumerate(free)]
            return np.asarray(np.array([state.temperature_k for state in free]) + warmer)

        weather = view.weather
        kelvin = lagged(inside, view.window.start_ns / NANOSECONDS_PER_SECOND, self.lag_s)
        free_pa, here_pa = (
            saturation_pa(k - ZERO_CELSIUS_K, weather.pressure_pa) for k in (weather.temperature_k, kelvin)
        )
        return AirAtStation(kelvin, min(1.0, weather.humidity * free_pa / here_pa), weather.pressure_pa)

    def initial_state(self, draws: Draws) -> bool:
        """Water, until it is cold enough."""
        return False

    def detect(
        self, signal: AirAtStation, state: bool, draws: Draws, stamp: Stamp
    ) -> tuple[StationReading, bool]:  # fmt: skip
        """Add the noise, compute the wet bulb of what was measured, decide."""
        one, two = draws.normal("noise", 2)
        kelvin = signal.temperature_k + self.noise_k * float(one)
        humidity = min(1.0, max(0.0, signal.humidity + self.humidity_noise * float(two)))
        wet_k = wet_bulb_c(kelvin - ZERO_CELSIUS_K, humidity, signal.pressure_pa) + ZERO_CELSIUS_K
        snow = wet_k < self.snow_below_k + (self.hysteresis_k if state else 0.0)
        reading = StationReading(
            stamp=stamp,
            temperature_k=np.array([kelvin]), humidity=np.array([humidity]), wet_bulb_k=np.array([wet_k]), snow=snow,
            temperature_variance_k2=self.noise_k**2, humidity_variance=self.humidity_noise**2,
        )  # fmt: skip
        return reading, snow
