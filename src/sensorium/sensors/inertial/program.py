"""An IMU made ready to run: the chains, filters and rates of its instruments as tables for one compiled loop."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.core.random import Draws
from sensorium.noise import Chain
from sensorium.noise.chain import WHOLE_RUN
from sensorium.noise.fault import FIGURES, MEMORY
from sensorium.noise.low_pass import SECTION_FIGURES
from sensorium.sensors.inertial.triaxial import Triaxial

Floats = NDArray[np.float64]
_MOST_SECTIONS, _NOTHING = 3, -1


@dataclass(frozen=True, eq=False)
class ImuState:
    """What the electronics remember between blocks; NaN before the first reading."""

    keys: NDArray[np.uint64]
    """[S, L] one stream per instrument and step."""
    memory: Floats
    """[S, L, 3] of the steps."""
    filters: Floats
    """[S, 3, 3, 2] of the filters' sections."""


@dataclass(frozen=True, eq=False)
class Program:
    """S instruments with at most L steps each."""

    tables: tuple[NDArray[np.generic], ...]
    """codes [S, L], figures [S, L, 12], bounds [S, 6], sections [S, 3, 5], their counts [S], divisors [S], present axes [S, 3]."""
    streams: tuple[tuple[str, ...], ...]
    covariances: tuple[Floats, ...]
    """[S] of one reading, infinite on missing axes."""

    @classmethod
    def of(cls, instruments: Sequence[tuple[str, Triaxial]], rate_hz: float, looks: int) -> Program:
        """Make the tables of named instruments in an IMU of this rate, which looks so many times per reading."""
        divisors = [round(rate_hz / (each.rate_hz or rate_hz)) for _, each in instruments]
        chains = [
            Chain.of(each.faults, rate_hz / divisor, name)
            for (name, each), divisor in zip(instruments, divisors, strict=True)
        ]
        count, longest = len(chains), max(len(chain.codes) for chain in chains)
        codes, figures = np.full((count, longest), _NOTHING), np.zeros((count, longest, FIGURES))
        bounds = np.tile((-math.inf,) * 3 + (math.inf,) * 3, (count, 1))
        sections, section_counts = np.zeros((count, _MOST_SECTIONS, SECTION_FIGURES)), np.zeros(count, np.int64)
        for row, ((_, each), chain) in enumerate(zip(instruments, chains, strict=True)):
            codes[row, : len(chain.codes)], figures[row, : len(chain.codes)] = chain.codes, chain.figures
            if each.input_range is not None:
                bounds[row] = (*each.input_range.lower, *each.input_range.upper)
            if each.filter is not None:
                found = each.filter.sections(rate_hz * looks)
                sections[row, : len(found)], section_counts[row] = found, len(found)
        present = np.array([[axis in each.axes for axis in "xyz"] for _, each in instruments])
        covariances = tuple(_known(chain.covariance, axes) for chain, axes in zip(chains, present, strict=True))
        tables = (codes, figures, bounds, sections, section_counts, np.array(divisors, np.int64), present)
        return cls(tables, tuple(chain.streams for chain in chains), covariances)

    @property
    def divisors(self) -> list[int]:
        """How many readings of the IMU make one of each instrument [S]."""
        return [int(divisor) for divisor in self.tables[5]]

    def begin(self, draws: Draws) -> ImuState:
        """Return the state before the first reading."""
        shape = self.tables[0].shape
        whole, keys = draws.at(draws.sensor, WHOLE_RUN), np.zeros(shape, np.uint64)
        for row, streams in enumerate(self.streams):
            keys[row, : len(streams)] = [whole.key(stream) for stream in streams]
        filters = np.full((shape[0], _MOST_SECTIONS, 3, 2), np.nan)
        return ImuState(keys, np.full((*shape, MEMORY), np.nan), filters)


def _known(covariance: Floats, present: NDArray[np.bool_]) -> Floats:
    result = np.where(present[:, None] & present, covariance, 0.0)
    result[~present, ~present] = math.inf
    return result
