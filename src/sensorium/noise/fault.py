"""The contract of every fault: what one stage of a sensor's electronics does to its signal.

A chain is a tuple of faults in signal order. A fault does not touch arrays itself: it says which elementary steps it is
made of, and one compiled loop (`chain_kernels`) takes whole chains over whole blocks of readings.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from sensorium.core.errors import Problem
from sensorium.noise.signal_units import misfits

Floats = NDArray[np.float64]


class Operation(IntEnum):
    """What the compiled loop can do to a reading u [3]; figures in the order in which a step lists them."""

    AFFINE = 0
    """u = M u + b: the nine numbers of M by rows, the three of b."""
    CLAMP = 1
    """Lower bounds, upper bounds."""
    WHITE = 2
    """Adds s n: the three s; n is drawn anew for every reading and axis."""
    GAUSS_MARKOV = 3
    """Adds x, x' = p x + q n, x = s n at first: the three p, q and s."""
    RANDOM_WALK = 4
    """Adds x, x' = x + q n, x = 0 at first: the three q."""
    CONSTANT = 5
    """Adds s n with one n per axis for the whole run: the three s."""
    SCALE = 6
    """Multiplies by 1 + s n with one n per axis for the whole run: the three s."""
    COUPLE = 7
    """Adds M a, a the signal beside this one: the nine numbers of M by rows."""
    ROUND = 8
    """Rounds to whole steps and clamps: step, lowest and highest count."""
    DRIFT = 9
    """Adds (b + c u) (T - T0): the three b, the three c, T0, self-heating [K], its time constant [s], rate [Hz]."""
    VIBRATE = 10
    """Adds A sin(2 pi (f k + p)) with one drawn p per axis: the three A, cycles per reading f."""
    DROP = 11
    """Loses a reading with a probability: probability, 1 to hold the one before or 0 for not-a-number."""


FIGURES, MEMORY = 12, 3
"""Room for the figures of a step, and for what it remembers from reading to reading."""


@dataclass(frozen=True)
class Step:
    """One elementary operation with its figures."""

    operation: Operation
    figures: tuple[float, ...]


class Fault(ABC):
    """One stage of a chain. Implementations are `configured`, with a `type`."""

    type: str

    @abstractmethod
    def steps(self, rate_hz: float) -> tuple[Step, ...]:
        """Return what it does to readings at a rate."""

    def covariance(self, before: Floats, rate_hz: float) -> Floats:
        """Return the covariance [3, 3] of one reading's error behind it, given that in front of it.

        It is taken over all runs: what is drawn once per run counts. A random walk, which grows without bound, does not.
        """
        return before

    def problems(self, signal_unit: str) -> Iterator[Problem]:
        """Yield what is wrong with it in the chain of a sensor whose signal has this unit."""
        yield from misfits(self, signal_unit)


def added(before: Floats, variances: Floats) -> Floats:
    """Return a covariance with independent variances [3] on top."""
    return before + np.diag(variances)
