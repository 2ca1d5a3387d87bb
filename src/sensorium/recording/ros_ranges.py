"""Ranges as ROS 2 messages: one number for those who know no more, and all detections.

- /<sensor>/range (sensor_msgs/Range): the nearest range; -inf: something is too near, +inf: nothing is there (REP 117). The
  message knows ultrasound and infrared only; radar is sent as infrared.
- /<sensor>/detections (sensor_msgs/PointCloud): every detection as a point with named channels. PointCloud2 is left to
  LiDARs: who reads a recording back tells them apart by the type of the message.
- /truth/<sensor>/detections (sensor_msgs/PointCloud): true nearest points, with body and part as channels.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sensorium.recording.ros_conventions import RosConventions, RosMessage, Topic, topic_name
from sensorium.recording.ros_types import ros_type, serialise
from sensorium.samples import Ranges

RANGE_TYPE = "sensor_msgs/msg/Range"
DETECTIONS_TYPE = "sensor_msgs/msg/PointCloud"
RADIATION = {"ultrasound": 0, "infrared": 1}
CHANNELS = {
    "range": "range_m", "azimuth": "azimuth_rad", "elevation": "elevation_rad",
    "radial_speed": "radial_speed_m_s", "speed": "speed_m_s",
}  # fmt: skip
"""Field of the sample by the name of the channel."""
TRUTH_LAYOUT = "range_truth"


def range_messages(sample: Ranges, conventions: RosConventions) -> tuple[RosMessage, ...]:
    """Return truth, detections and range, in this order: the last one completes the sample for who reads it back."""
    sensor = sample.stamp.sensor
    messages = []
    if sample.truth is not None and conventions.point_truth:
        truth = sample.truth
        count = len(truth.body)
        channels = {
            "body": truth.body, "part": truth.part, "degenerate_faces": np.full(count, truth.degenerate_faces)
        }  # fmt: skip
        topic = Topic(topic_name("truth", sensor, "detections"), DETECTIONS_TYPE, sensor, layout=TRUTH_LAYOUT)
        messages.append(_cloud(topic, sample, truth.points_m, channels, conventions))
    channels = {name: getattr(sample, field) for name, field in CHANNELS.items()}
    topic = Topic(topic_name(sensor, "detections"), DETECTIONS_TYPE, sensor)
    messages.append(_cloud(topic, sample, sample.points_m, channels, conventions))
    return (*messages, _range(sample, conventions))


def _cloud(
    topic: Topic, sample: Ranges, points_m: NDArray[Any], channels: dict[str, NDArray[Any]], conventions: RosConventions
) -> RosMessage:
    point, channel = ros_type("geometry_msgs/Point32"), ros_type("sensor_msgs/ChannelFloat32")
    message = ros_type("sensor_msgs/PointCloud")(
        conventions.header(sample.stamp.time_ns, sample.stamp.sensor),
        [point(*row) for row in points_m.tolist()],
        [channel(name, np.asarray(values, np.float32)) for name, values in channels.items()],
    )
    return RosMessage(topic, serialise(message, DETECTIONS_TYPE))


def _range(sample: Ranges, conventions: RosConventions) -> RosMessage:
    sensor = sample.stamp.sensor
    message = ros_type("sensor_msgs/Range")(
        conventions.header(sample.stamp.time_ns, sensor), RADIATION[sample.radiation], sample.field_of_view_rad,
        sample.range_min_m, sample.range_max_m, sample.nearest_m, sample.variance_m2,
    )  # fmt: skip
    return RosMessage(Topic(topic_name(sensor, "range"), RANGE_TYPE, sensor), serialise(message, RANGE_TYPE))
