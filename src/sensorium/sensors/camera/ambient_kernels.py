"""Light from everywhere: one ray per pixel into the half space above it, and a filter over neighbours. Loads Numba.

Every second pixel asks, 32 of each 8 x 8 block, each another direction, the same in every block. Any window of 8 x 8 pixels holds
each of them once, so that the mean over a window that lies on one surface is the whole integral, without noise.
"""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from sensorium.atmosphere.sky_kernels import sky_radiance
from sensorium.materials.optical_table import PANE
from sensorium.sensors.camera.surfel_kernels import BLOCK, about, disc, stratum


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def ask(rows, pixel, width, sample, point, normal, facet, time, origins, directions, times):  # type: ignore[no-untyped-def]
    """Fill the rays of some points; a direction below the facet is mirrored above it."""
    cell = np.empty((BLOCK * BLOCK, 3))
    for number in range(BLOCK * BLOCK):
        u, v = stratum(number // BLOCK * width + number % BLOCK, width, sample)
        cell[number, 0], cell[number, 1], cell[number, 2] = disc(u, v)
    for i in nb.prange(len(rows)):
        k = rows[i]
        number = pixel[k] % width % BLOCK + pixel[k] // width % BLOCK * BLOCK
        x, y, z = about(normal[k, 0], normal[k, 1], normal[k, 2], cell[number, 0], cell[number, 1], cell[number, 2])
        below = x * facet[k, 0] + y * facet[k, 1] + z * facet[k, 2]
        if below < 1e-3:
            step = 2e-3 - 2.0 * below
            x, y, z = x + step * facet[k, 0], y + step * facet[k, 1], z + step * facet[k, 2]
        directions[i, 0], directions[i, 1], directions[i, 2] = x, y, z
        for a in range(3):
            origins[i, a] = point[k, a]
        times[i] = time[k]


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def gather(rows, pixel, direction, part, material, kind, normal, colour, sunlit, sky, glow, light):  # type: ignore[no-untyped-def]
    """Write pi times the radiance that each ray brings home into `light` [3, pixels], the irradiance if it is the mean.

    From the sky what it is; from a surface what sun (where it shines), sky and lamps (`glow`, an irradiance) make it send back.
    """
    for i in nb.prange(len(rows)):
        p = pixel[rows[i]]
        if part[i] < 0:
            r, g, b = sky_radiance(sky, direction[i, 0], direction[i, 1], direction[i, 2], False)
            light[0, p], light[1, p], light[2, p] = math.pi * r, math.pi * g, math.pi * b
            continue
        if kind[material[i]] == PANE:  # open to the sky behind it, as far as is known
            r, g, b = sky_radiance(sky, direction[i, 0], direction[i, 1], abs(direction[i, 2]), False)
            light[0, p], light[1, p], light[2, p] = 0.8 * math.pi * r, 0.8 * math.pi * g, 0.8 * math.pi * b
            continue
        nx, ny, nz = normal[i, 0], normal[i, 1], normal[i, 2]
        direct = sunlit[i] * max(0.0, nx * sky.sun[0] + ny * sky.sun[1] + nz * sky.sun[2])
        open_sky = 0.3 + 0.3 * nz
        for a in range(3):
            arriving = direct * sky.beam_w_m2[a] + open_sky * sky.level_w_m2[a] + 0.2 * math.pi * sky.land[a] + glow[a]
            light[a, p] = colour[i, a] * arriving


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def lay(  # type: ignore[no-untyped-def]
    pixel, radiance, albedo, part, normal, distance, all_radiance, all_albedo, all_part, all_normal, all_distance
):
    """Write what a block of pixels found into the images of the whole sample."""
    for k in nb.prange(len(pixel)):
        p = pixel[k]
        all_part[p], all_distance[p] = part[k], distance[k]
        for a in range(3):
            all_radiance[p, a], all_albedo[p, a], all_normal[a, p] = radiance[k, a], albedo[k, a], normal[k, a]


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def compose(  # type: ignore[no-untyped-def]
    radiance, albedo, light, normal, part, distance, sky, extinction, airlight, share, film
):
    """Add a finished sample to the film [pixels, 3]: L exp(-b d) + A (1 - exp(-b d)) with L = radiance + albedo light / pi.

    Where no neighbour asked for the light from everywhere (things as thin as a pixel), half of the half space is sky.
    """
    for p in nb.prange(len(part)):
        clear = 1.0
        if part[p] >= 0:
            clear = math.exp(-extinction * distance[p])
        for a in range(3):
            value = radiance[p, a]
            if part[p] >= 0:
                arriving = light[a, p]
                if light[0, p] < 0.0:
                    up = 0.5 + 0.5 * normal[2, p]
                    arriving = 0.5 * (up * sky.level_w_m2[a] + (1.0 - up) * math.pi * sky.land[a])
                value += albedo[p, a] * arriving / math.pi
            film[p, a] += np.float32(share * (value * clear + airlight[a] * (1.0 - clear)))


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def simple_light(part, normal, sky, glow, openness, light):  # type: ignore[no-untyped-def]
    """Fill the irradiance from everywhere at points [N] seen in mirrors or through glass, where no rays are sent for it."""
    for k in nb.prange(len(part)):
        for a in range(3):
            up = 0.5 + 0.5 * normal[k, 2]
            light[k, a] = openness * (up * sky.level_w_m2[a] + (1.0 - up) * math.pi * sky.land[a]) + glow[a]


@nb.njit(cache=True, error_model="numpy")
def deposit(pixel, carried, radiance, albedo, light, part, distance, extinction, airlight, share, film):  # type: ignore[no-untyped-def]
    """Add what rays from mirrors and panes bring home; one thread, since rays may share a pixel."""
    for k in range(len(part)):
        clear = math.exp(-extinction * distance[k]) if part[k] >= 0 else 1.0
        for a in range(3):
            value = radiance[k, a] + (albedo[k, a] * light[k, a] / math.pi if part[k] >= 0 else 0.0)
            film[pixel[k], a] += np.float32(share * carried[k, a] * (value * clear + airlight[a] * (1.0 - clear)))
