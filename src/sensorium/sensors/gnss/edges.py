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
_WAYS = np.stack((np.cos(np.arange(8) * np.pi / 4), np.sin(np.arange(8) * np.pi / 4)), 1)
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
    from sensorium.sensors.gnss import edge_kernels as kernels

    towards = np.ascontiguousarray(towards)
    across, rays = kernels.fan(towards, _FAN, _WAYS)
    far_m = _cast(view, place_m, rays)
    row, way, step, rays = kernels.finer(towards, across, far_m, _FAN, _WAYS, _FINE)
    met_m = _cast(view, place_m, rays) if len(row) else np.empty((0, len(_FINE)))
    angle, distance = kernels.nearest_edges(far_m, met_m, row, way, step, _FAN, _FINE)
    return Edges(~np.isfinite(far_m[:, 0]), angle, distance)


def _cast(view: View, place_m: Floats, directions: Floats) -> Floats:
    """Return the distances [K, A] of what the rays meet; infinite where nothing."""
    flat = directions.reshape(-1, 3)
    times = np.full(len(flat), view.window.start_ns)
    origin = np.broadcast_to(place_m, flat.shape)
    hits = view.cast(Rays(np.ascontiguousarray(origin), flat, times, NEAR_M, together=True))
    return hits.distance_m.reshape(directions.shape[:2])
