"""From hits to lit points: what each ray met, with its normal and its colour. Import this lazily: it loads Numba.

Functions that are handed tables are compiled without reference counting (`_nrt=False`). With it every point would count every
table of the tuples up and down, in atomic steps that threads wait for: three quarters of the time of `meet`.
"""

from __future__ import annotations

import math

import numba as nb

from sensorium.materials.optical_table import GLASS, MATT, PANE
from sensorium.materials.reflectance import fresnel, slab_transmission
from sensorium.scene.surface_kernels import between, texel
from sensorium.sensors.camera.grain_kernels import grained
from sensorium.sensors.camera.raster_kernels import rotated

BLOCK = 8
_OFF_M = 1e-3


@nb.njit(cache=True, forceinline=True, error_model="numpy", _nrt=False)
def smooth_normal(table, row, u, v, qw, qx, qy, qz, gx, gy, gz):  # type: ignore[no-untyped-def]
    """Return the normal between the corners in the world, turned along with the facet's normal g (world, outward).

    The body stands as in the middle of the exposure; what it has turned since is made up by turning the facet onto g.
    """
    x, y, z = between(table, row, u, v, 0), between(table, row, u, v, 1), between(table, row, u, v, 2)
    x, y, z = rotated(qw, qx, qy, qz, x, y, z)
    length = math.sqrt(x * x + y * y + z * z)
    if not length > 1e-6:
        return gx, gy, gz
    scale = 1.0 / length
    x, y, z = x * scale, y * scale, z * scale
    dot = x * gx + y * gy + z * gz
    if dot < 0.3:  # never turn a facet away by more than 70 degrees
        return gx, gy, gz
    return x, y, z


@nb.njit(cache=True, forceinline=True, error_model="numpy", _nrt=False)
def _own_colour(surfaces, visible, grains, number, row, u, v, width, wetness):  # type: ignore[no-untyped-def]
    """Return the reflectance of the diffuse base at a place of a part: texture, else the material's colour with its grain.

    Water in the pores of a matt surface lets light in that does not come back, down to half of the dry colour (J. Lekner, M. Dorf,
    "Why some things are darker when wet", Applied Optics 27, 1988).
    """
    m = surfaces.material[number]
    red, green, blue = visible.base[m, 0], visible.base[m, 1], visible.base[m, 2]
    if surfaces.texture[number] >= 0:
        along, up = between(surfaces.uv, row, u, v, 0), between(surfaces.uv, row, u, v, 1)
        red, green, blue = texel(surfaces, surfaces.texture[number], along, up)
    elif grains.kind[m] > 0:
        x = between(surfaces.corner_m, row, u, v, 0)
        y = between(surfaces.corner_m, row, u, v, 1)
        z = between(surfaces.corner_m, row, u, v, 2)
        nx, ny, nz = surfaces.normal[row, 0, 0], surfaces.normal[row, 0, 1], surfaces.normal[row, 0, 2]
        factor, mortar = grained(grains, m, x, y, z, width, nx, ny, nz)
        red, green, blue = red * factor, green * factor, blue * factor
        red, green, blue = red + mortar * (0.32 - red), green + mortar * (0.30 - green), blue + mortar * (0.27 - blue)
    dark = 1.0 - 0.5 * wetness if visible.kind[m] == MATT else 1.0
    return max(0.0, red * dark), max(0.0, green * dark), max(0.0, blue * dark)


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def meet(  # type: ignore[no-untyped-def]
    origin, direction, hits_distance, hits_body, hits_part, hits_triangle, hits_place, hits_normal,
    surfaces, turns, visible, grains, detailed, wetness, pixel_rad, point, facet, normal, colour, material, part,
):  # fmt: skip
    """Fill point [N, 3], facet normal and smooth normal [N, 3] towards the viewer, base colour [N, 3], material and part [N].

    `detailed`: with smooth normals. `turns` [B, 4] turns each body into the world; `pixel_rad` is the
    width of a pixel, by which patterns finer than it fade.
    Rays that met nothing have part -1. Rain wets what looks up.
    """
    for k in nb.prange(len(hits_body)):
        body = hits_body[k]
        if body < 0:
            part[k], material[k] = -1, -1
            for a in range(3):
                point[k, a], facet[k, a], normal[k, a], colour[k, a] = 0.0, 0.0, 0.0, 0.0
            continue
        number = surfaces.part_offset[body] + hits_part[k]
        row = surfaces.first[number] + hits_triangle[k]
        dx, dy, dz = direction[k, 0], direction[k, 1], direction[k, 2]
        gx, gy, gz = hits_normal[k, 0], hits_normal[k, 1], hits_normal[k, 2]
        u, v = hits_place[k, 0], hits_place[k, 1]
        nx, ny, nz = gx, gy, gz
        if detailed and not surfaces.flat[number]:
            nx, ny, nz = smooth_normal(
                surfaces.normal, row, u, v, turns[body, 0], turns[body, 1], turns[body, 2], turns[body, 3], gx, gy, gz
            )
        cosine = -(dx * gx + dy * gy + dz * gz)
        if cosine < 0.0:
            gx, gy, gz, nx, ny, nz, cosine = -gx, -gy, -gz, -nx, -ny, -nz, -cosine
        seen = -(dx * nx + dy * ny + dz * nz)
        if seen < 0.02:  # a smooth normal that looks away from the viewer is bent back to the rim
            nx, ny, nz = nx - (seen - 0.02) * -dx, ny - (seen - 0.02) * -dy, nz - (seen - 0.02) * -dz
            scale = 1.0 / math.sqrt(nx * nx + ny * ny + nz * nz)
            nx, ny, nz = nx * scale, ny * scale, nz * scale
        point[k, 0] = origin[k, 0] + hits_distance[k] * dx + _OFF_M * gx
        point[k, 1] = origin[k, 1] + hits_distance[k] * dy + _OFF_M * gy
        point[k, 2] = origin[k, 2] + hits_distance[k] * dz + _OFF_M * gz
        facet[k, 0], facet[k, 1], facet[k, 2] = gx, gy, gz
        normal[k, 0], normal[k, 1], normal[k, 2] = nx, ny, nz
        part[k], material[k] = number, surfaces.material[number]
        width = hits_distance[k] * pixel_rad / max(cosine, 0.05)
        colour[k, 0], colour[k, 1], colour[k, 2] = _own_colour(
            surfaces, visible, grains, number, row, u, v, width, wetness * max(0.0, gz)
        )


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def facing(part, facet, normal, towards, out):  # type: ignore[no-untyped-def]
    """Mark the points [N] whose facet and smooth normal look towards a far light."""
    for k in nb.prange(len(part)):
        out[k] = False
        if part[k] >= 0:
            f = facet[k, 0] * towards[0] + facet[k, 1] * towards[1] + facet[k, 2] * towards[2]
            n = normal[k, 0] * towards[0] + normal[k, 1] * towards[1] + normal[k, 2] * towards[2]
            out[k] = f > 1e-4 and n > 0.0


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def leave(rows, point, towards, time, origins, directions, times):  # type: ignore[no-untyped-def]
    """Fill rays from some points to one far light."""
    for i in nb.prange(len(rows)):
        k = rows[i]
        for a in range(3):
            origins[i, a], directions[i, a] = point[k, a], towards[a]
        times[i] = time[k]


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def reach(rows, blocked, share):  # type: ignore[no-untyped-def]
    """Write 1 into `share` at some points where nothing lies before the light, and 0 where something does."""
    for i in nb.prange(len(rows)):
        share[rows[i]] = 0.0 if blocked[i] else 1.0


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def transmitted(direction, distance, body, part, normal, surfaces, visible, origin, factor):  # type: ignore[no-untyped-def]
    """Fill what the first thing on each ray lets pass [N]: a pane's part, 0 for all else, -1 if nothing is there.

    Origins move on behind the panes.
    """
    for k in nb.prange(len(body)):
        if body[k] < 0:
            factor[k] = -1.0
            continue
        m = surfaces.material[surfaces.part_offset[body[k]] + part[k]]
        factor[k] = 0.0
        if visible.kind[m] == PANE or visible.kind[m] == GLASS:
            cosine = abs(
                direction[k, 0] * normal[k, 0] + direction[k, 1] * normal[k, 1] + direction[k, 2] * normal[k, 2]
            )
            factor[k] = slab_transmission(fresnel(visible.eta[m], 0.0, min(1.0, cosine)), visible.through[m])
            for a in range(3):
                origin[k, a] += (distance[k] + 2.0 * _OFF_M) * direction[k, a]


@nb.njit(cache=True, forceinline=True, error_model="numpy", _nrt=False)
def disc(u, v):  # type: ignore[no-untyped-def]
    """Return a direction about the z axis, with a density that goes as the cosine, for u and v in 0..1."""
    r, phi = math.sqrt(u), 2.0 * math.pi * v
    return r * math.cos(phi), r * math.sin(phi), math.sqrt(max(0.0, 1.0 - u))


@nb.njit(cache=True, forceinline=True, error_model="numpy", _nrt=False)
def about(nx, ny, nz, x, y, z):  # type: ignore[no-untyped-def]
    """Turn a direction about the z axis to one about a normal (T. Duff et al., "Building an orthonormal basis, revisited", JCGT 6,
    2017).
    """
    sign = 1.0 if nz >= 0.0 else -1.0
    a = -1.0 / (sign + nz)
    b = nx * ny * a
    return (
        x * (1.0 + sign * nx * nx * a) + y * b + z * nx,
        x * sign * b + y * (sign + ny * ny * a) + z * ny,
        -x * sign * nx - y * ny + z * nz,
    )


@nb.njit(cache=True, forceinline=True, error_model="numpy", _nrt=False)
def luminous(lamps, number, dx, dy, dz):  # type: ignore[no-untyped-def]
    """Return how strongly the lamp of a glowing part shines back along a ray, as a share of its axis; per area."""
    lamp = lamps.of_part[number]
    if lamp < 0:
        return -1, 0.0
    cosine = -(dx * lamps.axis[lamp, 0] + dy * lamps.axis[lamp, 1] + dz * lamps.axis[lamp, 2])
    if cosine <= 0.0:
        return lamp, 0.02 / lamps.area_m2[lamp]
    off = math.acos(min(1.0, cosine)) / lamps.half_rad[lamp]
    return lamp, max(0.02, 2.0 ** -(off * off)) / lamps.area_m2[lamp]


@nb.njit(cache=True, error_model="numpy")
def stratum(pixel, width, sample):  # type: ignore[no-untyped-def]
    """Return the place (u, v) in the unit square that a pixel asks: cell by cell of 8 x 8, mixed by an odd step."""
    column, row = pixel % width % BLOCK, pixel // width % BLOCK
    number = (column + BLOCK * row) * 29 % 64
    return ((number % 8) + 0.5) / 8.0, ((number // 8) + 0.5 + 0.5 * (number % 2) + 0.618 * sample) / 8.0
