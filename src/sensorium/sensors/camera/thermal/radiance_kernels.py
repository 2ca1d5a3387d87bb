"""From what the pixels' rays met to radiance, pixel by pixel. Import this lazily: it loads Numba.

One ray into the half space over each surface point, and one towards the sun of each span of the day, are shared by the 16
pixels of a 4 x 4 neighbourhood: each of the 16 has a direction of its own, and what they found is averaged over those
that see the same part under nearly the same normal.
"""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from sensorium.sensors.camera.thermal.planck_kernels import radiance
from sensorium.sensors.camera.thermal.surface_kernels import base_k, met, pattern_k, sky, sun_k

_ALIKE = 0.9
"""Cosine between normals above which neighbours share what they found."""
_CLEAR_M = 1e-3
"""How far from the surface second rays start."""


@nb.njit(cache=True, error_model="numpy")
def stratum(pixel, width):  # type: ignore[no-untyped-def]
    """Return the place of a pixel in its tile of 4 x 4; every window of 4 x 4 pixels holds each once."""
    return ((pixel // width) & 3) * 4 + ((pixel % width) & 3)


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def aim(  # type: ignore[no-untyped-def]
    pixel, width, origin, direction, distance, body, part, normal, part_offset, skin, parts, heat, least,
    where, facing, row, outward, mirrored, wants_mirror, to_sun, wants_sun,
):  # fmt: skip
    """Find the surface points and aim the second rays from them: into the half space, as from a mirror, to the sun.

    `facing` [N, 4]: the normal towards the camera and the cosine to the ray. Into the half space rays go with the density
    of the cosine (Malley's method) about an orthonormal basis (Duff et al., JCGT 6 (1), 2017).
    """
    spans = len(heat.lit)
    for k in nb.prange(len(pixel)):
        wants_mirror[k] = False
        for span in range(spans):
            wants_sun[span, k] = False
        if body[k] < 0:
            row[k] = -1
            continue
        row[k] = part_offset[body[k]] + part[k]
        dx, dy, dz = direction[k, 0], direction[k, 1], direction[k, 2]
        scale = 1.0 / math.sqrt(dx * dx + dy * dy + dz * dz)
        dx, dy, dz = dx * scale, dy * scale, dz * scale
        nx, ny, nz = normal[k, 0], normal[k, 1], normal[k, 2]
        cosine = -(nx * dx + ny * dy + nz * dz)
        if cosine < 0.0:
            nx, ny, nz, cosine = -nx, -ny, -nz, -cosine
        facing[k, 0], facing[k, 1], facing[k, 2], facing[k, 3] = nx, ny, nz, cosine
        where[k, 0] = origin[k, 0] + dx * distance[k] + nx * _CLEAR_M
        where[k, 1] = origin[k, 1] + dy * distance[k] + ny * _CLEAR_M
        where[k, 2] = origin[k, 2] + dz * distance[k] + nz * _CLEAR_M
        s = stratum(pixel[k], width)
        radius, turn = math.sqrt((s // 4 + 0.5) * 0.25), 2.0 * math.pi * ((s % 4) + 0.25 * (s // 4) + 0.125) * 0.25
        a, b, c = radius * math.cos(turn), radius * math.sin(turn), math.sqrt(1.0 - radius * radius)
        sign = 1.0 if nz >= 0.0 else -1.0
        p = -1.0 / (sign + nz)
        q = nx * ny * p
        outward[k, 0] = a * (1.0 + sign * nx * nx * p) + b * q + c * nx
        outward[k, 1] = a * sign * q + b * (sign + ny * ny * p) + c * ny
        outward[k, 2] = -a * sign * nx - b * ny + c * nz
        e, m = skin[row[k], 0], skin[row[k], 1]
        if m * (1.0 - e) + e * m * (1.0 - cosine) ** 5 > least:
            wants_mirror[k] = True
            mirrored[k, 0], mirrored[k, 1] = dx + 2.0 * cosine * nx, dy + 2.0 * cosine * ny
            mirrored[k, 2] = dz + 2.0 * cosine * nz
        for span in range(spans):
            if heat.lit[span]:
                sx, sy, sz = heat.direction[span, s, 0], heat.direction[span, s, 1], heat.direction[span, s, 2]
                up = nx * sx + ny * sy + nz * sz
                thin = parts.thin[row[k]]
                warms = sun_k(heat, parts.kind[row[k]], span, thin, nx, ny, nz)
                wants_sun[span, k] = (up > 0.0 or thin) and warms > 0.05
                to_sun[span, k, 0], to_sun[span, k, 1], to_sun[span, k, 2] = sx, sy, sz


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def reach_sun(index, own, hit, moves, sees):  # type: ignore[no-untyped-def]
    """Mark in `sees` [N] which rays to the sun arrive. Only what keeps its place to the surface throws a lasting shadow on it."""
    for i in nb.prange(len(index)):
        k = index[i]
        other, mine = hit[i], own[k]
        sees[k] = other < 0 or (other != mine and (moves[other] or moves[mine]))


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def receive(  # type: ignore[no-untyped-def]
    index, own, direction, distance, body, part, triangle, barycentric, normal, part_offset, moves, air, table, parts, heat, skin,
    open_sky, arriving,
):  # fmt: skip
    """Write what second rays bring back to `arriving` [N], and whether they left for the sky to `open_sky` [N]."""
    for i in nb.prange(len(index)):
        k = index[i]
        other, mine = body[i], own[k]
        free = other < 0 or (other != mine and (moves[other] or moves[mine]))
        open_sky[k] = free and direction[i, 2] > 0.0
        row = part_offset[other] + part[i] if other >= 0 else -1
        arriving[k] = met(
            air, table, parts, heat, skin, row, triangle[i], barycentric[i, 0], barycentric[i, 1],
            normal[i, 0], normal[i, 1], normal[i, 2], direction[i, 0], direction[i, 1], direction[i, 2], distance[i],
        )  # fmt: skip


@nb.njit(cache=True, error_model="numpy")
def _neighbours(k, pixel, width, height, entry, body, row, facing, found):  # type: ignore[no-untyped-def]
    """Fill `found` with the entries of the 4 x 4 window about an entry that see the same surface; return their number."""
    y, x = pixel[k] // width, pixel[k] % width
    count = 0
    for j in range(max(0, y - 2), min(height, y + 2)):
        for i in range(max(0, x - 2), min(width, x + 2)):
            n = entry[j * width + i]
            if n < 0 or row[n] != row[k] or body[n] != body[k]:
                continue
            alike = facing[n, 0] * facing[k, 0] + facing[n, 1] * facing[k, 1] + facing[n, 2] * facing[k, 2]
            if alike > _ALIKE:
                found[count] = n
                count += 1
    return count


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def shade(  # type: ignore[no-untyped-def]
    pixel, width, height, entry, direction, distance, body, triangle, barycentric, row, facing,
    open_sky, around, wants_mirror, from_mirror, sees_sun, air, table, parts, heat, skin, temperature, out,
):  # fmt: skip
    """Write the radiance of each pixel, and the temperature of what it sees (NaN for the sky).

    L = tau (e B(T) + m' L_mirror + d L_around) + (1 - tau) B(T_air), tau = exp(-alpha r). The emissivity falls towards grazing
    incidence as the mirrored part grows (Schlick 1994): e = e_n (1 - m (1 - cos t)^5), m' = m (1 - e_n) + e_n m (1 - cos t)^5,
    d = (1 - m) (1 - e_n).
    """
    spans = len(heat.lit)
    for k in nb.prange(len(pixel)):
        if row[k] < 0:
            dx, dy, dz = direction[k, 0], direction[k, 1], direction[k, 2]
            out[k] = sky(air, table, dz / math.sqrt(dx * dx + dy * dy + dz * dz))
            temperature[k] = np.nan
            continue
        found = np.empty(16, np.int64)
        count = _neighbours(k, pixel, width, height, entry, body, row, facing, found)
        share, near = 0.0, 0.0
        for n in range(count):
            share += open_sky[found[n]]
            near += around[found[n]]
        share, near = share / count, near / count
        part = row[k]
        kind, thin = parts.kind[part], parts.thin[part]
        t_k = base_k(heat, kind, share) + pattern_k(parts, part, triangle[k], barycentric[k, 0], barycentric[k, 1])
        for span in range(spans):
            if heat.lit[span]:
                warms = sun_k(heat, kind, span, thin, facing[k, 0], facing[k, 1], facing[k, 2])
                if warms > 0.05:
                    lit = 0
                    for n in range(count):
                        lit += sees_sun[span, found[n]]
                    t_k += warms * lit / count
        temperature[k] = t_k
        grazing = (1.0 - facing[k, 3]) ** 5
        e_n, m = skin[part, 0], skin[part, 1]
        mirrored, diffuse = m * (1.0 - e_n) + e_n * m * grazing, (1.0 - m) * (1.0 - e_n)
        leaves = e_n * (1.0 - m * grazing) * radiance(table, t_k) + diffuse * near
        leaves += mirrored * (from_mirror[k] if wants_mirror[k] else near)
        passed = math.exp(-air.alpha * distance[k])
        out[k] = passed * leaves + (1.0 - passed) * air.here
