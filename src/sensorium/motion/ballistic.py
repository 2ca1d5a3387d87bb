"""A thrown sphere: flight under gravity, bounces with friction and spin, sliding and rolling to rest."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Annotated, Literal, Self

import numpy as np
from annotated_types import Gt, Le
from numpy.typing import NDArray
from pydantic import model_validator

from sensorium.core.configuration import configured
from sensorium.core.errors import ConfigurationError, Problem
from sensorium.core.pose import Pose
from sensorium.core.time import Times, nanoseconds, seconds
from sensorium.core.units import (
    STANDARD_GRAVITY_M_S2,
    Angles3,
    AngularVelocity3,
    Fraction,
    Metres,
    MetresPerSecond,
    MetresPerSecond2,
    NonNegativeNumber,
    Number,
    PositiveMetres,
    Seconds,
    Vector3,
    Velocity3,
)
from sensorium.motion.motion import Kinematics, Motion
from sensorium.motion.phases import Phase, Phases
from sensorium.motion.sphere_contact import SphereOnFloor

Floats = NDArray[np.float64]

_MOST_BOUNCES = 10_000


@configured
class Ballistic(Motion):
    """Flies from its start without drag: p = p0 + v0 s - g s^2/2, with a constant spin; then meets a level floor.

    An impact turns the vertical speed v into e v and changes velocity and spin by friction (`sphere_contact`). An
    impact after which the sphere would rise with less than `rest_speed_m_s` is the last one and fully inelastic. From
    then on the sphere slides until it rolls, and rolls slower and slower until it rests. Before its start it holds
    still. Velocity and spin jump at the start and at every impact; the acceleration is that between them.
    """

    type: Literal["ballistic"] = "ballistic"
    position_m: Vector3
    """Centre of the sphere at the start."""
    velocity_m_s: Velocity3 = (0.0, 0.0, 0.0)
    angular_velocity_rad_s: AngularVelocity3 = (0.0, 0.0, 0.0)
    """Spin at the start, in the world frame."""
    rpy_rad: Angles3 = (0.0, 0.0, 0.0)
    """Orientation at the start."""
    start_s: Seconds = 0.0
    radius_m: PositiveMetres
    inertia_factor: Annotated[Number, Gt(0), Le(2 / 3)] = 0.4
    """Moment of inertia over mass times radius squared: 2/5 for a solid sphere, 2/3 for a thin shell."""
    restitution: Fraction = 0.7
    """Speed away from the floor over speed towards it."""
    friction: NonNegativeNumber = 0.4
    """Coulomb coefficient between sphere and floor, at impacts and in sliding."""
    rolling_resistance: NonNegativeNumber = 0.02
    """Torque against rolling, and against spin about the vertical, over weight times radius; 0 rolls for ever."""
    rest_speed_m_s: Annotated[MetresPerSecond, Gt(0)] = 0.01
    """Slowest rise after an impact that still counts as a bounce."""
    ground_m: Metres = 0.0
    """Height of the floor."""
    gravity_m_s2: Annotated[MetresPerSecond2, Gt(0)] = STANDARD_GRAVITY_M_S2

    @model_validator(mode="after")
    def _can_fly(self) -> Self:
        lowest = self.position_m[2] - self.radius_m
        if lowest < self.ground_m - 1e-9:
            what = f"the sphere's lowest point is at {lowest:g} m, below the floor at {self.ground_m:g} m; raise it"
            raise ConfigurationError([Problem("position_m", what)])
        bounces = self._most_bounces()
        if bounces > _MOST_BOUNCES:
            what = (
                f"the sphere would bounce {bounces:.0f} times before its movement is simple; at most {_MOST_BOUNCES}. "
                "Use a smaller restitution, exactly 1, a larger friction or a larger rest_speed_m_s"
            )
            raise ConfigurationError([Problem("restitution", what)])
        return self

    def _most_bounces(self) -> float:
        """Return an upper bound of the bounces until rest, or with restitution 1 until friction has no more to do."""
        e, rise = self.restitution, self.restitution * math.hypot(*self._impact())
        if rise < self.rest_speed_m_s or e == 0:
            return 1
        if e < 1:
            return 2 + math.log(rise / self.rest_speed_m_s) / -math.log(e)
        floor = self._floor
        slip = float(np.linalg.norm(floor.slip_m_s(np.array(self.velocity_m_s), np.array(self.angular_velocity_rad_s))))
        return 2 + (slip / (2 * self.friction * rise * (1 + 1 / self.inertia_factor)) if self.friction else 0)

    @property
    def _floor(self) -> SphereOnFloor:
        resistance, gravity = self.rolling_resistance, self.gravity_m_s2
        return SphereOnFloor(self.radius_m, self.inertia_factor, self.friction, resistance, gravity)

    def _impact(self) -> tuple[float, float]:
        """Return the two speeds whose squares add to that of the first impact: v^2 + 2 g h."""
        height = max(0.0, self.position_m[2] - self.radius_m - self.ground_m)
        return self.velocity_m_s[2], math.sqrt(2 * self.gravity_m_s2 * height)

    @cached_property
    def _table(self) -> Phases:
        phases = list(self._flights())
        last = phases[-1]
        flies_on = last.acceleration_m_s2[2] < 0
        repeat_s = 2 * float(last.velocity_m_s[2]) / self.gravity_m_s2 if flies_on else np.inf
        return Phases.of(phases, Pose.from_rpy((0.0, 0.0, 0.0), self.rpy_rad).quaternion, repeat_s)

    def _flights(self) -> Iterator[Phase]:
        """Yield the phases in order; with restitution 1 the last one is a flight that repeats for ever."""
        g, floor = self.gravity_m_s2, self._floor
        fall = np.array([0.0, 0.0, -g])
        place, velocity, spin = (np.array(v) for v in (self.position_m, self.velocity_m_s, self.angular_velocity_rad_s))
        state = Phase(0.0, place, velocity, spin, fall, np.zeros(3))
        impact = math.hypot(*self._impact())
        flight_s = (self.velocity_m_s[2] + impact) / g
        while True:
            if flight_s > 0:
                yield state
            landed = state.after(flight_s)
            landed.position_m[2], landed.velocity_m_s[2] = self.ground_m + self.radius_m, -impact
            rest = self.restitution * impact < self.rest_speed_m_s
            velocity, spin = floor.bounced(landed.velocity_m_s, landed.spin_rad_s, 0.0 if rest else self.restitution)
            state = replace(landed, velocity_m_s=velocity, spin_rad_s=spin)
            if rest:
                yield from self._on_floor(state)
                return
            unchanged = (spin == landed.spin_rad_s).all() and (velocity[:2] == landed.velocity_m_s[:2]).all()
            if self.restitution == 1 and unchanged:
                yield state
                return
            impact = float(velocity[2])
            flight_s = 2 * impact / g

    def _on_floor(self, state: Phase) -> Iterator[Phase]:
        """Yield sliding, rolling and rest; the spin about the vertical ends in its own time."""
        floor = self._floor
        while True:
            push, spin_rate, slides_s = floor.sliding(state.velocity_m_s, state.spin_rad_s)
            rolls = slides_s == 0
            if rolls:
                push, spin_rate, lasts_s = floor.rolling(state.velocity_m_s)
            else:
                lasts_s = slides_s
            pivot_rate, pivots_s = floor.pivoting(state.spin_rad_s)
            state = replace(state, acceleration_m_s2=push, spin_rate_rad_s2=spin_rate + np.array([0, 0, pivot_rate]))
            yield state
            duration_s = min(lasts_s, pivots_s)
            if duration_s == np.inf:
                return
            state = state.after(duration_s)
            if lasts_s == duration_s:  # what friction has worn off is exactly zero, whatever rounding leaves
                velocity = np.zeros(3) if rolls else state.velocity_m_s
                level = floor.rolling_spin_rad_s(velocity)
                state = replace(state, velocity_m_s=velocity, spin_rad_s=level + state.spin_rad_s * np.array([0, 0, 1]))
            if pivots_s == duration_s:
                state = replace(state, spin_rad_s=state.spin_rad_s * np.array([1, 1, 0]))

    def _since_s(self, times_ns: Times) -> Floats:
        return seconds(times_ns, nanoseconds(self.start_s))

    def pose_at(self, times_ns: Times) -> Pose:
        """Return T_world_body at times [...]; the body's origin is the centre of the sphere."""
        return self.kinematics_at(times_ns).pose

    def kinematics_at(self, times_ns: Times) -> Kinematics:
        """Return pose and exact derivatives at times [...]; at the instant of an impact those after it."""
        return self._table.at(self._since_s(times_ns))
