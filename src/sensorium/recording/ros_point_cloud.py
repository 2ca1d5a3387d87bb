"""Point clouds as sensor_msgs/msg/PointCloud2, written straight into CDR.

The general serialiser copies the points several times; here each column is written once, to its final place. The bytes
are those of the general serialiser (tests compare them).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from sensorium.recording.point_layouts import POINT_TRUTH, PointLayout
from sensorium.recording.ros_conventions import RosConventions, RosMessage, Topic, topic_name
from sensorium.recording.ros_types import ros_type, serialise
from sensorium.samples import PointCloud

POINT_CLOUD_TYPE = "sensor_msgs/msg/PointCloud2"
BEAMS_TYPE = "std_msgs/msg/Int8MultiArray"

_ENCAPSULATION = b"\x00\x01\x00\x00"  # CDR, little endian

DATATYPES = {"|i1": 1, "|u1": 2, "<i2": 3, "<u2": 4, "<i4": 5, "<u4": 6, "<f4": 7, "<f8": 8}
"""Numbers of sensor_msgs/PointField by NumPy type."""


def point_cloud_messages(cloud: PointCloud, conventions: RosConventions) -> tuple[RosMessage, ...]:
    """Return the cloud on /<sensor>/points, after what is true of it: of its beams and of its points."""
    sensor, layout = cloud.stamp.sensor, conventions.layout_of(cloud.stamp.sensor)
    topic = Topic(topic_name(sensor, "points"), POINT_CLOUD_TYPE, sensor, layout=layout.name)
    points = RosMessage(topic, point_cloud_cdr(cloud, layout, conventions))
    return (*_truth_messages(cloud, conventions), points) if conventions.point_truth else (points,)


def _truth_messages(cloud: PointCloud, conventions: RosConventions) -> Iterator[RosMessage]:
    """Yield why beams gave no return on /truth/<sensor>/beams, what points are on /truth/<sensor>/points."""
    sensor = cloud.stamp.sensor
    if cloud.truth is not None and cloud.truth.missing is not None:
        topic = Topic(topic_name("truth", sensor, "beams"), BEAMS_TYPE, sensor)
        count = len(cloud.truth.missing)
        shape = ros_type("std_msgs/MultiArrayLayout")(
            [ros_type("std_msgs/MultiArrayDimension")("beam", count, count)], 0
        )
        beams = ros_type("std_msgs/Int8MultiArray")(shape, np.asarray(cloud.truth.missing, np.int8))
        yield RosMessage(topic, serialise(beams, BEAMS_TYPE))
    if cloud.truth is not None:
        topic = Topic(topic_name("truth", sensor, "points"), POINT_CLOUD_TYPE, sensor, layout=POINT_TRUTH.name)
        yield RosMessage(topic, point_cloud_cdr(cloud, POINT_TRUTH, conventions))


def point_cloud_cdr(cloud: PointCloud, layout: PointLayout, conventions: RosConventions) -> bytearray:
    """Return a cloud as the CDR bytes of a PointCloud2 with one row of points."""
    stamp = struct.pack("<iI", *conventions.seconds_and_nanoseconds(layout.stamp_ns(cloud)))
    frame, fields = _frame_and_fields(conventions.point_frame(cloud.stamp.sensor, cloud.frame), layout)
    count, size = len(cloud), len(cloud) * layout.step
    extent, sizes = struct.pack("<II", 1, count), struct.pack("<III", layout.step, size, size)
    head = b"".join((_ENCAPSULATION, stamp, frame, extent, fields, sizes))
    cdr = bytearray(len(head) + size + 1)
    cdr[: len(head)] = head
    layout.fill(np.frombuffer(cdr, layout.dtype, count, len(head)), cloud, conventions.epoch_ns)
    cdr[-1] = bool(np.isfinite(cloud.points_m).all())
    return cdr


@lru_cache(maxsize=256)
def _frame_and_fields(frame: str, layout: PointLayout) -> tuple[bytes, bytes]:
    """Return the two constant parts of the message: frame_id, and the sequence of fields up to is_bigendian.

    CDR aligns every number to its own size, counted from the byte after the encapsulation; both parts end on a multiple
    of 4.
    """
    fields = bytearray(struct.pack("<I", len(layout.fields)))
    for field in layout.fields:
        fields += _padded_string(field.name)
        fields += struct.pack("<IB3xI", field.offset, DATATYPES[field.dtype], 1)
    fields += b"\x00\x00\x00\x00"  # is_bigendian = false and its padding
    return _padded_string(frame), bytes(fields)


def _padded_string(text: str) -> bytes:
    data = text.encode() + b"\x00"
    return struct.pack("<I", len(data)) + data + b"\x00" * (-len(data) % 4)
