"""What belongs to the recording as a whole: where the sensors sit (/tf_static) and what time it is (/clock)."""

from __future__ import annotations

import numpy as np

from sensorium.core.errors import RecordingError
from sensorium.core.pose import Pose
from sensorium.recording.ros_conventions import RosConventions, RosMessage, Topic
from sensorium.recording.ros_image import optical_frame
from sensorium.recording.ros_truth import transforms
from sensorium.recording.ros_types import ros_type, serialise

MOUNTS = Topic("/tf_static", "tf2_msgs/msg/TFMessage", latched=True)
OPTICAL = Pose(np.zeros(3), np.array([0.5, -0.5, 0.5, -0.5]))
"""From the optical frame (z forward, x right, y down) to x forward, y left, z up (REP 103)."""
CLOCK = Topic("/clock", "rosgraph_msgs/msg/Clock")


def mount_message(conventions: RosConventions) -> RosMessage:
    """Return the transforms carrier body -> sensor of all mounts, and sensor -> optical frame of cameras."""
    stamped, each = ros_type("geometry_msgs/TransformStamped"), []
    for mount in conventions.mounts:
        if mount.pose.shape:
            raise RecordingError(f"the mount of '{mount.name}' needs one pose, found a batch {mount.pose.shape}")
        each.append(stamped(conventions.header(0, mount.body), mount.name, transforms(mount.pose[None])[0]))
        if mount.name in conventions.cameras:
            optical = transforms(OPTICAL[None])[0]
            each.append(stamped(conventions.header(0, mount.name), optical_frame(mount.name), optical))
    return RosMessage(MOUNTS, serialise(ros_type("tf2_msgs/TFMessage")(each), MOUNTS.type_name))


def clock_message(time_ns: int, conventions: RosConventions) -> RosMessage:
    """Return the time of day of the scenario, for nodes that run with use_sim_time."""
    stamp = ros_type("builtin_interfaces/Time")(*conventions.seconds_and_nanoseconds(time_ns))
    return RosMessage(CLOCK, serialise(ros_type("rosgraph_msgs/Clock")(stamp), CLOCK.type_name))
