"""Sphere and floor: what an impact, sliding and rolling do to velocity and spin.

Solid or hollow, a sphere of mass m and radius R has the moment of inertia c m R^2 (c = 2/5 solid, 2/3 a thin shell).
Its lowest point moves over the floor with the slip u = v + w x (-R z). A tangential impulse m d on that point changes

    the velocity by d,  the spin by (-R z) x d / (c R^2) = (d_y, -d_x, 0) / (c R),  and so the slip by d (1 + 1/c).

The same holds for a force, per unit of time. (R. Garwin, American Journal of Physics 37, 1969, 88; R. Cross, ibid.
70, 2002, 1093.)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_ROUNDING = 1e-12


@dataclass(frozen=True)
class SphereOnFloor:
    """The numbers of a sphere on a level floor."""

    radius_m: float
    inertia_factor: float
    friction: float
    rolling_resistance: float
    gravity_m_s2: float

    def slip_m_s(self, velocity_m_s: Floats, spin_rad_s: Floats) -> Floats:
        """Return the horizontal velocity of the lowest point [3]; exactly zero where only rounding is left of it."""
        (vx, vy, _), (wx, wy, _) = velocity_m_s, spin_rad_s * self.radius_m
        slip = np.array([vx - wy, vy + wx, 0.0])
        return slip if np.abs(slip).max() > _ROUNDING * max(abs(vx), abs(vy), abs(wx), abs(wy)) else np.zeros(3)

    def spin_of(self, push: Floats) -> Floats:
        """Return the change of spin by a tangential impulse (force) per mass on the lowest point."""
        return np.array([push[1], -push[0], 0.0]) / (self.inertia_factor * self.radius_m)

    def rolling_spin_rad_s(self, velocity_m_s: Floats) -> Floats:
        """Return the horizontal spin that has no slip at this velocity."""
        return np.array([-velocity_m_s[1], velocity_m_s[0], 0.0]) / self.radius_m

    def bounced(self, velocity_m_s: Floats, spin_rad_s: Floats, restitution: float) -> tuple[Floats, Floats]:
        """Return velocity and spin after an impact on the floor.

        The normal impulse per mass is (1 + e) |v_z|. Friction acts against the slip, with at most `friction` times
        that, and stops when the slip is gone: then the sphere leaves rolling. The direction of the slip cannot
        change, and the spin about the vertical stays.
        """
        falling = -velocity_m_s[2]
        slip = self.slip_m_s(velocity_m_s, spin_rad_s)
        size, most = float(np.linalg.norm(slip)), self.friction * (1 + restitution) * falling
        after = velocity_m_s * np.array([1.0, 1.0, -restitution])
        if size == 0:
            return after, spin_rad_s
        to_grip = size / (1 + 1 / self.inertia_factor)
        push = -slip / size * min(to_grip, most)
        after += push
        if most < to_grip:
            return after, spin_rad_s + self.spin_of(push)
        return after, self.rolling_spin_rad_s(after) + spin_rad_s * np.array([0.0, 0.0, 1.0])

    def sliding(self, velocity_m_s: Floats, spin_rad_s: Floats) -> tuple[Floats, Floats, float]:
        """Return acceleration, rate of the spin, and how long the sphere slides: friction * g against the slip."""
        slip = self.slip_m_s(velocity_m_s, spin_rad_s)
        size = float(np.linalg.norm(slip))
        if size == 0 or self.friction == 0:
            return np.zeros(3), np.zeros(3), 0.0 if size == 0 else np.inf
        push = -slip / size * self.friction * self.gravity_m_s2
        return push, self.spin_of(push), size / (self.friction * self.gravity_m_s2 * (1 + 1 / self.inertia_factor))

    def rolling(self, velocity_m_s: Floats) -> tuple[Floats, Floats, float]:
        """Return acceleration, rate of the spin, and how long the sphere rolls.

        Rolling resistance is a torque k m g R against the rolling; with the friction that keeps the sphere from
        slipping it slows the centre by k g / (1 + c).
        """
        speed = float(np.linalg.norm(velocity_m_s[:2]))
        slowing = self.rolling_resistance * self.gravity_m_s2 / (1 + self.inertia_factor)
        if speed == 0 or slowing == 0:
            return np.zeros(3), np.zeros(3), np.inf
        acceleration = -slowing / speed * np.array([velocity_m_s[0], velocity_m_s[1], 0.0])
        return acceleration, self.rolling_spin_rad_s(acceleration), speed / slowing

    def pivoting(self, spin_rad_s: Floats) -> tuple[float, float]:
        """Return rate of the spin about the vertical, and how long it lasts: a torque k m g R, as for rolling."""
        spin = float(spin_rad_s[2])
        slowing = self.rolling_resistance * self.gravity_m_s2 / (self.inertia_factor * self.radius_m)
        return (0.0, np.inf) if spin == 0 or slowing == 0 else (-np.sign(spin) * slowing, abs(spin) / slowing)
