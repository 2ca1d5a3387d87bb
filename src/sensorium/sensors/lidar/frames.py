"""In which frame a LiDAR gives its points."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Annotated, Literal

from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.pose import Pose
from sensorium.core.time import Times
from sensorium.samples.point_cloud import Frame
from sensorium.scene.view import View


class PointFrame(ABC):
    """Where points are placed; implementations are frozen and carry a `type`, the name of the frame."""

    type: Frame

    @abstractmethod
    def pose_of(self, view: View, times_ns: Times) -> Pose | None:
        """Return T_frame_sensor for firings at these times [N], one for all [1], or None for points left as they are."""


@configured
class SensorFrame(PointFrame):
    """The sensor's own at the instant of each beam, as a real unit reports it: movement distorts the cloud."""

    type: Literal["sensor"] = "sensor"

    def pose_of(self, view: View, times_ns: Times) -> Pose | None:
        """Return nothing."""
        return None


@configured
class VehicleFrame(PointFrame):
    """That of the body which carries the sensor, at the instant of each beam."""

    type: Literal["vehicle"] = "vehicle"

    def pose_of(self, view: View, times_ns: Times) -> Pose | None:
        """Return where the sensor is mounted."""
        return view.T_body_sensor


@configured
class WorldFrame(PointFrame):
    """The world's, with the sensor where it truly was when the beam fired: what stands still is not distorted."""

    type: Literal["world"] = "world"

    def pose_of(self, view: View, times_ns: Times) -> Pose | None:
        """Return the true pose at every firing."""
        return view.pose_at(times_ns)


AnyFrame = Annotated[SensorFrame | VehicleFrame | WorldFrame, Field(discriminator="type")]
