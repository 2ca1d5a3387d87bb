"""What a surface of the optical table does with light: for kernels. Import this lazily: it loads Numba."""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from sensorium.materials.optical_table import (
    COAT_STEPS,
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
    ROUGHNESS,
    SIGMA,
)
from sensorium.materials.reflectance import fresnel, ggx, oren_nayar, retroreflection, slab_reflectance, smith, two_layer, two_layer_half_vector

_jit = nb.njit(cache=True)


@_jit
def coat_transmission(coat, cosine):  # type: ignore[no-untyped-def]
    """Look up 1 - R(cosine) between the tabulated cosines."""
    place = cosine * COAT_STEPS
    step = min(int(place), COAT_STEPS - 1)
    return coat[step] + (coat[step + 1] - coat[step]) * (place - step)


@_jit
def backscatter(kind, values, coat, cosine, retro_gain):  # type: ignore[no-untyped-def]
    """Light back to the source per solid angle and power received [1/sr]: f(l, l) cos t, plus retroreflection R_A / cos t.

    With l = v = h the mirror layer sees its Fresnel term at normal incidence. `retro_gain` scales the retroreflection to the
    observation angle of the receiver.
    """
    if kind == COATED or kind == COATED_HALF_VECTOR:
        alpha = values[ROUGHNESS]
        g = 1.0 / (1.0 + 2.0 * smith(alpha, cosine))
        t = coat_transmission(coat, cosine)
        through = t * t if kind == COATED else coat[COAT_STEPS]
        layer = (1.0 - coat[COAT_STEPS]) * ggx(alpha, cosine) * g / (4.0 * cosine * cosine)
        result = (layer + through * oren_nayar(values[DIFFUSE], values[SIGMA], cosine, cosine, 1.0)) * cosine
    else:  # matt, or the dust on a mirror or a pane
        result = oren_nayar(values[DIFFUSE], values[SIGMA], cosine, cosine, 1.0) * cosine
    if values[RETRO] > 0.0:
        result += retro_gain * retroreflection(values[RETRO], values[RETRO_ENTRANCE], 1.0, cosine, 0.0) / cosine
    return result


@_jit
def scattered(kind, values, nl, nv, lv):  # type: ignore[no-untyped-def]
    """Distribution function f(l, v) [1/sr] of the part that is not a mirror, for any two directions."""
    if nl <= 0.0 or nv <= 0.0:
        return 0.0
    if kind == COATED or kind == COATED_HALF_VECTOR:
        length = math.sqrt(max(1e-12, 2.0 + 2.0 * lv))
        nh, lh = min(1.0, (nl + nv) / length), min(1.0, (1.0 + lv) / length)
        arguments = values[ETA], values[KAPPA], values[ROUGHNESS], values[DIFFUSE], values[SIGMA], nl, nv, lv, nh, lh
        return two_layer(*arguments) if kind == COATED else two_layer_half_vector(*arguments)
    return oren_nayar(values[DIFFUSE], values[SIGMA], nl, nv, lv)


@_jit
def mirrored(kind, values, cosine, inside):  # type: ignore[no-untyped-def]
    """Part of the power that leaves as from a mirror; `inside`: the light is in the glass and meets its surface."""
    if kind == MIRROR:
        return fresnel(values[ETA], values[KAPPA], cosine)
    if kind == PANE:
        return slab_reflectance(fresnel(values[ETA], values[KAPPA], cosine))
    if kind == GLASS:
        return fresnel(1.0 / values[ETA] if inside else values[ETA], 0.0, cosine)
    return 0.0


@nb.njit(cache=True)
def fill_coats(kind, values, coat):  # type: ignore[no-untyped-def]
    """Tabulate the transmission of every coat."""
    for m in range(len(kind)):
        for step in range(COAT_STEPS + 1):
            coated = kind[m] == COATED or kind[m] == COATED_HALF_VECTOR
            coat[m, step] = 1.0 - fresnel(values[m, ETA], values[m, KAPPA], step / COAT_STEPS) if coated else 1.0
    return np.uint8(0)
