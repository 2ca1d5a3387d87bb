"""The point of a triangle in the cone that is nearest to the apex, exactly. Import this lazily: it loads Numba.

The apex is the origin, the axis +x: K = {(y/a)^2 + (z/b)^2 <= x^2, x >= 0}. Triangle T and cone K are convex, so the nearest
point of T n K is unique and lies either inside T - then it is also the nearest point of the whole plane in K, because what is
nearest in a neighbourhood is nearest at all - or on an edge of T. So one problem per plane and one per edge are enough. The
front face x <= deepest cuts T to a polygon with one more edge. A spherical front |q| <= r only asks afterwards how far q is.
"""

from __future__ import annotations

import math

import numba as nb

from sensorium.sensors.cone.segment_kernels import nearest

_ROUNDING = 1e-13
"""What counts as nothing beside the size of a triangle."""


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def towards(nx, ny, nz, a, b):  # type: ignore[no-untyped-def]
    """Return the direction on the surface of the cone that makes the smallest angle with n, a vector outside the cone.

    It is the direction of the projection of n on K: with the multiplier l of the constraint, x (1 - l) = nx,
    y (1 + l/a^2) = ny, z (1 + l/b^2) = nz. Put l = s / (1 - s): then h(s) = (1 - 2 s) S(s) - nx = 0 with
    S = sqrt((ny a / D_y)^2 + (nz b / D_z)^2), D_y = a^2 (1 - s) + s, D_z likewise, and h falls from h(0) > 0 to h(1) < 0
    as long as n is not in the polar cone, where no plane with this normal meets K. Newton's steps, held in a bracket. The
    direction (S, ny a^2 / D_y, nz b^2 / D_z) lies on the cone whatever s is. A round cone needs no search.
    """
    if a == b:
        return math.sqrt(ny * ny + nz * nz), a * ny, a * nz
    low, high, s = 0.0, 1.0, 0.5
    fall_y, fall_z = 1.0 - a * a, 1.0 - b * b
    for _ in range(80):
        depth_y, depth_z = a * a * (1.0 - s) + s, b * b * (1.0 - s) + s
        ty, tz = ny * a / depth_y, nz * b / depth_z
        size = math.sqrt(ty * ty + tz * tz)
        h = (1.0 - 2.0 * s) * size - nx
        if h > 0.0:
            low = s
        else:
            high = s
        slope = -2.0 * size - (1.0 - 2.0 * s) * (ty * ty * fall_y / depth_y + tz * tz * fall_z / depth_z) / size
        step = s - h / slope
        if not low < step < high:
            step = 0.5 * (low + high)
        done = abs(step - s) <= 4e-16
        s = step
        if done:
            break
    depth_y, depth_z = a * a * (1.0 - s) + s, b * b * (1.0 - s) + s
    ty, tz = ny * a / depth_y, nz * b / depth_z
    return math.sqrt(ty * ty + tz * tz), ty * a, tz * b


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def _beside(qx, qy, qz, px, py, pz, rx, ry, rz, nx, ny, nz):  # type: ignore[no-untyped-def]
    """Return n . ((p - q) x (r - q)): on which side of the edge from p to r the point q of the plane lies."""
    ux, uy, uz, vx, vy, vz = px - qx, py - qy, pz - qz, rx - qx, ry - qy, rz - qz
    return nx * (uy * vz - uz * vy) + ny * (uz * vx - ux * vz) + nz * (ux * vy - uy * vx)


@nb.njit(cache=True, error_model="numpy")
def in_plane(p, i, j, k, nx, ny, nz, a, b, deepest):  # type: ignore[no-untyped-def]
    """Return 1 and q if the nearest point q of the triangle's plane in the cone is in the triangle.

    0: it is not, ask the edges. -1: the plane does not meet the cone. Corners are the rows i, j, k of p, n is their normal.
    """
    off = nx * p[i, 0] + ny * p[i, 1] + nz * p[i, 2]
    mx, my, mz = (nx, ny, nz) if off >= 0.0 else (-nx, -ny, -nz)
    off = abs(off)
    size = max(abs(p[i, 0]), abs(p[i, 1]), abs(p[i, 2]))
    if off <= _ROUNDING * size * math.sqrt(nx * nx + ny * ny + nz * nz):  # the plane goes through the apex
        x, y, z = 0.0, 0.0, 0.0
    else:
        u, v = my / a, mz / b
        if mx >= 0.0 and u * u + v * v <= mx * mx:
            wx, wy, wz = mx, my, mz  # the foot of the perpendicular is in the cone
        elif mx + math.sqrt(my * a * my * a + mz * b * mz * b) <= 0.0:
            return -1, 0.0, 0.0, 0.0
        else:
            wx, wy, wz = towards(mx, my, mz, a, b)
        t = off / (wx * mx + wy * my + wz * mz)
        x, y, z = t * wx, t * wy, t * wz
    least = -_ROUNDING * (nx * nx + ny * ny + nz * nz)
    inside = (
        x <= deepest
        and _beside(x, y, z, p[i, 0], p[i, 1], p[i, 2], p[j, 0], p[j, 1], p[j, 2], nx, ny, nz) >= least
        and _beside(x, y, z, p[j, 0], p[j, 1], p[j, 2], p[k, 0], p[k, 1], p[k, 2], nx, ny, nz) >= least
        and _beside(x, y, z, p[k, 0], p[k, 1], p[k, 2], p[i, 0], p[i, 1], p[i, 2], nx, ny, nz) >= least
    )
    return (1 if inside else 0), x, y, z


@nb.njit(cache=True, error_model="numpy")
def on_front(p, i, j, k, a, b, deepest):  # type: ignore[no-untyped-def]
    """Return |q|^2 and q of the nearest point in the cone on the line in which the triangle meets the front x = deepest."""
    y0, z0, y1, z1, met = 0.0, 0.0, 0.0, 0.0, 0
    for one, two in ((i, j), (j, k), (k, i)):
        before, after = p[one, 0] - deepest, p[two, 0] - deepest
        if (before < 0.0) != (after < 0.0):
            t = before / (before - after)
            y, z = p[one, 1] + t * (p[two, 1] - p[one, 1]), p[one, 2] + t * (p[two, 2] - p[one, 2])
            if met == 0:
                y0, z0 = y, z
            else:
                y1, z1 = y, z
            met += 1
    if met < 2:
        return math.inf, 0.0, 0.0, 0.0
    return nearest(deepest, y0, z0, 0.0, y1 - y0, z1 - z0, a, b, deepest)


@nb.njit(cache=True, error_model="numpy")
def nearest_of_triangle(p, i, j, k, a, b, deepest, best):  # type: ignore[no-untyped-def]
    """Return |q|^2 and q of the triangle's nearest point in the cone; inf if there is none with |q|^2 below `best`."""
    ux, uy, uz = p[j, 0] - p[i, 0], p[j, 1] - p[i, 1], p[j, 2] - p[i, 2]
    vx, vy, vz = p[k, 0] - p[i, 0], p[k, 1] - p[i, 1], p[k, 2] - p[i, 2]
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    off = nx * p[i, 0] + ny * p[i, 1] + nz * p[i, 2]
    if off * off > best * (nx * nx + ny * ny + nz * nz):
        return math.inf, 0.0, 0.0, 0.0
    state, x, y, z = in_plane(p, i, j, k, nx, ny, nz, a, b, deepest)
    if state == 1:
        return x * x + y * y + z * z, x, y, z
    if state == -1:
        return math.inf, 0.0, 0.0, 0.0
    found = math.inf
    x, y, z = 0.0, 0.0, 0.0
    for one, two in ((i, j), (j, k), (k, i)):
        ex, ey, ez = p[two, 0] - p[one, 0], p[two, 1] - p[one, 1], p[two, 2] - p[one, 2]
        far, fx, fy, fz = nearest(p[one, 0], p[one, 1], p[one, 2], ex, ey, ez, a, b, deepest)
        if far < found:
            found, x, y, z = far, fx, fy, fz
    if max(p[i, 0], p[j, 0], p[k, 0]) > deepest:
        far, fx, fy, fz = on_front(p, i, j, k, a, b, deepest)
        if far < found:
            found, x, y, z = far, fx, fy, fz
    return found, x, y, z
