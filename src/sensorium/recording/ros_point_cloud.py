"""Point clouds as sensor_msgs/msg/PointCloud2, written straight into CDR.

The general serialiser copies the points several times; here the rows are filled once and joined once. The bytes are those of
the general serialiser (tests compare them).
"""

from __future__ import annotations

import struct
from functools import lru_cache

import numpy as np

from sensorium.recording.point_layouts import POINT_TRUTH, PointLayout
from sensorium.recording.ros_conventions import RosConventions, RosMessage, Topic, topic_name
from sensorium.samples import PointCloud

POINT_CLOUD_TYPE = "sensor_msgs/msg/PointCloud2"

DATATYPES = {"|i1": 1, "|u1": 2, "<i2": 3, "<u2": 4, "<i4": 5, "<u4": 6, "<f4": 7, "<f8": 8}
"""Numbers of sensor_msgs/PointField by NumPy type."""


def point_cloud_messages(cloud: PointCloud, conventions: RosConventions) -> tuple[RosMessage, ...]:
    """Return the cloud on /<sensor>/points, after the truth of its points on /truth/<sensor>/points if it has any."""
    sensor, layout = cloud.stamp.sensor, conventions.layout_of(cloud.stamp.sensor)
    topic = Topic(topic_name(sensor, "points"), POINT_CLOUD_TYPE, sensor, layout=layout.name)
    messages = [RosMessage(topic, point_cloud_cdr(cloud, layout, conventions))]
    if cloud.truth is not None and conventions.point_truth:
        topic = Topic(topic_name("truth", sensor, "points"), POINT_CLOUD_TYPE, sensor, layout=POINT_TRUTH.name)
        messages.insert(0, RosMessage(topic, point_cloud_cdr(cloud, POINT_TRUTH, conventions)))
    return tuple(messages)


def point_cloud_cdr(cloud: PointCloud, layout: PointLayout, conventions: RosConventions) -> bytes:
    """Return a cloud as the CDR bytes of a PointCloud2 with one row of points."""
    rows = layout.rows(cloud, conventions.epoch_ns)
    stamp = struct.pack("<iI", *conventions.seconds_and_nanoseconds(layout.stamp_ns(cloud)))
    frame, fields = _frame_and_fields(cloud.stamp.sensor, layout)
    width = struct.pack("<II", 1, len(rows))
    size = struct.pack("<III", layout.step, rows.nbytes, rows.nbytes)
    dense = b"\x01" if np.isfinite(cloud.points_m).all() else b"\x00"
    return b"".join((b"\x00\x01\x00\x00", stamp, frame, width, fields, size, memoryview(rows.view(np.uint8)), dense))


@lru_cache(maxsize=256)
def _frame_and_fields(frame: str, layout: PointLayout) -> tuple[bytes, bytes]:
    """Return the two constant parts of the message: frame_id, and the sequence of fields up to is_bigendian.

    CDR aligns every number to its own size, counted from the byte after the encapsulation; both parts end on a multiple of 4.
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

