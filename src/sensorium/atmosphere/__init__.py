"""Air: what it takes from light on the way, and what it sends back."""

from sensorium.atmosphere.drops import RainDrops
from sensorium.atmosphere.medium import CLEAR, Medium, medium, medium_names, rain

__all__ = ["CLEAR", "Medium", "RainDrops", "medium", "medium_names", "rain"]
