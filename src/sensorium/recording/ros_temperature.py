"""Temperatures and station readings as ROS 2 messages: degrees Celsius and humidities from 0 to 1, as the messages want them.

- /<sensor>/temperature (sensor_msgs/Temperature).
- of a weather station also /<sensor>/wet_bulb (sensor_msgs/Temperature), /<sensor>/snow (std_msgs/Bool) and
  /<sensor>/humidity (sensor_msgs/RelativeHumidity), the last of a reading.
"""

from __future__ import annotations

from sensorium.recording.ros_conventions import RosConventions, RosMessage, Topic, topic_name
from sensorium.recording.ros_types import ros_type, serialise
from sensorium.samples import StationReading, Temperature

TEMPERATURE_TYPE = "sensor_msgs/msg/Temperature"
HUMIDITY_TYPE = "sensor_msgs/msg/RelativeHumidity"
DECISION_TYPE = "std_msgs/msg/Bool"
STATION, WET_BULB = "station", "wet_bulb"
"""Layouts that tell the temperatures of a station from those of a thermometer."""
ZERO_CELSIUS_K = 273.15


def temperature_messages(sample: Temperature, conventions: RosConventions) -> tuple[RosMessage, ...]:
    """Return one message."""
    return (_temperature(sample, "temperature", "", float(sample.temperature_k[0]), sample.variance_k2, conventions),)


def station_messages(sample: StationReading, conventions: RosConventions) -> tuple[RosMessage, ...]:
    """Return air, wet bulb (its variance is not known: 0), decision and humidity."""
    sensor = sample.stamp.sensor
    decision = Topic(topic_name(sensor, "snow"), DECISION_TYPE, sensor)
    header = conventions.header(sample.stamp.time_ns, sensor)
    humidity = ros_type("sensor_msgs/RelativeHumidity")(header, float(sample.humidity[0]), sample.humidity_variance)
    return (
        _temperature(
            sample, "temperature", STATION, float(sample.temperature_k[0]), sample.temperature_variance_k2, conventions
        ),
        _temperature(sample, "wet_bulb", WET_BULB, float(sample.wet_bulb_k[0]), 0.0, conventions),
        RosMessage(decision, serialise(ros_type("std_msgs/Bool")(bool(sample.snow)), DECISION_TYPE)),
        RosMessage(Topic(topic_name(sensor, "humidity"), HUMIDITY_TYPE, sensor), serialise(humidity, HUMIDITY_TYPE)),
    )


def _temperature(
    sample: Temperature | StationReading,
    name: str,
    layout: str,
    kelvin: float,
    variance_k2: float,
    conventions: RosConventions,
) -> RosMessage:
    sensor = sample.stamp.sensor
    header = conventions.header(sample.stamp.time_ns, sensor)
    message = ros_type("sensor_msgs/Temperature")(header, kelvin - ZERO_CELSIUS_K, variance_k2)
    topic = Topic(topic_name(sensor, name), TEMPERATURE_TYPE, sensor, layout=layout)
    return RosMessage(topic, serialise(message, TEMPERATURE_TYPE))
