"""The contract of every sensor: physics in `sense`, chance in `detect`, nothing else.

    View --sense--> signal at the aperture --detect(state, draws)--> sample, next state

A sensor is a frozen dataclass made with `configured`; its fields are its data sheet. `sense` is deterministic. All chance
comes from the draws given to `detect`. Neither writes to its inputs, prints, or keeps a reference to the world.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from sensorium.core.random import Draws
from sensorium.core.time import NANOSECONDS_PER_SECOND, TimeWindow
from sensorium.core.units import PositiveHertz
from sensorium.samples import Sample, Stamp
from sensorium.scene.scene import Scene
from sensorium.scene.view import View

Signal = TypeVar("Signal")
State = TypeVar("State")


class Sensor(ABC, Generic[Signal, State]):
    """Base of all sensors. Adding one: a module with a `configured` subclass, and one line in sensors/__init__.py."""

    rate_hz: PositiveHertz

    def start_ns(self, index: int, phase_ns: int = 0) -> int:
        """Return when sample `index` starts; computed from the index, so that rounding never adds up."""
        return phase_ns + round(index * NANOSECONDS_PER_SECOND / self.rate_hz)

    def window(self, index: int, phase_ns: int = 0) -> TimeWindow:
        """Return the span in which sample `index` is taken; an instant unless the sensor says otherwise."""
        start = self.start_ns(index, phase_ns)
        return TimeWindow(start, start)

    def delay_ns(self, draws: Draws) -> int:
        """Return how long after its window a sample leaves the sensor: filters, computing, transport, and their jitter."""
        return 0

    def adjusted(self, state: State) -> Sensor[Signal, State]:
        """Return the sensor as its electronics have set it for the next sample: an exposure time, a gain.

        Window and `sense` of the next sample are asked of what this returns; a sensor that sets nothing returns itself.
        """
        return self

    def check(self, scene: Scene) -> None:
        """Raise a `SceneError` if the sensor cannot work in a scene: a joint that is not there. Called before the first sample."""
        return None

    @abstractmethod
    def sense(self, view: View) -> Signal:
        """Return what arrives at the aperture: physics alone."""

    def initial_state(self, draws: Draws) -> State:
        """Return what the electronics remember before the first sample; None for sensors without memory."""
        return None  # type: ignore[return-value]

    @abstractmethod
    def detect(self, signal: Signal, state: State, draws: Draws, stamp: Stamp) -> tuple[Sample, State]:
        """Return the sample that the electronics make of the signal, and what they remember for the next one."""
