"""The messages on /truth/motion and /truth/boxes become truth samples again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sensorium.core.pose import Pose
from sensorium.recording.received import Received
from sensorium.recording.ros_conventions import nanoseconds_of
from sensorium.recording.ros_truth import BOXES_TYPE, MOTION_TYPE
from sensorium.recording.ros_types import deserialise
from sensorium.samples import Stamp, TruthSample


class TruthReader:
    """Joins the motion of all bodies with their boxes, which come just after it."""

    def __init__(self) -> None:
        self._motion: tuple[int, Any] = (-1, None)

    def take(self, received: Received) -> TruthSample | None:
        """Return the truth when the boxes complete it."""
        if received.topic.type_name == MOTION_TYPE:
            self._motion = received.index, deserialise(received.cdr, MOTION_TYPE)
            return None
        boxes = deserialise(received.cdr, BOXES_TYPE).markers
        (index, motion), self._motion = self._motion, (-1, None)
        if index != received.index or not motion.points or len(motion.joint_names) != len(boxes):
            return None
        return _truth(motion, boxes, received)


def _truth(motion: Any, boxes: list[Any], received: Received) -> TruthSample:
    state = motion.points[0]
    pose = Pose(_vectors(each.translation for each in state.transforms), _quaternions(state.transforms))
    centres = _vectors(box.pose.position for box in boxes)
    start_ns = nanoseconds_of(motion.header.stamp) - received.epoch_ns
    return TruthSample(
        stamp=Stamp(received.topic.sensor, received.index, start_ns, received.ready_ns),
        names=tuple(motion.joint_names),
        labels=tuple(box.ns for box in boxes),
        pose=pose,
        velocity_m_s=_vectors(each.linear for each in state.velocities),
        angular_velocity_rad_s=_vectors(each.angular for each in state.velocities),
        acceleration_m_s2=_vectors(each.linear for each in state.accelerations),
        box_centre_m=pose.inverse().transform(centres),
        box_size_m=_vectors(box.scale for box in boxes),
    )


def _vectors(each: Iterable[Any]) -> NDArray[np.float64]:
    return np.array([(vector.x, vector.y, vector.z) for vector in each]).reshape(-1, 3)


def _quaternions(transforms: Iterable[Any]) -> NDArray[np.float64]:
    each = (transform.rotation for transform in transforms)
    return np.array([(turn.w, turn.x, turn.y, turn.z) for turn in each]).reshape(-1, 4)
