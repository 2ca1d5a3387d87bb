"""The resistance thermometer, and what it may be dipped into."""

from sensorium.sensors.thermometer.courses import Air, Constant, Series, SeriesFile
from sensorium.sensors.thermometer.tank import CoolingTank
from sensorium.sensors.thermometer.thermometer import Thermometer

__all__ = ["Air", "Constant", "CoolingTank", "Series", "SeriesFile", "Thermometer"]
