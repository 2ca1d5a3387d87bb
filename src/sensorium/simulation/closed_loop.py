"""A world that is driven by what its sensors tell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from numpy.typing import ArrayLike

from sensorium.samples import Sample
from sensorium.simulation.simulation import Simulation


class Driven(Protocol):
    """An engine that takes one step with a command; `motion.mujoco.dynamics.Dynamics` is one."""

    @property
    def now_ns(self) -> int:
        """The instant up to which the world is known."""

    def advance(self, command: Mapping[str, float] | ArrayLike | None = None) -> int:
        """Step once and return the new instant."""


class ClosedLoop:
    """Steps the physics with a command and hands out the samples that are complete since; the same commands give the
    same samples as in an open loop, bit for bit.

    >>> loop = scenario.closed_loop()
    >>> samples = loop.start()
    >>> while loop.now_ns < 10_000_000_000:
    ...     samples = loop.advance({"drive": controller(samples)})
    """

    def __init__(self, simulation: Simulation, dynamics: Driven) -> None:
        self.simulation, self._dynamics = simulation, dynamics
        self._sources = simulation.sources()
        self._next_ns = 0

    @property
    def now_ns(self) -> int:
        """Time since the start."""
        return self._dynamics.now_ns

    def start(self) -> tuple[Sample, ...]:
        """Return the samples of the first instant, before any command."""
        return self._complete()

    def advance(self, command: Mapping[str, float] | ArrayLike | None = None) -> tuple[Sample, ...]:
        """Apply a command for one step of the physics; return what became ready up to its end, in the order of readiness.

        A command names actuators, or gives all of them in the model's order; what it does not name stays.
        """
        self._dynamics.advance(command)
        return self._complete()

    def _complete(self) -> tuple[Sample, ...]:
        now_ns, done = self._dynamics.now_ns, []
        while self._sources and self._next_ns <= now_ns:
            due = self._sources[0]
            for source in self._sources:  # the first of equals, as in an open loop
                if source.ready_ns < due.ready_ns:
                    due = source
            self._next_ns = due.ready_ns
            if self._next_ns <= now_ns:
                done.append(due.take())
        return tuple(done)
