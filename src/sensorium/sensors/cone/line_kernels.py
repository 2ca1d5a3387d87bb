"""The point nearest to the apex on lines that cover a face. Import this lazily: it loads Numba."""

from __future__ import annotations

import math

import numba as nb

from sensorium.sensors.cone.segment_kernels import nearest


@nb.njit(cache=True, error_model="numpy")
def lines_for(p, angle_rad, most):  # type: ignore[no-untyped-def]
    """Return how many lines keep the error bound atan(extent / 2 / ((N - 1) r)) within an angle, 2 to `most`.

    The extent is the longer of the sides that the lines are spread along, r a distance that no point of the face is nearer
    than: to the sphere around its corners, or to its plane.
    """
    extent, radius = 0.0, 0.0
    for one, two in ((0, 3), (1, 2)):
        extent = max(
            extent, math.hypot(p[two, 0] - p[one, 0], math.hypot(p[two, 1] - p[one, 1], p[two, 2] - p[one, 2]))
        )
    cx, cy, cz = (p[0, 0] + p[2, 0]) / 2, (p[0, 1] + p[2, 1]) / 2, (p[0, 2] + p[2, 2]) / 2
    for row in range(4):
        radius = max(radius, math.hypot(p[row, 0] - cx, math.hypot(p[row, 1] - cy, p[row, 2] - cz)))
    ux, uy, uz = p[1, 0] - p[0, 0], p[1, 1] - p[0, 1], p[1, 2] - p[0, 2]
    vx, vy, vz = p[2, 0] - p[0, 0], p[2, 1] - p[0, 1], p[2, 2] - p[0, 2]
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    off = abs(nx * p[0, 0] + ny * p[0, 1] + nz * p[0, 2]) / math.sqrt(nx * nx + ny * ny + nz * nz)
    distance = max(off, math.hypot(cx, math.hypot(cy, cz)) - radius)
    spans = extent / 2.0 / (math.tan(angle_rad) * distance) if distance > 0.0 else math.inf
    return int(min(max(2.0, math.ceil(spans) + 1.0), float(most)))


@nb.njit(cache=True, error_model="numpy")
def nearest_of_lines(p, count, a, b, deepest):  # type: ignore[no-untyped-def]
    """Return |q|^2 and q of the nearest point in the cone on the lines L_0 .. L_(count - 1) of a face, corners p [4, 3].

    L_k runs from v0 + (v3 - v0) k / (N - 1) to v1 + (v2 - v1) k / (N - 1) (document 000, table 1). Of equal ones the first.
    """
    found, x, y, z = math.inf, 0.0, 0.0, 0.0
    for k in range(count):
        f = k / (count - 1)
        px, py = p[0, 0] + (p[3, 0] - p[0, 0]) * f, p[0, 1] + (p[3, 1] - p[0, 1]) * f
        pz = p[0, 2] + (p[3, 2] - p[0, 2]) * f
        ex, ey = p[1, 0] + (p[2, 0] - p[1, 0]) * f - px, p[1, 1] + (p[2, 1] - p[1, 1]) * f - py
        ez = p[1, 2] + (p[2, 2] - p[1, 2]) * f - pz
        far, fx, fy, fz = nearest(px, py, pz, ex, ey, ez, a, b, deepest)
        if far < found:
            found, x, y, z = far, fx, fy, fz
    return found, x, y, z
