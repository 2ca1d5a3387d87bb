"""The filter over neighbours that makes a whole integral of the rays that each of them sent. Import this lazily: it loads Numba.

The loops run over whole rows without branches, so that they are vectorised.
"""

from __future__ import annotations

import numba as nb
import numpy as np

_ALIKE = np.float32(0.9)
"""Cosine of 26 degrees."""
_NONE, _ONE = np.float32(0.0), np.float32(1.0)


@nb.njit(cache=True, error_model="numpy")
def _weigh(p, q, part, normal, distance, light, tolerance, weight):  # type: ignore[no-untyped-def]
    """Fill 1 where a pixel q of a span lies on the surface of its pixel p and has light, else 0; p and q are first numbers."""
    count = len(weight)
    one, other, known = part[p : p + count], part[q : q + count], light[0, q : q + count]
    near, far = distance[p : p + count], distance[q : q + count]
    for k in range(count):
        weight[k] = _ONE if (one[k] == other[k]) & (known[k] >= _NONE) else _NONE
    for k in range(count):
        weight[k] = weight[k] if abs(far[k] - near[k]) <= tolerance * near[k] else _NONE
    ax, ay, az = normal[0, p : p + count], normal[1, p : p + count], normal[2, p : p + count]
    bx, by, bz = normal[0, q : q + count], normal[1, q : q + count], normal[2, q : q + count]
    for k in range(count):
        weight[k] = weight[k] if ax[k] * bx[k] + ay[k] * by[k] + az[k] * bz[k] >= _ALIKE else _NONE


@nb.njit(cache=True, error_model="numpy")
def _add(weight, values, total):  # type: ignore[no-untyped-def]
    """Add the weighted values to a sum."""
    for k in range(len(total)):
        total[k] += weight[k] * values[k]


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def spread(light, part, normal, distance, width, height, across, out):  # type: ignore[no-untyped-def]
    """Write the mean of `light` [3, pixels] over 8 pixels along a row or column that belong to the same surface.

    Pixels that did not ask have negative light and do not count; -1 where no neighbour asked. Same
    surface: the same part, normals within 26 degrees, distances within 2 percent of each other per pixel.
    """
    for row in nb.prange(height):
        first = row * width
        total, weights = np.zeros((4, width), np.float32), np.empty(width, np.float32)
        for offset in range(-4, 4):
            left, right, step = 0, width, offset
            if across:
                left, right = max(0, -offset), min(width, width - offset)
            else:
                step = offset * width
                if row + offset < 0 or row + offset >= height:
                    continue
            if left >= right:
                continue
            p, q, weight = first + left, first + left + step, weights[left:right]
            _weigh(p, q, part, normal, distance, light, np.float32(0.02 * (1 + abs(offset))), weight)
            for band in range(3):
                _add(weight, light[band, q : q + len(weight)], total[band, left:right])
            count = total[3, left:right]
            for k in range(len(weight)):
                count[k] += weight[k]
        for band in range(3):
            for k in range(width):
                seen = total[3, k]
                out[band, first + k] = total[band, k] / seen if seen > _NONE else -_ONE
