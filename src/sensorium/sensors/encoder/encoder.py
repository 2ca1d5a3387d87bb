"""An encoder on a joint: position and speed as a microcontroller has them, and the edges on its wires."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.errors import SceneError
from sensorium.core.random import Draws
from sensorium.core.time import NANOSECONDS_PER_SECOND, Times
from sensorium.core.units import Fraction, PositiveHertz
from sensorium.motion.joint import JointKinematics
from sensorium.samples import Stamp
from sensorium.samples.encoder_reading import EncoderEdges, EncoderReading
from sensorium.scene.scene import Scene
from sensorium.scene.view import View
from sensorium.sensors.encoder.counting import (
    AnyCounting,
    AnySpeedRule,
    FromReadings,
    Incremental,
    SpeedMemory,
)
from sensorium.sensors.encoder.scales import AnyScale
from sensorium.sensors.sensor import Sensor

_NONE: tuple[Times, Times] = np.zeros(0, np.int64), np.zeros(0, np.int64)


@dataclass(frozen=True, eq=False)
class EncoderSignal:
    """What the head sees: its place now in counts, with the part of a count, and the edges since the sample before."""

    place: float
    edge_ns: NDArray[np.int64]
    edge_count: NDArray[np.int64]


@dataclass(frozen=True)
class EncoderState:
    """What the electronics remember."""

    last_ns: int | None = None
    lost: int = 0
    """Counts that are missing because edges were."""
    count: int | None = None
    """The true count at the last sample."""
    speed: SpeedMemory = field(default_factory=SpeedMemory)


@configured
class Encoder(Sensor[EncoderSignal, EncoderState]):
    """Reads a joint u: bins r floor((u + N(0, sigma^2)) / r), then wraps (incremental) or clamps (absolute).

    The edges of A, B and Z are found on the continuous movement. Each is missed with the probability
    `missed_fraction`; an incremental counter is then wrong by a count until the index sets it right, if it does.
    """

    type: Literal["encoder"] = "encoder"
    rate_hz: PositiveHertz = 100.0
    """How often it is read."""
    device: str = ""
    """Name in the catalogue; empty for a sensor of your own."""
    joint: str = ""
    """Name of the joint in the scene; a device of the catalogue cannot know it."""
    scale: AnyScale
    counting: AnyCounting = Field(default_factory=Incremental)
    speed: AnySpeedRule = Field(default_factory=FromReadings)
    edges: bool = False
    """Whether a sample holds the edges since the one before."""
    missed_fraction: Fraction = 0.0
    index_corrects: bool = True
    """Whether the index puts a counter right that has missed edges."""

    def check(self, scene: Scene) -> None:
        """Raise if there is no such joint, or one of the other kind."""
        kind = scene.joint(self.joint).kind
        if kind != self.scale.kind:
            wanted = {"revolute": "a rotary scale", "prismatic": "a linear scale"}[kind]
            raise SceneError(
                f"the joint '{self.joint}' is {kind}; an encoder on it needs {wanted}, found {self.scale.type}"
            )

    @property
    def _follows_edges(self) -> bool:
        return self.edges or self.missed_fraction > 0 or self.speed.needs_edges

    def sense(self, view: View) -> EncoderSignal:
        """Return the place now, m / r, and the edges of one period before it."""
        now_ns, temperature_k = view.window.start_ns, view.weather.temperature_k
        joint, scale, edges = view.scene.joint(self.joint), self.scale, _NONE
        if self._follows_edges:
            before_ns = max(0, now_ns - math.ceil(NANOSECONDS_PER_SECOND / self.rate_hz) - 1)
            instants = np.append(joint.instants_around(before_ns, now_ns), now_ns)
            k = joint.kinematics_at(instants)
            edges = self._edges_between(before_ns, now_ns, instants[:-1], k, temperature_k)
        else:
            k = joint.kinematics_at(np.array([now_ns]))
        place = float(scale.seen(k.position[-1:], temperature_k)[0] / scale.step)
        return EncoderSignal(place, *edges)

    def _edges_between(
        self, before_ns: int, now_ns: int, instants: Times, k: JointKinematics, temperature_k: float
    ) -> tuple[Times, Times]:
        """Return times and counts of the edges after one instant up to another, on pieces that enclose both."""
        from sensorium.sensors.encoder.edge_kernels import edges_of

        count = len(instants)
        states = np.empty((3, count))
        states[0], states[1], states[2] = k.position[:count], k.velocity[:count], k.acceleration[:count]
        scale, swing, phase = self.scale.geometry(temperature_k)
        times, counts = edges_of(instants, states, scale, swing, phase, self.scale.step)
        inside = (times > before_ns) & (times <= now_ns)
        return times[inside], counts[inside]

    def initial_state(self, draws: Draws) -> EncoderState:
        """Nothing is known before the first sample."""
        return EncoderState()

    def detect(
        self, signal: EncoderSignal, state: EncoderState, draws: Draws, stamp: Stamp
    ) -> tuple[EncoderReading, EncoderState]:
        """Add noise, lose edges, bin, fold, estimate the speed."""
        times, counts, lost = signal.edge_ns, signal.edge_count, state.lost
        if state.last_ns is not None:
            new = times > state.last_ns
            times, counts = times[new], counts[new]
        counted = counts
        if self.missed_fraction and self.counting.remembers and len(times):
            seen, counted, lost = self._counted(counts, state, draws)
            times, counts = times[seen], counts[seen]
        resolution = self.scale.resolution
        place = signal.place
        if self.scale.noise:
            place += self.scale.noise / resolution * float(draws.normal("reading", 1)[0])
        position = resolution * (math.floor(place) - lost)
        edge = (int(times[-1]), resolution * float(counted[-1])) if len(times) else None
        speed = self.speed.after(state.speed, stamp.time_ns, position, edge)
        reading = EncoderReading(
            stamp=stamp,
            joint=self.joint,
            position=np.array([self.counting.folded(position, self.scale.bounds)]),
            velocity=np.array([speed.velocity]),
            edges=self._wires(times, counts, counted) if self.edges else None,
        )
        return reading, EncoderState(stamp.time_ns, lost, math.floor(signal.place), speed)

    def _counted(
        self, counts: NDArray[np.int64], state: EncoderState, draws: Draws
    ) -> tuple[NDArray[np.bool_], NDArray[np.int64], int]:
        """Return which edges are seen, what the counter says after those, and by how much it is wrong in the end."""
        gone = draws.uniform("missed", len(counts)) < self.missed_fraction
        before = counts[0] - 1 if state.count is None else state.count
        way = np.diff(counts, prepend=before)
        missing = state.lost + np.cumsum(np.where(gone, way, 0))
        if self.index_corrects and self.scale.counts_per_index:
            index = np.flatnonzero((counts % self.scale.counts_per_index == 0) & ~gone)
            if len(index):
                later = np.arange(index[0], len(counts))
                missing[index[0] :] -= missing[index[np.searchsorted(index, later, "right") - 1]]
        return ~gone, (counts - missing)[~gone], int(missing[-1])

    def _wires(self, times: NDArray[np.int64], counts: NDArray[np.int64], counted: NDArray[np.int64]) -> EncoderEdges:
        """Return the levels after each edge: A is high in the second and third quarter of a period, B in the last two."""
        quarter, turn = counts % 4, self.scale.counts_per_index
        z = counts % turn == 0 if turn else np.zeros(len(counts), bool)
        return EncoderEdges(time_ns=times, count=counted, a=(quarter == 1) | (quarter == 2), b=quarter >= 2, z=z)
