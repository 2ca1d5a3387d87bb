"""Blurring images. Import this lazily: it loads Numba."""

from __future__ import annotations

import math

import numba as nb
import numpy as np
from numpy.typing import NDArray

Floats32 = NDArray[np.float32]


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def _along_rows(image, taps, out):  # type: ignore[no-untyped-def]
    rows, columns, bands = image.shape
    reach = len(taps) // 2
    for i in nb.prange(rows):
        for j in range(columns):
            for b in range(bands):
                total = np.float32(0.0)
                for t in range(-reach, reach + 1):
                    total += taps[t + reach] * image[i, min(columns - 1, max(0, j + t)), b]
                out[i, j, b] = total


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def _along_columns(image, taps, out):  # type: ignore[no-untyped-def]
    rows, columns, bands = image.shape
    reach = len(taps) // 2
    for i in nb.prange(rows):
        for j in range(columns):
            for b in range(bands):
                out[i, j, b] = 0.0
        for t in range(-reach, reach + 1):
            source, tap = min(rows - 1, max(0, i + t)), taps[t + reach]
            for j in range(columns):
                for b in range(bands):
                    out[i, j, b] += tap * image[source, j, b]


def blurred(image: Floats32, sigma_px: float) -> Floats32:
    """Return an image [H, W, B] convolved with a Gaussian, integrated over pixels; its edge goes on beyond the border."""
    reach = max(1, math.ceil(3.5 * sigma_px))
    edge = (np.arange(-reach, reach + 2) - 0.5) / (sigma_px * math.sqrt(2))
    taps = np.diff([math.erf(value) for value in edge])
    taps = (taps / taps.sum()).astype(np.float32)
    across, out = np.empty_like(image), np.empty_like(image)
    _along_rows(image, taps, across)
    _along_columns(across, taps, out)
    return out


def veil(image: Floats32, sigma_px: float) -> Floats32:
    """Return a wide blur, made on an image that is smaller by whole pixels and drawn large again, bilinear."""
    step = max(1, int(sigma_px / 3))
    rows, columns, bands = image.shape
    high, wide = -(-rows // step), -(-columns // step)
    padded = np.pad(image, ((0, high * step - rows), (0, wide * step - columns), (0, 0)), mode="edge")
    small = padded.reshape(high, step, wide, step, bands).mean((1, 3), dtype=np.float32)
    small = blurred(np.ascontiguousarray(small), sigma_px / step)
    out = np.empty_like(image)
    _enlarge(small, step, out)
    return out


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def _enlarge(small, step, out):  # type: ignore[no-untyped-def]
    high, wide, bands = small.shape
    for i in nb.prange(out.shape[0]):
        y = min(max((i + 0.5) / step - 0.5, 0.0), high - 1.0)
        a = min(int(y), max(high - 2, 0))
        f, a2 = y - a, min(a + 1, high - 1)
        for j in range(out.shape[1]):
            x = min(max((j + 0.5) / step - 0.5, 0.0), wide - 1.0)
            c = min(int(x), max(wide - 2, 0))
            g, c2 = x - c, min(c + 1, wide - 1)
            for b in range(bands):
                top = small[a, c, b] * (1.0 - g) + small[a, c2, b] * g
                low = small[a2, c, b] * (1.0 - g) + small[a2, c2, b] * g
                out[i, j, b] = top * (1.0 - f) + low * f
