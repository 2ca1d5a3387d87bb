"""The scan patterns' compiled loops over all beams of a scan. Import this lazily: it loads Numba.

Every beam is made from its own time alone, so the number of threads changes nothing.
"""

from __future__ import annotations

import math

import numba as nb
import numpy as np


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def loop_times(first, count, offset_ns, period_ns):  # type: ignore[no-untyped-def]
    """Return the times [count] of shots first, first + 1, ...: shot k is entry k mod M of repetition k div M."""
    entries, time_ns = len(offset_ns), np.empty(count, np.int64)
    for i in nb.prange(count):
        turn = (first + i) // entries
        time_ns[i] = np.int64(math.floor(turn * period_ns + 0.5)) + offset_ns[first + i - turn * entries]
    return time_ns


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def loop_rows(first, count, direction, ring):  # type: ignore[no-untyped-def]
    """Return direction [count, 3] and ring [count] of shots first, first + 1, ... of a list that repeats."""
    entries = len(direction)
    directions, rings = np.empty((count, 3)), np.empty(count, np.uint16)
    for i in nb.prange(count):
        k = (first + i) % entries
        directions[i, 0], directions[i, 1], directions[i, 2] = direction[k, 0], direction[k, 1], direction[k, 2]
        rings[i] = ring[k]
    return directions, rings


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def towards(azimuth, elevation):  # type: ignore[no-untyped-def]
    """Return unit vectors [N, 3]: (cos e cos a, cos e sin a, sin e)."""
    direction = np.empty((len(azimuth), 3))
    for i in nb.prange(len(azimuth)):
        flat = math.cos(elevation[i])
        direction[i, 0], direction[i, 1] = flat * math.cos(azimuth[i]), flat * math.sin(azimuth[i])
        direction[i, 2] = math.sin(elevation[i])
    return direction


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def turned(cycle_ns, head_azimuth, offset_ns, origin, direction, ring):  # type: ignore[no-untyped-def]
    """Return time, origin, direction and ring of a turning head's beams, cycle by cycle [J] and row by row [C].

    Origin and direction [C, 3] of the rows are given in the head's frame at the start of a cycle, and are turned about
    the upward axis by the head's azimuth at that time.
    """
    rows = len(offset_ns)
    n = len(cycle_ns) * rows
    time_ns, rings = np.empty(n, np.int64), np.empty(n, np.uint16)
    origins, directions = np.empty((n, 3)), np.empty((n, 3))
    for j in nb.prange(len(cycle_ns)):
        cos, sin = math.cos(head_azimuth[j]), math.sin(head_azimuth[j])
        for i in range(rows):
            k = j * rows + i
            time_ns[k], rings[k] = cycle_ns[j] + offset_ns[i], ring[i]
            directions[k, 0] = direction[i, 0] * cos - direction[i, 1] * sin
            directions[k, 1] = direction[i, 0] * sin + direction[i, 1] * cos
            directions[k, 2] = direction[i, 2]
            origins[k, 0] = origin[i, 0] * cos - origin[i, 1] * sin
            origins[k, 1] = origin[i, 0] * sin + origin[i, 1] * cos
            origins[k, 2] = origin[i, 2]
    return time_ns, origins, directions, rings


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def raster(phase, fields, lines, lit, alternates, swings, steps):  # type: ignore[no-untyped-def]
    """Return unit vectors [N, 3] and ring [N] of a mirror that has written `phase` lines (see `patterns.mirror_sweep`).

    Azimuth -d H / 2 and elevation h V, with the fields of view (H, V) and the deflections d and h of the two axes.
    """
    n, start, end = len(phase), lit[0], lit[1]
    wide, high = fields
    edge = math.sin(math.pi * (end - start) / 2.0)
    direction, ring = np.empty((n, 3)), np.empty(n, np.uint16)
    for i in nb.prange(n):
        line = math.floor(phase[i])
        part = phase[i] - line
        d = math.sin(math.pi * (part - 0.5)) / edge if swings else 2.0 * (part - start) / (end - start) - 1.0
        if alternates and np.int64(line) & 1:
            d = -d
        azimuth, elevation = -0.5 * wide * d, high * (0.5 - (line + 0.5 if steps else phase[i]) / lines)
        flat = math.cos(elevation)
        direction[i, 0], direction[i, 1] = flat * math.cos(azimuth), flat * math.sin(azimuth)
        direction[i, 2], ring[i] = math.sin(elevation), lines - 1 - np.int64(line)
    return direction, ring


@nb.njit(cache=True, error_model="numpy")
def _phase(time_ns, rate_hz, start_rad):  # type: ignore[no-untyped-def]
    """Return 2 pi rate t + start, reduced to a turn; after a day at 10 kHz it is still within 1e-6 rad."""
    turns = rate_hz * (time_ns * 1e-9)
    return 2.0 * math.pi * (turns - math.floor(turns)) + start_rad


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def lissajous(time_ns, rate_hz, amplitude, start_phase):  # type: ignore[no-untyped-def]
    """Return unit vectors [N, 3] to azimuth A0 sin(2 pi f0 t + p0) and elevation A1 sin(2 pi f1 t + p1)."""
    direction = np.empty((len(time_ns), 3))
    for i in nb.prange(len(time_ns)):
        azimuth = amplitude[0] * math.sin(_phase(time_ns[i], rate_hz[0], start_phase[0]))
        elevation = amplitude[1] * math.sin(_phase(time_ns[i], rate_hz[1], start_phase[1]))
        flat = math.cos(elevation)
        direction[i, 0], direction[i, 1] = flat * math.cos(azimuth), flat * math.sin(azimuth)
        direction[i, 2] = math.sin(elevation)
    return direction


@nb.njit(cache=True, error_model="numpy")
def _refracted(x, y, z, nx, ny, nz, ratio):  # type: ignore[no-untyped-def]
    """Bend a unit vector s at a face with normal n along it: r s + (sqrt(1 - r^2 (1 - c^2)) - r c) n, c = n s."""
    cos = x * nx + y * ny + z * nz
    along = math.sqrt(1.0 - ratio * ratio * (1.0 - cos * cos)) - ratio * cos
    return ratio * x + along * nx, ratio * y + along * ny, ratio * z + along * nz


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def risley(first, time_ns, prism, emitted, ring):  # type: ignore[no-untyped-def]
    """Return unit vectors [N, 3] and ring [N] behind two turning wedges; shot k comes from emitter (first + k) mod E.

    Prism [2, 4]: wedge angle, refractive index, rate in hertz, phase. The plane faces look outwards, the inclined ones
    at each other. Emitted [E, 3]: unit vectors before the prisms. At a plane face y and z change by the ratio of the
    indices.
    """
    n, emitters = len(time_ns), len(emitted)
    direction, rings = np.empty((n, 3)), np.empty(n, np.uint16)
    n0, n1 = prism[0, 1], prism[1, 1]
    cos0, sin0, cos1, sin1 = math.cos(prism[0, 0]), math.sin(prism[0, 0]), math.cos(prism[1, 0]), math.sin(prism[1, 0])
    for k in nb.prange(n):
        e = (first + k) % emitters
        y, z = emitted[e, 1] / n0, emitted[e, 2] / n0
        x = math.sqrt(1.0 - y * y - z * z)
        a, b = _phase(time_ns[k], prism[0, 2], prism[0, 3]), _phase(time_ns[k], prism[1, 2], prism[1, 3])
        x, y, z = _refracted(x, y, z, cos0, -sin0 * math.cos(a), -sin0 * math.sin(a), n0)
        x, y, z = _refracted(x, y, z, cos1, sin1 * math.cos(b), sin1 * math.sin(b), 1.0 / n1)
        y, z = y * n1, z * n1
        direction[k, 0], direction[k, 1], direction[k, 2] = math.sqrt(1.0 - y * y - z * z), y, z
        rings[k] = ring[e]
    return direction, rings
