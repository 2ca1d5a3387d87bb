"""What a thermometer is dipped into: the air around it, or a temperature that goes its own way."""

from __future__ import annotations

import csv
from abc import ABC, abstractmethod
from functools import cached_property
from typing import Annotated, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from sensorium.core.arrays import InUnitArray
from sensorium.core.configuration import configured
from sensorium.core.errors import ConfigurationError
from sensorium.core.files import InputFile
from sensorium.core.time import nanoseconds
from sensorium.core.units import Kelvin
from sensorium.scene.view import View

Floats = NDArray[np.float64]


class Course(ABC):
    """A temperature over time."""

    @abstractmethod
    def temperature_k(self, times_s: Floats, view: View) -> Floats:
        """Return temperatures [N] at times [N] since the scenario's start; before it there are times, too."""


@configured
class Air(Course):
    """The air of the scene's weather."""

    type: Literal["air"] = "air"

    def temperature_k(self, times_s: Floats, view: View) -> Floats:
        """Ask the weather."""
        return np.array([view.scene.weather.at(nanoseconds(time_s)).temperature_k for time_s in times_s.tolist()])


@configured
class Constant(Course):
    """Always the same."""

    type: Literal["constant"] = "constant"
    value_k: Annotated[Kelvin, Field(gt=0)]

    def temperature_k(self, times_s: Floats, view: View) -> Floats:
        """Return the one value."""
        return np.full(len(times_s), self.value_k)


@configured
class Series(Course):
    """Temperatures at times, straight in between, held before the first and after the last."""

    type: Literal["series"] = "series"
    times_s: Annotated[NDArray[np.float64], InUnitArray("s", (None,))]
    values_k: Annotated[NDArray[np.float64], InUnitArray("K", (None,))]

    @model_validator(mode="after")
    def _is_a_series(self) -> Self:
        _refuse_no_series(self.times_s, self.values_k)
        return self

    def temperature_k(self, times_s: Floats, view: View) -> Floats:
        """Interpolate."""
        return np.asarray(np.interp(times_s, self.times_s, self.values_k))


@configured
class SeriesFile(Course):
    """A CSV file with the columns time_s and temperature_k, or temperature_c; interpolated like a `Series`."""

    type: Literal["series_file"] = "series_file"
    path: InputFile

    @model_validator(mode="after")
    def _can_be_read(self) -> Self:
        _ = self._series
        return self

    @cached_property
    def _series(self) -> tuple[Floats, Floats]:
        try:
            with self.path.open(newline="", encoding="utf-8") as file:
                reader = csv.DictReader(file)
                names, rows = reader.fieldnames or [], list(reader)
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigurationError(f"{self.path} cannot be read: {error}") from None
        column = next((name for name in ("temperature_k", "temperature_c") if name in names), None)
        if "time_s" not in names or column is None:
            raise ConfigurationError(
                f"{self.path} needs the columns time_s and temperature_k (or temperature_c), found {', '.join(names) or 'none'}"
            )
        times, values = (_numbers(rows, name, str(self.path)) for name in ("time_s", column))
        values = values + 273.15 if column == "temperature_c" else values
        _refuse_no_series(times, values)
        return times, values

    def temperature_k(self, times_s: Floats, view: View) -> Floats:
        """Interpolate."""
        return np.asarray(np.interp(times_s, *self._series))


def _numbers(rows: list[dict[str, str]], name: str, path: str) -> Floats:
    found = []
    for number, row in enumerate(rows):
        try:
            found.append(float(row[name]))
        except (TypeError, ValueError):
            raise ConfigurationError(f"{path}:{number + 2}: {name} is not a number: {row[name]!r}") from None
    return np.array(found)


def _refuse_no_series(times_s: Floats, values_k: Floats) -> None:
    if len(times_s) == 0 or len(times_s) != len(values_k):
        raise ConfigurationError(
            f"a series needs as many times as temperatures, found {len(times_s)} and {len(values_k)}"
        )
    if (np.diff(times_s) <= 0).any():
        row = int(np.argmax(np.diff(times_s) <= 0)) + 1
        raise ConfigurationError(f"times of a series must increase, found {times_s[row]} s after {times_s[row - 1]} s")
    if not (np.isfinite(values_k).all() and (values_k > 0).all()):
        raise ConfigurationError(f"temperatures of a series must be above 0 K, found {np.nanmin(values_k)} K")
