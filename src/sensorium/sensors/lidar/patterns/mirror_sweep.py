"""How the fast axis of a scanning mirror moves along the lines of a frame.

The phase counts lines: line l lasts from l to l + 1. A sweep says during which part of a line the laser is on, and where the
mirror then looks: -1 at one edge of the field of view, +1 at the other.
"""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from annotated_types import Gt, Le, Lt
from numpy.typing import NDArray
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.units import Fraction, Number

Phases = NDArray[np.float64]


@configured
class OneWay:
    """Every line runs from the same edge at constant speed; then the mirror flies back with the laser off."""

    type: Literal["one_way"] = "one_way"
    flyback_share: Annotated[Fraction, Lt(1)] = 0.0
    """Part of the time of a line that the flight back takes."""

    @property
    def lit(self) -> tuple[float, float]:
        """Part of a line in which the laser is on."""
        return 0.0, 1.0 - self.flyback_share

    def deflection(self, phase: Phases) -> Phases:
        """Return -1 .. 1: 2 u / (1 - flyback) - 1 with u the part of the line that is over."""
        return np.asarray(2.0 * (phase - np.floor(phase)) / (1.0 - self.flyback_share) - 1.0)

    @property
    def steepest(self) -> float:
        """Largest change of the deflection in a line."""
        return 2.0 / (1.0 - self.flyback_share)


@configured
class BackAndForth:
    """Lines run at constant speed, every other one backwards (a triangle wave)."""

    type: Literal["back_and_forth"] = "back_and_forth"

    @property
    def lit(self) -> tuple[float, float]:
        """Part of a line in which the laser is on."""
        return 0.0, 1.0

    def deflection(self, phase: Phases) -> Phases:
        """Return -1 .. 1: 2 u - 1 on even lines, 1 - 2 u on odd ones."""
        line = np.floor(phase)
        return np.asarray(_side(line) * (2.0 * (phase - line) - 1.0))

    @property
    def steepest(self) -> float:
        """Largest change of the deflection in a line."""
        return 2.0


@configured
class Resonant:
    """The mirror swings at its resonance; a line is half a swing, every other one runs backwards.

    With `used_share` below 1 the laser is off near the turning points, where the mirror dwells, and the field of view is what
    the used middle of the swing covers.
    """

    type: Literal["resonant"] = "resonant"
    used_share: Annotated[Number, Gt(0), Le(1)] = 1.0
    """Part of the time of a line in which the laser is on."""

    @property
    def lit(self) -> tuple[float, float]:
        """Part of a line in which the laser is on."""
        return (1.0 - self.used_share) / 2, (1.0 + self.used_share) / 2

    def deflection(self, phase: Phases) -> Phases:
        """Return -1 .. 1: +-sin(pi (u - 1/2)) / sin(pi used / 2)."""
        line = np.floor(phase)
        return np.asarray(_side(line) * np.sin(np.pi * (phase - line - 0.5)) / np.sin(np.pi * self.used_share / 2))

    @property
    def steepest(self) -> float:
        """Largest change of the deflection in a line."""
        return float(np.pi / np.sin(np.pi * self.used_share / 2))


def _side(line: Phases) -> Phases:
    """Return 1 for even lines and -1 for odd ones."""
    return 1.0 - 2.0 * (line % 2)


MirrorSweep = Annotated[OneWay | BackAndForth | Resonant, Field(discriminator="type")]


@configured
class Staircase:
    """The slow axis holds still during a line and steps between lines: all points of a line have one elevation."""

    type: Literal["staircase"] = "staircase"

    def height(self, phase: Phases, lines: int) -> Phases:
        """Return 1/2 .. -1/2 of the field of view, from the top: 1/2 - (l + 1/2) / L."""
        return np.asarray(0.5 - (np.floor(phase) + 0.5) / lines)


@configured
class Ramp:
    """The slow axis moves steadily: lines lean, and those that run back and forth make a zigzag."""

    type: Literal["ramp"] = "ramp"

    def height(self, phase: Phases, lines: int) -> Phases:
        """Return 1/2 .. -1/2 of the field of view, from the top: 1/2 - phase / L."""
        return np.asarray(0.5 - phase / lines)


SlowAxis = Annotated[Staircase | Ramp, Field(discriminator="type")]
