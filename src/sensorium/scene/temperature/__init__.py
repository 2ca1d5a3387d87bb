"""Temperatures of surfaces: fixed, profiles over a body, and the heat balance of a day."""

from sensorium.scene.temperature.temperature import (
    AnyTemperature,
    FixedTemperature,
    Gradient,
    HeatBalance,
    HotSpot,
    Profile,
    Temperature,
)

__all__ = ["AnyTemperature", "FixedTemperature", "Gradient", "HeatBalance", "HotSpot", "Profile", "Temperature"]
