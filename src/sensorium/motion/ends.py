"""What a spline does at its two ends: the conditions that, with the waypoints, make a cubic spline unique."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.units import Velocity3


class EndRule(ABC):
    """Base of the ends: boundary conditions for the position, and what rotations need to know."""

    closed = False
    """True when the path repeats for ever."""
    rest = False
    """True when the body does not turn at the ends."""

    @property
    @abstractmethod
    def conditions(self) -> Any:
        """Return the `bc_type` of scipy.interpolate.CubicSpline: a pair for start and end, or "periodic"."""


@configured
class AtRest(EndRule):
    """Starts from rest and comes to rest, so that velocity does not jump where the body begins and ceases to move."""

    type: Literal["at_rest"] = "at_rest"
    rest = True

    @property
    def conditions(self) -> Any:
        """Return zero first derivatives."""
        return (1, np.zeros(3)), (1, np.zeros(3))


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
    """Repeats for ever, also before its first instant; the last waypoint is the first one again, and nothing jumps."""

    type: Literal["closed"] = "closed"
    closed = True

    @property
    def conditions(self) -> Any:
        """Return equal first and second derivatives at both ends."""
        return "periodic"


Ends = Annotated[AtRest | Natural | NotAKnot | EndVelocities | Closed, Field(discriminator="type")]
