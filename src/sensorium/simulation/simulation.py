"""Scene and rig on one clock."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sensorium.core.errors import ConfigurationError
from sensorium.core.pose import Pose
from sensorium.core.random import Draws
from sensorium.core.time import nanoseconds
from sensorium.motion.fixed import Fixed
from sensorium.samples import Sample, Stamp
from sensorium.scene.rays import Tracer
from sensorium.scene.scene import Scene
from sensorium.scene.view import View
from sensorium.sensors import Sensor
from sensorium.simulation.rig import Mount
from sensorium.simulation.sources import TRUTH, SensorSource, Source, TruthSource
from sensorium.tracing import EmbreeTracer


@dataclass(frozen=True, eq=False)
class Simulation:
    """A scene, the sensors in it, and one seed: asking twice gives the same samples, bit for bit.

    >>> for sample in Simulation(scene, rig, seed=7).samples(duration_s=10):
    ...     recorder.write(sample)
    """

    scene: Scene
    rig: Sequence[Mount]
    seed: int = 0
    run: int = 0
    truth_rate_hz: float | None = 20.0
    """None: no truth samples in the stream."""
    tracer: Tracer | None = None
    """Default: Embree on all cores."""

    def __post_init__(self) -> None:
        names = [mount.name for mount in self.rig]
        for name in names:
            if names.count(name) > 1 or name == TRUTH:
                taken = "is kept for the truth" if name == TRUTH else "appears more than once in the rig"
                raise ConfigurationError(f"the sensor name '{name}' {taken}; give every sensor a name of its own")
        for mount in self.rig:
            mount.check(self.scene)

    def sources(self) -> list[Source]:
        """Return where the samples come from, all at their beginning: the truth, then the sensors in the order of the rig."""
        tracer = self.tracer or EmbreeTracer(self.scene)
        draws = Draws(self.seed, self.run)
        sources: list[Source] = []
        if self.truth_rate_hz is not None:
            sources.append(TruthSource(self.scene, {mount.body for mount in self.rig}, self.truth_rate_hz))
        sources.extend(SensorSource(self.scene, tracer, mount, draws) for mount in self.rig)
        return sources

    def samples(self, duration_s: float) -> Iterator[Sample]:
        """Yield all samples that are complete within the duration, in the order in which they are complete.

        Samples ready at the same instant come truth first, then in the order of the rig. Nothing is computed before it is
        asked for.
        """
        sources = self.sources()
        end_ns = nanoseconds(duration_s)
        while sources:
            due = min(sources, key=lambda source: source.ready_ns)  # the first of equals, so the order is defined
            if due.ready_ns > end_ns:
                return
            yield due.take()


def observe(
    scene: Scene,
    sensor: Sensor[Any, Any],
    pose: Pose | None = None,
    *,
    body: str | None = None,
    time_s: float = 0.0,
    seed: int = 0,
    tracer: Tracer | None = None,
) -> Sample:
    """Return one sample of one sensor, whose window starts at a time, without a simulation around it.

    The pose is that of the sensor in the frame of the named body, or in the world if no body is named. Give a tracer of
    the scene when you ask more than once: building one is the expensive part.
    """
    draws = Draws(seed, sensor="observe")
    state = sensor.initial_state(draws)
    sensor = sensor.adjusted(state)
    window = sensor.window(0, nanoseconds(time_s))
    carrier = Fixed() if body is None else scene.body(body).motion
    view = View(scene, tracer or EmbreeTracer(scene), carrier, pose or Pose.identity(), window)
    stamp = Stamp("observe", 0, window.start_ns, window.end_ns)
    sample, _ = sensor.detect(sensor.sense(view), state, draws, stamp)
    return sample
