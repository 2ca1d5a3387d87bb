"""Which facet may mirror which satellite into the antenna: the image method. Import this lazily: it loads Numba.

A satellite is infinitely far, so its image in a plane is a direction: s' = s - 2 (s.n) n. Looked at along s' from the
antenna p the mirror point is q = p + t s', t = (n.c - n.p) / (n.s').
"""

from __future__ import annotations

import numba as nb
import numpy as np

_SLACK_M = 1e-3


@nb.njit(cache=True, nogil=True, error_model="numpy")
def mirror_candidates(place, towards, centre, normal, axes, half, area, nearest_m, farthest_m, least_m):  # type: ignore[no-untyped-def]
    """Return satellite [C], facet [C] and distance to the mirror point [C], in the order of facets, then satellites.

    A facet sends the share area cos(theta) / (least_m t) of a wave; candidates with less than 1 are left out.
    """
    count = 0
    found = np.empty((4096, 2), np.int64)
    far = np.empty(4096)
    for f in range(len(centre)):
        dx, dy, dz = place[0] - centre[f, 0], place[1] - centre[f, 1], place[2] - centre[f, 2]
        reach = farthest_m + half[f, 0] + half[f, 1]
        if dx * dx + dy * dy + dz * dz > reach * reach:
            continue
        nx, ny, nz = normal[f, 0], normal[f, 1], normal[f, 2]
        height = dx * nx + dy * ny + dz * nz
        if abs(height) < nearest_m or abs(height) > farthest_m or area[f] < least_m * abs(height):
            continue
        across = dx * axes[f, 0, 0] + dy * axes[f, 0, 1] + dz * axes[f, 0, 2]
        along = dx * axes[f, 1, 0] + dy * axes[f, 1, 1] + dz * axes[f, 1, 2]
        for s in range(len(towards)):
            sx, sy, sz = towards[s, 0], towards[s, 1], towards[s, 2]
            slope = sx * nx + sy * ny + sz * nz
            if height * slope <= 0.0:
                continue
            t = height / slope
            if t > farthest_m or area[f] * abs(slope) < least_m * t:
                continue
            if abs(across + t * (sx * axes[f, 0, 0] + sy * axes[f, 0, 1] + sz * axes[f, 0, 2])) > half[f, 0] + _SLACK_M:
                continue
            if abs(along + t * (sx * axes[f, 1, 0] + sy * axes[f, 1, 1] + sz * axes[f, 1, 2])) > half[f, 1] + _SLACK_M:
                continue
            if count == len(far):
                found = np.concatenate((found, np.empty_like(found)))
                far = np.concatenate((far, np.empty_like(far)))
            found[count, 0], found[count, 1], far[count] = s, f, t
            count += 1
    return found[:count, 0].copy(), found[:count, 1].copy(), far[:count].copy()
