"""Fans of rays about lines of sight, and the edges that they find. Import this lazily: it loads Numba."""

from __future__ import annotations

import math

import numba as nb
import numpy as np

_jit = nb.njit(cache=True, nogil=True, error_model="numpy")


@_jit
def _turned(towards, across, angle, way, out):  # type: ignore[no-untyped-def]
    """Write the direction turned away from a line of sight by an angle, towards the side [2] that is told by cosine and sine."""
    c, s = math.cos(angle), math.sin(angle)
    for a in range(3):
        out[a] = c * towards[a] + s * (way[0] * across[0, a] + way[1] * across[1, a])


@_jit
def fan(towards, angles, ways):  # type: ignore[no-untyped-def]
    """Return for directions [K, 3] the unit vectors upwards and to the side [K, 2, 3] and rays [K, 1 + W * A, 3].

    The first ray is the line of sight, the others are turned by angles [A] towards each of the ways [W, 2], way by way.
    """
    count, steps = len(towards), len(angles)
    across, rays = np.empty((count, 2, 3)), np.empty((count, 1 + steps * len(ways), 3))
    for k in range(count):
        x, y, z = towards[k]
        size = math.sqrt(x * x + y * y)
        sx, sy = (y / size, -x / size) if size >= 1e-9 else (1.0, 0.0)
        across[k, 0, 0], across[k, 0, 1], across[k, 0, 2] = sy * z, -sx * z, sx * y - sy * x
        across[k, 1, 0], across[k, 1, 1], across[k, 1, 2] = sx, sy, 0.0
        rays[k, 0] = towards[k]
        for w in range(len(ways)):
            for a in range(steps):
                _turned(towards[k], across[k], angles[a], ways[w], rays[k, 1 + w * steps + a])
    return across, rays


@_jit
def finer(towards, across, far, angles, ways, parts):  # type: ignore[no-untyped-def]
    """Return where a line of sight [R] and which of its ways [R] first differ, at which angle [R], and rays [R, P, 3] before it.

    far [K, 1 + W * A] is what the fan has met. Of each line of sight only the ways count that differ at its smallest angle.
    """
    count, steps = len(towards), len(angles)
    most, found = count * len(ways), 0
    row, way, step = np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most, np.int64)
    for k in range(count):
        hidden, nearest, begun = math.isfinite(far[k, 0]), steps, found
        for w in range(len(ways)):
            for a in range(min(steps, nearest + 1)):
                if math.isfinite(far[k, 1 + w * steps + a]) != hidden:
                    if a < nearest:
                        nearest, found = a, begun
                    row[found], way[found], step[found] = k, w, a
                    found += 1
                    break
    rays = np.empty((found, len(parts), 3))
    for r in range(found):
        k, high = row[r], angles[step[r]]
        low = angles[step[r] - 1] if step[r] > 0 else 0.0
        for p in range(len(parts)):
            _turned(towards[k], across[k], low + (high - low) * parts[p], ways[way[r]], rays[r, p])
    return row[:found], way[:found], step[:found], rays


@_jit
def nearest_edges(far, met, row, way, step, angles, parts):  # type: ignore[no-untyped-def]
    """Return angle [K] and distance [K] of the nearest edge: between the last ray like the line of sight and the first unlike.

    The angle is positive into a hidden line of sight, negative beside a free one, infinite where there is no edge.
    """
    count, steps, fine = len(far), len(angles), len(parts)
    angle, distance = np.full(count, np.inf), np.full(count, np.inf)
    for r in range(len(row)):
        k, high = row[r], angles[step[r]]
        low = angles[step[r] - 1] if step[r] > 0 else 0.0
        hidden, place = math.isfinite(far[k, 0]), 0
        while place < fine and math.isfinite(met[r, place]) == hidden:
            place += 1
        before = low + (high - low) * parts[place - 1] if place > 0 else low
        after = low + (high - low) * parts[place] if place < fine else high
        middle = (before + after) / 2
        if middle >= angle[k]:
            continue
        if hidden:
            solid = met[r, place - 1] if place > 0 else far[k, 0]
        else:
            solid = met[r, place] if place < fine else far[k, 1 + way[r] * steps + step[r]]
        angle[k], distance[k] = middle, solid if math.isfinite(solid) else far[k, 0]
    for k in range(count):
        if not math.isfinite(far[k, 0]):
            angle[k] = -angle[k] if math.isfinite(angle[k]) else angle[k]
    return angle, distance
