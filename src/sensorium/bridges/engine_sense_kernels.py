"""Compiled loops of the engine's physics, first half: hit points become pulses. Import this lazily: it loads Numba.

A beam gives pulses: one per ray of a rose, up to two per segment of a path. They stand in a block of columns that fits
into the processor's cache; each step is one plain loop over the block, so that the compiler can do several at once.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numba as nb
import numpy as np

from sensorium.bridges.engine_refusal import FARTHEST_M, LONGEST_NORMAL, NEAREST_M, SHORTEST_NORMAL
from sensorium.core.arithmetic_kernels import angle_squared, exp_minus

RANGE, POWER, COSINE, LOBE, SHARPNESS = range(5)
"""Rows of the block: range [m], power, cosine of incidence, share of the mirror's lobe, 1/(2 sigma^2)."""
S_ALPHA, S_BETA, S_GAMMA, S_LOBE, S_SHARPNESS = range(5)
"""Columns of the table of surfaces: alpha, beta, gamma, beta/(sigma sqrt(2 pi)), 1/(2 sigma^2) [1/rad^2]."""
_NEAR2, _FAR2 = NEAREST_M**2, FARTHEST_M**2
_SHORT2, _LONG2 = SHORTEST_NORMAL**2, LONGEST_NORMAL**2


class Instrument(NamedTuple):
    """What the loops need to know of the instrument."""

    power_w: float
    """Power that would be detected if everything came back: peak power times efficiency."""
    attenuation_1_m: float
    noise_w: float
    threshold_w: float
    resolution_m: float
    range_noise_m: float
    range_noise_slope: float
    acceptance_deg: float


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def _echo(row, surface, share, work, j):  # type: ignore[no-untyped-def]
    """Pulse of a hit point whose light goes straight back; material 0 (all zeros in the table) gives range 0: no pulse.

    Diffuser cos(t)/(2 r^2), never more than what went out; retro-reflector 1; the lobe of the mirror is added by
    `add_lobes`. Both faces of a surface behave alike.
    """
    px, py, pz = np.float64(row[0]), np.float64(row[1]), np.float64(row[2])
    nx, ny, nz = np.float64(row[3]), np.float64(row[4]), np.float64(row[5])
    r2 = px * px + py * py + pz * pz
    r = math.sqrt(r2)
    cosine = min(1.0, abs(px * nx + py * ny + pz * nz) / (r * math.sqrt(nx * nx + ny * ny + nz * nz)))
    work[RANGE, j] = r if row[6] > 0.0 else 0.0
    work[COSINE, j] = cosine
    work[POWER, j] = share * (surface[S_ALPHA] * min(1.0, 0.5 * cosine / r2) + surface[S_GAMMA])
    work[LOBE, j] = share * surface[S_LOBE]
    work[SHARPNESS, j] = surface[S_SHARPNESS]


@nb.njit(cache=True, nogil=True, error_model="numpy")
def sense_rays(beams, first, count, share, surfaces, work):  # type: ignore[no-untyped-def]
    """Fill the block with one pulse per ray."""
    rays = beams.shape[1]
    for i in range(count):
        for s in range(rays):
            row = beams[first + i, s]
            _echo(row, surfaces[int(row[6])], share[s], work, i * rays + s)


@nb.njit(cache=True, nogil=True, error_model="numpy")
def sense_paths(beams, first, count, surfaces, instrument, work):  # type: ignore[no-untyped-def]
    """Fill the block with the pulses of paths that are mirrored from surface to surface.

    Slot 0 is the echo of the first surface. Surface i > 0 sends one pulse straight to the receiver, with range
    (L1 + ... + Li + |pi|)/2, if it is seen within the acceptance angle; and, as far as it is a retro-reflector, one
    back over all mirrors, with range L1 + ... + Li. Each mirror passes on beta. Nothing follows a segment without a hit
    or without length.
    """
    segments = beams.shape[1]
    slots = 2 * segments - 1
    for i in range(count):
        base = i * slots
        for j in range(base, base + slots):
            work[RANGE, j] = 0.0
        path, passed = 0.0, 1.0
        x, y, z = 0.0, 0.0, 0.0
        for s in range(segments):
            row = beams[first + i, s]
            px, py, pz = np.float64(row[0]), np.float64(row[1]), np.float64(row[2])
            ux, uy, uz = x - px, y - py, z - pz
            step = math.sqrt(ux * ux + uy * uy + uz * uz)
            if row[6] == 0.0 or step == 0.0:
                break
            surface = surfaces[int(row[6])]
            path += step
            if s == 0:
                _echo(row, surface, 1.0, work, base)
            else:
                if row[7] < instrument.acceptance_deg:
                    _ghost(row, surface, passed, path, ux / step, uy / step, uz / step, work, base + 2 * s - 1)
                work[RANGE, base + 2 * s] = path if surface[S_GAMMA] > 0.0 else 0.0
                work[POWER, base + 2 * s] = passed * passed * surface[S_GAMMA]
                work[LOBE, base + 2 * s], work[COSINE, base + 2 * s], work[SHARPNESS, base + 2 * s] = 0.0, 1.0, 0.0
            passed *= surface[S_BETA]
            x, y, z = px, py, pz


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def _ghost(row, surface, passed, path, ux, uy, uz, work, j):  # type: ignore[no-untyped-def]
    """Pulse of a surface that is lit from u and seen from the origin.

    As an echo, but the diffuser sends cos(angle to the receiver)/(2 L^2) over its own way back L, and the lobe's angle
    is that between the normal and the bisector of both directions (in an echo the incidence angle). A receiver behind
    the surface gets nothing.
    """
    px, py, pz = np.float64(row[0]), np.float64(row[1]), np.float64(row[2])
    nx, ny, nz = np.float64(row[3]), np.float64(row[4]), np.float64(row[5])
    back = math.sqrt(px * px + py * py + pz * pz)
    vx, vy, vz = -px / back, -py / back, -pz / back
    n = math.sqrt(nx * nx + ny * ny + nz * nz)
    lit, seen = (nx * ux + ny * uy + nz * uz) / n, (nx * vx + ny * vy + nz * vz) / n
    if lit * seen > 0.0:
        bisector = math.sqrt((ux + vx) ** 2 + (uy + vy) ** 2 + (uz + vz) ** 2)
        work[RANGE, j] = 0.5 * (path + back)
        work[COSINE, j] = min(1.0, abs(lit + seen) / bisector)
        work[POWER, j] = passed * surface[S_ALPHA] * min(1.0, 0.5 * abs(seen) / (back * back))
        work[LOBE, j] = passed * surface[S_LOBE]
        work[SHARPNESS, j] = surface[S_SHARPNESS]


@nb.njit(cache=True, nogil=True, error_model="numpy")
def add_lobes(work, count, instrument):  # type: ignore[no-untyped-def]
    """Add the mirror's lobe, beta exp(-(t/sigma)^2/2)/(sigma sqrt(2 pi)); take off what the air absorbs; make watts."""
    scale, air = instrument.power_w, 2.0 * instrument.attenuation_1_m
    for j in range(count):
        lobe = work[LOBE, j] * exp_minus(work[SHARPNESS, j] * angle_squared(work[COSINE, j]))
        work[POWER, j] = scale * (work[POWER, j] + lobe) * exp_minus(air * work[RANGE, j])


@nb.njit(cache=True, nogil=True, error_model="numpy")
def first_wrong(beams, known):  # type: ignore[no-untyped-def]
    """Return the number of the first row that `engine_refusal.refusal` speaks of, counted over all beams, or -1."""
    rows = beams.shape[1]
    for i in range(len(beams)):
        for s in range(rows):
            if not _sound(beams[i, s], known):
                return i * rows + s
    return -1


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def _sound(row, known):  # type: ignore[no-untyped-def]
    """Whether the physics takes this row."""
    x, y, z = np.float64(row[0]), np.float64(row[1]), np.float64(row[2])
    p, q, r = np.float64(row[3]), np.float64(row[4]), np.float64(row[5])
    material, angle = np.float64(row[6]), np.float64(row[7]) if len(row) == 8 else 0.0
    if not material > 0.0:  # NaN and infinity survive a product with zero
        return material == 0.0 and (x + y + z + p + q + r + angle) * 0.0 == 0.0
    d2, n2 = x * x + y * y + z * z, p * p + q * q + r * r
    return (
        material < len(known) and material == math.floor(material) and known[int(material)]
        and _NEAR2 <= d2 <= _FAR2 and _SHORT2 <= n2 <= _LONG2 and 0.0 <= angle <= 180.0
    )  # fmt: skip
