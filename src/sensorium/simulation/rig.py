"""The rig: which sensor sits where, on which body."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from sensorium.core.configuration import configured
from sensorium.core.errors import SceneError
from sensorium.core.pose import Pose
from sensorium.core.time import nanoseconds
from sensorium.core.units import NonNegativeSeconds
from sensorium.scene.scene import Scene
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

    def check(self, scene: Scene) -> None:
        """Raise if the body or what the sensor needs is not in a scene, or if its physics are too coarse for the sensor."""
        step_s = scene.body(self.body).motion.step_s
        try:
            self.sensor.check(scene)
        except SceneError as error:
            raise SceneError(f"the sensor '{self.name}': {error}") from None
        if step_s * self.sensor.rate_hz > 1 + 1e-9:
            raise SceneError(
                f"the sensor '{self.name}' measures every {1e3 / self.sensor.rate_hz:g} ms, but the physics of '{self.body}' "
                f"take steps of {1e3 * step_s:g} ms; set world.step_s to {1 / self.sensor.rate_hz:g} s or less"
            )
