"""How a body on a path is turned: along its path, through given orientations, or not at all."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.pose import Pose
from sensorium.core.units import Angles3
from sensorium.motion.attitude import Attitude, Turns
from sensorium.motion.ends import EndRule
from sensorium.motion.heading import Headings

Floats = NDArray[np.float64]


class OrientationRule(ABC):
    """Base of the ways to turn a body on a path."""

    needs_orientations = False
    """True when every waypoint must say how the body is turned there; False when none may."""

    @abstractmethod
    def attitude(self, position_m: Floats, spans_s: Floats, quaternions: Floats | None, ends: EndRule) -> Attitude:
        """Return the rotation along a position's coefficients [4, 3, pieces]; quaternions [pieces + 1, 4] or none."""


@configured
class AlongPath(OrientationRule):
    """The nose follows the path: yaw = atan2(vy, vx), no roll, and no pitch unless `climb` is set.

    Where the body stops, it keeps the heading at which it came. If it leaves in another direction after standing
    between two waypoints at one place, it turns on the spot while it stands. Where a path turns back without
    standing, the heading jumps by half a turn. Before it first moves, a body has the heading at which it will leave.
    """

    type: Literal["along_path"] = "along_path"
    climb: bool = False
    """Pitch the nose up and down with the slope of the path: pitch = -atan2(vz, horizontal speed)."""

    def attitude(self, position_m: Floats, spans_s: Floats, quaternions: Floats | None, ends: EndRule) -> Attitude:
        """Return the heading, with its exact rates."""
        return Headings.along(position_m, spans_s, 3 if self.climb else 2, ends.closed)


@configured
class AtWaypoints(OrientationRule):
    """The waypoints say how the body is turned there; a C2 rotation spline lies between them.

    Neighbouring orientations must be less than half a turn apart, else the body turns the short way round. At ends
    that are `AtRest` the angular velocity is zero too; `Closed` paths repeat their rotation as smoothly as their
    position; at all other ends there is no angular acceleration.
    """

    type: Literal["at_waypoints"] = "at_waypoints"
    needs_orientations = True

    def attitude(self, position_m: Floats, spans_s: Floats, quaternions: Floats | None, ends: EndRule) -> Attitude:
        """Return the rotation spline through the quaternions."""
        assert quaternions is not None, "checked where the waypoints are"
        return Turns.through(quaternions, spans_s, ends)


@configured
class Facing(OrientationRule):
    """The body keeps one orientation, like a machine's slide."""

    type: Literal["facing"] = "facing"
    rpy_rad: Angles3 = (0.0, 0.0, 0.0)

    def attitude(self, position_m: Floats, spans_s: Floats, quaternions: Floats | None, ends: EndRule) -> Attitude:
        """Return the one orientation."""
        return Turns.none(Pose.from_rpy((0.0, 0.0, 0.0), self.rpy_rad).quaternion, len(spans_s))


Orientation = Annotated[AlongPath | AtWaypoints | Facing, Field(discriminator="type")]
