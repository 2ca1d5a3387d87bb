"""Silhouettes of bodies. Import this lazily: it loads Numba."""

from __future__ import annotations

import math

import numba as nb
import numpy as np


@nb.njit(cache=True, error_model="numpy")
def silhouette(triangles, rows, columns):  # type: ignore[no-untyped-def]
    """Return how many pixel centres triangles [T, 3, 2] (column, row) cover together in an image of this size."""
    covered = np.zeros((rows, columns), np.bool_)
    for t in range(len(triangles)):
        a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        if area == 0.0:
            continue
        top = max(0, int(math.ceil(min(a[1], min(b[1], c[1])))))
        bottom = min(rows - 1, int(math.floor(max(a[1], max(b[1], c[1])))))
        left = max(0, int(math.ceil(min(a[0], min(b[0], c[0])))))
        right = min(columns - 1, int(math.floor(max(a[0], max(b[0], c[0])))))
        for i in range(top, bottom + 1):
            for j in range(left, right + 1):
                u = ((b[0] - j) * (c[1] - i) - (b[1] - i) * (c[0] - j)) / area
                v = ((c[0] - j) * (a[1] - i) - (c[1] - i) * (a[0] - j)) / area
                if u >= 0.0 and v >= 0.0 and u + v <= 1.0:
                    covered[i, j] = True
    return covered.sum()
