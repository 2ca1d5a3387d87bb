"""Roofs of a house that stands on -depth <= x <= 0, -width/2 <= y <= width/2, with its walls' top at a height."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.scene.mesh import Mesh
from sensorium.scene.street.extrusion import boxes, join, loft, shifted, solid, tube, turned, turned_to

Floats = NDArray[np.float64]

_THICKNESS_M = 0.2
_EAVES_M = 0.45
_VERGE_M = 0.25
_GUTTER_RADIUS_M = 0.07


@dataclass(frozen=True)
class Roof:
    """What closes a house at the top: a covering, more wall (gables, parapets), and gutters of metal."""

    covering: Mesh
    walls: Mesh | None
    gutters: Mesh | None
    top_m: float


def gable_roof(depth_m: float, width_m: float, high_m: float, pitch_rad: float, towards_road: bool) -> Roof:
    """Return two slopes that meet in a ridge along the road, or across it with a gable towards the road."""
    span, run = (width_m, depth_m) if towards_road else (depth_m, width_m)
    top_m = high_m + span / 2 * np.tan(pitch_rad) + _THICKNESS_M
    middle = -depth_m / 2
    axes = ((0, 1, 0), (-1, 0, 0), (0, 0, 1)) if towards_road else np.eye(3).tolist()
    covering, walls, gutters = (
        shifted(turned_to(make(span, run, high_m, pitch_rad), axes), middle) for make in (_slopes, _gables, _gutters)
    )
    return Roof(covering, walls, gutters, float(top_m))


def _slopes(span_m: float, run_m: float, high_m: float, pitch_rad: float) -> Mesh:
    """Return two slabs; in section each is a parallelogram from the eaves at x = span/2 to the ridge at x = 0."""
    rise, half = np.tan(pitch_rad), span_m / 2
    out = half + _EAVES_M
    low, ridge = high_m - _EAVES_M * rise, high_m + half * rise
    front = np.array([(out, low), (out, low + _THICKNESS_M), (0.0, ridge + _THICKNESS_M), (0.0, ridge)])
    end = run_m / 2 + _VERGE_M
    slabs = []
    for outline in (front, front[::-1] * (-1, 1)):
        rings = [np.column_stack((outline[:, 0], np.full(4, y), outline[:, 1])) for y in (end, -end)]
        slabs.append(loft(rings))
    return join(slabs)


def _gables(span_m: float, run_m: float, high_m: float, pitch_rad: float) -> Mesh:
    """Return the two triangles of wall under the slopes."""
    half, end = span_m / 2, run_m / 2
    ridge = high_m + half * np.tan(pitch_rad)
    vertices = [(s * x, s * end, z) for s in (1, -1) for x, z in ((half, high_m), (-half, high_m), (0.0, ridge))]
    return solid(np.array(vertices), np.array([[0, 1, 2], [3, 4, 5]]))


def _gutters(span_m: float, run_m: float, high_m: float, pitch_rad: float) -> Mesh:
    """Return a gutter along both eaves and a pipe down two corners."""
    out, z = span_m / 2 + _EAVES_M + 0.05, high_m - _EAVES_M * np.tan(pitch_rad) + 0.04
    end, wall = run_m / 2 + _VERGE_M, span_m / 2 + 0.06
    pieces = []
    for side in (1, -1):
        pieces.append(tube([(side * out, -end, z), (side * out, end, z)], _GUTTER_RADIUS_M, 6))
        y = side * (run_m / 2 - 0.25)
        way = [(side * out, y, z), (side * wall, y, z - 0.35), (side * wall, y, 0.0)]
        pieces.append(tube(way, 0.045, 6))
    return join(pieces)


def hip_roof(depth_m: float, width_m: float, high_m: float, pitch_rad: float) -> Roof:
    """Return four slopes of one pitch; their ridge runs along the longer side."""
    a, b = depth_m / 2 + _EAVES_M, width_m / 2 + _EAVES_M
    inner = min(a, b)
    ridge_x, ridge_y = a - inner, b - inner
    low, top = high_m - 0.1, high_m + 0.1 + inner * np.tan(pitch_rad)
    rim = np.array([(a, -b), (a, b), (-a, b), (-a, -b)])
    crest = np.array([(ridge_x, -ridge_y), (ridge_x, ridge_y), (-ridge_x, ridge_y), (-ridge_x, -ridge_y)])
    rings = [(rim, low), (rim, high_m + 0.1), (crest, top)]
    covering = loft([np.column_stack((ring, np.full(4, z))) for ring, z in rings])
    return Roof(shifted(covering, -depth_m / 2), None, None, float(top))


def flat_roof(depth_m: float, width_m: float, high_m: float, parapet_m: float = 0.5) -> Roof:
    """Return a slab behind a parapet, with a coping on it."""
    x0, x1, y = -depth_m, 0.0, width_m / 2
    thick, top = 0.25, high_m + parapet_m
    slab = boxes((x0 + thick, -y + thick, high_m - 0.2), (x1 - thick, y - thick, high_m))
    low = np.array([(x1 - thick, -y), (x0, -y), (x0 + thick, -y), (x0 + thick, y - thick)])
    high = np.array([(x1, y), (x0 + thick, y), (x1 - thick, -y + thick), (x1 - thick, y)])
    parapet = boxes(np.c_[low, np.full(4, high_m)], np.c_[high, np.full(4, top)])
    out = np.array([(0.04, 0.04), (0.04, 0.04), (-0.04, 0.04), (-0.04, 0.04)])  # the shorter two fit between the others
    coping = boxes(np.c_[low - out, np.full(4, top)], np.c_[high + out, np.full(4, top + 0.06)])
    return Roof(join((slab, coping)), parapet, None, top)


def chimney(x_m: float, y_m: float, low_m: float, high_m: float) -> tuple[Mesh, Mesh]:
    """Return the brick shaft and the slab with its pot that closes it."""
    half = np.array([0.3, 0.42, 0.0])
    shaft = boxes(np.array([x_m, y_m, low_m]) - half, np.array([x_m, y_m, high_m]) + half)
    low, high = np.array([x_m, y_m, high_m]), np.array([x_m, y_m, high_m + 0.08])
    lid = boxes(low - half * 1.15, high + half * 1.15)
    pot = turned([(0.0, 0.0), (0.13, 0.0), (0.10, 0.35), (0.0, 0.35)], 8)
    return shaft, join((lid, shifted(pot, x_m, y_m, high_m + 0.08)))
