"""Normals and textures between the corners of triangles. Import this lazily: it loads Numba."""

from __future__ import annotations

import math

import numba as nb
import numpy as np


@nb.njit(cache=True, error_model="numpy")
def smooth(vertices, triangles, corner, order, starts, least):  # type: ignore[no-untyped-def]
    """Return normals [T, 3, 3]: at each corner the mean, weighted with areas, of the facets there that turn away less than a
    crease.

    `corner` [T, 3] numbers the places of the corners, `order` lists the corners place by place from `starts`; `least` is the
    cosine of the crease.
    """
    count = len(triangles)
    facet, area = np.empty((count, 3)), np.empty(count)
    for t in range(count):
        a, b, c = vertices[triangles[t, 0]], vertices[triangles[t, 1]], vertices[triangles[t, 2]]
        x = (b[1] - a[1]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[1] - a[1])
        y = (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2])
        z = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        area[t] = math.sqrt(x * x + y * y + z * z)
        scale = 1.0 / max(area[t], 1e-300)
        facet[t, 0], facet[t, 1], facet[t, 2] = x * scale, y * scale, z * scale
    normals = np.empty((count, 3, 3), np.float32)
    for t in range(count):
        for k in range(3):
            x, y, z = 0.0, 0.0, 0.0
            place = corner[t, k]
            for i in range(starts[place], starts[place + 1]):
                other = order[i] // 3
                dot = facet[t, 0] * facet[other, 0] + facet[t, 1] * facet[other, 1] + facet[t, 2] * facet[other, 2]
                if dot >= least or other == t:
                    x, y, z = (
                        x + area[other] * facet[other, 0],
                        y + area[other] * facet[other, 1],
                        z + area[other] * facet[other, 2],
                    )
            scale = 1.0 / max(math.sqrt(x * x + y * y + z * z), 1e-300)
            normals[t, k, 0], normals[t, k, 1], normals[t, k, 2] = x * scale, y * scale, z * scale
    return normals


@nb.njit(cache=True, error_model="numpy", _nrt=False)
def linear(code):  # type: ignore[no-untyped-def]
    """Return the linear value of an sRGB code 0..255 (IEC 61966-2-1)."""
    c = code / 255.0
    return c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4


@nb.njit(cache=True, error_model="numpy", _nrt=False)
def texel(surfaces, number, u, v):  # type: ignore[no-untyped-def]
    """Return the linear colour of a texture, bilinear, repeated beyond 0..1; row 0 lies at v = 1."""
    rows, columns = surfaces.texture_size[number, 0], surfaces.texture_size[number, 1]
    x, y = (u - math.floor(u)) * columns - 0.5, (1.0 - (v - math.floor(v))) * rows - 0.5
    j, i = int(math.floor(x)), int(math.floor(y))
    f, g = x - j, y - i
    r, gr, b = 0.0, 0.0, 0.0
    for di in range(2):
        for dj in range(2):
            weight = (f if dj else 1.0 - f) * (g if di else 1.0 - g)
            at = surfaces.texture_first[number] + ((i + di) % rows) * columns + (j + dj) % columns
            r += weight * linear(surfaces.texel[at, 0])
            gr += weight * linear(surfaces.texel[at, 1])
            b += weight * linear(surfaces.texel[at, 2])
    return r, gr, b


@nb.njit(cache=True, forceinline=True, error_model="numpy", _nrt=False)
def between(table, row, u, v, axis):  # type: ignore[no-untyped-def]
    """Return one entry of a corner table at barycentric coordinates."""
    return (1.0 - u - v) * table[row, 0, axis] + u * table[row, 1, axis] + v * table[row, 2, axis]
