"""The language between those who ask for rays and those who trace them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sensorium.core.time import Times, TimeWindow

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Rays:
    """N rays in the world frame. Directions need not have unit length; distances are always metres."""

    origin_m: Floats
    """[N, 3]"""
    direction: Floats
    """[N, 3], finite and not zero."""
    time_ns: Times
    """[N], inside the window of the caster that is asked."""
    near_m: float = 0.0
    """A hit nearer than this is ignored."""
    far_m: float = np.inf
    """A hit farther than this is ignored."""
    together: bool = False
    """Whether rays side by side in the list run side by side in space: a tracer may follow them together, three times as fast."""

    def __len__(self) -> int:
        return len(self.origin_m)


@dataclass(frozen=True, eq=False)
class Hits:
    """What N rays met. A ray that met nothing has distance infinity and -1 in all numbers."""

    distance_m: Floats
    """[N] along the ray from its origin."""
    body: NDArray[np.int32]
    """[N] number of the body in the scene."""
    part: NDArray[np.int32]
    """[N] number of the part inside the body's model."""
    triangle: NDArray[np.int32]
    """[N] number of the triangle inside the part's mesh."""
    barycentric: NDArray[np.float32]
    """[N, 2] weights (u, v) of the triangle's second and third corner."""
    normal: NDArray[np.float32]
    """[N, 3] geometric unit normal, world frame, on the side from which the corners run counter-clockwise."""

    @property
    def hit(self) -> NDArray[np.bool_]:
        """[N] whether the ray met anything."""
        return self.body >= 0


class RayCaster(Protocol):
    """A scene during one time window, near one place: ready for rays."""

    def cast(self, rays: Rays) -> Hits:
        """Return the nearest hit of each ray."""

    def occluded(self, rays: Rays) -> NDArray[np.bool_]:
        """Return for each ray whether anything lies on it between near_m and far_m."""


class Tracer(Protocol):
    """Traces rays through a scene whose bodies move while the rays are sent."""

    def during(self, window: TimeWindow, near_m: Floats) -> RayCaster:
        """Return a caster for rays with times in this window that start or end near this place [3] (world, metres)."""
