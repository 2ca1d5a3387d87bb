"""How a position becomes a reading, and how a speed is made of readings or of edges."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.time import NANOSECONDS_PER_SECOND
from sensorium.core.units import PositiveHertz, PositiveSeconds


class Counting(ABC):
    """What happens at the ends of the range."""

    remembers: bool
    """Whether lost edges stay lost until the index comes by."""

    @abstractmethod
    def folded(self, value: float, bounds: tuple[float, float] | None) -> float:
        """Return the reading for a binned position."""


@configured
class Incremental(Counting):
    """Counts edges from where it was switched on; the position wraps: u - (upper - lower) floor((u - lower)/(upper - lower))."""

    type: Literal["incremental"] = "incremental"

    @property
    def remembers(self) -> bool:  # type: ignore[override]
        """A counter knows only its edges."""
        return True

    def folded(self, value: float, bounds: tuple[float, float] | None) -> float:
        """Return the position in [lower, upper)."""
        return _wrapped(value, bounds)


def _wrapped(value: float, bounds: tuple[float, float] | None) -> float:
    if bounds is None:
        return value
    lower, upper = bounds
    wrapped = value - (upper - lower) * math.floor((value - lower) / (upper - lower))
    return lower if wrapped >= upper else wrapped  # a value a rounding below `lower` lands on `upper`


@configured
class Absolute(Counting):
    """Reads its place from the code on the disc or ruler; beyond the range it stays at the end."""

    type: Literal["absolute"] = "absolute"
    repeats: bool = False
    """Whether the code begins again beyond the range, as on a disc for a single turn."""

    @property
    def remembers(self) -> bool:  # type: ignore[override]
        """Each reading stands for itself."""
        return False

    def folded(self, value: float, bounds: tuple[float, float] | None) -> float:
        """Return the position in [lower, upper], or in [lower, upper) where the code repeats."""
        if self.repeats or bounds is None:
            return _wrapped(value, bounds)
        return min(max(value, bounds[0]), bounds[1])


AnyCounting = Annotated[Incremental | Absolute, Field(discriminator="type")]


@dataclass(frozen=True)
class SpeedMemory:
    """What a speed rule remembers: when the position last changed, to what, and the speed it reported."""

    time_ns: int | None = None
    position: float = 0.0
    velocity: float = 0.0


class SpeedRule(ABC):
    """How electronics estimate a speed. Without a change for longer than `timeout_s` it is zero; until then it stays."""

    timeout_s: float
    needs_edges: bool

    @abstractmethod
    def after(self, memory: SpeedMemory, now_ns: int, position: float, edge: tuple[int, float] | None) -> SpeedMemory:
        """Return what is remembered after a sample; `edge` is the time of the last edge and the position after it."""

    def _changed(self, memory: SpeedMemory, time_ns: int, position: float) -> SpeedMemory:
        """Speed = change of the position over the time since it last changed."""
        if memory.time_ns is None or time_ns <= memory.time_ns:
            return SpeedMemory(time_ns, position, 0.0)
        span_s = (time_ns - memory.time_ns) / NANOSECONDS_PER_SECOND
        return SpeedMemory(time_ns, position, (position - memory.position) / span_s)

    def _unchanged(self, memory: SpeedMemory, now_ns: int) -> SpeedMemory:
        if memory.time_ns is None or now_ns - memory.time_ns <= self.timeout_s * NANOSECONDS_PER_SECOND:
            return memory
        return SpeedMemory(memory.time_ns, memory.position, 0.0)


@configured
class FromReadings(SpeedRule):
    """Compares readings: the change of the measured position over the time between changes of the measurement."""

    type: Literal["readings"] = "readings"
    timeout_s: PositiveSeconds = 0.1

    @property
    def needs_edges(self) -> bool:  # type: ignore[override]
        """Readings are enough."""
        return False

    def after(self, memory: SpeedMemory, now_ns: int, position: float, edge: tuple[int, float] | None) -> SpeedMemory:
        """Look whether the reading has changed."""
        if memory.time_ns is None or position != memory.position:
            return self._changed(memory, now_ns, position)
        return self._unchanged(memory, now_ns)


@configured
class FromEdges(SpeedRule):
    """Captures the clock at edges: counts between the last edges of two samples over the time between those edges.

    T. Ohmae et al., "A microprocessor-controlled high-accuracy wide-range speed regulator for motor drives", IEEE
    Trans. Ind. Electron. 29 (1982): the M/T method.
    """

    type: Literal["edges"] = "edges"
    timeout_s: PositiveSeconds = 0.1
    clock_hz: PositiveHertz = 1e6
    """Of the timer that is captured."""

    @property
    def needs_edges(self) -> bool:  # type: ignore[override]
        """It times them."""
        return True

    def after(self, memory: SpeedMemory, now_ns: int, position: float, edge: tuple[int, float] | None) -> SpeedMemory:
        """Look whether there was an edge."""
        if edge is None:
            return self._unchanged(memory, now_ns)
        tick_ns = NANOSECONDS_PER_SECOND / self.clock_hz
        captured_ns = round(math.floor(edge[0] / tick_ns) * tick_ns)
        return self._changed(memory, captured_ns, edge[1])


AnySpeedRule = Annotated[FromReadings | FromEdges, Field(discriminator="type")]
