"""Alert: the predicted path of something crosses that of the vehicle, and when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from annotated_types import Gt, Lt
from numpy.typing import NDArray

from sensorium.core.configuration import configured
from sensorium.core.units import Metres, NonNegativeMetres, Number, PositiveMetres, PositiveSeconds
from sensorium.tracking.gaussian import Gaussian

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Alerts:
    """What each track may do."""

    probability: Floats
    """[N] largest probability, over the time ahead, that it is in the vehicle's way."""
    time_s: Floats
    """[N] until it enters, counted from now; infinite if it does not."""
    alert: NDArray[np.bool_]
    """[N]."""


@configured
class CollisionAlert:
    """Predicts tracks and vehicle with constant velocity and asks when they share the vehicle's way.

    The way is the road that the vehicle sweeps from its tail to where it comes to within the horizon, at least
    `shortest_way_m` ahead: a ball that crosses in front of a standing car is worth an alert as well. Frame: x along the way,
    y to the left, the origin at the vehicle.
    """

    type: Literal["collision_alert"] = "collision_alert"
    width_m: PositiveMetres = 2.0
    margin_m: NonNegativeMetres = 0.3
    tail_m: Metres = -1.0
    nose_m: Metres = 3.7
    shortest_way_m: PositiveMetres = 25.0
    highest_m: PositiveMetres = 3.0
    """What flies above does not matter."""
    horizon_s: PositiveSeconds = 4.0
    step_s: PositiveSeconds = 0.05
    least_probability: Annotated[Number, Gt(0), Lt(1)] = 0.5

    def assess(self, tracks: Gaussian, moving: NDArray[np.bool_], speed_m_s: float = 0.0) -> Alerts:
        """Judge tracks in the vehicle's frame on the ground; only those that move by themselves can alarm."""
        from scipy.special import ndtr

        ahead = np.arange(0.0, self.horizon_s + self.step_s / 2, self.step_s)
        place, velocity = tracks.position_m, tracks.velocity_m_s
        along = place[:, None, 0] + velocity[:, None, 0] * ahead
        across = place[:, None, 1] + velocity[:, None, 1] * ahead
        spread = np.sqrt(_variance(tracks, 1, ahead))
        half = self.width_m / 2 + self.margin_m
        inside = ndtr((half - across) / spread) - ndtr((-half - across) / spread)
        reach = max(self.shortest_way_m, self.nose_m + speed_m_s * self.horizon_s)
        length = np.sqrt(_variance(tracks, 0, ahead))
        inside *= ndtr((reach - along) / length) - ndtr((self.tail_m - along) / length)
        low = place[:, 2] < self.highest_m
        probability = np.where(moving & low, inside.max(1, initial=0.0), 0.0)
        enters = inside >= self.least_probability
        alert = enters.any(1) & moving & low
        time_s = np.where(alert, ahead[np.argmax(enters, 1)], np.inf)
        return Alerts(probability, time_s, alert)


def _variance(tracks: Gaussian, axis: int, ahead: Floats) -> Floats:
    """Return the variance [N, K] of a coordinate that is predicted with constant velocity."""
    first = axis * tracks.order
    p = tracks.covariance
    pp, pv, vv = p[:, first, first], p[:, first, first + 1], p[:, first + 1, first + 1]
    return np.asarray(np.maximum(pp[:, None] + 2 * pv[:, None] * ahead + vv[:, None] * ahead**2, 1e-9))
