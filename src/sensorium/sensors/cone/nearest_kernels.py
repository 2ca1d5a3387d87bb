"""The nearest point of every body in the cone: boxes first, faces then. Import this lazily: it loads Numba."""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from sensorium.sensors.cone.line_kernels import lines_for, nearest_of_lines
from sensorium.sensors.cone.triangle_kernels import nearest_of_triangle


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def _matrix(q, m):  # type: ignore[no-untyped-def]
    """Write the rotation matrix of a unit quaternion wxyz."""
    w, x, y, z = q[0], q[1], q[2], q[3]
    m[0, 0], m[0, 1], m[0, 2] = 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)
    m[1, 0], m[1, 1], m[1, 2] = 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)
    m[2, 0], m[2, 1], m[2, 2] = 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)


@nb.njit(cache=True, error_model="numpy")
def sides_of(a, b, deepest):  # type: ignore[no-untyped-def]
    """Return the half-spaces n . q <= c that hold the cone: two walls each way, behind, front. Rows (n, c), n of unit length."""
    sides = np.zeros((6, 4))
    flat, steep = math.hypot(1.0, a), math.hypot(1.0, b)
    sides[0, 0], sides[0, 1] = -a / flat, 1 / flat
    sides[1, 0], sides[1, 1] = -a / flat, -1 / flat
    sides[2, 0], sides[2, 2] = -b / steep, 1 / steep
    sides[3, 0], sides[3, 2] = -b / steep, -1 / steep
    sides[4, 0] = -1.0
    sides[5, 0], sides[5, 3] = 1.0, deepest
    return sides


@nb.njit(cache=True, error_model="numpy")
def _box_distance2(low, high, node, eye, sides, best):  # type: ignore[no-untyped-def]
    """Return the squared distance from the eye to a node's box; inf if it lies beside the cone. All in the body frame."""
    square = 0.0
    for axis in range(3):
        off = max(low[node, axis] - eye[axis], eye[axis] - high[node, axis], 0.0)
        square += off * off
    if square >= best:
        return math.inf
    cx, hx = 0.5 * (low[node, 0] + high[node, 0]) - eye[0], 0.5 * (high[node, 0] - low[node, 0])
    cy, hy = 0.5 * (low[node, 1] + high[node, 1]) - eye[1], 0.5 * (high[node, 1] - low[node, 1])
    cz, hz = 0.5 * (low[node, 2] + high[node, 2]) - eye[2], 0.5 * (high[node, 2] - low[node, 2])
    slack = 1e-12 * (abs(cx) + abs(cy) + abs(cz) + hx + hy + hz)  # rounding never hides what touches
    for side in range(6):
        nx, ny, nz = sides[side, 0], sides[side, 1], sides[side, 2]
        reach = abs(nx) * hx + abs(ny) * hy + abs(nz) * hz
        if nx * cx + ny * cy + nz * cz - reach > sides[side, 3] + slack:
            return math.inf
    return square


@nb.njit(cache=True, error_model="numpy")
def _beside_all(p, sides):  # type: ignore[no-untyped-def]
    """Return whether all corners of a face lie beyond one side of the cone."""
    for side in range(6):
        beyond = 0
        for row in range(4):
            if p[row, 0] * sides[side, 0] + p[row, 1] * sides[side, 1] + p[row, 2] * sides[side, 2] > sides[side, 3]:
                beyond += 1
        if beyond == 4:
            return True
    return False


@nb.njit(cache=True, error_model="numpy")
def _looks_away(p):  # type: ignore[no-untyped-def]
    """Return whether the apex lies behind a face, by its first three corners."""
    ux, uy, uz = p[1, 0] - p[0, 0], p[1, 1] - p[0, 1], p[1, 2] - p[0, 2]
    vx, vy, vz = p[2, 0] - p[0, 0], p[2, 1] - p[0, 1], p[2, 2] - p[0, 2]
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    return nx * p[0, 0] + ny * p[0, 1] + nz * p[0, 2] > 0.0


@nb.njit(cache=True, error_model="numpy")
def _nearest_of_face(p, field, method, sides, best):  # type: ignore[no-untyped-def]
    """Return |q|^2 and q of a face's nearest point in the cone, by lines or exactly."""
    a, b, deepest = field[0], field[1], field[2]
    if _beside_all(p, sides):
        return math.inf, 0.0, 0.0, 0.0
    if method[0] > 0.0:
        count = lines_for(p, method[1], method[0]) if method[1] > 0.0 else int(method[0])
        return nearest_of_lines(p, count, a, b, deepest)
    found, x, y, z = nearest_of_triangle(p, 0, 1, 2, a, b, deepest, best)
    if p[3, 0] != p[2, 0] or p[3, 1] != p[2, 1] or p[3, 2] != p[2, 2]:
        far, fx, fy, fz = nearest_of_triangle(p, 0, 2, 3, a, b, deepest, min(best, found))
        if far < found:
            return far, fx, fy, fz
    return found, x, y, z


@nb.njit(cache=True, error_model="numpy")
def _nearest_of_body(trees, root, turn, eye, body_sides, field, method, sides, p, out):  # type: ignore[no-untyped-def]
    """Write q and |q|^2 of a body's nearest point to out[0:4]; return its face, -1 if it has none in the cone.

    turn takes body axes to sensor axes, eye is the sensor in the body frame; p is room for the corners of a face.
    """
    stack = np.empty(128, np.int64)
    stack[0], waiting, best, face = root, 1, field[3] * field[3] * (1 + 1e-15), -1
    apart = False  # the eye is outside the box of the body, so what looks away is hidden by what does not
    for axis in range(3):
        apart |= eye[axis] < trees.low_m[root, axis] or eye[axis] > trees.high_m[root, axis]
    while waiting > 0:
        waiting -= 1
        node = stack[waiting]
        if not _box_distance2(trees.low_m, trees.high_m, node, eye, body_sides, best) < best:
            continue
        if trees.held[node] == 0:
            left, right = node + 1, trees.right[node]
            near = _box_distance2(trees.low_m, trees.high_m, left, eye, body_sides, math.inf)
            far = _box_distance2(trees.low_m, trees.high_m, right, eye, body_sides, math.inf)
            if near < math.inf or far < math.inf:
                first, second = (left, right) if near <= far else (right, left)
                stack[waiting], stack[waiting + 1] = second, first
                waiting += 2
            continue
        for at in range(trees.first[node], trees.first[node] + trees.held[node]):
            for row in range(4):
                dx, dy = trees.corners_m[at, row, 0] - eye[0], trees.corners_m[at, row, 1] - eye[1]
                dz = trees.corners_m[at, row, 2] - eye[2]
                for axis in range(3):
                    p[row, axis] = turn[axis, 0] * dx + turn[axis, 1] * dy + turn[axis, 2] * dz
            if apart and trees.closed[at] and _looks_away(p):
                continue
            square, x, y, z = _nearest_of_face(p, field, method, sides, best)
            if square < best:
                best, face = square, at
                out[0], out[1], out[2], out[3] = x, y, z, square
    return face


@nb.njit(cache=True, error_model="numpy", nogil=True)
def nearest_of_bodies(trees, place, left_out, eye_m, eye_quaternion, field, method):  # type: ignore[no-untyped-def]
    """Return body, face and point (q, |q|^2) [D, 4] of the nearest points in the sensor frame, one per body in the cone.

    field: a, b, deepest x, largest distance. method: number of lines (0: exact), angle that adapts them (0: fixed).
    """
    bodies = len(place.root)
    body, face, point = np.empty(bodies, np.int64), np.empty(bodies, np.int64), np.empty((bodies, 4))
    sides, body_sides = sides_of(field[0], field[1], field[2]), np.empty((6, 4))
    axes, own, turn = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    eye, p, d, centre = np.empty(3), np.empty((4, 3)), np.empty(3), np.empty(3)
    _matrix(eye_quaternion, axes)
    farthest, found = min(field[3], field[2] * math.hypot(1.0, math.hypot(field[0], field[1]))), 0
    for k in range(bodies):
        if place.root[k] < 0 or left_out[k]:
            continue
        if place.still[k]:
            centre[:] = place.centre_world_m[k]
        else:
            _matrix(place.quaternion[k], own)
            for i in range(3):
                c = place.centre_m[k]
                centre[i] = place.position_m[k, i] + own[i, 0] * c[0] + own[i, 1] * c[1] + own[i, 2] * c[2]
        for i in range(3):
            d[i] = centre[i] - eye_m[i]
        if d[0] * d[0] + d[1] * d[1] + d[2] * d[2] > (farthest + place.radius_m[k]) ** 2:
            continue
        ahead = axes[0, 0] * d[0] + axes[1, 0] * d[1] + axes[2, 0] * d[2]
        if ahead < -place.radius_m[k] or ahead > field[2] + place.radius_m[k]:
            continue
        _matrix(place.quaternion[k], own)
        for i in range(3):
            eye[i] = 0.0
            for j in range(3):
                eye[i] += own[j, i] * (eye_m[j] - place.position_m[k, j])
                turn[i, j] = axes[0, i] * own[0, j] + axes[1, i] * own[1, j] + axes[2, i] * own[2, j]
        for side in range(6):
            for j in range(3):
                body_sides[side, j] = (
                    sides[side, 0] * turn[0, j] + sides[side, 1] * turn[1, j] + sides[side, 2] * turn[2, j]
                )
            body_sides[side, 3] = sides[side, 3]
        at = _nearest_of_body(trees, place.root[k], turn, eye, body_sides, field, method, sides, p, point[found])
        if at >= 0:
            body[found], face[found] = k, at
            found += 1
    return body[:found], face[:found], point[:found]
