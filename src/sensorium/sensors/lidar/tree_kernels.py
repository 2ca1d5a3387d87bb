"""Where light goes on from mirrors and glass. Import this lazily: it loads Numba.

Each live ray is a branch: one row of `state` (columns below) with its origin and direction. Splitting makes up to two children
per branch; only those that carry light are kept, so that the cost grows with the interfaces really met.
"""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from sensorium.materials.optical_table import ABSORPTION, ETA, GLASS, MIRROR, PANE, THICKNESS
from sensorium.materials.response import mirrored, scattered, transmitted
from sensorium.sensors.lidar.link_kernels import echo_power

THROUGHPUT = 0
"""Share of the power that arrives, one way."""
PATH = 1
"""Optical path so far [m]."""
INDEX = 2
"""Refractive index of the medium in which the branch travels."""
MIRRORS = 3
"""Number of mirrors met."""
STATE = 4

_BLOCK = 512
_STEP_OFF_M = 1e-4
"""A branch starts this far from the surface, so that it does not meet it again; well above the rounding of the tracer."""


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def _arrival(direction, normal, k, d, n):  # type: ignore[no-untyped-def]
    """Fill d with the unit direction and n with the normal on the side of the light; return the cosine, and if it is the back."""
    length, dot = 0.0, 0.0
    for a in range(3):
        length += direction[k, a] * direction[k, a]
    length = math.sqrt(length)
    for a in range(3):
        d[a], n[a] = direction[k, a] / length, normal[k, a]
        dot += d[a] * n[a]
    if dot > 0.0:
        for a in range(3):
            n[a] = -n[a]
    return min(1.0, abs(dot)), dot > 0.0


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def _reflect(d, n, cosine, point, row, starts, ways):  # type: ignore[no-untyped-def]
    """Write the mirrored direction and where it starts."""
    for a in range(3):
        ways[row, a] = d[a] + 2.0 * cosine * n[a]
        starts[row, a] = point[a] + _STEP_OFF_M * n[a]


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def _refract(d, n, cosine, ratio, inner, thickness, is_pane, point, row, starts, ways):  # type: ignore[no-untyped-def]
    """Write the direction behind the surface and where it starts; Snell: sin t2 = ratio sin t1, inner = cos t2.

    A pane gives the light its old direction back, displaced by the way through its thickness.
    """
    for a in range(3):
        bent = ratio * d[a] + (ratio * cosine - inner) * n[a]
        ways[row, a] = d[a] if is_pane else bent
        starts[row, a] = point[a] + bent * thickness / inner - _STEP_OFF_M * n[a]


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def _children(  # type: ignore[no-untyped-def]
    k, made, d, n, point, origin, direction, state, distance, normal, m, table, least, parent, starts, ways, states
):
    """Write the children of branch k from row `made` on; return the row after them."""
    cosine, back = _arrival(direction, normal, k, d, n)
    values, kind = table.values, table.kind[m]
    is_pane, inside = kind == PANE, kind == GLASS and back
    for a in range(3):
        point[a] = origin[k, a] + d[a] * distance[k]
    arrived = state[k, THROUGHPUT] * (math.exp(-values[m, ABSORPTION] * distance[k]) if inside else 1.0)
    path = state[k, PATH] + state[k, INDEX] * distance[k]
    share = arrived * mirrored(table, m, cosine, inside)
    if share > least:
        _reflect(d, n, cosine, point, made, starts, ways)
        parent[made], states[made, THROUGHPUT], states[made, PATH] = k, share, path
        states[made, INDEX], states[made, MIRRORS] = state[k, INDEX], state[k, MIRRORS] + (not inside)
        made += 1
    eta = values[m, ETA]
    ratio = eta if inside else 1.0 / max(eta, 1e-9)
    inner2 = 1.0 - ratio * ratio * (1.0 - cosine * cosine)
    onward = arrived * transmitted(table, m, cosine, inside)
    if inner2 > 0.0 and onward > least:
        inner = math.sqrt(inner2)
        thickness = values[m, THICKNESS] if is_pane else 0.0
        _refract(d, n, cosine, ratio, inner, thickness, is_pane, point, made, starts, ways)
        parent[made], states[made, THROUGHPUT], states[made, PATH] = k, onward, path + eta * thickness / inner
        states[made, INDEX] = state[k, INDEX] if is_pane else (1.0 if inside else eta)
        states[made, MIRRORS] = state[k, MIRRORS]
        made += 1
    return made


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def split(  # type: ignore[no-untyped-def]
    origin, direction, state, distance, body, part, normal, part_offset, part_material, table, least
):
    """Return for each branch that met a mirror or glass its children: parent row, origin, direction and state.

    What goes on behind a pane is displaced by its thickness. At the surface of solid glass the ray
    refracts by Snell's law with the relative index of its side; beyond the critical angle everything is reflected.
    Blocks write to places of their own, which are closed up in order afterwards.
    """
    count = len(distance)
    blocks = (count + _BLOCK - 1) // _BLOCK
    ends, parent = np.zeros(blocks, np.int64), np.empty(2 * count, np.int64)
    starts, ways, states = np.empty((2 * count, 3)), np.empty((2 * count, 3)), np.empty((2 * count, STATE))
    for block in nb.prange(blocks):
        d, n, point = np.empty(3), np.empty(3), np.empty(3)
        made = 2 * block * _BLOCK
        for k in range(block * _BLOCK, min(count, (block + 1) * _BLOCK)):
            m = part_material[part_offset[body[k]] + part[k]] if body[k] >= 0 else -1
            if m >= 0 and table.kind[m] >= MIRROR:
                made = _children(
                    k, made, d, n, point, origin, direction, state, distance, normal, m, table, least,
                    parent, starts, ways, states,
                )  # fmt: skip
        ends[block] = made
    kept = 0
    for block in range(blocks):
        for row in range(2 * block * _BLOCK, ends[block]):
            parent[kept] = parent[row]
            for a in range(3):
                starts[kept, a], ways[kept, a] = starts[row, a], ways[row, a]
            for a in range(STATE):
                states[kept, a] = states[row, a]
            kept += 1
    return parent[:kept], starts[:kept], ways[:kept], states[:kept]


@nb.njit(cache=True, nogil=True)
def sorted_by_beam(beam, beams):  # type: ignore[no-untyped-def]
    """Return the stable order of echoes by beam, and where each beam's echoes begin [beams + 1] (a counting sort)."""
    first = np.zeros(beams + 1, np.int64)
    for b in beam:
        first[b + 1] += 1
    for b in range(beams):
        first[b + 1] += first[b]
    order, place = np.empty(len(beam), np.int64), first[:-1].copy()
    for i in range(len(beam)):
        order[place[beam[i]]] = i
        place[beam[i]] += 1
    return order, first


@nb.njit(cache=True, error_model="numpy", nogil=True)
def there_and_back(  # type: ignore[no-untyped-def]
    weight, state, direction, distance, body, part, normal, part_offset, part_material,
    table, link, extinction,
):  # fmt: skip
    """Return power [W], optical path [m] and cosine of what each branch sees and sends back the way it came.

    Every factor on the way counts twice, once for each direction.
    """
    count = len(distance)
    power, path, cosines = np.zeros(count), np.full(count, math.inf), np.zeros(count)
    for k in range(count):
        if body[k] < 0:
            continue
        dot, length = 0.0, 0.0
        for a in range(3):
            dot += direction[k, a] * normal[k, a]
            length += direction[k, a] * direction[k, a]
        cosines[k] = max(1e-4, min(1.0, abs(dot) / math.sqrt(length)))
        path[k] = state[k, PATH] + state[k, INDEX] * distance[k]
        m = part_material[part_offset[body[k]] + part[k]]
        got = echo_power(link, table, m, cosines[k], path[k], extinction)
        power[k] = got * weight[k] * state[k, THROUGHPUT] ** 2
    return power, path, cosines


@nb.njit(cache=True, error_model="numpy", nogil=True)
def straight_home(  # type: ignore[no-untyped-def]
    weight, state, origin, direction, distance, body, part, normal, home, emission, acceptance,
    part_offset, part_material, table, link, extinction,
):  # fmt: skip
    """Return what each branch lights up and what of it returns to the sensor directly: power, half the way round, the ray home.

    Only branches that met a mirror, and only surfaces that the receiver sees within its acceptance angle of the emission
    direction. P = P_peak eta w tau f(l, v) cos(v) A / L3^2 exp(-alpha (L1 + L2 + L3)); the range is (L1 + L2 + L3) / 2.
    """
    count = len(distance)
    power, half = np.zeros(count), np.full(count, math.inf)
    start, back = np.zeros((count, 3)), np.ones((count, 3))
    for k in range(count):
        if body[k] < 0 or state[k, MIRRORS] < 1 or state[k, INDEX] != 1.0:
            continue
        length = math.sqrt(direction[k, 0] ** 2 + direction[k, 1] ** 2 + direction[k, 2] ** 2)
        side, leg2, towards, emitted = 0.0, 0.0, 0.0, 0.0
        for a in range(3):
            start[k, a] = origin[k, a] + direction[k, a] / length * distance[k]
            back[k, a] = home[k, a] - start[k, a]
            leg2 += back[k, a] * back[k, a]
            side += direction[k, a] * normal[k, a]
            towards -= back[k, a] * emission[k, a]
            emitted += emission[k, a] * emission[k, a]
        leg = math.sqrt(leg2)
        if leg < 1e-3 or towards < math.cos(acceptance) * leg * math.sqrt(emitted):
            continue
        sign = -1.0 if side > 0.0 else 1.0
        nl, nv, lv = 0.0, 0.0, 0.0
        for a in range(3):
            nl -= sign * normal[k, a] * direction[k, a] / length
            nv += sign * normal[k, a] * back[k, a] / leg
            lv -= direction[k, a] / length * back[k, a] / leg
        m = part_material[part_offset[body[k]] + part[k]]
        around = state[k, PATH] + distance[k] + leg
        f = scattered(table, m, min(1.0, nl), min(1.0, nv), lv)
        power[k] = (
            link.power_w * link.aperture_m2 / leg2 * weight[k] * state[k, THROUGHPUT] * f * max(0.0, nv)
            * math.exp(-extinction * around)
        )  # fmt: skip
        half[k] = around / 2.0
        for a in range(3):
            start[k, a] += sign * normal[k, a] * _STEP_OFF_M
            back[k, a] = home[k, a] - start[k, a]
    return power, half, start, back
