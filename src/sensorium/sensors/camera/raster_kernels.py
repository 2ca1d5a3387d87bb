"""From pixels to rays in the world. Import this lazily: it loads Numba."""

from __future__ import annotations

import math

import numba as nb
import numpy as np


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def rotated(w, x, y, z, a, b, c):  # type: ignore[no-untyped-def]
    """Rotate (a, b, c) by a quaternion of any length."""
    s = 2.0 / (w * w + x * x + y * y + z * z)
    p, q, r = y * c - z * b, z * a - x * c, x * b - y * a
    return a + s * (w * p + y * r - z * q), b + s * (w * q + z * p - x * r), c + s * (w * r + x * q - y * p)


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def fraction(value):  # type: ignore[no-untyped-def]
    """Return what is behind the point."""
    return value - math.floor(value)


@nb.njit(cache=True, error_model="numpy")
def pixel_shift(pixel, salt):  # type: ignore[no-untyped-def]
    """Return a number in [0, 1) that differs from pixel to pixel in no visible order: a hash of 32 bits (lowbias32)."""
    h = (np.uint64(pixel) + np.uint64(1) + np.uint64(salt) * np.uint64(0x9E3779B9)) & np.uint64(0xFFFFFFFF)
    h ^= h >> np.uint64(16)
    h = (h * np.uint64(0x7FEB352D)) & np.uint64(0xFFFFFFFF)
    h ^= h >> np.uint64(15)
    h = (h * np.uint64(0x846CA68B)) & np.uint64(0xFFFFFFFF)
    h ^= h >> np.uint64(16)
    return np.int64(h) / 4294967296.0


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def _turn(place, quaternion):  # type: ignore[no-untyped-def]
    """Return the keys before and after a place of a track, the way between them, and the rotation there."""
    keys = len(quaternion)
    i = min(max(int(place), 0), max(keys - 2, 0))
    j = min(i + 1, keys - 1)
    f = place - i
    g = 1.0 - f
    w, x = g * quaternion[i, 0] + f * quaternion[j, 0], g * quaternion[i, 1] + f * quaternion[j, 1]
    y, z = g * quaternion[i, 2] + f * quaternion[j, 2], g * quaternion[i, 3] + f * quaternion[j, 3]
    return i, j, f, w, x, y, z


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def _between(f, here, ahead, leave, arrive):  # type: ignore[no-untyped-def]
    """Return Hermite's polynomial between two keys."""
    g = 1.0 - f
    return g * g * (1.0 + 2.0 * f) * here + f * f * (3.0 - 2.0 * f) * ahead + g * g * f * leave - f * f * g * arrive


@nb.njit(cache=True, error_model="numpy")
def _rows(row_start_ns, exposure_ns, start_ns, end_ns, position, step, quaternion):  # type: ignore[no-untyped-def]
    """Return rotation [H, 3, 3], place [H, 3] and time [H] of each row at the middle of its exposure."""
    rows, keys = len(row_start_ns), len(position)
    turns, places, times = np.empty((rows, 3, 3)), np.empty((rows, 3)), np.empty(rows, np.int64)
    for row in range(rows):
        time = row_start_ns[row] + np.int64(math.floor(0.5 * exposure_ns + 0.5))
        times[row] = max(start_ns, min(end_ns, time))
        place = (times[row] - start_ns) / max(1, end_ns - start_ns) * (keys - 1)
        i, j, f, w, x, y, z = _turn(place, quaternion)
        for a in range(3):
            unit = (1.0 if a == 0 else 0.0, 1.0 if a == 1 else 0.0, 1.0 if a == 2 else 0.0)
            turns[row, 0, a], turns[row, 1, a], turns[row, 2, a] = rotated(w, x, y, z, unit[0], unit[1], unit[2])
            places[row, a] = _between(f, position[i, a], position[j, a], step[i, a], step[j, a])
    return turns, places, times


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def aim(  # type: ignore[no-untyped-def]
    pixel, direction, across, down, width, row_start_ns, exposure_ns, sample, samples, start_ns, end_ns,
    position, step, quaternion,
):  # fmt: skip
    """Return origin, direction and time of one ray through each pixel, from the sensor's pose at that time.

    Of S samples, sample s takes the part (s + h) / S of the exposure, with a shift h that differs from pixel to pixel, and a
    place in the pixel of the R2 sequence (M. Roberts, "The unreasonable effectiveness of quasirandom sequences", 2018),
    shifted likewise. Times are rounded to nanoseconds and kept within the window. The pose comes from the keys of a
    PoseTrack: Hermite polynomial in position, normalised linear mix in rotation.
    """
    n, keys = len(pixel), len(position)
    origins, directions, times = np.empty((n, 3)), np.empty((n, 3)), np.empty(n, np.int64)
    if samples == 1:
        turns, places, row_ns = _rows(row_start_ns, exposure_ns, start_ns, end_ns, position, step, quaternion)
        for k in nb.prange(n):
            row = pixel[k] // width
            x, y, z = direction[k, 0], direction[k, 1], direction[k, 2]
            for a in range(3):
                directions[k, a] = turns[row, a, 0] * x + turns[row, a, 1] * y + turns[row, a, 2] * z
                origins[k, a] = places[row, a]
            times[k] = row_ns[row]
        return origins, directions, times
    per_ns = 1.0 / max(1, end_ns - start_ns)
    for k in nb.prange(n):
        when = (sample + pixel_shift(pixel[k], 0)) / samples
        right = fraction(pixel_shift(pixel[k], 1) + 0.7548776662466927 * sample) - 0.5
        below = fraction(pixel_shift(pixel[k], 2) + 0.5698402909980532 * sample) - 0.5
        time = row_start_ns[pixel[k] // width] + np.int64(math.floor(when * exposure_ns + 0.5))
        time = max(start_ns, min(end_ns, time))
        i, j, f, w, x, y, z = _turn((time - start_ns) * per_ns * (keys - 1), quaternion)
        directions[k, 0], directions[k, 1], directions[k, 2] = rotated(
            w, x, y, z,
            direction[k, 0] + right * across[k, 0] + below * down[k, 0],
            direction[k, 1] + right * across[k, 1] + below * down[k, 1],
            direction[k, 2] + right * across[k, 2] + below * down[k, 2],
        )  # fmt: skip
        for a in range(3):
            origins[k, a] = _between(f, position[i, a], position[j, a], step[i, a], step[j, a])
        times[k] = time
    return origins, directions, times


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def truth(  # type: ignore[no-untyped-def]
    pixel, inner, ray, distance, body, part, normal, part_offset, part_class, width, quaternion,
    depth, normals, bodies, parts, labels,
):  # fmt: skip
    """Fill the truth images [H, W] from the hits of the pixels' central rays.

    `inner` [N, 3] are the pixels' directions in the sensor frame, whose first entry is the cosine to the optical axis;
    `quaternion` [H, 4] turns the sensor frame into the world at the time of each row.
    """
    for k in nb.prange(len(pixel)):
        row, column = pixel[k] // width, pixel[k] % width
        if body[k] < 0:
            continue
        depth[row, column] = distance[k] * inner[k, 0]
        nx, ny, nz = normal[k, 0], normal[k, 1], normal[k, 2]
        if nx * ray[k, 0] + ny * ray[k, 1] + nz * ray[k, 2] > 0.0:
            nx, ny, nz = -nx, -ny, -nz
        q = quaternion[row]
        fx, fy, fz = rotated(q[0], -q[1], -q[2], -q[3], nx, ny, nz)
        normals[row, column, 0], normals[row, column, 1], normals[row, column, 2] = -fy, -fz, fx
        bodies[row, column], parts[row, column] = body[k], part[k]
        labels[row, column] = part_class[part_offset[body[k]] + part[k]]
