"""Resolution cells: what a radar cannot tell apart becomes one target. Import this lazily: it loads Numba."""

from __future__ import annotations

import numba as nb
import numpy as np


@nb.njit(cache=True, nogil=True, error_model="numpy")
def merge(order, place, around, target):  # type: ignore[no-untyped-def]
    """Write the target of each path and return how many there are; a target takes all within a cell of its strongest path.

    order: paths from the strongest on. place [P, 4] in cells; an axis with around > 0 goes round after so many cells.
    """
    count = 0
    for i in range(len(order)):
        p = order[i]
        if target[p] >= 0:
            continue
        for j in range(i, len(order)):
            q = order[j]
            if target[q] >= 0:
                continue
            same = True
            for axis in range(4):
                apart = abs(place[q, axis] - place[p, axis])
                if around[axis] > 0.0:
                    apart -= around[axis] * np.floor(apart / around[axis])
                    apart = min(apart, around[axis] - apart)
                if not apart < 1.0:
                    same = False
                    break
            if same:
                target[q] = count
        count += 1
    return count
