"""Sensorium simulates the sensors of cars, robots and machines so physically that software cannot tell them from real ones."""

__version__ = "0.1.0"
