"""A chain of faults made ready: tables for the compiled loop, and what it remembers between blocks of readings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.core.errors import Problem
from sensorium.core.random import Draws
from sensorium.noise.fault import FIGURES, MEMORY, Fault

Floats = NDArray[np.float64]
WHOLE_RUN = -1
"""Sample number under which a chain draws: an element of a stream is a reading, whatever sample it leaves in."""


@dataclass(frozen=True, eq=False)
class ChainState:
    """What a chain remembers: the keys of its streams, and the memory of each step, NaN before the first reading."""

    keys: NDArray[np.uint64]
    """[S]"""
    memory: Floats
    """[S, 3]"""


@dataclass(frozen=True, eq=False)
class Chain:
    """Tables of S steps, for signals [N, 3] of one sensor at one rate."""

    codes: NDArray[np.int64]
    """[S]"""
    figures: Floats
    """[S, 12]"""
    streams: tuple[str, ...]
    """[S] one stream of chance per step."""
    covariance: Floats
    """[3, 3] of one reading's error."""

    @classmethod
    def of(cls, faults: Sequence[Fault], rate_hz: float, name: str = "chain") -> Chain:
        """Make a chain ready; `name` tells its streams of chance from those of other chains in the same sensor."""
        each = [
            (f"{name}[{place}] {fault.type} {part}", step)
            for place, fault in enumerate(faults)
            for part, step in enumerate(fault.steps(rate_hz))
        ]
        figures = np.zeros((len(each), FIGURES))
        for row, (_, step) in enumerate(each):
            figures[row, : len(step.figures)] = step.figures
        codes = np.array([step.operation for _, step in each], np.int64)
        covariance = np.zeros((3, 3))
        for fault in faults:
            covariance = fault.covariance(covariance, rate_hz)
        return cls(codes, figures, tuple(stream for stream, _ in each), covariance)

    def begin(self, draws: Draws) -> ChainState:
        """Return the state before the first reading."""
        whole = draws.at(draws.sensor, WHOLE_RUN)
        keys = np.array([whole.key(stream) for stream in self.streams], np.uint64)
        return ChainState(keys, np.full((len(keys), MEMORY), np.nan))

    def run(
        self,
        signal: Floats,
        state: ChainState,
        first: int,
        beside: Floats | None = None,
        temperature_k: float = 298.15,
    ) -> tuple[Floats, ChainState]:
        """Return what the chain makes of readings [N, 3], the first of which has this number, and its next state.

        `beside` is a second signal [N, 3] for steps that couple to one.
        """
        from sensorium.noise import chain_kernels

        out, memory = np.array(signal, np.float64), state.memory.copy()
        other = np.zeros_like(out) if beside is None else np.array(beside, np.float64)
        chain_kernels.run(self.codes, self.figures, state.keys, memory, out, other, first, temperature_k)
        return out, ChainState(state.keys, memory)


def chain_problems(faults: Iterable[Fault], where: str, signal_unit: str) -> Iterator[Problem]:
    """Yield what is wrong with faults in the chain of a sensor whose signal has this unit."""
    for place, fault in enumerate(faults):
        for problem in fault.problems(signal_unit):
            yield Problem(f"{where}[{place}].{problem.where}", problem.what)
