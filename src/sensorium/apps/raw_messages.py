"""The messages of a recording as they stand in the file, for what is not a sample: mounts, times, sizes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sensorium.core.errors import RecordingError
from sensorium.core.pose import Pose

if TYPE_CHECKING:
    from sensorium.recording.reader import Recording

STATIC_FRAMES = "/tf_static"
FRAMES_TYPE = "tf2_msgs/msg/TFMessage"


@dataclass(frozen=True, eq=False)
class RawMessage:
    """A message that nobody has looked into yet."""

    topic: str
    type_name: str
    time_ns: int
    """Simulated time at which it was sent."""
    data: bytes


@dataclass(frozen=True, eq=False)
class RecordedMount:
    """A sensor on a body, as the recording says it."""

    name: str
    body: str
    pose: Pose
    """T_body_sensor."""


def raw_messages(recording: Recording, topics: Iterable[str] | None = None) -> Iterator[RawMessage]:
    """Yield the messages of some topics or of all, in the order of the file."""
    from mcap.exceptions import McapError
    from mcap.reader import SeekingReader

    with recording.path.open("rb") as file:
        reader = SeekingReader(file, record_size_limit=recording.path.stat().st_size)
        try:
            for schema, channel, message in reader.iter_messages(topics, log_time_order=False):
                name = schema.name if schema else ""
                yield RawMessage(channel.topic, name, message.log_time - recording.epoch_ns, message.data)
        except McapError as error:
            raise RecordingError(
                f"the recording {recording.path} is damaged: {error}. "
                f"Save what is in it with: sensorium inspect --recover {recording.path}"
            ) from error


def mounts_of(recording: Recording) -> tuple[RecordedMount, ...]:
    """Return where the sensors sit, from the static frames (child frame = sensor, parent frame = body)."""
    from sensorium.recording.ros_types import deserialise

    mounts = []
    for message in raw_messages(recording, [STATIC_FRAMES]):
        for frame in deserialise(message.data, FRAMES_TYPE).transforms:
            if frame.child_frame_id == f"{frame.header.frame_id}_optical_frame":
                continue  # the second frame of a camera
            shift, turn = frame.transform.translation, frame.transform.rotation
            pose = Pose(np.array([shift.x, shift.y, shift.z]), np.array([turn.w, turn.x, turn.y, turn.z]))
            mounts.append(RecordedMount(frame.child_frame_id, frame.header.frame_id, pose))
    return tuple(mounts)
