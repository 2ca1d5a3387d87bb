"""A vehicle's way over gaps in the satellites: gyroscope and odometer, loosely coupled with fixes by a Kalman filter.

State: east, north, heading (from east to north), the gyroscope's bias and the odometer's scale. Between fixes
d psi = (w - b) dt, d(e, n) = k ds (cos psi, sin psi); a fix corrects the place, and its velocity the heading.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_SLOWEST_COURSE_M_S = 1.5


@dataclass(frozen=True)
class DeadReckoningNoise:
    """What the filter allows for."""

    turn_rad_s: float = 0.003
    """Noise of the gyroscope over a second."""
    bias_rad_s2: float = 2e-5
    """How its bias wanders."""
    distance: float = 0.02
    """Of the odometer, as a part of the way, over a metre."""
    scale: float = 1e-5
    fix_floor_m: float = 0.7
    """Standard deviation that a fix has at least: its errors last from one epoch to the next."""
    gate: float = 3.5
    """Standard deviations beyond which a fix is not believed."""
    patience: int = 25
    """After so many fixes that were not believed in a row the filter starts anew."""


@dataclass(frozen=True, eq=False)
class DeadReckoning:
    """Mean and covariance [5]; every step returns the next state."""

    mean: Floats
    covariance: Floats
    noise: DeadReckoningNoise
    refused: int = 0

    @classmethod
    def start(
        cls, place_m: Floats, covariance_m2: Floats, heading_rad: float, noise: DeadReckoningNoise | None = None
    ) -> DeadReckoning:
        """Return the state at a fix (east, north) with a heading known to some tenths of a radian."""
        covariance = np.diag([0.0, 0.0, 0.3**2, 0.01**2, 0.03**2])
        covariance[:2, :2] = covariance_m2[:2, :2] + np.eye(2)
        mean = np.array([place_m[0], place_m[1], heading_rad, 0.0, 1.0])
        return cls(mean, covariance, DeadReckoningNoise() if noise is None else noise)

    @property
    def place_m(self) -> Floats:
        """East and north."""
        return self.mean[:2]

    def turned(self, rate_rad_s: float, step_s: float) -> DeadReckoning:
        """Return the state after the gyroscope has measured this rate for a step."""
        mean, move = self.mean.copy(), np.eye(5)
        mean[2] += (rate_rad_s - mean[3]) * step_s
        move[2, 3] = -step_s
        covariance = move @ self.covariance @ move.T
        covariance[2, 2] += self.noise.turn_rad_s**2 * step_s
        covariance[3, 3] += self.noise.bias_rad_s2**2 * step_s
        return replace(self, mean=mean, covariance=covariance)

    def rolled(self, distance_m: float) -> DeadReckoning:
        """Return the state after the odometer has counted this distance."""
        mean, move = self.mean.copy(), np.eye(5)
        ahead = np.array([np.cos(mean[2]), np.sin(mean[2])])
        way = mean[4] * distance_m
        mean[:2] += way * ahead
        move[0, 2], move[1, 2] = -way * ahead[1], way * ahead[0]
        move[:2, 4] = distance_m * ahead
        covariance = move @ self.covariance @ move.T
        covariance[:2, :2] += self.noise.distance**2 * abs(distance_m) * np.outer(ahead, ahead) + 1e-6 * np.eye(2)
        covariance[4, 4] += self.noise.scale**2 * abs(distance_m)
        return replace(self, mean=mean, covariance=covariance)

    def corrected(
        self,
        place_m: Floats,
        covariance_m2: Floats,
        velocity_m_s: Floats | None = None,
        velocity_sigma_m_s: float = 0.2,
    ) -> DeadReckoning:
        """Return the state with a fix (east, north) in it, and with the course of its velocity if that is fast enough."""
        spread = covariance_m2[:2, :2] + self.noise.fix_floor_m**2 * np.eye(2)
        innovation = place_m[:2] - self.mean[:2]
        total = self.covariance[:2, :2] + spread
        if innovation @ np.linalg.solve(total, innovation) > self.noise.gate**2:
            if self.refused + 1 < self.noise.patience:
                return replace(self, refused=self.refused + 1)
            return DeadReckoning.start(place_m, covariance_m2, float(self.mean[2]), self.noise)
        state = self._taken(np.eye(2, 5), innovation, spread)
        speed = 0.0 if velocity_m_s is None else float(np.hypot(*velocity_m_s[:2]))
        if velocity_m_s is not None and speed > _SLOWEST_COURSE_M_S:
            course = float(np.arctan2(velocity_m_s[1], velocity_m_s[0]))
            left = (course - state.mean[2] + np.pi) % (2 * np.pi) - np.pi
            variance = (velocity_sigma_m_s / speed) ** 2 + 1e-4
            if left**2 < self.noise.gate**2 * (variance + state.covariance[2, 2]):
                state = state._taken(np.eye(1, 5, 2), np.array([left]), np.array([[variance]]))
        return replace(state, refused=0)

    def _taken(self, h: Floats, innovation: Floats, spread: Floats) -> DeadReckoning:
        gain = self.covariance @ h.T @ np.linalg.inv(h @ self.covariance @ h.T + spread)
        keep = np.eye(5) - gain @ h
        covariance = keep @ self.covariance @ keep.T + gain @ spread @ gain.T
        return replace(self, mean=self.mean + gain @ innovation, covariance=covariance)
