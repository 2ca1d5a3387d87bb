"""Bias and scale factor change with the temperature of the device."""

from __future__ import annotations

from typing import Literal

from sensorium.core.configuration import configured
from sensorium.core.units import Kelvin, NonNegativeSeconds
from sensorium.noise.fault import Fault, Operation, Step
from sensorium.noise.signal_units import PerKelvin, SharesPerKelvin


@configured
class TemperatureDrift(Fault):
    """u' = u + (bias + scale u) (T - T0), T the air's temperature and the device's own heat on top.

    The device warms up as dT (1 - exp(-t / tau)) from the first reading on.
    """

    type: Literal["temperature_drift"] = "temperature_drift"
    bias: PerKelvin = (0.0, 0.0, 0.0)
    """In the signal's unit per kelvin."""
    scale: SharesPerKelvin = (0.0, 0.0, 0.0)
    """Per kelvin: "0.02 %/K"."""
    reference_k: Kelvin = 298.15
    """T0, at which the device was calibrated."""
    self_heating_k: Kelvin = 0.0
    """dT: how much warmer than the air the device gets."""
    warm_up_s: NonNegativeSeconds = 0.0
    """tau; 0: warm from the start."""

    def steps(self, rate_hz: float) -> tuple[Step, ...]:
        """Return the drift."""
        heat = (self.reference_k, self.self_heating_k, self.warm_up_s, rate_hz)
        return (Step(Operation.DRIFT, (*self.bias, *self.scale, *heat)),)
