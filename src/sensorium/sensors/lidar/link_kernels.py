"""The formulas of the link models, for kernels and tests. Import this lazily: it loads Numba."""

from __future__ import annotations

import math

import numba as nb

from sensorium.materials.optical_table import LOBE_ALPHA, LOBE_BETA, LOBE_GAMMA, LOBE_SIGMA
from sensorium.materials.reflectance import three_lobe
from sensorium.materials.response import backscatter
from sensorium.sensors.lidar.links import (
    APERTURE,
    CODE,
    DETECTOR_OFFSET,
    DETECTOR_RADIUS,
    EMITTER_RADIUS,
    OVERLAP,
    POWER,
    TANGENT,
    THREE_LOBE,
)

_jit = nb.njit(cache=True)
_FULL = 1.0 - math.exp(-2.0)


@_jit
def overlap(detector_radius, offset, emitter_radius, tangent, path):  # type: ignore[no-untyped-def]
    """Share of a Gaussian beam that falls on the detector after a path, relative to an emitter-sized beam on the axis.

    (1 - exp(-2 R^2 / w^2)) exp(-2 r^2 / w^2) / (1 - exp(-2)), w = x tan Theta + E.
    """
    w = path * tangent + emitter_radius
    w2 = w * w
    return (1.0 - math.exp(-2.0 * detector_radius * detector_radius / w2)) * math.exp(-2.0 * offset * offset / w2) / _FULL


@_jit
def echo_power(link, kind, values, coat, cosine, path, extinction, retro_gain):  # type: ignore[no-untyped-def]
    """Power [W] that a surface met at this cosine and optical path sends back to the receiver, for a beam of full weight."""
    if link[CODE] == THREE_LOBE:
        sent = three_lobe(values[LOBE_ALPHA], values[LOBE_BETA], values[LOBE_GAMMA], values[LOBE_SIGMA], cosine, path)
        return link[POWER] * sent * math.exp(-2.0 * extinction * path)
    sent = backscatter(kind, values, coat, cosine, retro_gain) * link[POWER] * math.exp(-2.0 * extinction * path)
    if link[CODE] == OVERLAP:
        tangent, offset = link[TANGENT], link[DETECTOR_OFFSET]
        return sent * overlap(link[DETECTOR_RADIUS], offset, link[EMITTER_RADIUS], tangent, path)
    return sent * link[APERTURE] / (path * path)


@_jit
def glint_power(link, reflectance, off_axis, path, extinction):  # type: ignore[no-untyped-def]
    """Power [W] of a beam that a mirror throws back, its axis passing the receiver at a distance, after the way there and back."""
    share = overlap(link[DETECTOR_RADIUS], off_axis + link[DETECTOR_OFFSET], link[EMITTER_RADIUS], link[TANGENT], 2.0 * path)
    return link[POWER] * reflectance * share * math.exp(-2.0 * extinction * path)
