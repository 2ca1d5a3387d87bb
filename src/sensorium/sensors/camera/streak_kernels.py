"""Streaks into an image. Import this lazily: it loads Numba."""

from __future__ import annotations

import math

import numba as nb
import numpy as np


@nb.njit(cache=True, error_model="numpy", nogil=True)
def lay(ends, width, distance, radiance, passed, behind, image):  # type: ignore[no-untyped-def]
    """Mix each streak into an image [H, W, 3], one after the other: E (1 - a) + a p L.

    A streak is all that lies within half its width of the way of the drop, at least a pixel wide; the opacity a of its pixels
    adds up to the disc of the drop.
    """
    rows, columns = image.shape[:2]
    for k in range(len(width)):
        ax, ay = ends[k, 0, 0], ends[k, 0, 1]
        dx, dy = ends[k, 1, 0] - ax, ends[k, 1, 1] - ay
        square = dx * dx + dy * dy
        half = 0.5 * max(1.0, width[k])
        area = 2.0 * half * math.sqrt(square) + math.pi * half * half
        opacity = 0.25 * math.pi * width[k] * width[k] / area
        top, bottom = math.ceil(min(ay, ay + dy) - half - 0.5), math.floor(max(ay, ay + dy) + half + 0.5)
        left, right = math.ceil(min(ax, ax + dx) - half - 0.5), math.floor(max(ax, ax + dx) + half + 0.5)
        for i in range(max(0, int(top)), min(rows - 1, int(bottom)) + 1):
            for j in range(max(0, int(left)), min(columns - 1, int(right)) + 1):
                if behind[i, j] < distance[k]:
                    continue
                along = ((j - ax) * dx + (i - ay) * dy) / square if square > 0.0 else 0.0
                along = min(1.0, max(0.0, along))
                off = math.hypot(j - ax - along * dx, i - ay - along * dy)
                a = np.float32(opacity * min(1.0, max(0.0, half + 0.5 - off)))
                for band in range(3):
                    image[i, j, band] += a * np.float32(passed[i, j] * radiance[band] - image[i, j, band])
