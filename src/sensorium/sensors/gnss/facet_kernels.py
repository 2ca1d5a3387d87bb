"""Which facet may mirror which satellite into the antenna: the image method. Import this lazily: it loads Numba.

A satellite is infinitely far, so its image in a plane is a direction: s' = s - 2 (s.n) n. Looked at along s' from the
antenna p the mirror point is q = p + t s', t = (n.c - n.p) / (n.s').
"""

from __future__ import annotations

import numba as nb
import numpy as np

_SLACK_M = 1e-3


@nb.njit(cache=True, nogil=True, error_model="numpy")
def mirror_candidates(place, towards, centre, normal, axes, half, nearest_m, farthest_m):  # type: ignore[no-untyped-def]
    """Return satellite [C], facet [C] and distance to the mirror point [C], in the order of satellites, then facets."""
    count = 0
    found = np.empty((4096, 2), np.int64)
    far = np.empty(4096)
    for s in range(len(towards)):
        sx, sy, sz = towards[s, 0], towards[s, 1], towards[s, 2]
        for f in range(len(centre)):
            nx, ny, nz = normal[f, 0], normal[f, 1], normal[f, 2]
            height = (place[0] - centre[f, 0]) * nx + (place[1] - centre[f, 1]) * ny + (place[2] - centre[f, 2]) * nz
            slope = sx * nx + sy * ny + sz * nz
            if height * slope <= 0.0 or abs(height) < nearest_m or abs(height) > farthest_m:
                continue
            t = height / slope
            if t > farthest_m:
                continue
            dx = place[0] + t * (sx - 2 * slope * nx) - centre[f, 0]
            dy = place[1] + t * (sy - 2 * slope * ny) - centre[f, 1]
            dz = place[2] + t * (sz - 2 * slope * nz) - centre[f, 2]
            if abs(dx * axes[f, 0, 0] + dy * axes[f, 0, 1] + dz * axes[f, 0, 2]) > half[f, 0] + _SLACK_M:
                continue
            if abs(dx * axes[f, 1, 0] + dy * axes[f, 1, 1] + dz * axes[f, 1, 2]) > half[f, 1] + _SLACK_M:
                continue
            if count == len(far):
                found = np.concatenate((found, np.empty_like(found)))
                far = np.concatenate((far, np.empty_like(far)))
            found[count, 0], found[count, 1], far[count] = s, f, t
            count += 1
    return found[:count, 0].copy(), found[:count, 1].copy(), far[:count].copy()
