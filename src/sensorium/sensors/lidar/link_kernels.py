"""The formulas of the link models, for kernels and tests. Import this lazily: it loads Numba."""

from __future__ import annotations

import math

import numba as nb

from sensorium.core.arithmetic_kernels import exp_minus
from sensorium.materials.optical_table import LOBE_ALPHA, LOBE_BETA, LOBE_GAMMA, LOBE_SIGMA
from sensorium.materials.reflectance import three_lobe
from sensorium.materials.response import backscatter
from sensorium.sensors.lidar.links import OVERLAP, THREE_LOBE

_jit = nb.njit(cache=True, error_model="numpy")
_FULL = 1.0 - math.exp(-2.0)


@_jit
def overlap(detector_radius, offset, emitter_radius, tangent, path):  # type: ignore[no-untyped-def]
    """Share of a Gaussian beam that falls on the detector after a path, relative to an emitter-sized beam on the axis.

    (1 - exp(-2 R^2 / w^2)) exp(-2 r^2 / w^2) / (1 - exp(-2)), w = x tan Theta + E.
    """
    w = path * tangent + emitter_radius
    w2 = w * w
    return (
        (1.0 - math.exp(-2.0 * detector_radius * detector_radius / w2)) * math.exp(-2.0 * offset * offset / w2) / _FULL
    )


@_jit
def echo_power(link, table, m, cosine, path, extinction):  # type: ignore[no-untyped-def]
    """Power [W] that material m met at this cosine and optical path sends back to the receiver, for a beam of full weight."""
    through_air = exp_minus(2.0 * extinction * path)
    if link.model == THREE_LOBE:
        v = table.values
        sent = three_lobe(v[m, LOBE_ALPHA], v[m, LOBE_BETA], v[m, LOBE_GAMMA], v[m, LOBE_SIGMA], cosine, path)
        return link.power_w * sent * through_air
    sent = backscatter(table, m, cosine) * link.power_w * through_air
    if link.model == OVERLAP:
        tangent, offset = link.tangent, link.detector_offset_m
        return sent * overlap(link.detector_radius_m, offset, link.emitter_radius_m, tangent, path)
    return sent * link.aperture_m2 / (path * path)


@_jit
def glint_power(link, reflectance, off_axis, path, extinction):  # type: ignore[no-untyped-def]
    """Power [W] of a beam that a mirror throws back, its axis passing the receiver at a distance, after the way there and back."""
    share = overlap(
        link.detector_radius_m, off_axis + link.detector_offset_m, link.emitter_radius_m, link.tangent, 2.0 * path
    )
    return link.power_w * reflectance * share * math.exp(-2.0 * extinction * path)
