"""An odometer: the distance that a wheel has rolled, whether the ground came along or not."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from sensorium.core.configuration import configured
from sensorium.core.errors import SceneError
from sensorium.core.random import Draws
from sensorium.core.time import seconds
from sensorium.core.units import NonNegativeMetres, NonNegativeRadians, PositiveHertz, PositiveMetres
from sensorium.samples import Stamp
from sensorium.samples.odometry import OdometerReading
from sensorium.scene.scene import Scene
from sensorium.scene.view import View
from sensorium.sensors.sensor import Sensor


@dataclass(frozen=True)
class OdometerState:
    """The last reading."""

    time_ns: int | None = None
    distance_m: float = 0.0


@configured
class Odometer(Sensor[float, OdometerState]):
    """distance = R u_res floor(u / u_res) + N(0, sigma^2) with the wheel's angle u; slip comes from the wheel itself.

    The speed is the change of the distance between two readings over the time between them.
    """

    type: Literal["odometer"] = "odometer"
    rate_hz: PositiveHertz = 20.0
    device: str = ""
    """Name in the catalogue; empty for a sensor of your own."""
    joint: str = ""
    """Name of the wheel's hinge in the scene."""
    wheel_radius_m: PositiveMetres
    """As the electronics take it; a worn tyre is smaller."""
    resolution_rad: NonNegativeRadians = 0.0
    """Angle of the wheel per count; 0: none."""
    noise_m: NonNegativeMetres = 0.0
    """Standard deviation of a distance."""
    body: str = ""
    """Frame of the vehicle, for messages (`child_frame_id`)."""

    def check(self, scene: Scene) -> None:
        """Raise if there is no such joint, or one that does not turn."""
        if scene.joint(self.joint).kind != "revolute":
            raise SceneError(f"the joint '{self.joint}' is prismatic; an odometer counts the turns of a wheel's hinge")

    def sense(self, view: View) -> float:
        """Return the wheel's angle."""
        return float(view.joint_at(self.joint, np.array([view.window.start_ns])).position[0])

    def initial_state(self, draws: Draws) -> OdometerState:
        """Nothing is known before the first reading."""
        return OdometerState()

    def detect(
        self, signal: float, state: OdometerState, draws: Draws, stamp: Stamp
    ) -> tuple[OdometerReading, OdometerState]:
        """Bin, multiply, add the noise."""
        step = self.resolution_rad
        angle = step * math.floor(signal / step) if step else signal
        distance = self.wheel_radius_m * angle
        if self.noise_m:
            distance += self.noise_m * float(draws.normal("distance", 1)[0])
        span_s = 0.0 if state.time_ns is None else float(seconds(stamp.time_ns, state.time_ns))
        variance = self.distance_variance_m2
        reading = OdometerReading(
            stamp=stamp,
            body=self.body,
            distance_m=np.array([distance]),
            speed_m_s=np.array([(distance - state.distance_m) / span_s if span_s else 0.0]),
            distance_variance_m2=variance,
            speed_variance_m2_s2=2 * variance * self.rate_hz**2,
        )
        return reading, OdometerState(stamp.time_ns, distance)

    @property
    def distance_variance_m2(self) -> float:
        """sigma^2 + (R u_res)^2 / 12, the second of an error that is uniform over a count."""
        return self.noise_m**2 + (self.wheel_radius_m * self.resolution_rad) ** 2 / 12
