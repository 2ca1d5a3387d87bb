"""Encoders as sensor_msgs/JointState, odometers as nav_msgs/Odometry.

- /<sensor>/joint_states: one joint with position and velocity (rad, rad/s; m, m/s for slides); effort stays empty.
- /<sensor>/odom: the way of a single wheel, so that only x of the pose and of the twist are measured. Their variances
  are those of the sensor's configuration (noise and binning). What is not measured has the variance `UNMEASURED`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sensorium.recording.received import Received
from sensorium.recording.ros_conventions import RosConventions, RosMessage, Topic, nanoseconds_of, topic_name
from sensorium.recording.ros_types import deserialise, ros_type, serialise
from sensorium.samples.encoder_reading import EncoderReading
from sensorium.samples.odometry import OdometerReading
from sensorium.samples.sample import Stamp

JOINT_TYPE = "sensor_msgs/msg/JointState"
ODOMETRY_TYPE = "nav_msgs/msg/Odometry"
UNMEASURED = 1e6
"""Variance of what an odometer does not tell, in the units of the message squared."""


def encoder_messages(sample: EncoderReading, conventions: RosConventions) -> tuple[RosMessage, ...]:
    """Return one message; the edges have none."""
    sensor = sample.stamp.sensor
    header = conventions.header(sample.stamp.time_ns, sensor)
    state = ros_type("sensor_msgs/JointState")
    message = state(header, [sample.joint], sample.position, sample.velocity, np.zeros(0))
    return (RosMessage(Topic(topic_name(sensor, "joint_states"), JOINT_TYPE, sensor), serialise(message, JOINT_TYPE)),)


def odometer_messages(sample: OdometerReading, conventions: RosConventions) -> tuple[RosMessage, ...]:
    """Return one message: the distance as x of a frame that begins where the vehicle began."""
    sensor = sample.stamp.sensor
    point, vector = ros_type("geometry_msgs/Point"), ros_type("geometry_msgs/Vector3")
    pose = ros_type("geometry_msgs/Pose")(
        point(float(sample.distance_m[0]), 0.0, 0.0), ros_type("geometry_msgs/Quaternion")(0.0, 0.0, 0.0, 1.0)
    )
    twist = ros_type("geometry_msgs/Twist")(vector(float(sample.speed_m_s[0]), 0.0, 0.0), vector(0.0, 0.0, 0.0))
    message = ros_type("nav_msgs/Odometry")(
        conventions.header(sample.stamp.time_ns, f"{sensor}_odom"),
        sample.body or sensor,
        ros_type("geometry_msgs/PoseWithCovariance")(pose, _covariance(sample.distance_variance_m2)),
        ros_type("geometry_msgs/TwistWithCovariance")(twist, _covariance(sample.speed_variance_m2_s2)),
    )
    topic = Topic(topic_name(sensor, "odom"), ODOMETRY_TYPE, sensor)
    return (RosMessage(topic, serialise(message, ODOMETRY_TYPE)),)


def _covariance(variance: float) -> NDArray[np.float64]:
    """Return [36] row-major, order x y z and turns about them: x is measured, nothing else is."""
    return np.diag([variance, *[UNMEASURED] * 5]).ravel()


class EncoderReader:
    """Makes samples of joint states; only messages of a single joint are those of an encoder."""

    def take(self, received: Received) -> EncoderReading | None:
        """Return the reading."""
        message = deserialise(received.cdr, JOINT_TYPE)
        if len(message.name) != 1 or len(message.position) != 1:
            return None
        velocity = np.array(message.velocity, np.float64)
        return EncoderReading(
            stamp=_stamp(message, received),
            joint=message.name[0],
            position=np.array(message.position, np.float64),
            velocity=velocity if len(velocity) == 1 else np.full(1, np.nan),
        )


class OdometerReader:
    """Makes samples of odometry in which nothing but x is measured; other odometry is passed over."""

    def take(self, received: Received) -> OdometerReading | None:
        """Return the reading."""
        message = deserialise(received.cdr, ODOMETRY_TYPE)
        pose, twist = message.pose, message.twist
        if pose.covariance[7] != UNMEASURED:
            return None
        return OdometerReading(
            stamp=_stamp(message, received),
            body="" if message.child_frame_id == received.topic.sensor else message.child_frame_id,
            distance_m=np.array([pose.pose.position.x]),
            speed_m_s=np.array([twist.twist.linear.x]),
            distance_variance_m2=float(pose.covariance[0]),
            speed_variance_m2_s2=float(twist.covariance[0]),
        )


def _stamp(message: Any, received: Received) -> Stamp:
    start_ns = nanoseconds_of(message.header.stamp) - received.epoch_ns
    return Stamp(received.topic.sensor, received.index, start_ns, received.ready_ns)
