"""The shape of groups of points: line, flat or round, from the spread along their own axes.

With the eigenvalues a >= b >= c of a group's covariance: linearity (a - b) / a, planarity (b - c) / a, sphericity c / a
(K. West et al., "Context-driven automated target detection in 3D data", Proc. SPIE 5426, 2004). A lamp post is a line, a wall
is flat. Of a small ball a LiDAR sees one side, whose spread across the line of sight is the same in both directions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
LINE, FLAT, ROUND, OTHER = 0, 1, 2, 3
"""Kinds of shapes, as the feature `kind` has them."""
_LINEAR, _FLAT, _ROUND_RATIO, _SMALL_M = 0.8, 0.6, 0.25, 0.6


@dataclass(frozen=True, eq=False)
class Shapes:
    """G groups; all arrays [G] but the extent."""

    count: NDArray[np.int64]
    extent_m: Floats
    """[G, 3] from end to end along the group's own axes, longest spread first."""
    linearity: Floats
    planarity: Floats
    sphericity: Floats

    @property
    def radius_m(self) -> Floats:
        """Half of the longest extent."""
        return self.extent_m[:, 0] / 2

    @property
    def kind(self) -> NDArray[np.int64]:
        """LINE, FLAT, ROUND or OTHER."""
        small = (self.extent_m[:, 0] < _SMALL_M) & (self.extent_m[:, 0] < 4 * np.maximum(self.extent_m[:, 1], 1e-6))
        ratio = 1 - self.linearity  # second over first spread
        kinds = np.full(len(self.count), OTHER)
        kinds[self.planarity > _FLAT] = FLAT
        kinds[small & (ratio > _ROUND_RATIO)] = ROUND
        kinds[(self.linearity > _LINEAR) & ~(kinds == ROUND)] = LINE
        return kinds

    @property
    def round(self) -> NDArray[np.bool_]:
        """Whether it is small and as wide as it is high."""
        return np.asarray(self.kind == ROUND)

    def columns(self) -> dict[str, Floats]:
        """Return all features by name."""
        return {
            "count": self.count.astype(np.float64),
            "length_m": self.extent_m[:, 0],
            "width_m": self.extent_m[:, 1],
            "thickness_m": self.extent_m[:, 2],
            "linearity": self.linearity,
            "planarity": self.planarity,
            "sphericity": self.sphericity,
            "kind": self.kind.astype(np.float64),
        }


def shapes_of(points_m: Floats, groups: NDArray[np.intp]) -> Shapes:
    """Return the shapes of groups 0 .. G-1; points [N, 3] are sorted by their group [N]."""
    size = int(groups.max()) + 1 if len(groups) else 0
    count = np.bincount(groups, minlength=size).astype(np.int64)
    if not size:
        none = np.empty(0)
        return Shapes(count, np.empty((0, 3)), none, none, none)
    mean = np.stack([np.bincount(groups, points_m[:, k], size) / count for k in range(3)], -1)
    off = points_m - mean[groups]
    covariance = np.empty((size, 3, 3))
    for a in range(3):
        for b in range(a + 1):
            covariance[:, a, b] = covariance[:, b, a] = np.bincount(groups, off[:, a] * off[:, b], size) / count
    values, axes = np.linalg.eigh(covariance)
    values, axes = np.maximum(values[:, ::-1], 0.0), axes[:, :, ::-1]
    along = np.einsum("ni,nik->nk", off, axes[groups])
    starts = np.searchsorted(groups, np.arange(size))
    extent = np.maximum.reduceat(along, starts) - np.minimum.reduceat(along, starts)
    a, b, c = np.maximum(values[:, 0], 1e-12), values[:, 1], values[:, 2]
    return Shapes(count, extent, (a - b) / a, (b - c) / a, c / a)
