"""Resolution cells: what a radar cannot tell apart becomes one target. Import this lazily: it loads Numba."""

from __future__ import annotations

import numba as nb
import numpy as np


@nb.njit(cache=True, nogil=True, error_model="numpy")
def merge(order, place, around, target):  # type: ignore[no-untyped-def]
    """Write the target of each path and return how many there are; a target takes all within a cell of its strongest path.

    order: paths from the strongest on. place [P, 4] in cells, range first; an axis with around > 0 goes round after so many cells.
    Paths wait in shelves one cell of range deep, so that only three shelves are searched.
    """
    paths = len(order)
    if paths == 0:
        return 0
    low = np.floor(place[:, 0].min())
    shelves = int(np.floor(place[:, 0].max()) - low) + 1
    start = np.zeros(shelves + 3, np.int64)
    for p in range(paths):
        start[int(np.floor(place[p, 0]) - low) + 2] += 1
    for s in range(1, shelves + 3):
        start[s] += start[s - 1]
    filled, shelf = start[1:].copy(), np.empty(paths, np.int64)
    for p in range(paths):
        s = int(np.floor(place[p, 0]) - low)
        shelf[filled[s]] = p
        filled[s] += 1
    count = 0
    for p in order:
        if target[p] >= 0:
            continue
        own = int(np.floor(place[p, 0]) - low)
        for j in range(start[max(own, 1)], start[min(own + 3, shelves + 1)]):
            q = shelf[j]
            if target[q] < 0 and _same(place[p], place[q], around):
                target[q] = count
        count += 1
    return count


@nb.njit(cache=True, error_model="numpy")
def _same(one, other, around):  # type: ignore[no-untyped-def]
    for axis in range(4):
        apart = abs(one[axis] - other[axis])
        if around[axis] > 0.0:
            apart -= around[axis] * np.floor(apart / around[axis])
            apart = min(apart, around[axis] - apart)
        if not apart < 1.0:
            return False
    return True
