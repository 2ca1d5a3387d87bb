"""Air: what it takes from light on the way, and what it sends back."""

from sensorium.atmosphere.medium import CLEAR, Medium, medium, medium_names

__all__ = ["CLEAR", "Medium", "medium", "medium_names"]
