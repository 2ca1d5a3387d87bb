"""A stirred tank that cools: one temperature, a loss to the room, and a device that takes a constant power."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.units import Kelvin, NonNegativeNumber, PositiveNumber, Seconds, Watts
from sensorium.scene.view import View
from sensorium.sensors.thermometer.courses import Course

Floats = NDArray[np.float64]


@configured
class CoolingTank(Course):
    """m c dT/dt = -P - G (T - T_room), from the initial temperature at the start."""

    type: Literal["cooling_tank"] = "cooling_tank"
    mass_kg: PositiveNumber = 3.0
    heat_capacity_j_kg_k: PositiveNumber = 4186.0
    """Water."""
    initial_k: Annotated[Kelvin, Field(gt=0)]
    room_k: Annotated[Kelvin, Field(gt=0)] = 295.15
    loss_w_k: NonNegativeNumber
    """Conductance G of natural cooling."""
    device_w: Watts = 0.0
    """Power that the cooling device takes from the start on."""
    start_s: Seconds = 0.0

    def temperature_k(self, times_s: Floats, view: View) -> Floats:
        """Return T_end + (T_0 - T_end) exp(-t G / (m c)), T_end = T_room - P / G; without loss T_0 - P t / (m c)."""
        passed = np.maximum(times_s - self.start_s, 0.0)
        store = self.mass_kg * self.heat_capacity_j_kg_k
        if self.loss_w_k == 0:
            return np.asarray(self.initial_k - self.device_w * passed / store)
        end = self.room_k - self.device_w / self.loss_w_k
        return np.asarray(end + (self.initial_k - end) * np.exp(-passed * self.loss_w_k / store))
