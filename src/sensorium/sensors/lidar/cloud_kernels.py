"""Placing returns in the sensor frame. Import this lazily: it loads Numba."""

from __future__ import annotations

import math

import numba as nb
import numpy as np


@nb.njit(cache=True, error_model="numpy", nogil=True)
def filled(measured):  # type: ignore[no-untyped-def]
    """Return the slots that hold a return, in firing order; slots 2 k and 2 k + 1 are beam k's."""
    slots, found = np.empty(2 * len(measured), np.int64), 0
    for k in range(len(measured)):
        for j in range(2):
            if measured[k, j] == measured[k, j]:  # not NaN
                slots[found] = 2 * k + j
                found += 1
    return slots[:found]


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def points(slots, measured, received, origin, direction, time_ns, start_ns, ring):  # type: ignore[no-untyped-def]
    """Return points [N, 3], ranges, powers, rings and time offsets of the returns in these slots."""
    n = len(slots)
    place, distance, power = np.empty((n, 3), np.float32), np.empty(n, np.float32), np.empty(n, np.float32)
    rings, offset = np.empty(n, np.uint16), np.empty(n, np.uint32)
    for i in nb.prange(n):
        k, j = slots[i] // 2, slots[i] % 2
        r = measured[k, j]
        for axis in range(3):
            place[i, axis] = origin[k, axis] + direction[k, axis] * r
        distance[i], power[i] = r, received[k, j]
        rings[i] = ring[k]
        offset[i] = time_ns[k] - start_ns
    return place, distance, power, rings, offset


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def looked(body, part, direction, normal, later_cosine, part_offset, part_material, part_class):  # type: ignore[no-untyped-def]
    """Return material, class and incidence [rad] of what rays met, followed by those of later echoes; -1, -1, pi/2 for nothing."""
    n, rays = len(body), len(direction)
    material, label, incidence = np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n, np.float32)
    for i in nb.prange(n):
        number = part_offset[body[i]] + part[i] if body[i] >= 0 else -1
        material[i] = part_material[number] if number >= 0 else -1
        label[i] = part_class[number] if number >= 0 else -1
        if i >= rays:
            cosine = later_cosine[i - rays]
        else:
            dot, length = 0.0, 0.0
            for a in range(3):
                dot += direction[i, a] * normal[i, a]
                length += direction[i, a] * direction[i, a]
            cosine = abs(dot) / math.sqrt(length)
        incidence[i] = math.acos(max(0.0, min(1.0, cosine)))
    return material, label, incidence
