"""What a lit surface sends towards the camera. Import this lazily: it loads Numba.

The formulas of the layers are those of `materials.reflectance`. Radiances are in W/(m2 sr) in the red, green and blue band.
"""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from sensorium.atmosphere.sky_kernels import sky_radiance
from sensorium.materials.optical_table import COATED, COATED_HALF_VECTOR, GLASS, MIRROR, PANE
from sensorium.materials.reflectance import (
    fresnel,
    oren_nayar,
    retroreflection,
    slab_reflectance,
    slab_transmission,
    specular,
)
from sensorium.sensors.camera.surfel_kernels import luminous, stratum

FILM_SLOPE = 0.05
"""Standard deviation of the slopes of water on asphalt, in each direction: assumed."""
LAMPS = 4
"""So many lamps, the strongest, light a point."""
SMOOTHEST = 0.15
"""Coats smoother than this mirror the scene; rougher ones blur it into what they scatter."""


@nb.njit(cache=True, forceinline=True, error_model="numpy", _nrt=False)
def _reflected(visible, m, red, green, blue, nx, ny, nz, vx, vy, vz, lx, ly, lz):  # type: ignore[no-untyped-def]
    """Return f(l, v) n.l of the three bands for unit vectors towards the light and the viewer."""
    nl, nv = nx * lx + ny * ly + nz * lz, nx * vx + ny * vy + nz * vz
    if nl <= 0.0 or nv <= 0.0:
        return 0.0, 0.0, 0.0
    lv = lx * vx + ly * vy + lz * vz
    kind, sigma = visible.kind[m], visible.sigma[m]
    shine, pass_in_out = 0.0, 1.0
    if kind == COATED or kind == COATED_HALF_VECTOR:
        hx, hy, hz = lx + vx, ly + vy, lz + vz
        scale = 1.0 / math.sqrt(max(hx * hx + hy * hy + hz * hz, 1e-12))
        nh, lh = (nx * hx + ny * hy + nz * hz) * scale, (lx * hx + ly * hy + lz * hz) * scale
        eta, kappa = visible.eta[m], visible.kappa[m]
        shine = specular(eta, kappa, visible.roughness[m], nl, nv, nh, lh) * nl
        pass_in_out = (1.0 - fresnel(eta, kappa, nl)) * (1.0 - fresnel(eta, kappa, nv))
    r = shine * visible.tint[m, 0] + pass_in_out * oren_nayar(red, sigma, nl, nv, lv) * nl
    g = shine * visible.tint[m, 1] + pass_in_out * oren_nayar(green, sigma, nl, nv, lv) * nl
    b = shine * visible.tint[m, 2] + pass_in_out * oren_nayar(blue, sigma, nl, nv, lv) * nl
    return r, g, b


@nb.njit(cache=True, forceinline=True, error_model="numpy", _nrt=False)
def lamp_light(lamps, i, x, y, z, nx, ny, nz):  # type: ignore[no-untyped-def]
    """Return the share of a lamp's axial intensity that arrives per area across the ray, and the unit vector towards it."""
    lx, ly, lz = lamps.place_m[i, 0] - x, lamps.place_m[i, 1] - y, lamps.place_m[i, 2] - z
    square = max(lx * lx + ly * ly + lz * lz, 1e-4)
    scale = 1.0 / math.sqrt(square)
    lx, ly, lz = lx * scale, ly * scale, lz * scale
    if nx * lx + ny * ly + nz * lz <= 0.0:
        return 0.0, lx, ly, lz
    cosine = -(lx * lamps.axis[i, 0] + ly * lamps.axis[i, 1] + lz * lamps.axis[i, 2])
    if cosine <= 0.0:
        return 0.0, lx, ly, lz
    off = math.acos(min(1.0, cosine)) / lamps.half_rad[i]
    share = 2.0 ** -(off * off)
    if lamps.cut_off[i]:
        rise = -(lx * lamps.up[i, 0] + ly * lamps.up[i, 1] + lz * lamps.up[i, 2])
        lean = lamps.axis[i, 0] * lamps.up[i, 0] + lamps.axis[i, 1] * lamps.up[i, 1] + lamps.axis[i, 2] * lamps.up[i, 2]
        high = (rise - lean) / lamps.half_rad[i]
        share = 0.985 * 2.0 ** -(off * off + 15.0 * high * high) + 0.015 * 2.0 ** -(0.15 * off * off)
        share *= min(1.0, max(0.02, 0.5 - (rise + 0.008) * 100.0))
    return share / square, lx, ly, lz


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def strongest(part, point, facet, lamps, chosen):  # type: ignore[no-untyped-def]
    """Fill the lamps that light each point most, the strongest first [N, LAMPS]; -1 for none."""
    for k in nb.prange(len(part)):
        for place in range(LAMPS):
            chosen[k, place] = -1
        if part[k] < 0:
            continue
        most = np.full(LAMPS, 1e-7)
        for i in range(len(lamps.half_rad)):
            share, lx, ly, lz = lamp_light(
                lamps, i, point[k, 0], point[k, 1], point[k, 2], facet[k, 0], facet[k, 1], facet[k, 2]
            )
            power = share * lamps.intensity_w_sr[i, 1] * (facet[k, 0] * lx + facet[k, 1] * ly + facet[k, 2] * lz)
            place = LAMPS
            while place > 0 and power > most[place - 1]:
                place -= 1
            if place < LAMPS:
                for other in range(LAMPS - 1, place, -1):
                    most[other], chosen[k, other] = most[other - 1], chosen[k, other - 1]
                most[place], chosen[k, place] = power, i


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def shade(  # type: ignore[no-untyped-def]
    direction, point, facet, normal, colour, material, part, sunlit, chosen, lamplit, visible, sky, lamps, mirrors,
    radiance, albedo,
):  # fmt: skip
    """Fill radiance [N, 3] by sun, lamps and own glow, and the albedo [N, 3] for light that comes from everywhere.

    With `mirrors` a smooth coat leaves to a ray of its own what it mirrors of the scene.
    """
    for k in nb.prange(len(part)):
        dx, dy, dz = direction[k, 0], direction[k, 1], direction[k, 2]
        if part[k] < 0:
            radiance[k, 0], radiance[k, 1], radiance[k, 2] = sky_radiance(sky, dx, dy, dz, True)
            albedo[k, 0], albedo[k, 1], albedo[k, 2] = 0.0, 0.0, 0.0
            continue
        m = material[k]
        nx, ny, nz = normal[k, 0], normal[k, 1], normal[k, 2]
        red, green, blue = colour[k, 0], colour[k, 1], colour[k, 2]
        r, g, b = 0.0, 0.0, 0.0
        if sunlit[k] > 0.0:
            r, g, b = _reflected(
                visible, m, red, green, blue, nx, ny, nz, -dx, -dy, -dz, sky.sun[0], sky.sun[1], sky.sun[2]
            )
            r, g, b = r * sky.beam_w_m2[0], g * sky.beam_w_m2[1], b * sky.beam_w_m2[2]
            r, g, b = r * sunlit[k], g * sunlit[k], b * sunlit[k]
        for place in range(LAMPS):
            i = chosen[k, place]
            if i < 0 or not lamplit[k, place]:
                continue
            share, lx, ly, lz = lamp_light(lamps, i, point[k, 0], point[k, 1], point[k, 2], nx, ny, nz)
            fr, fg, fb = _reflected(visible, m, red, green, blue, nx, ny, nz, -dx, -dy, -dz, lx, ly, lz)
            if visible.retro[m, 0] > 0.0:
                apart = math.acos(min(1.0, max(-1.0, -(lx * dx + ly * dy + lz * dz))))
                back = retroreflection(
                    visible.retro[m, 0], visible.retro[m, 1], visible.retro[m, 2], nx * lx + ny * ly + nz * lz, apart
                )
                top = max(red, green, blue, 1e-6)
                fr, fg, fb = fr + back * red / top, fg + back * green / top, fb + back * blue / top
            r += share * fr * lamps.intensity_w_sr[i, 0]
            g += share * fg * lamps.intensity_w_sr[i, 1]
            b += share * fb * lamps.intensity_w_sr[i, 2]
        lamp, per_area = luminous(lamps, part[k], dx, dy, dz)
        if lamp >= 0:
            r += per_area * lamps.intensity_w_sr[lamp, 0]
            g += per_area * lamps.intensity_w_sr[lamp, 1]
            b += per_area * lamps.intensity_w_sr[lamp, 2]
        radiance[k, 0], radiance[k, 1], radiance[k, 2] = r, g, b
        inner, outer = 1.0, 0.0
        if visible.kind[m] == COATED or visible.kind[m] == COATED_HALF_VECTOR:
            seen = fresnel(visible.eta[m], visible.kappa[m], -(dx * nx + dy * ny + dz * nz))
            inner = (1.0 - seen) * 0.908  # what passes a lacquer of 1.5 from all sides
            outer = 0.0 if mirrors and visible.roughness[m] < SMOOTHEST else min(seen, 0.1 + 0.9 * visible.kappa[m])
        for a in range(3):
            albedo[k, a] = colour[k, a] * inner + outer * visible.tint[m, a]


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def branches(direction, facet, normal, material, part, visible, wetness, weights):  # type: ignore[no-untyped-def]
    """Fill how much of what each point mirrors, of what is behind it, and of what a wet film blurs reaches the viewer [N, 3]."""
    for k in nb.prange(len(part)):
        weights[k, 0], weights[k, 1], weights[k, 2] = 0.0, 0.0, 0.0
        if part[k] < 0:
            continue
        m = material[k]
        kind = visible.kind[m]
        cosine = -(direction[k, 0] * normal[k, 0] + direction[k, 1] * normal[k, 1] + direction[k, 2] * normal[k, 2])
        cosine = min(1.0, max(0.0, cosine))
        if kind == PANE or kind == GLASS:
            single = fresnel(visible.eta[m], 0.0, cosine)
            weights[k, 0] = slab_reflectance(single, visible.through[m])
            weights[k, 1] = slab_transmission(single, visible.through[m])
        elif kind == MIRROR or ((kind == COATED or kind == COATED_HALF_VECTOR) and visible.roughness[m] < SMOOTHEST):
            weights[k, 0] = fresnel(visible.eta[m], visible.kappa[m], cosine)
        elif wetness > 0.0 and facet[k, 2] > 0.7:
            weights[k, 2] = 0.8 * wetness * fresnel(1.333, 0.0, cosine)


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def lead_on(  # type: ignore[no-untyped-def]
    rows, through, direction, point, facet, normal, material, time, visible, weights, throughput, pixel, width,
    origins, directions, times, carried,
):  # fmt: skip
    """Fill the rays that mirrors (`through` 0), panes (1) or wet films (2) lead on, and what each carries [M, 3].

    A wet film follows the stones below it: its slopes are those of a Gaussian lobe, each pixel of a block taking one of them.
    """
    for i in nb.prange(len(rows)):
        k = rows[i]
        m = material[k]
        weight, own = weights[k, through], k if len(throughput) > 1 else 0
        dx, dy, dz = direction[k, 0], direction[k, 1], direction[k, 2]
        times[i] = time[k]
        if through == 1:
            for a in range(3):
                origins[i, a] = point[k, a] - 2.0e-3 * facet[k, a]
                directions[i, a] = direction[k, a]
                carried[i, a] = throughput[own, a] * weight
            continue
        nx, ny, nz = normal[k, 0], normal[k, 1], normal[k, 2]
        if through == 2:
            u, v = stratum(pixel[k], width, 0)
            slope = FILM_SLOPE * math.sqrt(-2.0 * math.log(1.0 - 0.98 * u))
            nx, ny = nx + slope * math.cos(2.0 * math.pi * v), ny + slope * math.sin(2.0 * math.pi * v)
            scale = 1.0 / math.sqrt(nx * nx + ny * ny + nz * nz)
            nx, ny, nz = nx * scale, ny * scale, nz * scale
        twice = 2.0 * (dx * nx + dy * ny + dz * nz)
        rx, ry, rz = dx - twice * nx, dy - twice * ny, dz - twice * nz
        below = rx * facet[k, 0] + ry * facet[k, 1] + rz * facet[k, 2]
        if below < 1e-3:  # a smooth normal must not mirror into the body
            rx, ry, rz = (
                rx + (1e-3 - below) * facet[k, 0], ry + (1e-3 - below) * facet[k, 1], rz + (1e-3 - below) * facet[k, 2]
            )  # fmt: skip
        directions[i, 0], directions[i, 1], directions[i, 2] = rx, ry, rz
        for a in range(3):
            origins[i, a] = point[k, a]
            carried[i, a] = (
                throughput[own, a] * weight * (visible.tint[m, a] if through == 0 and visible.kind[m] != PANE else 1.0)
            )
