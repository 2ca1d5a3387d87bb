"""Where the station sits: in the open, or in the hull of a machine that warms the air."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Annotated, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from sensorium.atmosphere.weather import WeatherState
from sensorium.core.configuration import configured
from sensorium.core.units import Fraction, NonNegativeSeconds, PositiveNumber, Seconds, Watts

Floats = NDArray[np.float64]
Power = Annotated[Watts, Field(ge=0)]

_CP_J_KG_K, _GAS_J_KG_K = 1005.0, 287.05


class Place(ABC):
    """A place for a station."""

    @abstractmethod
    def warmer_k(self, times_s: Floats, weather: WeatherState) -> Floats:
        """Return how much warmer than the free air it is [N] at times [N], once it has settled."""


@configured
class Shelter(Place):
    """A shelter in the open that does its job."""

    type: Literal["shelter"] = "shelter"

    def warmer_k(self, times_s: Floats, weather: WeatherState) -> Floats:
        """Return zeros."""
        return np.zeros(len(times_s))


@configured
class Housing(Place):
    """The hull of a machine with a fan (document 001, chapter 3).

    Fan on: all air passes it and takes along the work of the fan, as pressure and speed that end as heat, and a part of what
    is lost in motor and bearings: dT = P (eta + (1 - eta) s) / (rho V' c_p). Fan off: what the electronics dissipate
    leaves through the hull, dT = P_e / G.
    """

    type: Literal["housing"] = "housing"
    fan_w: Power = 15e3
    """Electric power of the fan; assumed."""
    efficiency: Fraction = 0.7
    """Part of it that goes into the air as pressure and speed; assumed."""
    loss_share: Fraction = 0.5
    """Part of the rest that heats the air inside; assumed."""
    flow_m3_s: PositiveNumber = 8.0
    """Assumed."""
    electronics_w: Power = 60.0
    """Assumed."""
    hull_w_k: PositiveNumber = 60.0
    """Conductance of the hull when the fan stands; assumed."""
    fan_on_s: tuple[tuple[NonNegativeSeconds, Seconds], ...] = ()
    """From when to when the fan runs."""

    @model_validator(mode="after")
    def _spans_in_order(self) -> Self:
        last = -1.0
        for start, end in self.fan_on_s:
            if start < last or end <= start:
                raise ValueError(f"fan_on_s must be spans one after the other, found {start} s to {end} s")
            last = end
        return self

    def warmer_k(self, times_s: Floats, weather: WeatherState) -> Floats:
        """Return the offset of the fan while it runs, that of the electronics while it does not."""
        density = weather.pressure_pa / (_GAS_J_KG_K * weather.temperature_k)
        heat = self.fan_w * (self.efficiency + (1 - self.efficiency) * self.loss_share)
        on = (heat + self.electronics_w) / (density * self.flow_m3_s * _CP_J_KG_K)
        running = np.zeros(len(times_s), np.bool_)
        for start, end in self.fan_on_s:
            running |= (times_s >= start) & (times_s < end)
        return np.where(running, on, self.electronics_w / self.hull_w_k)


AnyPlace = Annotated[Shelter | Housing, Field(discriminator="type")]
