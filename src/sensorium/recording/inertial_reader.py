"""The messages of an IMU become samples again, one reading each."""

from __future__ import annotations

import struct

import numpy as np
from numpy.typing import NDArray

from sensorium.core.errors import RecordingError
from sensorium.core.time import NANOSECONDS_PER_SECOND
from sensorium.recording.received import Received
from sensorium.recording.ros_inertial import FIELD_TYPE, IMU_TYPE
from sensorium.recording.ros_types import deserialise, serialise
from sensorium.samples import ImuSample, Stamp, TriaxialReadings

_NUMBERS = {IMU_TYPE: 4 + 9 + 3 + 9 + 3 + 9, FIELD_TYPE: 3 + 9}
"""How many 64-bit numbers stand behind the header: orientation, its covariance, ..."""
_HEADER = struct.Struct("<iII")
_LITTLE_ENDIAN = b"\x00\x01"


class ImuReader:
    """Reads sensor_msgs/Imu and sensor_msgs/MagneticField, of Sensorium and of real devices."""

    def take(self, received: Received) -> ImuSample:
        """Return the one reading of a message; several messages of one block carry the block's number."""
        unix_ns, numbers = _contents(received)
        time_ns = unix_ns - received.epoch_ns
        stamp = Stamp(received.topic.sensor or received.topic.name, received.index, time_ns, received.ready_ns)
        if received.topic.type_name == FIELD_TYPE:
            return ImuSample(stamp=stamp, flux_density=_readings(time_ns, numbers))
        spin, force = _readings(time_ns, numbers[13:25]), _readings(time_ns, numbers[25:])
        return ImuSample(stamp=stamp, specific_force=force, angular_velocity=spin)


def _contents(received: Received) -> tuple[int, NDArray[np.float64]]:
    """Return the stamp and the numbers behind the header.

    A record of an hour has millions of messages, so that they are not taken apart field by field: behind the four bytes
    that tell the order of bytes stand stamp and frame, then nothing but numbers, aligned to eight bytes.
    """
    cdr, type_name = bytes(received.cdr), received.topic.type_name
    count = _NUMBERS[type_name]
    if len(cdr) < 4 + _HEADER.size:
        raise RecordingError(f"a message on {received.topic.name} is cut off after {len(cdr)} bytes")
    if cdr[:2] != _LITTLE_ENDIAN:
        cdr = serialise(deserialise(cdr, type_name), type_name)
    seconds, nanoseconds, letters = _HEADER.unpack_from(cdr, 4)
    start = 4 + -(-(_HEADER.size + letters) // 8) * 8
    if len(cdr) < start + 8 * count:
        raise RecordingError(f"a message on {received.topic.name} is cut off after {len(cdr)} bytes")
    return seconds * NANOSECONDS_PER_SECOND + nanoseconds, np.frombuffer(cdr, "<f8", count, start)


def _readings(time_ns: int, numbers: NDArray[np.float64]) -> TriaxialReadings | None:
    """Return vector and covariance; None where the covariance says that there is nothing."""
    if numbers[3] == -1:
        return None
    return TriaxialReadings(
        time_ns=np.array((time_ns,)), values=numbers[:3].reshape(1, 3), covariance=numbers[3:].reshape(3, 3)
    )
