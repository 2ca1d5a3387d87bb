"""Demosaicing, colour and gamma. Import this lazily: it loads Numba."""

from __future__ import annotations

import math

import numba as nb
import numpy as np


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def demosaic(raw, filters, black, scale, out):  # type: ignore[no-untyped-def]
    """Fill linear colours [H, W, 3], black 0 and full range 1; each missing colour is the mean of its 3 x 3 neighbours."""
    rows, columns = raw.shape
    for i in nb.prange(rows):
        for j in range(columns):
            own = filters[i & 1, j & 1]
            r, g, b = np.float32(0.0), np.float32(0.0), np.float32(0.0)
            nr, ng, nb_ = np.float32(0.0), np.float32(0.0), np.float32(0.0)
            for a in range(max(0, i - 1), min(rows, i + 2)):
                for c in range(max(0, j - 1), min(columns, j + 2)):
                    colour = filters[a & 1, c & 1]
                    if colour == own and (a != i or c != j):
                        continue
                    value = np.float32(raw[a, c])
                    if colour == 0:
                        r, nr = r + value, nr + np.float32(1.0)
                    elif colour == 1:
                        g, ng = g + value, ng + np.float32(1.0)
                    else:
                        b, nb_ = b + value, nb_ + np.float32(1.0)
            out[i, j, 0] = (r / max(nr, np.float32(1.0)) - black) * scale
            out[i, j, 1] = (g / max(ng, np.float32(1.0)) - black) * scale
            out[i, j, 2] = (b / max(nb_, np.float32(1.0)) - black) * scale


@nb.njit(cache=True, error_model="numpy")
def _coded(value, srgb):  # type: ignore[no-untyped-def]
    value = min(1.0, max(0.0, value))
    if srgb:
        value = 12.92 * value if value <= 0.0031308 else 1.055 * value ** (1.0 / 2.4) - 0.055
    return np.uint8(math.floor(value * 255.0 + 0.5))


@nb.njit(cache=True, error_model="numpy")
def _codes(srgb):  # type: ignore[no-untyped-def]
    """Return the codes of 4097 linear values from 0 to 1."""
    codes = np.empty(4097, np.uint8)
    for k in range(4097):
        codes[k] = _coded(k / 4096.0, srgb)
    return codes


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def finish(linear, matrix, srgb, out):  # type: ignore[no-untyped-def]
    """Fill 8-bit colours [H, W, 3]: matrix, then gamma; what is saturated in one filter stays white rather than pink."""
    rows, columns = linear.shape[:2]
    codes = _codes(srgb)
    for i in nb.prange(rows):
        for j in range(columns):
            r, g, b = linear[i, j, 0], linear[i, j, 1], linear[i, j, 2]
            full = min(1.0, max(0.0, (max(r, max(g, b)) - 0.9) * 10.0))
            for c in range(3):
                value = matrix[c, 0] * r + matrix[c, 1] * g + matrix[c, 2] * b
                value = value + full * (max(value, 1.0) - value)
                out[i, j, c] = codes[np.int64(min(1.0, max(0.0, value)) * 4096.0 + 0.5)]


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def grey(raw, black, scale, srgb, out):  # type: ignore[no-untyped-def]
    """Fill 8-bit grey values [H, W]."""
    for i in nb.prange(raw.shape[0]):
        for j in range(raw.shape[1]):
            out[i, j] = _coded((raw[i, j] - black) * scale, srgb)
