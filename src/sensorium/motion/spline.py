"""A smooth path through waypoints, whose velocity and acceleration are the exact derivatives of its polynomials."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Annotated, Literal, Self

import numpy as np
from annotated_types import Ge, Le
from numpy.typing import ArrayLike, NDArray
from pydantic import Field, model_validator

from sensorium.core.configuration import configured
from sensorium.core.errors import ConfigurationError, Problem
from sensorium.core.pose import Pose
from sensorium.core.time import Times, nanoseconds
from sensorium.core.units import Angles3, Number, Seconds, Vector3, quantity
from sensorium.motion import cubics
from sensorium.motion.ends import AtRest, EndRule, Ends, NotAKnot
from sensorium.motion.orientation import AlongPath, Orientation
from sensorium.motion.path import Path
from sensorium.motion.path_motion import PathMotion
from sensorium.motion.timeline import Timeline

Floats = NDArray[np.float64]

_LONGEST_S = 4e9  # more than a century, and the difference of two times fits 64 bits of nanoseconds


@configured
class Waypoint:
    """A place at a time, and if wished how the body is turned there."""

    time_s: Annotated[Seconds, Ge(-_LONGEST_S), Le(_LONGEST_S)]
    position_m: Vector3
    rpy_rad: Angles3 | None = None
    quaternion_wxyz: tuple[Number, Number, Number, Number] | None = None

    @model_validator(mode="after")
    def _has_one_orientation(self) -> Self:
        if self.rpy_rad is not None and self.quaternion_wxyz is not None:
            raise ValueError("give either rpy_rad or quaternion_wxyz, not both")
        if self.quaternion_wxyz is not None and abs(float(np.linalg.norm(self.quaternion_wxyz)) - 1) > 1e-3:
            raise ValueError(f"quaternion_wxyz must have length 1, found {list(self.quaternion_wxyz)}")
        return self

    @property
    def turned(self) -> bool:
        """Whether the waypoint says how the body is turned."""
        return self.rpy_rad is not None or self.quaternion_wxyz is not None

    @property
    def pose(self) -> Pose:
        """The body's pose here; without turn if the waypoint says nothing of it."""
        if self.quaternion_wxyz is not None:
            return Pose(np.array(self.position_m), np.array(self.quaternion_wxyz))
        return Pose.from_rpy(self.position_m, self.rpy_rad or (0.0, 0.0, 0.0))


@configured
class Spline(PathMotion):
    """A cubic spline through waypoints (piecewise polynomials with continuous acceleration; C. de Boor, 1978, ch. IV).

    Two neighbouring waypoints at exactly the same place are a stop: the body comes to rest, stands, and starts from
    rest. Before the first and after the last waypoint the body holds still, unless the ends are `Closed`: then the
    velocity jumps at both, except for ends at rest.
    """

    type: Literal["spline"] = "spline"
    waypoints: tuple[Waypoint, ...]
    """At least two, in the order of their times."""
    orientation: Orientation = Field(default_factory=AlongPath)
    ends: Ends = Field(default_factory=AtRest)

    @classmethod
    def through(
        cls,
        points_m: ArrayLike,
        speed_m_s: float | str,
        *,
        start_s: float = 0.0,
        orientation: Orientation | None = None,
        ends: Ends | None = None,
    ) -> Spline:
        """Return the path through points [N, 3] that covers the length of the curve between any two at one mean speed.

        The ends are `NotAKnot` unless said otherwise, so that the body is under way at both. For a closed path the
        first point need not be repeated.
        """
        ends = NotAKnot() if ends is None else ends
        points = _checked(points_m, ends.closed)
        times_s = start_s + np.concatenate(([0.0], np.cumsum(_even_spans_s(points, _speed(speed_m_s), ends))))
        waypoints = tuple(
            Waypoint(time_s=float(time_s), position_m=(float(x), float(y), float(z)))
            for time_s, (x, y, z) in zip(times_s, points, strict=True)
        )
        return cls(waypoints=waypoints, orientation=AlongPath() if orientation is None else orientation, ends=ends)

    @model_validator(mode="after")
    def _is_a_path(self) -> Self:
        problems = [*self._problems_of_times(), *self._problems_of_orientations(), *self._problems_of_lap()]
        if problems:
            raise ConfigurationError(problems)
        return self

    def _problems_of_times(self) -> Iterator[Problem]:
        count = len(self.waypoints)
        if count < 2:
            yield Problem(
                "waypoints", f"a path needs at least 2 waypoints, found {count}; for one place take type 'fixed'"
            )
        for number in np.flatnonzero(np.diff(self._knots_ns) <= 0):
            before, after = self.waypoints[number].time_s, self.waypoints[number + 1].time_s
            where = f"waypoints[{number + 1}].time_s"
            yield Problem(where, f"times must increase, found {after} s after a waypoint at {before} s")

    def _problems_of_orientations(self) -> Iterator[Problem]:
        needed, rule = self.orientation.needs_orientations, self.orientation.type
        for number, waypoint in enumerate(self.waypoints):
            if needed and not waypoint.turned:
                yield Problem(f"waypoints[{number}]", f"needs rpy_rad or quaternion_wxyz for orientation '{rule}'")
            if waypoint.turned and not needed:
                yield Problem(
                    f"waypoints[{number}]",
                    f"says how the body is turned, but the orientation is '{rule}'; leave the turn out, or set the "
                    "orientation to {type: at_waypoints}",
                )

    def _problems_of_lap(self) -> Iterator[Problem]:
        if not self.ends.closed or len(self.waypoints) < 2:
            return
        (first, last), where = (self.waypoints[0], self.waypoints[-1]), f"waypoints[{len(self.waypoints) - 1}]"
        if np.abs(np.subtract(first.position_m, last.position_m)).max() > 1e-9:
            yield Problem(
                f"{where}.position_m",
                f"a closed path ends where it starts, at {list(first.position_m)}, found {list(last.position_m)}; "
                "add the first waypoint once more, at the time when the lap is done",
            )
        if first.turned and last.turned and abs(float(first.pose.quaternion @ last.pose.quaternion)) < 1 - 1e-9:
            yield Problem(where, "a closed path ends as it starts, but the first waypoint is turned differently")

    @cached_property
    def _knots_ns(self) -> Times:
        return np.array([nanoseconds(waypoint.time_s) for waypoint in self.waypoints], np.int64)

    @cached_property
    def path(self) -> Path:
        """The polynomials."""
        points = np.array([waypoint.position_m for waypoint in self.waypoints])
        turned = self.orientation.needs_orientations
        quaternions = np.array([waypoint.pose.quaternion for waypoint in self.waypoints]) if turned else None
        spans = np.diff(self._knots_ns) * 1e-9
        position = cubics.through(points, spans, self.ends)
        attitude = self.orientation.attitude(position, spans, quaternions, self.ends)
        return Path(Timeline.of(self._knots_ns, self.ends.closed), position, attitude)


def _speed(speed_m_s: float | str) -> float:
    speed = quantity(speed_m_s, "m/s") if isinstance(speed_m_s, str) else float(speed_m_s)
    if not 0 < speed < np.inf:
        raise ConfigurationError(f"speed_m_s must be positive and finite, found {speed_m_s}")
    return speed


def _checked(points_m: ArrayLike, closed: bool) -> Floats:
    """Return points that follow each other at some distance; a closed path ends with its first point."""
    points = np.asarray(points_m, np.float64)
    if points.ndim != 2 or points.shape[1] != 3 or len(points) < 2:
        raise ConfigurationError(f"points_m must be at least 2 points of x, y, z: [N, 3], found shape {points.shape}")
    if not np.isfinite(points).all():
        raise ConfigurationError("points_m must be finite, found NaN or infinity")
    if closed and (points[0] != points[-1]).any():
        points = np.concatenate((points, points[:1]))
    for number in np.flatnonzero((points[1:] == points[:-1]).all(1)):
        raise ConfigurationError(
            f"points_m[{number + 1}] is the same as the one before, {points[number].tolist()}, which takes "
            "no time at any speed; remove it, or give waypoints with times to stop there"
        )
    return points


def _even_spans_s(points_m: Floats, speed_m_s: float, ends: EndRule) -> Floats:
    """Return times between points: of the chords first, then of the curves' lengths, until the two agree."""
    nodes, weights = np.polynomial.legendre.leggauss(8)
    spans = np.linalg.norm(np.diff(points_m, axis=0), axis=1) / speed_m_s
    for _ in range(5):
        velocity = cubics.derivative(cubics.through(points_m, spans, ends))
        at = [np.linalg.norm(cubics.value(velocity, spans * (node + 1) / 2), axis=0) for node in nodes]
        spans = weights @ np.array(at) * spans / 2 / speed_m_s
    return np.asarray(spans)
