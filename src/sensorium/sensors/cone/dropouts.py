"""When the sensor misses what is there: by chance, or because the echo is too faint."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.random import Draws
from sensorium.core.units import Fraction, NonNegativeNumber, Number, PositiveNumber

Floats = NDArray[np.float64]


class Dropout(ABC):
    """A rule for what is missed."""

    @abstractmethod
    def reported(
        self, range_m: Floats, level_db: Floats, rated_m: float, rated_db: float, draws: Draws
    ) -> NDArray[np.bool_]:
        """Return for each object [N] whether it is reported.

        level_db [N] is what beam and air leave of the echo, rated_db what air of the standard atmosphere leaves on the
        axis at the rated distance.
        """


@configured
class Chance(Dropout):
    """Each object is missed with one probability."""

    type: Literal["chance"] = "chance"
    probability: Fraction = 0.0

    def reported(
        self, range_m: Floats, level_db: Floats, rated_m: float, rated_db: float, draws: Draws
    ) -> NDArray[np.bool_]:
        """Return u >= p for uniform u."""
        if self.probability == 0:
            return np.ones(len(range_m), np.bool_)
        return draws.uniform("dropout", len(range_m)) >= self.probability


@configured
class Faintness(Dropout):
    """An echo is heard if it is above the threshold in this reading: its level wanders with a normal distribution.

    margin = reserve + S lg(r_rated / r) + level - level_rated, in dB. At the rated distance on the axis in standard air the
    margin is the reserve, so that a reserve of 0 finds half of the objects there.
    """

    type: Literal["faintness"] = "faintness"
    reserve_db: Number = 10.0
    spreading_db: NonNegativeNumber = 40.0
    """Loss per decade of distance, both ways: 40 from a small object, 20 from a wall."""
    fluctuation_db: PositiveNumber = 3.0
    """Standard deviation of the level from reading to reading."""

    def reported(
        self, range_m: Floats, level_db: Floats, rated_m: float, rated_db: float, draws: Draws
    ) -> NDArray[np.bool_]:
        """Return whether margin + fluctuation * normal is above 0."""
        spreading = self.spreading_db * np.log10(rated_m / np.maximum(range_m, 1e-9))
        margin_db = self.reserve_db + spreading + level_db - rated_db
        return np.asarray(margin_db + self.fluctuation_db * draws.normal("level", len(range_m)) > 0)


AnyDropout = Annotated[Chance | Faintness, Field(discriminator="type")]
