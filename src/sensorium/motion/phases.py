"""Movement in phases of constant acceleration and constant angular acceleration, with the rotation that follows.

Within a phase p = p0 + v0 s + a s^2/2 and w = w0 + b s, both in the world frame. If b is parallel to w0 the rotation
is the exponential of the mean spin times s. Else no closed form is known, and the rotation is the exponential of the
Magnus series to sixth order (S. Blanes et al., Physics Reports 470, 2009, eq. 257) over steps so short that its error
is below 1e-11 rad.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sensorium.core.pose import Pose, multiply
from sensorium.core.vectors import cross
from sensorium.motion import rotation_vector
from sensorium.motion.motion import Kinematics

Floats = NDArray[np.float64]

_STEP_RAD = 0.1  # largest turn of one step of the series
_STEP_BEND_RAD = 0.0025  # largest b s^2 of one step


@dataclass(frozen=True, eq=False)
class Phase:
    """How a sphere moves from an instant on; all vectors [3] in the world frame."""

    start_s: float
    position_m: Floats
    velocity_m_s: Floats
    spin_rad_s: Floats
    acceleration_m_s2: Floats
    spin_rate_rad_s2: Floats

    def after(self, elapsed_s: float) -> Phase:
        """Return the state some time later, as the start of a phase with the same accelerations."""
        return replace(
            self,
            start_s=self.start_s + elapsed_s,
            position_m=self.position_m + (self.velocity_m_s + self.acceleration_m_s2 * (elapsed_s / 2)) * elapsed_s,
            velocity_m_s=self.velocity_m_s + self.acceleration_m_s2 * elapsed_s,
            spin_rad_s=self.spin_rad_s + self.spin_rate_rad_s2 * elapsed_s,
        )

    def steps(self, duration_s: float) -> list[Phase]:
        """Return the phase cut into pieces short enough for the series."""
        if not _bending(self.spin_rad_s, self.spin_rate_rad_s2).any():
            return [self]
        fastest = max(np.linalg.norm(self.spin_rad_s), np.linalg.norm(self.after(duration_s).spin_rad_s))
        bend = np.sqrt(np.linalg.norm(self.spin_rate_rad_s2) / _STEP_BEND_RAD)
        count = int(np.ceil(duration_s * max(fastest / _STEP_RAD, bend)))
        return [self.after(duration_s * number / count) for number in range(count)]


@dataclass(frozen=True, eq=False)
class Phases:
    """A table of phases [N], the last of which never ends."""

    start_s: Floats
    position_m: Floats
    velocity_m_s: Floats
    spin_rad_s: Floats
    acceleration_m_s2: Floats
    spin_rate_rad_s2: Floats
    quaternion: Floats
    """Orientation at the start of each phase [N, 4]."""
    repeat_s: float
    """The last phase is a flight that begins anew after this time, under way as before; infinite if it does not."""

    @classmethod
    def of(cls, phases: Sequence[Phase], quaternion: Floats, repeat_s: float) -> Phases:
        """Return the table of phases in order, with the orientation at the first one's start."""
        ends = [phase.start_s for phase in phases[1:]]
        cut = [step for phase, end in zip(phases, ends, strict=False) for step in phase.steps(end - phase.start_s)]
        cut.append(phases[-1])
        start = np.array([step.start_s for step in cut])
        spin, rate = np.array([step.spin_rad_s for step in cut]), np.array([step.spin_rate_rad_s2 for step in cut])
        turned = rotation_vector.quaternions(_turned(spin[:-1], rate[:-1], np.diff(start)[:, None]))
        return cls(
            start,
            np.array([step.position_m for step in cut]),
            np.array([step.velocity_m_s for step in cut]),
            spin,
            np.array([step.acceleration_m_s2 for step in cut]),
            rate,
            _products(np.concatenate((quaternion[None], turned))),
            repeat_s,
        )

    def at(self, since_s: Floats) -> Kinematics:
        """Return the kinematics at times [...] since the start; before it the body holds still."""
        since, moving = np.maximum(since_s, 0.0), (since_s >= 0)[..., None]
        row = np.searchsorted(self.start_s, since, "right") - 1
        whole_s = (since - self.start_s[row])[..., None]
        repeats = np.where(row == len(self.start_s) - 1, np.floor(whole_s[..., 0] / self.repeat_s), 0.0)[..., None]
        s = whole_s - repeats * self.repeat_s if np.isfinite(self.repeat_s) else whole_s
        velocity, acceleration, spin = self.velocity_m_s[row], self.acceleration_m_s2[row], self.spin_rad_s[row]
        level = velocity * np.array([1.0, 1.0, 0.0])
        position = self.position_m[row] + (velocity + acceleration * (s / 2)) * s + level * (whole_s - s)
        rate = self.spin_rate_rad_s2[row]
        turned = rotation_vector.quaternions(_turned(spin, rate, whole_s))
        return Kinematics(
            Pose(position, multiply(turned, self.quaternion[row])),
            (velocity + acceleration * s) * moving,
            (spin + rate * whole_s) * moving,
            acceleration * moving,
            rate * moving,
        )


def _turned(spin: Floats, rate: Floats, elapsed_s: Floats) -> Floats:
    """Return the rotation vectors [..., 3] in the world frame of a spin that changes linearly with time."""
    a, b, ab = (spin + rate * (elapsed_s / 2)) * elapsed_s, rate * elapsed_s**2, _bending(spin, rate) * elapsed_s**3
    aab = cross(a, ab)
    return np.asarray(a - ab / 12 + cross(ab, b) / 240 + cross(a, aab) / 720 - cross(ab, aab) / 14400)


def _bending(spin: Floats, rate: Floats) -> Floats:
    """Return spin x rate, exactly zero where only rounding is left of it: over a long phase that would grow."""
    product = cross(spin, rate)
    size = np.linalg.norm(spin, axis=-1, keepdims=True) * np.linalg.norm(rate, axis=-1, keepdims=True)
    return np.asarray(np.where(np.abs(product).max(-1, keepdims=True) > 1e-14 * size, product, 0.0))


def _products(quaternions: Floats) -> Floats:
    """Return q0, q1 q0, q2 q1 q0, ... by doubling."""
    result, step = quaternions.copy(), 1
    while step < len(result):
        result[step:] = multiply(result[step:], result[:-step])
        step *= 2
    return np.asarray(result / np.linalg.norm(result, axis=1, keepdims=True))
