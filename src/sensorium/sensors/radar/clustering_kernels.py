"""Adding up tubes that cannot be told apart. Import this lazily: it loads Numba."""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from sensorium.core.arithmetic_kernels import cos_of_turns, sin_of_turns


@nb.njit(cache=True, nogil=True, error_model="numpy")
def numbered(keys, cluster):  # type: ignore[no-untyped-def]
    """Write a number for each key, in the order in which keys first appear; return how many there are."""
    size = 16
    while size < 2 * len(keys):
        size *= 2
    slots, names = np.full(size, -1, np.int64), np.empty(size, np.int64)
    count = 0
    for i in range(len(keys)):
        key = keys[i]
        mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
        slot = np.int64((mixed >> np.uint64(20)) & np.uint64(size - 1))
        while slots[slot] >= 0 and names[slot] != key:
            slot = (slot + 1) & (size - 1)
        if slots[slot] < 0:
            slots[slot], names[slot] = count, key
            count += 1
        cluster[i] = slots[slot]
    return count


@nb.njit(cache=True, nogil=True, error_model="numpy")
def summed(cluster, columns, amplitude, diffuse, turns_per_m, means, total, strongest):  # type: ignore[no-untyped-def]
    """Write means [count, K] of the columns [P, K] weighed by cross section, the first of which is the range.

    total [count, 3]: amplitude (re, im) turned to the mean range, and diffuse cross section; strongest [count]: the largest part.
    """
    count, width = means.shape
    weight, largest = np.zeros(count), np.full(count, -1.0)
    for i in range(len(cluster)):
        c = cluster[i]
        w = amplitude[i].real ** 2 + amplitude[i].imag ** 2 + diffuse[i] + 1e-300
        weight[c] += w
        for k in range(width):
            means[c, k] += w * columns[i, k]
        total[c, 2] += diffuse[i]
        if w > largest[c]:
            largest[c], strongest[c] = w, i
    for c in range(count):
        for k in range(width):
            means[c, k] /= weight[c]
    for i in range(len(cluster)):
        c = cluster[i]
        turns = turns_per_m * (means[c, 0] - columns[i, 0])
        turns -= math.floor(turns)
        re, im = cos_of_turns(turns), sin_of_turns(turns)
        total[c, 0] += amplitude[i].real * re - amplitude[i].imag * im
        total[c, 1] += amplitude[i].real * im + amplitude[i].imag * re
