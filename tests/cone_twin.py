"""The cone sensor again, slow and obvious: segments fan out over every triangle, each is searched by halving.

Triangle and cone are convex, so that along a segment the excess over the cone is convex and its inside one piece, and over
the fan the smallest distance falls and then rises: a grid that zooms in on the best one cannot miss it.
"""

from __future__ import annotations

import numpy as np


def excess(points, a, b, deepest=np.inf):
    """How far points [..., 3] are out of the cone, a convex function; at most 0 inside."""
    x, y, z = np.moveaxis(points, -1, 0)
    return np.maximum(np.hypot(y / a, z / b) - x, x - deepest)


def inside(points, a, b, deepest=np.inf, slack=0.0):
    """Whether points [..., 3] are in the cone; slack in metres per metre."""
    return excess(points, a, b, deepest) <= slack * (1 + np.abs(points[..., 0]))


def _of_segments(start, way, cone):
    """Excess and distance [S] of the best point of segments start + t way [S, 3], t in [0, 1]."""

    def at(t):
        return excess(start + t[:, None] * way, *cone)

    low, high = np.zeros(len(way)), np.ones(len(way))
    for _ in range(70):  # the smallest excess, by thirds
        one, two = low + (high - low) / 3, high - (high - low) / 3
        left = at(one) <= at(two)
        low, high = np.where(left, low, one), np.where(left, two, high)
    best = (low + high) / 2
    ends = []
    for end in (np.zeros(len(way)), np.ones(len(way))):
        out, within = end, np.where(at(end) <= 0, end, best)
        for _ in range(48):
            half = (out + within) / 2
            ok = at(half) <= 0
            out, within = np.where(ok, out, half), np.where(ok, half, within)
        ends.append(within)
    foot = -(way @ start) / np.maximum((way**2).sum(1), 1e-300)
    t = np.clip(foot, ends[0], ends[1])
    return at(best), np.linalg.norm(start + t[:, None] * way, axis=1)


def nearest_of_triangle(triangle, a, b, deepest=np.inf, farthest=np.inf):
    """Smallest distance from the origin to a point of the triangle [3, 3] in the cone, inf if it has none there."""
    low, high, best = 0.0, 1.0, np.inf
    for _ in range(7):
        s = np.linspace(low, high, 41)
        ends = triangle[1] + s[:, None] * (triangle[2] - triangle[1])
        out, distance = _of_segments(triangle[0], ends - triangle[0], (a, b, deepest))
        distance = np.where(out <= 1e-13, distance, np.inf)
        row = int(np.argmin(distance if np.isfinite(distance).any() else out))
        best = min(best, float(distance[row]))
        low, high = s[max(row - 1, 0)], s[min(row + 1, 40)]
    return best if best <= farthest else np.inf


def nearest_of_triangles(triangles, *cone):
    """The nearest of all [T, 3, 3]."""
    return min((nearest_of_triangle(triangle, *cone) for triangle in triangles), default=np.inf)
