"""Patterns on plain materials: how much their colour varies from place to place, and over which lengths.

The library gives each material one colour, its mean. Real asphalt has stones and patches, a wall has bricks and joints. The
figures here are assumed, made to look like photographs; the mean colour stays.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sensorium.materials.library import MaterialLibrary

Floats = NDArray[np.float64]

# name -> three pairs of (cell in metres, depth as a share of the colour)
_GRAIN: dict[str, tuple[tuple[float, float], ...]] = {
    "asphalt": ((0.012, 0.35), (0.07, 0.12), (1.9, 0.05)),
    "wet_asphalt": ((0.012, 0.35), (0.07, 0.12), (1.9, 0.08)),
    "concrete": ((0.008, 0.14), (0.4, 0.07), (1.7, 0.08)),
    "kerb_stone": ((0.006, 0.25), (0.5, 0.08)),
    "brick": ((0.01, 0.12), (0.5, 0.06), (2.9, 0.05)),
    "plaster": ((0.01, 0.05), (0.7, 0.04), (3.1, 0.05)),
    "grass": ((0.03, 0.55), (0.15, 0.25), (1.6, 0.18)),
    "leaves": ((0.05, 0.45), (0.25, 0.25), (1.1, 0.12)),
    "soil": ((0.02, 0.35), (0.2, 0.2)),
    "gravel": ((0.02, 0.35), (0.5, 0.1)),
    "tree_bark": ((0.03, 0.4), (0.2, 0.2)),
    "wood": ((0.02, 0.15), (0.12, 0.12)),
    "roof_tile": ((0.03, 0.15), (0.6, 0.08)),
    "slate": ((0.03, 0.15), (0.6, 0.08)),
    "rock": ((0.01, 0.25), (0.1, 0.15)),
    "road_marking": ((0.02, 0.18), (0.3, 0.12)),
    "cloth_dark": ((0.01, 0.2), (0.15, 0.12)),
    "cloth_light": ((0.01, 0.1), (0.15, 0.08)),
}
# name -> course, length, joint [m], spread of the colour from brick to brick, strength of the joints
_COURSES: dict[str, tuple[float, ...]] = {
    "brick": (0.075, 0.25, 0.011, 0.22, 0.75),
    "roof_tile": (0.16, 0.22, 0.014, 0.18, 0.0),
    "slate": (0.14, 0.25, 0.01, 0.2, 0.0),
}


class Grains(NamedTuple):
    """Row m describes material m of the library."""

    kind: NDArray[np.int8]
    """0 plain, 1 grain, 2 grain and courses."""
    per_m: Floats
    """[M, 3] cells per metre."""
    depth: Floats
    """[M, 3]"""
    course_m: Floats
    """[M, 5]"""


def grains_of(library: MaterialLibrary, strength: float = 1.0) -> Grains:
    """Return the patterns of a library's materials; strength 0 leaves them plain."""
    count = len(library)
    kind, per_m, depth, course = (
        np.zeros(count, np.int8),
        np.ones((count, 3)),
        np.zeros((count, 3)),
        np.zeros((count, 5)),
    )
    for row, name in enumerate(library.names):
        for place, (cell, share) in enumerate(_GRAIN.get(name, ())):
            kind[row], per_m[row, place], depth[row, place] = 1, 1.0 / cell, share * strength
        if name in _COURSES and strength > 0:
            kind[row], course[row] = 2, _COURSES[name]
    if strength == 0:
        kind[:] = 0
    return Grains(kind, per_m, depth, course)
