"""From what the pixels' rays met to radiance, pixel by pixel. Import this lazily: it loads Numba.

Every second pixel of every second row is a post: from its surface point one ray goes into the half space over the surface, and
one towards the sun of each span of the day. The 16 posts of an 8 x 8 neighbourhood have a direction each, and what they found
is averaged over those that stand on the same part under nearly the same normal; pixels take it from the posts around them.
"""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from sensorium.sensors.camera.thermal.planck_kernels import radiance
from sensorium.sensors.camera.thermal.surface_kernels import base_k, met, pattern_k, skin_of, sky, sun_k

_ALIKE = 0.9
"""Cosine between normals above which neighbours share what they found."""
_GLARE = 0.01
"""Part of the radiance of a black body from which on sunlight that is thrown back is followed."""
_CLEAR_M = 1e-3
"""How far from the surface second rays start."""


@nb.njit(cache=True, error_model="numpy")
def stratum(pixel, width):  # type: ignore[no-untyped-def]
    """Return the direction of a post, 0 .. 15; every window of 4 x 4 posts has each once. -1: the pixel is no post."""
    y, x = pixel // width, pixel % width
    if (x | y) & 1:
        return -1
    return ((y >> 1) & 3) * 4 + ((x >> 1) & 3)


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def aim(  # type: ignore[no-untyped-def]
    pixel, width, origin, direction, distance, body, part, normal, part_offset, skin, parts, heat, air, least,
    where, facing, row, outward, wants_sky, mirrored, wants_mirror, wants_sun,
):  # fmt: skip
    """Find the surface points and aim the second rays from them: into the half space, as from a mirror, to the sun.

    `facing` [N, 4]: the normal towards the camera and the cosine to the ray. Into the half space rays go with the density
    of the cosine (Malley's method) about an orthonormal basis (Duff et al., JCGT 6 (1), 2017).
    """
    spans = len(heat.lit)
    for k in nb.prange(len(pixel)):
        wants_mirror[k], wants_sky[k] = False, False
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
        e, m = skin_of(skin, row[k], air.wetness, nz)
        if m * (1.0 - e) + e * m * (1.0 - cosine) ** 5 > least:
            wants_mirror[k] = True
            mirrored[k, 0], mirrored[k, 1] = dx + 2.0 * cosine * nx, dy + 2.0 * cosine * ny
            mirrored[k, 2] = dz + 2.0 * cosine * nz
        s = stratum(pixel[k], width)
        if s < 0:
            continue
        wants_sky[k] = True
        radius, turn = math.sqrt((s // 4 + 0.5) * 0.25), 2.0 * math.pi * ((s % 4) + 0.25 * (s // 4) + 0.125) * 0.25
        a, b, c = radius * math.cos(turn), radius * math.sin(turn), math.sqrt(1.0 - radius * radius)
        sign = 1.0 if nz >= 0.0 else -1.0
        p = -1.0 / (sign + nz)
        q = nx * ny * p
        outward[k, 0] = a * (1.0 + sign * nx * nx * p) + b * q + c * nx
        outward[k, 1] = a * sign * q + b * (sign + ny * ny * p) + c * ny
        outward[k, 2] = -a * sign * nx - b * ny + c * nz
        for span in range(spans):
            if heat.lit[span]:
                sx, sy, sz = heat.direction[span, s, 0], heat.direction[span, s, 1], heat.direction[span, s, 2]
                up = nx * sx + ny * sy + nz * sz
                thin = parts.thin[row[k]]
                warms = sun_k(heat, parts.kind[row[k]], span, thin, nx, ny, nz)
                glares = span == 0 and (1.0 - e) * air.sunlight > _GLARE * air.here
                wants_sun[span, k] = (up > 0.0 or thin) and (warms > 0.05 or glares)


@nb.njit(cache=True, error_model="numpy", nogil=True)
def reach_sun(span, index, own, hit, moves, sees):  # type: ignore[no-untyped-def]
    """Mark in `sees` [spans, N] which rays to the sun arrive. Only what keeps its place to the surface throws a lasting shadow.

    Too little work to wake other threads for it.
    """
    for i in range(len(index)):
        other, mine = hit[i], own[index[i]]
        sees[span[i], index[i]] = other < 0 or (other != mine and (moves[other] or moves[mine]))


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


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def _alike(k, n, body, row, facing):  # type: ignore[no-untyped-def]
    """Return whether two entries see the same part under nearly the same normal."""
    if n < 0 or row[n] != row[k] or body[n] != body[k]:
        return False
    return facing[n, 0] * facing[k, 0] + facing[n, 1] * facing[k, 1] + facing[n, 2] * facing[k, 2] > _ALIKE


@nb.njit(cache=True, error_model="numpy", nogil=True)
def collect(posts, open_sky, around, sees_sun, found):  # type: ignore[no-untyped-def]
    """Write what each post's own rays found to `found` [N, 2 + spans]: sky, radiance, sun of each span."""
    for i in range(len(posts)):
        k = posts[i]
        found[k, 0], found[k, 1] = open_sky[k], around[k]
        for span in range(len(sees_sun)):
            found[k, 2 + span] = sees_sun[span, k]


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def compare(posts, pixel, width, height, entry, body, row, facing, alike):  # type: ignore[no-untyped-def]
    """Write which of the 4 x 4 posts about each post are alike, a bit each, to `alike` [N]."""
    for post in nb.prange(len(posts)):
        k = posts[post]
        y, x, bits = pixel[k] // width, pixel[k] % width, 0
        for bit in range(16):
            j, i = y - 4 + 2 * (bit // 4), x - 4 + 2 * (bit % 4)
            if 0 <= j < height and 0 <= i < width and _alike(k, entry[j * width + i], body, row, facing):
                bits |= 1 << bit
        alike[k] = bits if row[k] >= 0 else 0


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def average(posts, pixel, width, entry, alike, found, mean):  # type: ignore[no-untyped-def]
    """Write the mean of `found` over the 4 x 4 posts about each post that are alike to `mean`.

    Done twice it weighs posts by their distance, and each of the 16 directions still counts the same.
    """
    columns = found.shape[1]
    for post in nb.prange(len(posts)):
        k = posts[post]
        y, x, count = pixel[k] // width, pixel[k] % width, 0
        for c in range(columns):
            mean[k, c] = 0.0
        for bit in range(16):
            if alike[k] >> bit & 1:
                n = entry[(y - 4 + 2 * (bit // 4)) * width + x - 4 + 2 * (bit % 4)]
                count += 1
                for c in range(columns):
                    mean[k, c] += found[n, c]
        for c in range(columns):
            mean[k, c] /= max(count, 1)


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def _from_posts(k, pixel, width, height, entry, body, row, facing, found, out):  # type: ignore[no-untyped-def]
    """Fill `out` [2 + spans] with what the four posts around a pixel found, by their nearness; return whether there was any."""
    y, x = pixel[k] // width, pixel[k] % width
    y0, x0 = y - (y & 1), x - (x & 1)
    total = 0.0
    for c in range(len(out)):
        out[c] = 0.0
    for j in range(2):
        for i in range(2):
            py, px = y0 + 2 * j, x0 + 2 * i
            weight = (1.0 - 0.5 * abs(py - y)) * (1.0 - 0.5 * abs(px - x))
            if py >= height or px >= width or weight <= 0.0:
                continue
            n = entry[py * width + px]
            if _alike(k, n, body, row, facing):
                total += weight
                for c in range(len(out)):
                    out[c] += weight * found[n, c]
    if total > 0.0:
        for c in range(len(out)):
            out[c] /= total
    return total > 0.0


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def shade(  # type: ignore[no-untyped-def]
    pixel, width, height, entry, direction, distance, body, triangle, barycentric, row, facing,
    found, wants_mirror, from_mirror, air, table, parts, heat, skin, temperature, out,
):  # fmt: skip
    """Write the radiance of each pixel, and the temperature of what it sees (NaN for the sky).

    L = tau (e B(T) + m' L_mirror + d (L_around + E cos / pi)) + (1 - tau) B(T_air), tau = exp(-alpha r), E the sun's irradiance.
    The emissivity falls towards grazing incidence as the mirrored part grows (Schlick 1994): e = e_n (1 - m (1 - cos t)^5),
    m' = m (1 - e_n) + e_n m (1 - cos t)^5, d = (1 - m) (1 - e_n). A pixel without a post of its kind nearby counts as standing
    in the open.
    """
    spans = len(heat.lit)
    for k in nb.prange(len(pixel)):
        if row[k] < 0:
            dx, dy, dz = direction[k, 0], direction[k, 1], direction[k, 2]
            out[k] = (
                sky(air, dz / math.sqrt(dx * dx + dy * dy + dz * dz)) if dz > 0.0 else air.here
            )  # beyond endless air
            temperature[k] = np.nan
            continue
        nx, ny, nz = facing[k, 0], facing[k, 1], facing[k, 2]
        near = np.empty(2 + spans)  # hoisted out of the loop by the compiler
        if not _from_posts(k, pixel, width, height, entry, body, row, facing, found, near):
            near[:] = 1.0
            near[0] = 0.5 * (1.0 + nz)
            near[1] = near[0] * air.dome + (1.0 - near[0]) * air.ground
        part = row[k]
        kind = parts.kind[part]
        t_k = base_k(heat, kind, near[0]) + pattern_k(parts, part, triangle[k], barycentric[k, 0], barycentric[k, 1])
        for span in range(spans):
            if heat.lit[span]:
                t_k += near[2 + span] * sun_k(heat, kind, span, parts.thin[part], nx, ny, nz)
        temperature[k] = t_k
        grazing = (1.0 - facing[k, 3]) ** 5
        e_n, m = skin_of(skin, part, air.wetness, nz)
        mirrored, diffuse = m * (1.0 - e_n) + e_n * m * grazing, (1.0 - m) * (1.0 - e_n)
        leaves = e_n * (1.0 - m * grazing) * radiance(table, t_k) + diffuse * near[1]
        if heat.lit[0]:  # sunlight off the matt part: next to nothing from 8 to 14 um, much from 3 to 5 um
            up = nx * heat.sun[0] + ny * heat.sun[1] + nz * heat.sun[2]
            leaves += diffuse * near[2] * max(up, 0.0) * air.sunlight / math.pi
        leaves += mirrored * (from_mirror[k] if wants_mirror[k] else near[1])
        passed = math.exp(-air.alpha * distance[k])
        out[k] = passed * leaves + (1.0 - passed) * air.here
