"""A satellite receiver's sample as standard ROS 2 messages.

- /<sensor>/fix (sensor_msgs/NavSatFix): degrees, height above the ellipsoid, covariance in east, north, up.
- /<sensor>/time_reference (sensor_msgs/TimeReference): UTC by the receiver, beside the instant at which it measured.
- /<sensor>/velocity (geometry_msgs/TwistWithCovarianceStamped): east, north, up.
- /<sensor>/ubx (std_msgs/UInt8MultiArray): NAV-PVT, NAV-SAT and RXM-RAWX as on the wire; no standard message holds raw
  measurements.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sensorium.recording.ros_conventions import WORLD_FRAME, RosConventions, RosMessage, Topic, topic_name
from sensorium.recording.ros_types import ros_type, serialise
from sensorium.recording.ubx import ubx_messages
from sensorium.samples.gnss import FixType, GnssFix

FIX_TYPE = "sensor_msgs/msg/NavSatFix"
TIME_TYPE = "sensor_msgs/msg/TimeReference"
VELOCITY_TYPE = "geometry_msgs/msg/TwistWithCovarianceStamped"
UBX_TYPE = "std_msgs/msg/UInt8MultiArray"

_STATUS = {
    FixType.NONE: -1, FixType.SINGLE: 0, FixType.PREDICTED: 0, FixType.DIFFERENTIAL: 2, FixType.FLOAT: 2, FixType.FIXED: 2,
}  # fmt: skip
_SERVICES = {"G": 1, "R": 2, "C": 4, "E": 8}
_KNOWN, _UNKNOWN = 3, 0


def gnss_messages(sample: GnssFix, conventions: RosConventions) -> tuple[RosMessage, ...]:
    """Return time, velocity, raw bytes and fix of one epoch, in this order."""
    sensor = sample.stamp.sensor

    def message(name: str, type_name: str, content: Any) -> RosMessage:
        return RosMessage(Topic(topic_name(sensor, name), type_name, sensor), serialise(content, type_name))

    return (
        message("time_reference", TIME_TYPE, _time(sample, conventions)),
        message("velocity", VELOCITY_TYPE, _velocity(sample, conventions)),
        message("ubx", UBX_TYPE, _ubx(sample)),
        message("fix", FIX_TYPE, _fix(sample, conventions)),
    )


def _fix(sample: GnssFix, conventions: RosConventions) -> Any:
    services = sum(_SERVICES[system] for system in {name[0] for name in sample.satellites.names})
    status = ros_type("sensor_msgs/NavSatStatus")(_STATUS[sample.fix], services)
    latitude, longitude = np.degrees(sample.geodetic[:2]).tolist()
    has = sample.fix != FixType.NONE
    covariance = sample.covariance_m2.ravel() if has else np.zeros(9)
    header = conventions.header(sample.stamp.time_ns, sample.stamp.sensor)
    place = (latitude, longitude, float(sample.geodetic[2]))
    return ros_type("sensor_msgs/NavSatFix")(header, status, *place, covariance, _KNOWN if has else _UNKNOWN)


def _time(sample: GnssFix, conventions: RosConventions) -> Any:
    header = conventions.header(sample.stamp.time_ns, sample.stamp.sensor)
    whole, rest = divmod(sample.utc_ns, 1_000_000_000)
    return ros_type("sensor_msgs/TimeReference")(
        header, ros_type("builtin_interfaces/Time")(whole, rest), "UTC by GNSS"
    )


def _velocity(sample: GnssFix, conventions: RosConventions) -> Any:
    vector = ros_type("geometry_msgs/Vector3")
    covariance = np.zeros((6, 6))
    covariance[:3, :3] = np.nan_to_num(sample.velocity_covariance_m2_s2)
    twist = ros_type("geometry_msgs/Twist")(vector(*sample.velocity_m_s.tolist()), vector(0.0, 0.0, 0.0))
    return ros_type("geometry_msgs/TwistWithCovarianceStamped")(
        conventions.header(sample.stamp.time_ns, WORLD_FRAME),
        ros_type("geometry_msgs/TwistWithCovariance")(twist, covariance.ravel()),
    )


def _ubx(sample: GnssFix) -> Any:
    data = np.frombuffer(ubx_messages(sample), np.uint8)
    shape = ros_type("std_msgs/MultiArrayLayout")(
        [ros_type("std_msgs/MultiArrayDimension")("byte", len(data), len(data))], 0
    )
    return ros_type("std_msgs/UInt8MultiArray")(shape, data)
