"""What edges do to the direct signal: a knife edge beside the line of sight weakens it, one before it lets some round.

ITU-R P.526-15, section 4.1: v = theta sqrt(2 d / lambda) for an edge at distance d that stands theta into the line of sight
(negative: beside it) and a satellite that is infinitely far; the loss in dB is
J(v) = 6.9 + 20 lg(sqrt((v - 0.1)^2 + 1) + v - 0.1) for v > -0.78. The way round is longer by d (1 - cos theta).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.core.earth import SPEED_OF_LIGHT_M_S
from sensorium.scene.rays import Rays
from sensorium.scene.view import View

Floats = NDArray[np.float64]

NEAR_M = 0.05
"""Nothing nearer than this hides a satellite: the antenna's own housing."""
_FAN = np.deg2rad([0.6, 1.5, 3.0, 6.0, 12.0])
_ROUND = np.arange(8) * np.pi / 4
_FINE = np.arange(1, 8) / 8


@dataclass(frozen=True, eq=False)
class Edges:
    """Of K lines of sight."""

    direct: NDArray[np.bool_]
    """[K] whether nothing stands on it."""
    angle_rad: Floats
    """[K] of the nearest edge: positive into a hidden line of sight, negative beside a free one; infinite: none found."""
    distance_m: Floats
    """[K] to that edge."""

    def loss_db(self, frequency_hz: float) -> Floats:
        """Return the loss [K] at a frequency; infinite where a hidden signal finds no edge within 12 degrees."""
        with np.errstate(invalid="ignore", over="ignore"):
            v = self.angle_rad * np.sqrt(2 * self.distance_m * frequency_hz / SPEED_OF_LIGHT_M_S)
        return np.where(np.isfinite(self.angle_rad), knife_edge_db(v), np.where(self.direct, 0.0, np.inf))

    @property
    def detour_m(self) -> Floats:
        """[K] by how much the way round is longer; 0 for free lines of sight."""
        hidden = ~self.direct & np.isfinite(self.angle_rad)
        angle, distance = np.where(hidden, self.angle_rad, 0.0), np.where(hidden, self.distance_m, 0.0)
        return np.asarray(distance * (1 - np.cos(angle)))


def knife_edge_db(v: Floats) -> Floats:
    """Return J(v) in dB; 0 below -0.78."""
    x = np.where(np.isfinite(v), v, -1.0) - 0.1
    return np.where(v > -0.78, np.maximum(6.9 + 20 * np.log10(np.sqrt(x**2 + 1) + x), 0.0), 0.0)


def edges_of(view: View, place_m: Floats, towards: Floats) -> Edges:
    """Return what stands on and beside the lines of sight [K, 3] from the antenna: one fan of rays, and a finer one."""
    count, across = len(towards), _across(towards)
    angles = np.concatenate(([0.0], np.tile(_FAN, len(_ROUND))))
    round_ = np.concatenate(([0.0], np.repeat(_ROUND, len(_FAN))))
    far_m = _cast(view, place_m, _turned(towards, across, angles, round_))
    hidden = np.isfinite(far_m[:, 0])
    if not np.isfinite(far_m).any():
        return Edges(~hidden, np.full(count, np.inf), np.full(count, np.inf))
    fan = far_m[:, 1:].reshape(count, len(_ROUND), len(_FAN))
    other = np.isfinite(fan) != hidden[:, None, None]
    first = np.where(other.any(2), other.argmax(2), len(_FAN))
    nearest = first.min(1)
    rows, way = np.nonzero((first == nearest[:, None]) & (nearest < len(_FAN))[:, None])
    angle, distance = np.full(count, np.inf), np.full(count, np.inf)
    if len(rows):
        step = nearest[rows]
        high, low = _FAN[step], np.where(step > 0, _FAN[step - 1], 0.0)
        fine = low[:, None] + (high - low)[:, None] * _FINE
        met = _cast(view, place_m, _turned(towards[rows], across[rows], fine, _ROUND[way][:, None]))
        found, far = _edge(met, fine, low, high, hidden[rows], far_m[rows, 0], fan[rows, way, step])
        order = np.lexsort((found, rows))
        best = order[np.unique(rows[order], return_index=True)[1]]  # of the sides that are as near, the nearest
        angle[rows[best]], distance[rows[best]] = found[best], far[best]
    return Edges(~hidden, np.where(hidden | ~np.isfinite(angle), angle, -angle), distance)


def _edge(
    met: Floats, fine: Floats, low: Floats, high: Floats, hidden: NDArray[np.bool_], before_m: Floats, after_m: Floats
) -> tuple[Floats, Floats]:
    """Return angle and distance of the edge between the last angle that is as the line of sight and the first that is not."""
    other = np.isfinite(met) != hidden[:, None]
    place = np.where(other.any(1), other.argmax(1), met.shape[1])
    rows = np.arange(len(met))
    bounds = np.concatenate((low[:, None], fine, high[:, None]), 1)
    around = np.concatenate((before_m[:, None], met, after_m[:, None]), 1)
    solid = around[rows, np.where(hidden, place, place + 1)]
    solid = np.where(np.isfinite(solid), solid, before_m)
    return (bounds[rows, place] + bounds[rows, place + 1]) / 2, solid


def _across(towards: Floats) -> Floats:
    """Return two unit vectors [K, 2, 3] at right angles to each direction: upwards and to the side."""
    side = np.stack((towards[:, 1], -towards[:, 0], np.zeros(len(towards))), 1)
    flat = np.linalg.norm(side, axis=1) < 1e-9
    side[flat] = (1.0, 0.0, 0.0)
    side /= np.linalg.norm(side, axis=1, keepdims=True)
    return np.stack((np.cross(side, towards), side), 1)


def _turned(towards: Floats, across: Floats, angle: Floats, round_: Floats) -> Floats:
    """Return directions [K, A, 3] turned away from the lines of sight by angles [A] or [K, A] towards one side."""
    angle, round_ = np.broadcast_arrays(angle, round_)
    sideways = np.cos(round_)[..., None] * across[:, None, 0] + np.sin(round_)[..., None] * across[:, None, 1]
    return np.cos(angle)[..., None] * towards[:, None] + np.sin(angle)[..., None] * sideways


def _cast(view: View, place_m: Floats, directions: Floats) -> Floats:
    """Return the distances [K, A] of what the rays meet; infinite where nothing."""
    flat = directions.reshape(-1, 3)
    times = np.full(len(flat), view.window.start_ns)
    origin = np.broadcast_to(place_m, flat.shape)
    hits = view.cast(Rays(np.ascontiguousarray(origin), flat, times, NEAR_M, together=True))
    return hits.distance_m.reshape(directions.shape[:2])
