"""What the actuators of a mechanism are told, known beforehand: constants, ramps, a table from a file.

commands: {type: ramps, points: [{time_s: 0, values: {drive: 0}}, {time_s: 2, values: {drive: 800, steering: 5}}]}
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from sensorium.core.configuration import configured
from sensorium.core.errors import MotionError, did_you_mean
from sensorium.core.files import InputFile
from sensorium.core.time import NANOSECONDS_PER_SECOND
from sensorium.core.units import Number, Seconds
from sensorium.motion.trajectory_text import damaged, numbers, text_of

Floats = NDArray[np.float64]


class Commands(ABC):
    """Control values as a function of time; an actuator that is not named gets 0."""

    @property
    @abstractmethod
    def actuators(self) -> tuple[str, ...]:
        """Names of the actuators that are told anything."""

    @abstractmethod
    def values_at(self, time_ns: int) -> Floats:
        """Return what they are told at an instant [actuators]; between two steps of the engine it stays as it is."""


@configured
class Constant(Commands):
    """The same values at all times."""

    type: Literal["constant"] = "constant"
    values: dict[str, Number] = Field(default_factory=dict)
    """By the name of the actuator, in its own unit."""

    @property
    def actuators(self) -> tuple[str, ...]:
        """Those that have a value."""
        return tuple(self.values)

    def values_at(self, time_ns: int) -> Floats:
        """Return the values."""
        return np.array(list(self.values.values()), np.float64)


class _Table(Commands):
    """Values at some times: columns in the order of the actuators."""

    @abstractmethod
    def _rows(self) -> tuple[Floats, Floats]:
        """Return times [N] in ns and values [N, actuators]."""

    @cached_property
    def _table(self) -> tuple[Floats, Floats]:
        return self._rows()


@configured
class RampPoint:
    """Values that are reached at an instant."""

    time_s: Seconds
    values: dict[str, Number]


@configured
class Ramps(_Table):
    """Straight lines between points; before the first and after the last one a value stays as it is."""

    type: Literal["ramps"] = "ramps"
    points: Annotated[tuple[RampPoint, ...], Field(min_length=1)]
    """In the order of time; a point need not name every actuator."""

    @model_validator(mode="after")
    def _in_order(self) -> Ramps:
        times = [point.time_s for point in self.points]
        if any(later <= earlier for earlier, later in pairwise(times)):
            raise ValueError(f"the points must follow each other in time, found times {times}")
        return self

    @property
    def actuators(self) -> tuple[str, ...]:
        """All that any point names."""
        return tuple(dict.fromkeys(name for point in self.points for name in point.values))

    def _rows(self) -> tuple[Floats, Floats]:
        times = np.array([point.time_s for point in self.points])
        columns = []
        for name in self.actuators:
            known = [(point.time_s, point.values[name]) for point in self.points if name in point.values]
            columns.append(np.interp(times, *np.array(known).T))
        return times * NANOSECONDS_PER_SECOND, np.array(columns).T.reshape(len(times), -1)

    def values_at(self, time_ns: int) -> Floats:
        """Return the values on the lines."""
        times, rows = self._table
        return np.array([np.interp(time_ns, times, column) for column in rows.T])


@configured
class CsvCommands(_Table):
    """A CSV file: a line of names (time_s and the actuators), then numbers; each row holds until the next one."""

    type: Literal["csv"] = "csv"
    path: InputFile

    @cached_property
    def _read(self) -> tuple[tuple[str, ...], Floats]:
        lines = [(n, line) for n, line in enumerate(text_of(self.path).splitlines(), 1) if line.strip()]
        names = [word.strip() for word in lines[0][1].split(",")] if lines else []
        if names[:1] != ["time_s"] or len(set(names)) != len(names):
            found = f"found '{lines[0][1]}'" if lines else "found nothing"
            raise damaged(self.path, 1, f"expected 'time_s' and the names of actuators, each once; {found}")
        rows = []
        for number, line in lines[1:]:
            words = [word.strip() for word in line.split(",")]
            if len(words) != len(names):
                raise damaged(self.path, number, f"expected {len(names)} numbers, found {len(words)}")
            rows.append(numbers(self.path, number, words, names))
            if len(rows) > 1 and rows[-1][0] <= rows[-2][0]:
                raise damaged(self.path, number, f"the time must grow, found {rows[-1][0]} after {rows[-2][0]}")
        if not rows:
            raise MotionError(f"{self.path}: there are no rows with values in it")
        return tuple(names[1:]), np.array(rows)

    @property
    def actuators(self) -> tuple[str, ...]:
        """The columns besides the time."""
        return self._read[0]

    def _rows(self) -> tuple[Floats, Floats]:
        rows = self._read[1]
        return np.rint(rows[:, 0] * NANOSECONDS_PER_SECOND), rows[:, 1:]

    def values_at(self, time_ns: int) -> Floats:
        """Return the row that holds; before the first one, the first."""
        times, rows = self._table
        row: Floats = rows[max(0, int(np.searchsorted(times, time_ns, side="right")) - 1)]
        return row


AnyCommands = Annotated[Constant | Ramps | CsvCommands, Field(discriminator="type")]


def control_numbers(names: Sequence[str], known: Mapping[str, int]) -> NDArray[np.int64]:
    """Return the places of actuators in the engine's control vector."""
    for name in names:
        if name not in known:
            raise MotionError(f"there is no actuator '{name}' in the model.{did_you_mean(name, known)}")
    return np.array([known[name] for name in names], np.int64)
