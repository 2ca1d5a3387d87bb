"""How the axes of a scanning mirror move during a frame.

The phase counts lines: line l lasts from l to l + 1, and u is the part of it that is over. A fast axis says in which
part of a line the laser is on, and its deflection d tells where the mirror then looks: -1 at one edge of the field of
view, +1 at the other. The slow axis gives the height h: 1/2 at the top edge, -1/2 at the bottom one.
"""

from __future__ import annotations

import math
from typing import Annotated, ClassVar, Literal

from annotated_types import Gt, Le, Lt
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.units import Fraction, Number


@configured
class OneWay:
    """Every line runs from the same edge at constant speed, then the mirror flies back with the laser off.

    d = 2 u / (1 - flyback) - 1
    """

    alternates: ClassVar[bool] = False
    swings: ClassVar[bool] = False

    type: Literal["one_way"] = "one_way"
    flyback_share: Annotated[Fraction, Lt(1)] = 0.0
    """Part of the time of a line that the flight back takes."""

    @property
    def lit(self) -> tuple[float, float]:
        """Part of a line in which the laser is on."""
        return 0.0, 1.0 - self.flyback_share

    @property
    def steepest(self) -> float:
        """Largest change of the deflection per line."""
        return 2.0 / (1.0 - self.flyback_share)


@configured
class BackAndForth:
    """Lines run at constant speed, every other one backwards (a triangle wave).

    d = 2 u - 1 on even lines, 1 - 2 u on odd ones
    """

    alternates: ClassVar[bool] = True
    swings: ClassVar[bool] = False

    type: Literal["back_and_forth"] = "back_and_forth"

    @property
    def lit(self) -> tuple[float, float]:
        """Part of a line in which the laser is on."""
        return 0.0, 1.0

    @property
    def steepest(self) -> float:
        """Largest change of the deflection per line."""
        return 2.0


@configured
class Resonant:
    """The mirror swings at its resonance; a line is half a swing, every other one runs backwards.

    With `used_share` below 1 the laser is off near the turning points, where the mirror dwells, and the field of view
    is what the used middle of the swing covers.

    d = sin(pi (u - 1/2)) / sin(pi used / 2) on even lines, the negative of it on odd ones
    """

    alternates: ClassVar[bool] = True
    swings: ClassVar[bool] = True

    type: Literal["resonant"] = "resonant"
    used_share: Annotated[Number, Gt(0), Le(1)] = 1.0
    """Part of the time of a line in which the laser is on."""

    @property
    def lit(self) -> tuple[float, float]:
        """Part of a line in which the laser is on."""
        return (1.0 - self.used_share) / 2, (1.0 + self.used_share) / 2

    @property
    def steepest(self) -> float:
        """Largest change of the deflection per line."""
        return math.pi / math.sin(math.pi * self.used_share / 2)


FastAxis = Annotated[OneWay | BackAndForth | Resonant, Field(discriminator="type")]


@configured
class Staircase:
    """The slow axis holds still during a line and steps between lines: all points of a line have one elevation.

    h = 1/2 - (l + 1/2) / L with L lines per frame
    """

    steps: ClassVar[bool] = True

    type: Literal["staircase"] = "staircase"


@configured
class Ramp:
    """The slow axis moves steadily: lines lean, and those that run back and forth make a zigzag.

    h = 1/2 - (l + u) / L with L lines per frame
    """

    steps: ClassVar[bool] = False

    type: Literal["ramp"] = "ramp"


SlowAxis = Annotated[Staircase | Ramp, Field(discriminator="type")]
