"""Placing returns in the sensor frame. Import this lazily: it loads Numba."""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from sensorium.samples.causes import Cause
from sensorium.sensors.lidar.echoes import NOISE

_SURFACE, _AIR = np.int8(Cause.SURFACE), np.int8(Cause.AIR)
_CROSSTALK, _NOISE = np.int8(Cause.CROSSTALK), np.int8(Cause.NOISE)


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
def truth(  # type: ignore[no-untyped-def]
    source, seen_body, seen_part, seen_cosine, later_body, later_part, later_cosine, later_cause,
    part_offset, part_material, part_class,
):  # fmt: skip
    """Return body, part, material, class, incidence [rad] and cause of returns by their sources; -1 and 0 for no surface."""
    n = len(source)
    body, part = np.empty(n, np.int32), np.empty(n, np.int32)
    material, label = np.empty(n, np.int32), np.empty(n, np.int32)
    incidence, cause = np.empty(n, np.float32), np.empty(n, np.int8)
    for i in nb.prange(n):
        row = source[i]
        b, p, cosine, why = -1, -1, 1.0, _SURFACE
        if row >= 0:
            b, p, cosine = seen_body[row], seen_part[row], seen_cosine[row]
        elif row == NOISE:
            why = _NOISE
        elif row >= -2:
            why = _AIR if row == -1 else _CROSSTALK
        else:
            echo = -3 - row
            b, p, cosine, why = later_body[echo], later_part[echo], later_cosine[echo], later_cause[echo]
        number = part_offset[b] + p if b >= 0 else -1
        body[i], part[i] = b, p
        material[i] = part_material[number] if number >= 0 else -1
        label[i] = part_class[number] if number >= 0 else -1
        incidence[i] = math.acos(max(0.0, min(1.0, cosine)))
        cause[i] = why
    return body, part, material, label, incidence, cause
