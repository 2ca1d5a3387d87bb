"""Truth as standard ROS 2 messages: transforms, boxes, the full motion of all bodies, odometry of the carriers.

- /tf (tf2_msgs/TFMessage): map -> body, one parent per frame.
- /truth/boxes (visualization_msgs/MarkerArray): RViz, Foxglove and Lichtblick draw it as it is, and its package belongs
  to every ROS 2 installation; for vision_msgs/Detection3DArray both sides need a package of their own. Rerun 0.41 draws
  neither, but shows the bodies' frames from /tf.
- /truth/motion (trajectory_msgs/MultiDOFJointTrajectory): names, poses, twists and accelerations of all bodies in the
  map frame, one trajectory point per message. It is the one standard message that holds all of this; angular
  acceleration is not part of the truth and stays zero.
- /truth/<body>/odom (nav_msgs/Odometry) of each body that carries sensors: pose in the map frame, twist in the body's
  own frame. Truth has no uncertainty, so all covariances are zero.
"""

from __future__ import annotations

import colorsys
import zlib
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sensorium.core.errors import RecordingError
from sensorium.core.pose import Pose
from sensorium.recording.ros_conventions import WORLD_FRAME, RosConventions, RosMessage, Topic, topic_name
from sensorium.recording.ros_types import ros_type, serialise
from sensorium.samples import TruthSample

TRANSFORMS = Topic("/tf", "tf2_msgs/msg/TFMessage")
BOXES_TYPE = "visualization_msgs/msg/MarkerArray"
MOTION_TYPE = "trajectory_msgs/msg/MultiDOFJointTrajectory"
ODOMETRY_TYPE = "nav_msgs/msg/Odometry"
_CUBE = 1


def truth_messages(truth: TruthSample, conventions: RosConventions) -> tuple[RosMessage, ...]:
    """Return transforms, motion, boxes and odometry of one instant, in this order."""
    _refuse_second_parents(truth, conventions)
    sensor = truth.stamp.sensor
    motion = Topic(topic_name("truth", "motion"), MOTION_TYPE, sensor)
    boxes = Topic(topic_name("truth", "boxes"), BOXES_TYPE, sensor)
    return (
        RosMessage(TRANSFORMS, serialise(_transforms(truth, conventions), TRANSFORMS.type_name)),
        RosMessage(motion, serialise(_motion(truth, conventions), MOTION_TYPE)),
        RosMessage(boxes, serialise(_boxes(truth, conventions), BOXES_TYPE)),
        *(_odometry(truth, row, conventions) for row, name in enumerate(truth.names) if name in conventions.carriers),
    )


def _refuse_second_parents(truth: TruthSample, conventions: RosConventions) -> None:
    taken = {WORLD_FRAME, *(mount.name for mount in conventions.mounts)}
    for name in truth.names:
        if name in taken or truth.names.count(name) > 1:
            raise RecordingError(
                f"the body '{name}' would give the frame '{name}' a second parent: a sensor, another body or the world "
                "has the same name; rename the body"
            )


def _vectors(rows: NDArray[np.float64]) -> list[Any]:
    """Return a geometry_msgs/Vector3 for each row [N, 3]."""
    vector = ros_type("geometry_msgs/Vector3")
    return [vector(*row) for row in rows.tolist()]


def _rotations(quaternions: NDArray[np.float64]) -> list[Any]:
    """Return a geometry_msgs/Quaternion (xyzw) for each quaternion wxyz [N, 4]."""
    rotation = ros_type("geometry_msgs/Quaternion")
    return [rotation(x, y, z, w) for w, x, y, z in quaternions.tolist()]


def transforms(poses: Pose) -> list[Any]:
    """Return a geometry_msgs/Transform for each pose of a batch [N]."""
    places, turns = _vectors(poses.position_m), _rotations(poses.quaternion)
    return list(map(ros_type("geometry_msgs/Transform"), places, turns))


def _ros_poses(positions_m: NDArray[np.float64], quaternions: NDArray[np.float64]) -> list[Any]:
    point = ros_type("geometry_msgs/Point")
    places = [point(*row) for row in positions_m.tolist()]
    return list(map(ros_type("geometry_msgs/Pose"), places, _rotations(quaternions)))


def _twists(linear: NDArray[np.float64], angular: NDArray[np.float64]) -> list[Any]:
    return list(map(ros_type("geometry_msgs/Twist"), _vectors(linear), _vectors(angular)))


def _transforms(truth: TruthSample, conventions: RosConventions) -> Any:
    header = conventions.header(truth.stamp.time_ns, WORLD_FRAME)
    stamped = ros_type("geometry_msgs/TransformStamped")
    each = [stamped(header, name, pose) for name, pose in zip(truth.names, transforms(truth.pose), strict=True)]
    return ros_type("tf2_msgs/TFMessage")(each)


def _motion(truth: TruthSample, conventions: RosConventions) -> Any:
    point = ros_type("trajectory_msgs/MultiDOFJointTrajectoryPoint")(
        transforms(truth.pose),
        _twists(truth.velocity_m_s, truth.angular_velocity_rad_s),
        _twists(truth.acceleration_m_s2, np.zeros_like(truth.acceleration_m_s2)),
        ros_type("builtin_interfaces/Duration")(0, 0),
    )
    header = conventions.header(truth.stamp.time_ns, WORLD_FRAME)
    return ros_type("trajectory_msgs/MultiDOFJointTrajectory")(header, list(truth.names), [point])


def _boxes(truth: TruthSample, conventions: RosConventions) -> Any:
    header = conventions.header(truth.stamp.time_ns, WORLD_FRAME)
    poses = _ros_poses(truth.pose.transform(truth.box_centre_m), truth.pose.quaternion)
    sizes = _vectors(truth.box_size_m)
    marker, forever = ros_type("visualization_msgs/Marker"), ros_type("builtin_interfaces/Duration")(0, 0)
    each = []
    for row, (name, label) in enumerate(zip(truth.names, truth.labels, strict=True)):
        look = (header, label, row, _CUBE, 0, poses[row], sizes[row], _colour(label), forever, False)
        each.append(marker(*look, [], [], "", _no_texture(), [], name, "", _no_mesh(), False))
    return ros_type("visualization_msgs/MarkerArray")(each)


@lru_cache
def _no_texture() -> Any:
    header = ros_type("std_msgs/Header")(ros_type("builtin_interfaces/Time")(0, 0), "")
    return ros_type("sensor_msgs/CompressedImage")(header, "", np.zeros(0, np.uint8))


@lru_cache
def _no_mesh() -> Any:
    return ros_type("visualization_msgs/MeshFile")("", np.zeros(0, np.uint8))


@lru_cache(maxsize=256)
def _colour(label: str) -> Any:
    """Return a see-through colour for a class label, the same in every run."""
    hue = zlib.crc32(label.encode()) / 2**32
    return ros_type("std_msgs/ColorRGBA")(*colorsys.hsv_to_rgb(hue, 0.75, 0.95), 0.35)


def _odometry(truth: TruthSample, row: int, conventions: RosConventions) -> RosMessage:
    name, pose, certain = truth.names[row], truth.pose[row : row + 1], np.zeros(36)
    velocity, spin = truth.velocity_m_s[row : row + 1], truth.angular_velocity_rad_s[row : row + 1]
    to_body = pose.inverse()
    twist = _twists(to_body.rotate(velocity), to_body.rotate(spin))[0]
    message = ros_type("nav_msgs/Odometry")(
        conventions.header(truth.stamp.time_ns, WORLD_FRAME),
        name,
        ros_type("geometry_msgs/PoseWithCovariance")(_ros_poses(pose.position_m, pose.quaternion)[0], certain),
        ros_type("geometry_msgs/TwistWithCovariance")(twist, certain),
    )
    topic = Topic(topic_name("truth", name, "odom"), ODOMETRY_TYPE, truth.stamp.sensor)
    return RosMessage(topic, serialise(message, ODOMETRY_TYPE))
