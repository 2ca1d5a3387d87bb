"""Instruments. `AnySensor` is what a scenario may mount; a new sensor adds one line here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Union

from pydantic import BeforeValidator, Field

from sensorium.sensors.camera.camera import Camera
from sensorium.sensors.camera.thermal import ThermalCamera
from sensorium.sensors.catalog import device, device_names, with_device
from sensorium.sensors.cone import ConeSensor
from sensorium.sensors.encoder import Encoder
from sensorium.sensors.gnss import Gnss
from sensorium.sensors.inertial import Imu
from sensorium.sensors.lidar import Lidar
from sensorium.sensors.odometer import Odometer
from sensorium.sensors.radar import Radar
from sensorium.sensors.sensor import Sensor
from sensorium.sensors.thermometer import Thermometer
from sensorium.sensors.weather_station import WeatherStation

SENSORS: tuple[type[Sensor[Any, Any]], ...] = (
    Lidar,
    Imu,
    Encoder,
    Odometer,
    ConeSensor,
    Thermometer,
    WeatherStation,
    Radar,
    Gnss,
    ThermalCamera,
    Camera,
)

if TYPE_CHECKING:
    AnySensor = Sensor[Any, Any]
elif len(SENSORS) == 1:
    AnySensor = Annotated[SENSORS[0], BeforeValidator(with_device)]
else:
    AnySensor = Annotated[
        Annotated[Union[SENSORS], Field(discriminator="type")],  # noqa: UP007 - made of the list
        BeforeValidator(with_device),
    ]

__all__ = [
    "SENSORS",
    "AnySensor",
    "Camera",
    "ConeSensor",
    "Encoder",
    "Gnss",
    "Imu",
    "Lidar",
    "Odometer",
    "Radar",
    "Sensor",
    "ThermalCamera",
    "Thermometer",
    "WeatherStation",
    "device",
    "device_names",
    "sensor_of",
]


def sensor_of(name: str, **settings: Any) -> Any:
    """Return a sensor of the catalogue by its device name, with settings of your own: ``sensor_of("velodyne_vlp16")``."""
    from sensorium.core.documents import build

    return build(AnySensor, {"device": name, **settings}, source=name)
