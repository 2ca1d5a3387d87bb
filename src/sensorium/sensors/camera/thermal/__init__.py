"""The thermal camera: what surfaces, air and sky radiate in a band, and the electronics that turn it into counts and kelvin."""

from sensorium.sensors.camera.thermal.thermal_camera import ThermalCamera

__all__ = ["ThermalCamera"]
