"""The messages of an IMU become samples again, one reading each."""

from __future__ import annotations

from typing import Any

import numpy as np

from sensorium.recording.received import Received
from sensorium.recording.ros_conventions import nanoseconds_of
from sensorium.recording.ros_inertial import FIELD_TYPE, IMU_TYPE
from sensorium.recording.ros_types import deserialise
from sensorium.samples import ImuSample, Stamp, TriaxialReadings


class ImuReader:
    """Reads sensor_msgs/Imu and sensor_msgs/MagneticField, of Sensorium and of real devices."""

    def take(self, received: Received) -> ImuSample:
        """Return the one reading of a message; several messages of one block carry the block's number."""
        message = deserialise(received.cdr, received.topic.type_name)
        time_ns = nanoseconds_of(message.header.stamp) - received.epoch_ns
        stamp = Stamp(received.topic.sensor or received.topic.name, received.index, time_ns, received.ready_ns)
        if received.topic.type_name == FIELD_TYPE:
            field = _readings(time_ns, message.magnetic_field, message.magnetic_field_covariance)
            return ImuSample(stamp=stamp, flux_density=field)
        assert received.topic.type_name == IMU_TYPE
        return ImuSample(
            stamp=stamp,
            specific_force=_readings(time_ns, message.linear_acceleration, message.linear_acceleration_covariance),
            angular_velocity=_readings(time_ns, message.angular_velocity, message.angular_velocity_covariance),
        )


def _readings(time_ns: int, vector: Any, covariance: Any) -> TriaxialReadings | None:
    if covariance[0] == -1:
        return None
    values = np.array(((vector.x, vector.y, vector.z),))
    return TriaxialReadings(
        time_ns=np.array((time_ns,)), values=values, covariance=np.array(covariance, np.float64).reshape(3, 3)
    )
