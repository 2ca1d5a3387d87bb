"""From beams to echoes: aiming bundles and weighing what each ray meets. Import this lazily: it loads Numba."""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from sensorium.materials.optical_table import MIRROR
from sensorium.materials.response import mirrored
from sensorium.sensors.lidar.link_kernels import echo_power, glint_power


@nb.njit(cache=True, error_model="numpy")
def _rotated(w, x, y, z, a, b, c):  # type: ignore[no-untyped-def]
    """Rotate (a, b, c) by a quaternion of any length."""
    s = 2.0 / (w * w + x * x + y * y + z * z)
    p, q, r = y * c - z * b, z * a - x * c, x * b - y * a
    return a + s * (w * p + y * r - z * q), b + s * (w * q + z * p - x * r), c + s * (w * r + x * q - y * p)


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def aim(beams, time_ns, origin, direction, offsets, start_ns, per_ns, position, step, quaternion):  # type: ignore[no-untyped-def]
    """Take some beams from the sensor frame to the world, each with the sensor's pose at its own time, and split them into rays.

    The pose comes from the keys of a PoseTrack: Hermite polynomial in position, normalised linear mix in rotation. A ray leaves
    the beam's axis by `offsets` [R, 2]: to the right and upwards as seen along the beam. Ray r of the beam number `beams[k]` is
    row k R + r.
    """
    n, keys, rays = len(beams), len(position), len(offsets)
    ray_origin, ray_direction, ray_time = np.empty((n * rays, 3)), np.empty((n * rays, 3)), np.empty(n * rays, np.int64)
    for k in nb.prange(n):
        beam = beams[k]
        place = (time_ns[beam] - start_ns) * per_ns * (keys - 1)
        i = min(max(int(place), 0), max(keys - 2, 0))
        j = min(i + 1, keys - 1)
        f = place - i
        g = 1.0 - f
        w, x = g * quaternion[i, 0] + f * quaternion[j, 0], g * quaternion[i, 1] + f * quaternion[j, 1]
        y, z = g * quaternion[i, 2] + f * quaternion[j, 2], g * quaternion[i, 3] + f * quaternion[j, 3]
        here, ahead, leave, arrive = g * g * (1.0 + 2.0 * f), f * f * (3.0 - 2.0 * f), g * g * f, -f * f * g
        dx, dy, dz = direction[beam, 0], direction[beam, 1], direction[beam, 2]
        flat = math.sqrt(dx * dx + dy * dy)
        rx, ry = (dy / flat, -dx / flat) if flat > 1e-9 else (0.0, -1.0)  # to the right of the beam, level
        start = _rotated(w, x, y, z, origin[beam, 0], origin[beam, 1], origin[beam, 2])
        ahead_of = _rotated(w, x, y, z, dx, dy, dz)
        right = _rotated(w, x, y, z, rx, ry, 0.0)
        up = _rotated(w, x, y, z, ry * dz, -rx * dz, rx * dy - ry * dx)  # right x direction
        for axis in range(3):
            at = start[axis] + (
                here * position[i, axis] + ahead * position[j, axis] + leave * step[i, axis] + arrive * step[j, axis]
            )
            for r in range(rays):
                ray_origin[k * rays + r, axis] = at
                ray_direction[k * rays + r, axis] = (
                    ahead_of[axis] + offsets[r, 0] * right[axis] + offsets[r, 1] * up[axis]
                )
        for r in range(rays):
            ray_time[k * rays + r] = time_ns[beam]
    return ray_origin, ray_direction, ray_time


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def weigh(  # type: ignore[no-untyped-def]
    weights, lengths, distance, direction, body, part, normal, part_offset, part_material,
    table, link, extinction, beams, far, power, branches, seen_body, seen_part, seen_cosine,
):  # fmt: skip
    """Fill in distance and power [W] of each ray's echo, and mark in `branches` the rays that a mirror or glass leads on.

    What was met goes to `seen_body`, `seen_part` and `seen_cosine`, unless they are empty: then nobody asked.

    The echo of ray r of beam b goes to row b R + r; `beams` [N] are the numbers of the beams, `lengths` [R] those of the
    directions of a beam's rays; with no `branches` nobody wants to know.
    """
    rays, told = len(weights), len(seen_body) > 0
    for k in nb.prange(len(distance) // rays):
        for r in range(rays):
            i = k * rays + r
            row = beams[k] * rays + r
            far[row] = distance[i]
            power[row] = 0.0
            dot = direction[i, 0] * normal[i, 0] + direction[i, 1] * normal[i, 1] + direction[i, 2] * normal[i, 2]
            cosine = min(1.0, abs(dot) / lengths[r])
            if told:
                seen_body[row], seen_part[row], seen_cosine[row] = body[i], part[i], cosine
            if body[i] < 0:
                continue
            cosine = max(1e-4, cosine)
            m = part_material[part_offset[body[i]] + part[i]]
            got = echo_power(link, table, m, cosine, distance[i], extinction)
            if table.kind[m] >= MIRROR:
                if len(branches) > 0:
                    branches[i] = True
                got += glint(link, table, m, cosine, distance[i], extinction)
            power[row] = got * weights[r]


@nb.njit(cache=True, error_model="numpy")
def glint(link, table, m, cosine, path, extinction):  # type: ignore[no-untyped-def]
    """Return the power that a mirror throws straight back: its beam passes the receiver at path tan(2 t)."""
    angle = math.acos(cosine)
    if angle > 0.1:
        return 0.0
    return glint_power(link, mirrored(table, m, cosine, False), path * math.tan(2.0 * angle), path, extinction)
