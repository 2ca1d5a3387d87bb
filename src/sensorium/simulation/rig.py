"""The rig: which sensor sits where, on which body."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from sensorium.core.configuration import configured
from sensorium.core.pose import Pose
from sensorium.core.time import nanoseconds
from sensorium.core.units import NonNegativeSeconds
from sensorium.sensors import AnySensor

RosName = Annotated[str, StringConstraints(pattern=r"^[a-zA-Z][a-zA-Z0-9_]*$")]


@configured
class Mount:
    """A sensor on a body."""

    name: RosName
    """Unique in the rig; becomes topic and frame: letters, digits and underscores."""
    sensor: AnySensor
    body: str
    """Name of the body that carries it."""
    pose: Pose = Field(default_factory=Pose.identity)
    """T_body_sensor."""
    phase_s: NonNegativeSeconds = 0.0
    """Start of the first sample."""

    @property
    def phase_ns(self) -> int:
        """Start of the first sample."""
        return nanoseconds(self.phase_s)
