"""What a spline does at its two ends: the conditions that, with the waypoints, make a cubic spline unique."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.units import Velocity3

Indices = NDArray[np.int64]


class EndRule(ABC):
    """Base of the ends. A rule speaks to the position through SciPy's boundary conditions, to rotations through `beyond`."""

    closed = False
    """True when the path repeats for ever."""

    @property
    @abstractmethod
    def conditions(self) -> Any:
        """Return the `bc_type` of scipy.interpolate.CubicSpline: a pair for start and end, or "periodic"."""

    def beyond(self, pieces: int, reach: int) -> tuple[Indices, Indices, int]:
        """Return how a rotation spline goes on past its ends: knots in order, the pieces between them, where knot 0 is.

        Rotation splines are solved with no condition but this continuation by about `reach` pieces; its far ends matter
        less by a factor 2 - sqrt(3) per piece, so that a reach of 32 is exact in double precision.
        """
        return np.arange(pieces + 1), np.arange(pieces), 0


@configured
class AtRest(EndRule):
    """Starts from rest and comes to rest, so that velocity does not jump where the body begins and ceases to move."""

    type: Literal["at_rest"] = "at_rest"

    @property
    def conditions(self) -> Any:
        """Return zero first derivatives."""
        return (1, np.zeros(3)), (1, np.zeros(3))

    def beyond(self, pieces: int, reach: int) -> tuple[Indices, Indices, int]:
        """Return the path mirrored in time at both ends: an even function of time has no rate there."""
        number = np.arange(-reach, pieces + reach + 1)
        knots = pieces - np.abs(pieces - number % (2 * pieces))
        return knots, np.minimum(knots[:-1], knots[1:]), reach


@configured
class Natural(EndRule):
    """No acceleration at the ends; the velocity there follows from the waypoints and jumps to zero outside."""

    type: Literal["natural"] = "natural"

    @property
    def conditions(self) -> Any:
        """Return zero second derivatives."""
        return (2, np.zeros(3)), (2, np.zeros(3))


@configured
class NotAKnot(EndRule):
    """The first two pieces are one cubic, and the last two: the most accurate for a cut-out of a longer movement.

    The velocity at the ends follows from the waypoints and jumps to zero outside.
    """

    type: Literal["not_a_knot"] = "not_a_knot"

    @property
    def conditions(self) -> Any:
        """Return continuous third derivatives at the second and the last but one waypoint."""
        return "not-a-knot", "not-a-knot"


@configured
class EndVelocities(EndRule):
    """Starts and ends with given velocities, which jump to zero outside unless they are zero."""

    type: Literal["velocities"] = "velocities"
    start_m_s: Velocity3 = (0.0, 0.0, 0.0)
    end_m_s: Velocity3 = (0.0, 0.0, 0.0)

    @property
    def conditions(self) -> Any:
        """Return the given first derivatives."""
        return (1, np.array(self.start_m_s)), (1, np.array(self.end_m_s))


@configured
class Closed(EndRule):
    """Repeats for ever, before its first instant as well; the last waypoint is the first one again. Nothing ever jumps."""

    type: Literal["closed"] = "closed"
    closed = True

    @property
    def conditions(self) -> Any:
        """Return equal first and second derivatives at both ends."""
        return "periodic"

    def beyond(self, pieces: int, reach: int) -> tuple[Indices, Indices, int]:
        """Return several laps."""
        number = np.arange(-reach, pieces + reach + 1)
        return number % pieces, number[:-1] % pieces, reach


Ends = Annotated[AtRest | Natural | NotAKnot | EndVelocities | Closed, Field(discriminator="type")]
