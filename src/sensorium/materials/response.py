"""What a surface of the optical table does with light: for kernels. Import this lazily: it loads Numba."""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from sensorium.materials.optical_table import (
    ABSORPTION,
    COATED,
    COATED_HALF_VECTOR,
    DIFFUSE,
    ETA,
    GLASS,
    KAPPA,
    MIRROR,
    PANE,
    RETRO,
    RETRO_ENTRANCE,
    RETRO_OBSERVATION,
    ROUGHNESS,
    SIGMA,
    STEPS,
    THICKNESS,
)
from sensorium.materials.reflectance import (
    fresnel,
    oren_nayar,
    retroreflection,
    slab_reflectance,
    slab_transmission,
    two_layer,
    two_layer_half_vector,
)

_jit = nb.njit(cache=True, error_model="numpy")


@_jit
def backscatter(table, m, cosine):  # type: ignore[no-untyped-def]
    """Light back to the source per solid angle and power received [1/sr]: f(l, l) cos t, plus retroreflection R_A / cos t.

    Looked up between tabulated angles, which are even in sqrt(1 - cos t).
    """
    place = math.sqrt(1.0 - cosine) * STEPS
    step = min(int(place), STEPS - 1)
    below = table.backscatter[m, step]
    return below + (table.backscatter[m, step + 1] - below) * (place - step)


@_jit
def scattered(table, m, nl, nv, lv):  # type: ignore[no-untyped-def]
    """Distribution function f(l, v) [1/sr] of the part that is not a mirror, for any two directions."""
    if nl <= 0.0 or nv <= 0.0:
        return 0.0
    v, kind = table.values, table.kind[m]
    if kind == COATED or kind == COATED_HALF_VECTOR:
        length = math.sqrt(max(1e-12, 2.0 + 2.0 * lv))
        nh, lh = min(1.0, (nl + nv) / length), min(1.0, (1.0 + lv) / length)
        arguments = v[m, ETA], v[m, KAPPA], v[m, ROUGHNESS], v[m, DIFFUSE], v[m, SIGMA], nl, nv, lv, nh, lh
        return two_layer(*arguments) if kind == COATED else two_layer_half_vector(*arguments)
    return oren_nayar(v[m, DIFFUSE], v[m, SIGMA], nl, nv, lv)


@_jit
def _through(table, m, cosine):  # type: ignore[no-untyped-def]
    """Inner transmission of a pane once through: exp(-a d / cos t2)."""
    sine = math.sqrt(1.0 - cosine * cosine) / table.values[m, ETA]
    return math.exp(
        -table.values[m, ABSORPTION] * table.values[m, THICKNESS] / math.sqrt(max(1e-12, 1.0 - sine * sine))
    )


@_jit
def mirrored(table, m, cosine, inside):  # type: ignore[no-untyped-def]
    """Part of the power that leaves as from a mirror; `inside`: the light is in the glass and meets its surface."""
    eta, kappa, kind = table.values[m, ETA], table.values[m, KAPPA], table.kind[m]
    if kind == MIRROR:
        return fresnel(eta, kappa, cosine)
    if kind == PANE:
        return slab_reflectance(fresnel(eta, kappa, cosine), _through(table, m, cosine))
    if kind == GLASS:
        return fresnel(1.0 / eta if inside else eta, 0.0, cosine)
    return 0.0


@_jit
def transmitted(table, m, cosine, inside):  # type: ignore[no-untyped-def]
    """Part of the power that goes on behind a pane or the surface of solid glass."""
    if table.kind[m] == PANE:
        return slab_transmission(fresnel(table.values[m, ETA], 0.0, cosine), _through(table, m, cosine))
    return 1.0 - mirrored(table, m, cosine, inside) if table.kind[m] == GLASS else 0.0


@_jit
def returned(table, m, cosine, observation):  # type: ignore[no-untyped-def]
    """What `backscatter` tabulates, by its formulas."""
    result = scattered(table, m, cosine, cosine, 1.0) * cosine
    if table.values[m, RETRO] > 0.0:
        v = table.values
        retro = retroreflection(v[m, RETRO], v[m, RETRO_ENTRANCE], v[m, RETRO_OBSERVATION], cosine, observation)
        result += retro / max(cosine, 1e-6)
    return result


@nb.njit(cache=True, error_model="numpy")
def tabulate(table, observation):  # type: ignore[no-untyped-def]
    """Fill the table of backscatter for an observation angle [rad]."""
    for m in range(len(table.kind)):
        for step in range(STEPS + 1):
            table.backscatter[m, step] = returned(table, m, 1.0 - (step / STEPS) ** 2, observation)
    return np.uint8(0)
