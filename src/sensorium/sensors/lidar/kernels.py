"""The LiDAR's compiled loops over whole scans. Import this lazily: it loads Numba."""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from sensorium.core.random_kernels import normal as draw_normal


@nb.njit(cache=True, parallel=True, nogil=True)
def spin(time_ns, start_ns, start_azimuth, turn_per_ns, table, first):  # type: ignore[no-untyped-def]
    """Return origin and direction [N, 3] of beams of a turning head; beam k belongs to channel (first + k) mod C.

    Direction (cos e cos a, cos e sin a, sin e) with azimuth a = start + turn t + channel; the origin lies `lateral` to the
    left of the beam and `vertical` above the middle of the head.
    """
    n, channels = len(time_ns), len(table)
    elevation_cos, elevation_sin = np.cos(table[:, 1]), np.sin(table[:, 1])
    origin, direction = np.empty((n, 3)), np.empty((n, 3))
    for k in nb.prange(n):
        c = (first + k) % channels
        azimuth = start_azimuth + turn_per_ns * (time_ns[k] - start_ns) + table[c, 2]
        cos, sin = math.cos(azimuth), math.sin(azimuth)
        direction[k, 0], direction[k, 1], direction[k, 2] = elevation_cos[c] * cos, elevation_cos[c] * sin, elevation_sin[c]
        origin[k, 0], origin[k, 1], origin[k, 2] = -table[c, 4] * sin, table[c, 4] * cos, table[c, 3]
    return origin, direction


@nb.njit(cache=True, inline="always")
def _rotated(w, x, y, z, a, b, c):  # type: ignore[no-untyped-def]
    """Rotate (a, b, c) by a quaternion of any length."""
    s = 2.0 / (w * w + x * x + y * y + z * z)
    p, q, r = y * c - z * b, z * a - x * c, x * b - y * a
    return a + s * (w * p + y * r - z * q), b + s * (w * q + z * p - x * r), c + s * (w * r + x * q - y * p)


@nb.njit(cache=True, parallel=True, nogil=True)
def aim(time_ns, origin, direction, start_ns, per_ns, position, step, quaternion):  # type: ignore[no-untyped-def]
    """Take beams from the sensor frame to the world, each with the sensor's pose at its own time.

    The pose comes from the keys of a PoseTrack: Hermite polynomial in position, normalised linear mix in rotation.
    """
    n, keys = len(time_ns), len(position)
    world_origin, world_direction = np.empty((n, 3)), np.empty((n, 3))
    for k in nb.prange(n):
        place = (time_ns[k] - start_ns) * per_ns * (keys - 1)
        i = min(max(int(place), 0), max(keys - 2, 0))
        j = min(i + 1, keys - 1)
        f = place - i
        g = 1.0 - f
        a, b = quaternion[i], quaternion[j]
        w, x, y, z = g * a[0] + f * b[0], g * a[1] + f * b[1], g * a[2] + f * b[2], g * a[3] + f * b[3]
        o0, o1, o2 = _rotated(w, x, y, z, origin[k, 0], origin[k, 1], origin[k, 2])
        d0, d1, d2 = _rotated(w, x, y, z, direction[k, 0], direction[k, 1], direction[k, 2])
        here, ahead = g * g * (1.0 + 2.0 * f), f * f * (3.0 - 2.0 * f)
        leave, arrive = g * g * f, -f * f * g
        for axis, o in enumerate((o0, o1, o2)):
            world_origin[k, axis] = o + (
                here * position[i, axis] + ahead * position[j, axis] + leave * step[i, axis] + arrive * step[j, axis]
            )
        world_direction[k, 0], world_direction[k, 1], world_direction[k, 2] = d0, d1, d2
    return world_origin, world_direction


@nb.njit(cache=True, parallel=True, nogil=True)
def brightness(direction, body, part, normal, part_offset, part_reflectance):  # type: ignore[no-untyped-def]
    """Return the cosine of incidence and the reflectance times that cosine (Lambert's law) of each beam; 0 without a hit."""
    n = len(body)
    cosine, seen = np.zeros(n, np.float32), np.zeros(n, np.float32)
    for k in nb.prange(n):
        if body[k] >= 0:
            dot = direction[k, 0] * normal[k, 0] + direction[k, 1] * normal[k, 1] + direction[k, 2] * normal[k, 2]
            cosine[k] = min(1.0, abs(dot))
            seen[k] = part_reflectance[part_offset[body[k]] + part[k]] * cosine[k]
    return cosine, seen


@nb.njit(cache=True, parallel=True, nogil=True)
def measure(distance, nearest, farthest, noise, resolution, key):  # type: ignore[no-untyped-def]
    """Return the range that the clock reads for each beam: noise, limits, whole steps; NaN where nothing is reported.

    The limits apply to the true distance (beyond them the receiver is closed), noise of beam k is the draw of element k.
    """
    measured = np.empty(len(distance))
    for k in nb.prange(len(distance)):
        if nearest <= distance[k] <= farthest:
            r = distance[k] + noise * draw_normal(key, k)
            measured[k] = math.floor(r / resolution + 0.5) * resolution if resolution > 0.0 else r
        else:
            measured[k] = math.nan
    return measured


@nb.njit(cache=True, parallel=True, nogil=True)
def returns(rows, measured, origin, direction, time_ns, start_ns, ring, seen):  # type: ignore[no-untyped-def]
    """Gather the reported beams: points in the sensor frame, ranges, intensities 0..255, rings and time offsets."""
    n = len(rows)
    points, distance, intensity = np.empty((n, 3), np.float32), np.empty(n, np.float32), np.empty(n, np.float32)
    rings, offset = np.empty(n, np.uint16), np.empty(n, np.uint32)
    for i in nb.prange(n):
        k = rows[i]
        for axis in range(3):
            points[i, axis] = origin[k, axis] + direction[k, axis] * measured[k]
        distance[i] = measured[k]
        intensity[i] = min(255.0, math.floor(255.0 * seen[k] + 0.5))
        rings[i] = ring[k]
        offset[i] = time_ns[k] - start_ns
    return points, distance, intensity, rings, offset
