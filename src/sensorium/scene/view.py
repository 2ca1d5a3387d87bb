"""All that a sensor may ask of the world while it takes one sample."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sensorium.atmosphere.weather import WeatherState
from sensorium.core.pose import Pose
from sensorium.core.time import Times, TimeWindow
from sensorium.motion.joint import JointKinematics
from sensorium.motion.motion import Kinematics, Motion
from sensorium.motion.track import PoseTrack
from sensorium.scene.origin import Origin
from sensorium.scene.rays import Hits, RayCaster, Rays, Tracer
from sensorium.scene.scene import Scene


@dataclass(frozen=True, eq=False)
class View:
    """The world from one mount during one window: where am I at time t, what do these rays meet."""

    scene: Scene
    tracer: Tracer
    carrier: Motion
    """Motion of the body that carries the sensor."""
    T_body_sensor: Pose
    window: TimeWindow

    def kinematics_at(self, times_ns: Times) -> Kinematics:
        """Return the true motion of the sensor frame at any times."""
        return self.carrier.kinematics_at(times_ns).at_mount(self.T_body_sensor)

    def pose_at(self, times_ns: Times) -> Pose:
        """Return T_world_sensor at any times."""
        return self.carrier.pose_at(times_ns) @ self.T_body_sensor

    @cached_property
    def track(self) -> PoseTrack:
        """The sensor's path during the window as keys, for kernels that need a pose per ray."""
        return PoseTrack.over(self.window, self.kinematics_at, moves=self.carrier.moves)

    def joint_at(self, name: str, times_ns: Times) -> JointKinematics:
        """Return how a joint of the scene stands and moves at any times."""
        return self.scene.joint(name).kinematics_at(times_ns)

    def flux_density_at(self, times_ns: Times) -> NDArray[np.float64]:
        """Return the magnetic flux density [..., 3] in tesla, world frame, where the sensor is at times [...]."""
        return self.scene.flux_density_t(self.pose_at(times_ns).position_m, times_ns)

    @property
    def origin(self) -> Origin:
        """Where on Earth the world lies and when the scenario starts; SceneError if the scene does not say."""
        return self.scene.place_on_earth

    @property
    def weather(self) -> WeatherState:
        """The weather at the start of the window."""
        return self.scene.weather.at(self.window.start_ns)

    @cached_property
    def at_start(self) -> Kinematics:
        """The sensor's motion [1] at the start of the window."""
        return self.kinematics_at(np.array([self.window.start_ns]))

    @cached_property
    def _caster(self) -> RayCaster:
        known = "at_start" in vars(self)  # who has asked for it need not pay for the pose again
        start = self.at_start.pose if known else self.pose_at(np.array([self.window.start_ns]))
        return self.tracer.during(self.window, start.position_m[0])

    def cast(self, rays: Rays) -> Hits:
        """Return the nearest hit of each ray; ray times must lie in the window."""
        return self._caster.cast(rays)

    def occluded(self, rays: Rays) -> NDArray[np.bool_]:
        """Return for each ray whether anything lies on it."""
        return self._caster.occluded(rays)
