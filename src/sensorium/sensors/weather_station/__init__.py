"""The weather station in a housing with a fan, and its decision between water and snow."""

from sensorium.sensors.weather_station.housing import Housing, Shelter
from sensorium.sensors.weather_station.weather_station import WeatherStation

__all__ = ["Housing", "Shelter", "WeatherStation"]
