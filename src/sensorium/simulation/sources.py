"""Where samples come from: each source knows when its next sample is ready, and takes it when asked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sensorium.core.random import Draws
from sensorium.core.time import NANOSECONDS_PER_SECOND
from sensorium.samples import Sample, Stamp, TruthSample
from sensorium.scene.rays import Tracer
from sensorium.scene.scene import Scene
from sensorium.scene.view import View
from sensorium.simulation.rig import Mount

TRUTH = "truth"


class Source(Protocol):
    """A sequence of samples in the order of their readiness."""

    @property
    def ready_ns(self) -> int:
        """When the next sample is complete."""

    def take(self) -> Sample:
        """Return the next sample and go on to the one after it."""


class SensorSource:
    """The samples of one mounted sensor; one that is late holds up those behind it, as on a wire."""

    def __init__(self, scene: Scene, tracer: Tracer, mount: Mount, draws: Draws) -> None:
        self._scene, self._tracer, self._mount, self._draws = scene, tracer, mount, draws
        self._carrier = scene.body(mount.body).motion
        self._index = 0
        self._state: Any = mount.sensor.initial_state(draws.at(mount.name, -1))
        self._ready_ns = self._due_ns()

    @property
    def ready_ns(self) -> int:
        """When the next sample leaves the sensor."""
        return self._ready_ns

    def _due_ns(self) -> int:
        sensor = self._mount.sensor.adjusted(self._state)
        delay_ns = sensor.delay_ns(self._draws.at(self._mount.name, self._index))
        return sensor.window(self._index, self._mount.phase_ns).end_ns + delay_ns

    def take(self) -> Sample:
        """Sense and detect once."""
        mount, sensor = self._mount, self._mount.sensor.adjusted(self._state)
        window = sensor.window(self._index, mount.phase_ns)
        signal = sensor.sense(View(self._scene, self._tracer, self._carrier, mount.pose, window))
        stamp = Stamp(mount.name, self._index, window.start_ns, self._ready_ns)
        draws = self._draws.at(mount.name, self._index)
        sample, self._state = sensor.detect(signal, self._state, draws, stamp)
        self._index += 1
        self._ready_ns = max(self._ready_ns, self._due_ns())
        return sample


class TruthSource:
    """Where everything really is: all bodies that move and those named besides, at regular instants."""

    def __init__(self, scene: Scene, also: Iterable[str] = (), rate_hz: float = 20.0) -> None:
        wanted = {scene.body(name).name for name in also}
        self._rate_hz, self._index = rate_hz, 0
        self._scene = scene
        self._numbers = [n for n, body in enumerate(scene.bodies) if body.motion.moves or body.name in wanted]
        self._bodies = tuple(scene.bodies[number] for number in self._numbers)
        bounds = [body.model.bounds_m for body in self._bodies]
        self._centre_m = _rows([(low + high) / 2 for low, high in bounds])
        self._size_m = _rows([high - low for low, high in bounds])

    @property
    def ready_ns(self) -> int:
        """Instant of the next truth sample."""
        return round(self._index * NANOSECONDS_PER_SECOND / self._rate_hz)

    def take(self) -> TruthSample:
        """Look at every body."""
        time_ns = self.ready_ns
        now = self._scene.kinematics_at(self._numbers, np.array([time_ns])).rows((slice(None), 0))
        sample = TruthSample(
            stamp=Stamp(TRUTH, self._index, time_ns, time_ns),
            names=tuple(body.name for body in self._bodies),
            labels=tuple(body.label for body in self._bodies),
            pose=now.pose,
            velocity_m_s=now.velocity_m_s,
            angular_velocity_rad_s=now.angular_velocity_rad_s,
            acceleration_m_s2=now.acceleration_m_s2,
            box_centre_m=self._centre_m,
            box_size_m=self._size_m,
        )
        self._index += 1
        return sample


def _rows(vectors: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    return np.array(vectors, np.float64).reshape(-1, 3)
