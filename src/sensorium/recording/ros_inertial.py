"""Readings of an IMU as ROS 2 messages, on the topics of REP 145.

- /<sensor>/data_raw (sensor_msgs/Imu): one message per reading of the faster of gyroscope and accelerometer, the slower one
  held as its register holds it. The device estimates no orientation: orientation_covariance[0] is -1.
- /<sensor>/mag (sensor_msgs/MagneticField): one message per reading of the magnetometer.

A quantity that the device does not have, or that a reading has lost, has -1 in the first element of its covariance. A
reading that is lost altogether gives no message. An axis that is missing is NaN with an infinite variance.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sensorium.recording.ros_conventions import RosConventions, RosMessage, Topic, topic_name
from sensorium.recording.ros_types import ros_type, serialise
from sensorium.samples import ImuSample, TriaxialReadings

IMU_TYPE = "sensor_msgs/msg/Imu"
FIELD_TYPE = "sensor_msgs/msg/MagneticField"
_STAMP_AT, _LAST_VECTOR, _FIRST_VECTOR, _VECTOR_BYTES = 4, 96, 192, 24
"""Where the stamp stands in the bytes of a message, and how far from their end its vectors."""
_STAMP, _VECTOR, _NUMBER = struct.Struct("<iI"), struct.Struct("<3d"), struct.Struct("<d")
_NOTHING = (0.0, 0.0, 0.0)


def inertial_messages(sample: ImuSample, conventions: RosConventions) -> tuple[RosMessage, ...]:
    """Return the messages of all readings in a sample, first those of the IMU, then those of the magnetometer."""
    return (*_imu_messages(sample, conventions), *_field_messages(sample, conventions))


def _imu_messages(sample: ImuSample, conventions: RosConventions) -> Iterator[RosMessage]:
    force, spin, sensor = sample.specific_force, sample.angular_velocity, sample.stamp.sensor
    faster = max((each for each in (spin, force) if each is not None), key=len, default=None)
    if faster is None:
        return
    topic = Topic(topic_name(sensor, "data_raw"), IMU_TYPE, sensor)
    blank = _blank_imu(sensor, _covariance(spin), _covariance(force))
    rows = zip(faster.time_ns.tolist(), _held(spin, len(faster)), _held(force, len(faster)), strict=True)
    for time_ns, turning, pulling in rows:
        if turning is None and pulling is None:
            continue
        cdr = bytearray(blank)
        _STAMP.pack_into(cdr, _STAMP_AT, *conventions.seconds_and_nanoseconds(time_ns))
        for vector, from_end in ((turning, _FIRST_VECTOR), (pulling, _LAST_VECTOR)):
            at = len(cdr) - from_end
            _VECTOR.pack_into(cdr, at, *(vector or _NOTHING))
            if vector is None:
                _NUMBER.pack_into(cdr, at + _VECTOR_BYTES, -1.0)
        yield RosMessage(topic, cdr)


def _field_messages(sample: ImuSample, conventions: RosConventions) -> Iterator[RosMessage]:
    field, sensor = sample.flux_density, sample.stamp.sensor
    if field is None:
        return
    topic = Topic(topic_name(sensor, "mag"), FIELD_TYPE, sensor)
    blank = _blank_field(sensor, _covariance(field))
    for time_ns, vector in zip(field.time_ns.tolist(), _held(field, len(field)), strict=True):
        if vector is not None:
            cdr = bytearray(blank)
            _STAMP.pack_into(cdr, _STAMP_AT, *conventions.seconds_and_nanoseconds(time_ns))
            _VECTOR.pack_into(cdr, len(cdr) - _LAST_VECTOR, *vector)
            yield RosMessage(topic, cdr)


def _held(readings: TriaxialReadings | None, count: int) -> list[tuple[float, ...] | None]:
    """Return `count` readings, each held until the next one; None for those that are not there or lost."""
    if readings is None or not len(readings):
        return [None] * count
    rows = np.arange(count) * len(readings) // count
    lost = np.all(np.isnan(readings.values), axis=1, keepdims=True)[rows, 0]
    return [
        None if gone else tuple(row) for row, gone in zip(readings.values[rows].tolist(), lost.tolist(), strict=True)
    ]


def _covariance(readings: TriaxialReadings | None) -> bytes:
    if readings is None:
        return np.array([-1.0] + 8 * [0.0]).tobytes()
    return np.ascontiguousarray(readings.covariance, np.float64).tobytes()


def _numbers(covariance: bytes) -> NDArray[np.float64]:
    return np.frombuffer(covariance)


@lru_cache(maxsize=64)
def _blank_imu(sensor: str, spin_covariance: bytes, force_covariance: bytes) -> bytes:
    """Return the bytes of a message in which stamp and vectors are still zero."""
    vector, quaternion = ros_type("geometry_msgs/Vector3"), ros_type("geometry_msgs/Quaternion")
    message = ros_type("sensor_msgs/Imu")(
        _blank_header(sensor),
        quaternion(0.0, 0.0, 0.0, 1.0),
        np.array([-1.0] + 8 * [0.0]),
        vector(*_NOTHING),
        _numbers(spin_covariance),
        vector(*_NOTHING),
        _numbers(force_covariance),
    )
    return serialise(message, IMU_TYPE)


@lru_cache(maxsize=64)
def _blank_field(sensor: str, covariance: bytes) -> bytes:
    vector = ros_type("geometry_msgs/Vector3")
    message = ros_type("sensor_msgs/MagneticField")(_blank_header(sensor), vector(*_NOTHING), _numbers(covariance))
    return serialise(message, FIELD_TYPE)


def _blank_header(sensor: str) -> object:
    header: object = ros_type("std_msgs/Header")(ros_type("builtin_interfaces/Time")(0, 0), sensor)
    return header
