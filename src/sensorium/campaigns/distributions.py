"""How a setting varies from run to run; an object with a `type`, as everywhere."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal, Self

from annotated_types import Ge, Gt, MinLen
from pydantic import Field, model_validator

from sensorium.core.configuration import configured
from sensorium.core.errors import ConfigurationError, Problem
from sensorium.core.units import Number


def _width(low: float, high: float) -> None:
    if not high > low:
        what = f"must be greater than low, {low:g}, so that the distribution has a width; found {high:g}. Swap them?"
        raise ConfigurationError([Problem("high", what)])


@configured
class Uniform:
    """Any number between two bounds with the same chance."""

    type: Literal["uniform"] = "uniform"
    low: Number
    high: Number
    unit: str = ""
    """Written behind the number: {type: uniform, low: 5, high: 20, unit: Hz}."""

    @model_validator(mode="after")
    def _has_width(self) -> Self:
        _width(self.low, self.high)
        return self

    def value(self, u: float) -> Any:
        """Return the value at a share u in (0, 1) of all runs: the inverse of the distribution function."""
        return _with_unit(self.low + (self.high - self.low) * u, self.unit)


@configured
class LogUniform:
    """Any order of magnitude between two bounds with the same chance."""

    type: Literal["log_uniform"] = "log_uniform"
    low: Annotated[Number, Gt(0)]
    high: Annotated[Number, Gt(0)]
    unit: str = ""

    @model_validator(mode="after")
    def _has_width(self) -> Self:
        _width(self.low, self.high)
        return self

    def value(self, u: float) -> Any:
        """Return the value at a share of all runs."""
        return _with_unit(self.low * (self.high / self.low) ** u, self.unit)


@configured
class Normal:
    """The normal distribution; with bounds, what lies beyond is drawn inside."""

    type: Literal["normal"] = "normal"
    mean: Number
    sigma: Annotated[Number, Gt(0)]
    """Standard deviation."""
    low: Number | None = None
    high: Number | None = None
    unit: str = ""

    @model_validator(mode="after")
    def _has_width(self) -> Self:
        if self.low is not None and self.high is not None:
            _width(self.low, self.high)
        if self._share(self.high, 1.0) - self._share(self.low, 0.0) < 1e-9:
            what = f"nothing of a normal distribution about {self.mean:g} lies between the bounds; widen them"
            raise ConfigurationError([Problem("low" if self.low is not None else "high", what)])
        return self

    def _share(self, bound: float | None, beyond: float) -> float:
        return beyond if bound is None else 0.5 * math.erfc((self.mean - bound) / (self.sigma * math.sqrt(2)))

    def value(self, u: float) -> Any:
        """Return the value at a share of all runs."""
        from statistics import NormalDist

        low, high = self._share(self.low, 0.0), self._share(self.high, 1.0)
        inside = min(max(low + (high - low) * u, 1e-15), 1 - 1e-15)
        return _with_unit(self.mean + self.sigma * NormalDist().inv_cdf(inside), self.unit)


@configured
class WholeNumber:
    """Any whole number from low to high, both included: for seeds and counts."""

    type: Literal["whole_number"] = "whole_number"
    low: Annotated[int, Ge(0)] = 0
    high: Annotated[int, Ge(0)]

    @model_validator(mode="after")
    def _has_width(self) -> Self:
        _width(self.low, self.high)
        return self

    def value(self, u: float) -> Any:
        """Return the value at a share of all runs."""
        return min(self.low + int(u * (self.high - self.low + 1)), self.high)


@configured
class Choice:
    """One of some values with the same chance."""

    type: Literal["choice"] = "choice"
    values: Annotated[tuple[Any, ...], MinLen(1)]

    def value(self, u: float) -> Any:
        """Return the value at a share of all runs."""
        return self.values[min(int(u * len(self.values)), len(self.values) - 1)]


AnyDistribution = Annotated[Uniform | LogUniform | Normal | WholeNumber | Choice, Field(discriminator="type")]


def _with_unit(number: float, unit: str) -> float | str:
    return f"{number!r} {unit}" if unit else number
