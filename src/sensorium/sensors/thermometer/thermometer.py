"""A resistance thermometer after IEC 60751 (PT100): lag, self-heating, leads, tolerance of the specimen, noise."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.random import Draws
from sensorium.core.time import NANOSECONDS_PER_SECOND
from sensorium.core.units import Kelvin, NonNegativeNumber, NonNegativeSeconds, PositiveHertz, PositiveNumber
from sensorium.samples import Stamp
from sensorium.samples.temperature import Temperature
from sensorium.scene.view import View
from sensorium.sensors.sensor import Sensor
from sensorium.sensors.thermometer.courses import Air, Constant, Course, Series, SeriesFile
from sensorium.sensors.thermometer.lag import lagged
from sensorium.sensors.thermometer.resistance import ToleranceClass, celsius_of, limit_k, ratio
from sensorium.sensors.thermometer.tank import CoolingTank

AnyCourse = Annotated[Air | Constant | Series | SeriesFile | CoolingTank, Field(discriminator="type")]
ZERO_CELSIUS_K = 273.15


@configured
class Thermometer(Sensor[float, float]):
    """Measures the air around it, or what it is dipped into. Its signal is the resistance of the platinum."""

    type: Literal["thermometer"] = "thermometer"
    device: str = ""
    """Name in the catalogue, if it comes from there."""
    rate_hz: PositiveHertz = 1.0
    medium: AnyCourse = Field(default_factory=Air)
    """What it measures."""
    r0_ohm: PositiveNumber = 100.0
    """Resistance at 0 degrees Celsius: PT100."""
    lag_s: NonNegativeSeconds = 5.0
    """Time constant of the probe in this medium; assumed."""
    current_a: NonNegativeNumber = 1e-3
    """Measuring current."""
    dissipation_w_k: PositiveNumber | None = 5e-3
    """Heat that leaves the probe per kelvin that it is warmer than the medium (assumed: moving air; stirred water ten times
    more); None: no self-heating."""
    lead_ohm: NonNegativeNumber = 0.0
    """Resistance of the leads that is measured along; 0: four wires."""
    tolerance: ToleranceClass | None = "B"
    """Class of the specimen: it is off by a share of the limit that never changes, drawn once and uniform (assumed); None: a
    perfect one."""
    noise_k: Annotated[Kelvin, Field(ge=0)] = 0.02
    """Standard deviation of a reading."""
    resolution_k: Annotated[Kelvin, Field(ge=0)] = 0.01
    """Step of the reading; 0: none."""

    def sense(self, view: View) -> float:
        """Return the resistance: of the medium through the lag, and warmer by I^2 R / G."""
        time_s = view.window.start_ns / NANOSECONDS_PER_SECOND
        celsius = lagged(lambda times: self.medium.temperature_k(times, view), time_s, self.lag_s) - ZERO_CELSIUS_K
        if self.dissipation_w_k is not None:
            celsius += self.current_a**2 * self.r0_ohm * ratio(celsius) / self.dissipation_w_k
        return self.r0_ohm * ratio(celsius)

    def initial_state(self, draws: Draws) -> float:
        """Return where between -1 and 1 of its tolerance the specimen lies."""
        return float(2 * draws.uniform("specimen", 1)[0] - 1)

    def detect(self, signal: float, state: float, draws: Draws, stamp: Stamp) -> tuple[Temperature, float]:
        """Read the resistance as a temperature, with the specimen's error, noise and resolution."""
        celsius = celsius_of((signal + self.lead_ohm) / self.r0_ohm)
        limit = 0.0 if self.tolerance is None else limit_k(self.tolerance, celsius)
        value = celsius + ZERO_CELSIUS_K + state * limit + self.noise_k * float(draws.normal("noise", 1)[0])
        if self.resolution_k:
            value = float(np.rint(value / self.resolution_k) * self.resolution_k)
        variance = self.noise_k**2 + self.resolution_k**2 / 12 + limit**2 / 3
        return Temperature(stamp=stamp, temperature_k=np.array([value]), variance_k2=variance), state


__all__ = ["AnyCourse", "Course", "Thermometer"]
