"""What all messages of a recording agree on: epoch, frames, topics, layouts (REP 103, REP 105)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from sensorium.core.errors import RecordingError
from sensorium.core.pose import Pose
from sensorium.core.time import NANOSECONDS_PER_SECOND
from sensorium.recording.image_codec import ImageFormat
from sensorium.recording.point_layouts import SENSORIUM, PointLayout
from sensorium.recording.ros_types import ros_type

EPOCH_2026_NS = 1_767_225_600 * NANOSECONDS_PER_SECOND
"""2026-01-01T00:00:00Z: the Unix time at which a scenario starts unless it says otherwise."""

WORLD_FRAME = "map"
_MOST_SECONDS = 2**31 - 1


class Mounted(Protocol):
    """A sensor on a body, as far as its frame is concerned; `simulation.Mount` is one."""

    @property
    def name(self) -> str:
        """Name of the sensor: its topic and its frame."""

    @property
    def body(self) -> str:
        """Name of the body that carries it."""

    @property
    def pose(self) -> Pose:
        """T_body_sensor."""


@dataclass(frozen=True)
class Topic:
    """A channel of a recording."""

    name: str
    type_name: str
    sensor: str = ""
    """Who sends on it; empty: shared."""
    latched: bool = False
    """A late subscriber gets the last message too (durability transient_local)."""
    layout: str = ""
    """Name of the point layout."""


@dataclass(frozen=True, eq=False)
class RosMessage:
    """A serialised message for a topic."""

    topic: Topic
    cdr: bytes | bytearray


@dataclass(frozen=True, eq=False, kw_only=True)
class RosConventions:
    """Turns instants, bodies and sensors into stamps, frames and topics."""

    epoch_ns: int = EPOCH_2026_NS
    """Unix time [ns] of the scenario's start; never the wall clock, so that the same seed gives the same bytes."""
    mounts: tuple[Mounted, ...] = ()
    layouts: Mapping[str, PointLayout] = field(default_factory=dict)
    """Point layout by sensor."""
    layout: PointLayout = SENSORIUM
    """Point layout of all other sensors."""
    point_truth: bool = True
    """Whether the truth of each point is recorded as well, on a topic of its own."""

    cameras: frozenset[str] = frozenset()
    """Sensors that send images and so have an optical frame besides their own."""
    image_formats: Mapping[str, ImageFormat] = field(default_factory=dict)
    """How images are written, by sensor."""
    image_format: ImageFormat = "raw"
    """How images of all other sensors are written: raw, jpeg (with loss) or png."""

    def __post_init__(self) -> None:
        frames = [WORLD_FRAME, *{mount.body for mount in self.mounts}, *(mount.name for mount in self.mounts)]
        for frame in frames:
            if frames.count(frame) > 1:
                raise RecordingError(
                    f"the frame '{frame}' would have two parents: sensors, bodies or the world share this name; "
                    "give every sensor and body a name of its own"
                )

    @property
    def carriers(self) -> frozenset[str]:
        """Names of the bodies that carry sensors."""
        return frozenset(mount.body for mount in self.mounts)

    def point_frame(self, sensor: str, frame: str) -> str:
        """Return the frame of points that a sensor gives in its own frame, its vehicle's or the world's."""
        if frame == "world":
            return WORLD_FRAME
        carriers = (mount.body for mount in self.mounts if mount.name == sensor)
        return next(carriers, sensor) if frame == "vehicle" else sensor

    def layout_of(self, sensor: str) -> PointLayout:
        """Return the point layout of a sensor."""
        return self.layouts.get(sensor, self.layout)

    def image_format_of(self, sensor: str) -> ImageFormat:
        """Return how the images of a sensor are written."""
        return self.image_formats.get(sensor, self.image_format)

    def seconds_and_nanoseconds(self, time_ns: int) -> tuple[int, int]:
        """Return the two numbers of a ROS stamp for an instant of the scenario."""
        whole, rest = divmod(self.epoch_ns + time_ns, NANOSECONDS_PER_SECOND)
        if not 0 <= whole <= _MOST_SECONDS:
            raise RecordingError(
                f"the instant {time_ns} ns after the epoch {self.epoch_ns} ns does not fit into a ROS stamp "
                "(1970 to 2038); choose another epoch"
            )
        return whole, rest

    def header(self, time_ns: int, frame: str) -> Any:
        """Return a std_msgs/Header."""
        stamp = ros_type("builtin_interfaces/Time")(*self.seconds_and_nanoseconds(time_ns))
        return ros_type("std_msgs/Header")(stamp, frame)


def topic_name(*parts: str) -> str:
    """Join names to a legal ROS topic: letters, digits and underscores, no digit first."""
    clean = (re.sub(r"[^A-Za-z0-9_]", "_", part) or "_" for part in parts)
    return "".join(f"/_{part}" if part[0].isdigit() else f"/{part}" for part in clean)


def nanoseconds_of(stamp: Any) -> int:
    """Return a ROS stamp as Unix nanoseconds."""
    return int(stamp.sec) * NANOSECONDS_PER_SECOND + int(stamp.nanosec)
