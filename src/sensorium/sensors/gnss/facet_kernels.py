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
        if height < 0.0:
            nx, ny, nz, height = -nx, -ny, -nz, -height
        # t <= farthest_m and area cos(theta) >= least_m t, both told of the slope
        least = max(height / farthest_m, np.sqrt(least_m * height / area[f]))
        for s in range(len(towards)):
            sx, sy, sz = towards[s, 0], towards[s, 1], towards[s, 2]
            slope = sx * nx + sy * ny + sz * nz
            if slope < least:
                continue
            t = height / slope
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


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _turn(matrix, vector, out):  # type: ignore[no-untyped-def]
    for a in range(3):
        out[a] = matrix[a, 0] * vector[0] + matrix[a, 1] * vector[1] + matrix[a, 2] * vector[2]


@nb.njit(cache=True, nogil=True, error_model="numpy")
def place_facets(centre, normal, axes, m_centre, m_normal, m_axes, body, position, quaternion):  # type: ignore[no-untyped-def]
    """Return centres, normals and axes of the facets that stand still, followed by those of bodies at poses [B, 1]."""
    still, count = len(centre), len(centre) + len(m_centre)
    placed, normals, sides = np.empty((count, 3)), np.empty((count, 3)), np.empty((count, 2, 3))
    placed[:still], normals[:still], sides[:still] = centre, normal, axes
    matrix, last = np.empty((3, 3)), -1
    for f in range(len(m_centre)):
        if body[f] != last:
            last = body[f]
            w, x, y, z = quaternion[last, 0]
            matrix[0, 0], matrix[0, 1], matrix[0, 2] = 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)
            matrix[1, 0], matrix[1, 1], matrix[1, 2] = 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)
            matrix[2, 0], matrix[2, 1], matrix[2, 2] = 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)
        _turn(matrix, m_centre[f], placed[still + f])
        placed[still + f] += position[last, 0]
        _turn(matrix, m_normal[f], normals[still + f])
        for side in range(2):
            _turn(matrix, m_axes[f, side], sides[still + f, side])
    return placed, normals, sides
