"""What comes back to the aperture: the echo of every ray, and the few that come over mirrors, through glass and as stray light."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from sensorium.scene.rays import Hits, Rays

NOISE = -(2**62)
"""Source of a return that no echo made; -1 is the air, -2 crosstalk, a ray's echo has its row, a later one -3 - its number."""


@dataclass(frozen=True, eq=False)
class FirstEchoes:
    """The echo of every ray from the first surface it meets; row k R + r is ray r of beam k."""

    distance_m: NDArray[np.float64]
    """[N R], infinity where nothing was met."""
    power_w: NDArray[np.float32]
    """[N R] at the receiver."""


@dataclass(frozen=True, eq=False)
class Seen:
    """What every ray of a scan met first; row k R + r is ray r of beam k."""

    body: NDArray[np.int32]
    """[N R] -1: nothing."""
    part: NDArray[np.int32]
    incidence_cos: NDArray[np.float32]

    @classmethod
    def room(cls, rays: int) -> Seen:
        """Return empty rows, to be filled."""
        return cls(np.empty(rays, np.int32), np.empty(rays, np.int32), np.empty(rays, np.float32))


@dataclass(frozen=True, eq=False)
class FoundEchoes:
    """Echoes beside those of the first surfaces [M], in any order."""

    beam: NDArray[np.int64]
    distance_m: NDArray[np.float64]
    power_w: NDArray[np.float64]
    cause: NDArray[np.int8]
    body: NDArray[np.int32]
    part: NDArray[np.int32]
    incidence_cos: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LaterEchoes:
    """Echoes over mirrors, through glass and of stray light, sorted by beam; `first[k]` is the first one of beam k."""

    first: NDArray[np.int64]
    """[N + 1]"""
    distance_m: NDArray[np.float64]
    """[M] the range that a clock would read: optical path there and back, halved."""
    power_w: NDArray[np.float64]
    """[M]"""
    cause: NDArray[np.int8]
    """[M] `samples.Cause`."""
    body: NDArray[np.int32]
    part: NDArray[np.int32]
    incidence_cos: NDArray[np.float64]

    @classmethod
    def none(cls, beams: int) -> LaterEchoes:
        """Return no echoes for some beams."""
        reals, whole = np.zeros(0), np.zeros(0, np.int32)
        return cls(np.zeros(beams + 1, np.int64), reals, reals, np.zeros(0, np.int8), whole, whole, reals)

    @classmethod
    def joined(cls, found: list[FoundEchoes], beams: int) -> LaterEchoes:
        """Return everything that was found, by beam; echoes of a beam stay in the order in which they were found."""
        from sensorium.sensors.lidar import tree_kernels

        if not found:
            return cls.none(beams)
        order, first = tree_kernels.sorted_by_beam(np.concatenate([some.beam for some in found]), beams)
        columns = (
            np.concatenate([getattr(some, name) for some in found])[order]
            for name in ("distance_m", "power_w", "cause", "body", "part", "incidence_cos")
        )
        return cls(first, *columns)


@dataclass(frozen=True, eq=False)
class Met:
    """Rays, and what each met first."""

    rays: Rays
    hits: Hits

    def rows(self, chosen: NDArray[np.intp]) -> Met:
        """Return some rays and what they met."""
        rays, hits = self.rays, self.hits
        picked = (getattr(hits, field.name)[chosen] for field in fields(Hits))
        where = rays.origin_m[chosen], rays.direction[chosen], rays.time_ns[chosen]
        return Met(Rays(*where, rays.near_m, rays.far_m), Hits(*picked))
