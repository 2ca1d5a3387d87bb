"""Detectors of constant false-alarm rate: the threshold is a multiple of what the cells around say of the noise."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cache
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from sensorium.core.configuration import configured

Cells = tuple[Annotated[int, Field(ge=0, le=64)], Annotated[int, Field(ge=0, le=64)]]
"""Half widths in bins of range and speed."""
Rate = Annotated[float, Field(gt=0, lt=0.5)]
Map = NDArray[np.float32]


class Cfar(ABC):
    """Base of the detectors; the power of a cell is the sum over `looks` channels."""

    false_alarm_rate: float
    guard: tuple[int, int]
    train: tuple[int, int]

    @abstractmethod
    def noise(self, power: Map) -> Map:
        """Return what the threshold is a multiple of, per cell."""

    @abstractmethod
    def factor(self, looks: int, cells: float) -> float:
        """Return the multiple for the false-alarm rate, with so many independent training cells."""

    @property
    def cells(self) -> int:
        """Number of training cells."""
        return _area(self.train) - _area(self.guard)

    def independent_cells(self, correlation: tuple[NDArray[np.float64], NDArray[np.float64]]) -> float:
        """Return N^2 / sum |rho|^2: how many independent cells say as much. `correlation`: of bins 0, 1, 2 ... apart, two axes."""
        keys = tuple(tuple(float(x) for x in axis) for axis in correlation)
        return _independent(self.guard, self.train, keys)

    def _check(self) -> None:
        if not all(g <= t for g, t in zip(self.guard, self.train, strict=True)) or self.guard == self.train:
            raise ValueError(f"train {list(self.train)} must reach beyond guard {list(self.guard)}; make train larger")


@configured
class CellAveraging(Cfar):
    """Threshold over the mean of the training cells (H. Finn, R. Johnson, RCA Review 29, 1968).

    With L looks per cell, X ~ Gamma(L) and the sum of N cells ~ Gamma(N L), X / (X + sum) is Beta(L, N L).
    """

    type: Literal["cell_averaging"] = "cell_averaging"
    false_alarm_rate: Rate = 1e-5
    guard: Cells = (2, 2)
    train: Cells = (8, 6)

    @model_validator(mode="after")
    def _reaches(self) -> CellAveraging:
        self._check()
        return self

    def noise(self, power: Map) -> Map:
        """Return the mean of the training cells."""
        from sensorium.sensors.radar import cfar_kernels

        out = np.empty_like(power)
        cfar_kernels.averages(power, self.guard, self.train, out)
        return out

    def factor(self, looks: int, cells: float) -> float:
        """Return N (1 - y) / y with y from the incomplete beta function."""
        from scipy.special import betaincinv

        y = float(betaincinv(cells * looks, looks, self.false_alarm_rate))
        return cells * (1 - y) / y


@configured
class OrderedStatistics(Cfar):
    """Threshold over one of the larger training cells, so that a neighbouring target does not raise it.

    H. Rohling, IEEE Trans. Aerospace and Electronic Systems 19, 1983: P = prod (N - i) / (N - i + a), i = 0 .. k - 1, for one look;
    for more, the mean of P(X > a z) over the distribution of the k-th smallest of N.
    """

    type: Literal["ordered_statistics"] = "ordered_statistics"
    false_alarm_rate: Rate = 1e-5
    guard: Cells = (2, 2)
    train: Cells = (6, 4)
    rank: Annotated[float, Field(gt=0, le=1)] = 0.75
    """k / N."""

    @model_validator(mode="after")
    def _reaches(self) -> OrderedStatistics:
        self._check()
        return self

    def noise(self, power: Map) -> Map:
        """Return the training cell of rank k."""
        from sensorium.sensors.radar import cfar_kernels

        out = np.empty_like(power)
        cfar_kernels.ordered(power, self.guard, self.train, max(1, round(self.rank * self.cells)), out)
        return out

    def factor(self, looks: int, cells: float) -> float:
        """Return the multiple whose false-alarm rate is the wanted one."""
        return _ordered_factor(self.false_alarm_rate, looks, round(cells), max(1, round(self.rank * cells)))


@cache
def _ordered_factor(rate: float, looks: int, cells: int, rank: int) -> float:
    from scipy.optimize import brentq
    from scipy.special import gammaincc, gammaincinv
    from scipy.stats import beta

    share, weight = np.polynomial.legendre.leggauss(400)
    quantile = beta.ppf((share + 1) / 2, rank, cells - rank + 1)
    z = gammaincinv(looks, quantile)

    def over(factor: float) -> float:
        return float(np.log(max(np.sum(weight / 2 * gammaincc(looks, factor * z)), 1e-300) / rate))

    return float(brentq(over, 1e-3, 1e3))


def _area(half: tuple[int, int]) -> int:
    return (2 * half[0] + 1) * (2 * half[1] + 1)


@cache
def _independent(guard: tuple[int, int], train: tuple[int, int], correlation: tuple[tuple[float, ...], ...]) -> float:
    place = np.indices((2 * train[0] + 1, 2 * train[1] + 1)).reshape(2, -1).T - np.array(train)
    place = place[(np.abs(place) > np.array(guard)).any(1)]
    total = np.ones((len(place), len(place)))
    for axis, values in enumerate(correlation):
        apart = np.abs(place[:, None, axis] - place[None, :, axis])
        table = np.zeros(apart.max() + 1)
        table[: len(values)] = values[: len(table)]
        total *= table[apart] ** 2
    return float(len(place) ** 2 / total.sum())


AnyCfar = Annotated[CellAveraging | OrderedStatistics, Field(discriminator="type")]
