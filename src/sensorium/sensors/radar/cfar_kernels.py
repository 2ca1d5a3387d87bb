"""Thresholds that follow the noise: cell averaging and ordered statistics. Import this lazily: it loads Numba.

A cell is compared with the cells of a frame around it; guard cells between are left out. Speeds go round, ranges are mirrored at
both ends. Each row is written by one thread.
"""

from __future__ import annotations

import numba as nb
import numpy as np


@nb.njit(cache=True, error_model="numpy")
def _mirrored(index, count):  # type: ignore[no-untyped-def]
    if index < 0:
        return -index
    if index >= count:
        return 2 * count - 2 - index
    return index


@nb.njit(cache=True, parallel=True, nogil=True, error_model="numpy")
def averages(power, guard, train, out):  # type: ignore[no-untyped-def]
    """Write the mean of the training cells of each cell; power and out [ranges, speeds]; guard, train (ranges, speeds)."""
    ranges, speeds = power.shape
    for r in nb.prange(ranges):
        for v in range(speeds):
            total, cells = 0.0, 0
            for dr in range(-train[0], train[0] + 1):
                row = power[_mirrored(r + dr, ranges)]
                for dv in range(-train[1], train[1] + 1):
                    if abs(dr) > guard[0] or abs(dv) > guard[1]:
                        total += row[(v + dv) % speeds]
                        cells += 1
            out[r, v] = total / cells


@nb.njit(cache=True, parallel=True, nogil=True, error_model="numpy")
def ordered(power, guard, train, rank, out):  # type: ignore[no-untyped-def]
    """Write the training cell of this rank (1 = smallest) of each cell."""
    ranges, speeds = power.shape
    cells = (2 * train[0] + 1) * (2 * train[1] + 1) - (2 * guard[0] + 1) * (2 * guard[1] + 1)
    for r in nb.prange(ranges):
        seen = np.empty(cells, power.dtype)
        for v in range(speeds):
            n = 0
            for dr in range(-train[0], train[0] + 1):
                row = power[_mirrored(r + dr, ranges)]
                for dv in range(-train[1], train[1] + 1):
                    if abs(dr) > guard[0] or abs(dv) > guard[1]:
                        seen[n] = row[(v + dv) % speeds]
                        n += 1
            out[r, v] = _smallest(seen, rank - 1)


@nb.njit(cache=True, error_model="numpy")
def _smallest(values, rank):  # type: ignore[no-untyped-def]
    """Return the value of a rank (0 = smallest) by Hoare's selection; the values change places."""
    low, high = 0, len(values) - 1
    while low < high:
        pivot = values[(low + high) // 2]
        i, j = low, high
        while i <= j:
            while values[i] < pivot:
                i += 1
            while values[j] > pivot:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                i += 1
                j -= 1
        if rank <= j:
            high = j
        elif rank >= i:
            low = i
        else:
            break
    return values[rank]
