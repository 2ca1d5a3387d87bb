"""A separable filter over an image. Import this lazily: it loads Numba."""

from __future__ import annotations

import numba as nb
import numpy as np


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def blur(image, weights):  # type: ignore[no-untyped-def]
    """Filter rows, then columns, with the same weights [2 R + 1]; beyond the edge the image goes on as at the edge."""
    height, width = image.shape
    reach = len(weights) // 2
    across, out = np.empty((height, width)), np.empty((height, width))
    for y in nb.prange(height):
        for x in range(width):
            total = 0.0
            for j in range(len(weights)):
                total += weights[j] * image[y, min(max(x + j - reach, 0), width - 1)]
            across[y, x] = total
    for y in nb.prange(height):
        for x in range(width):
            out[y, x] = 0.0
        for j in range(len(weights)):
            row = min(max(y + j - reach, 0), height - 1)
            for x in range(width):
                out[y, x] += weights[j] * across[row, x]
    return out
