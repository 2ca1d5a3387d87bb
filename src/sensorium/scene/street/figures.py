"""People: head, trunk, arms and legs in a pose, dressed. A figure is rigid; its stride is frozen at its widest.

Frame: x forward, y left, z up; the origin lies on the ground below the hips. Measures are fractions of the body height
after Drillis and Contini, "Body segment parameters", 1966.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from sensorium.scene.body import Model, Part
from sensorium.scene.mesh import Mesh
from sensorium.scene.street.extrusion import join, loft, shifted, tube

Floats = NDArray[np.float64]

_HIP, _KNEE, _ANKLE = 0.530, 0.285, 0.039
_SHOULDER, _UPPER_ARM, _FOREARM, _HAND = 0.805, 0.186, 0.146, 0.10
_HIP_HALF, _SHOULDER_HALF = 0.052, 0.106
# height, half depth and half width of the trunk, bottom to top
_TRUNK = ((0.465, 0.035, 0.050), (0.485, 0.062, 0.090), (0.53, 0.068, 0.097), (0.61, 0.056, 0.082),
          (0.70, 0.066, 0.094), (0.77, 0.066, 0.106), (0.80, 0.056, 0.104), (0.822, 0.042, 0.078),
          (0.838, 0.032, 0.04), (0.842, 0.02, 0.02))  # fmt: skip
_COAT = ((0.33, 0.078, 0.105), (0.335, 0.086, 0.118), *_TRUNK[2:])
_HEAD = ((0.862, 0.010, 0.010), (0.868, 0.030, 0.024), (0.885, 0.045, 0.034), (0.91, 0.056, 0.041),
         (0.94, 0.058, 0.044), (0.97, 0.053, 0.041), (0.985, 0.042, 0.032), (0.994, 0.02, 0.016))  # fmt: skip


@dataclass(frozen=True)
class Figure:
    """One person."""

    name: str
    height_m: float
    stride_rad: float
    """Angle of the forward thigh; 0 stands."""
    top: str
    """Material of what covers the trunk."""
    legs: str
    """Material of what covers the legs."""
    coat: bool = False
    """Whether the trunk is covered down to the knees."""
    rucksack: bool = False


FIGURES = (
    Figure("woman_walking", 1.68, 0.42, "cloth_light", "cloth_dark"),
    Figure("man_walking", 1.80, 0.46, "cloth_dark", "cloth_dark", rucksack=True),
    Figure("woman_in_coat", 1.65, 0.34, "cloth_dark", "cloth_dark", coat=True),
    Figure("boy_walking", 1.38, 0.44, "cloth_light", "cloth_dark", rucksack=True),
    Figure("man_strolling", 1.74, -0.30, "cloth_light", "cloth_light"),
    Figure("man_standing", 1.78, 0.0, "cloth_dark", "cloth_dark"),
    Figure("woman_standing", 1.66, 0.0, "cloth_light", "cloth_dark", coat=True),
)
WALKING = tuple(figure for figure in FIGURES if figure.stride_rad)
STANDING = tuple(figure for figure in FIGURES if not figure.stride_rad)


@cache
def person_model(figure: Figure) -> Model:
    """Return the person with the lower foot on the ground."""
    pieces = {
        "top": _clothed_top(figure),
        "legs": join(_leg(side, _thigh_rad(figure, side)) for side in (1, -1)),
        "skin": join((_head(), *(_hand(side, _arm_rad(figure, side)) for side in (1, -1)))),
        "hair": _hair(figure),
        "shoes": join(_shoe(side, _thigh_rad(figure, side)) for side in (1, -1)),
    }
    if figure.rucksack:
        pieces["rucksack"] = _rucksack()
    lowest = min(mesh.vertices_m[:, 2].min() for mesh in pieces.values())
    materials = {
        "top": figure.top,
        "legs": figure.legs,
        "skin": "skin",
        "hair": "hair",
        "shoes": "rubber",
        "rucksack": "cloth_dark",
    }
    return Model(
        figure.name,
        tuple(
            Part(name, _grown(mesh, figure.height_m, lowest), materials[name], "pedestrian")
            for name, mesh in pieces.items()
        ),
    )


def _grown(mesh: Mesh, height_m: float, lowest: float) -> Mesh:
    return Mesh((mesh.vertices_m - (0, 0, lowest)) * height_m, mesh.triangles)


def _thigh_rad(figure: Figure, side: int) -> float:
    """Return the angle of a thigh, positive forward."""
    return side * figure.stride_rad


def _arm_rad(figure: Figure, side: int) -> float:
    """Return the angle of an upper arm; arms swing against the legs."""
    return -0.8 * side * figure.stride_rad


def _forward(angle_rad: float) -> Floats:
    """Return the direction of a limb that hangs, swung forward by an angle."""
    return np.array([np.sin(angle_rad), 0.0, -np.cos(angle_rad)])


def _ellipses(rows: tuple[tuple[float, float, float], ...], sides: int = 12) -> Mesh:
    """Return the closed skin through level ellipses (height, half depth, half width)."""
    angle = np.arange(sides) * (2 * np.pi / sides)
    rings = [np.column_stack((a * np.cos(angle), b * np.sin(angle), np.full(sides, z))) for z, a, b in rows]
    return loft(rings)


def _knee_bend_rad(thigh_rad: float) -> float:
    """Return how far a shank hangs behind its thigh: hardly in front, more in the leg that pushes off."""
    return 0.06 + (0.1 * thigh_rad if thigh_rad > 0 else -0.75 * thigh_rad)


def _leg_joints(side: int, thigh_rad: float) -> Floats:
    """Return hip, knee and ankle."""
    hip = np.array([0.0, side * _HIP_HALF, _HIP - 0.02])
    knee = hip + (_HIP - _KNEE) * _forward(thigh_rad)
    ankle = knee + (_KNEE - _ANKLE) * _forward(thigh_rad - _knee_bend_rad(thigh_rad))
    return np.stack((hip, knee, ankle))


def _leg(side: int, thigh_rad: float) -> Mesh:
    hip, knee, ankle = _leg_joints(side, thigh_rad)
    way = [hip, hip + 0.4 * (knee - hip), knee, knee + 0.35 * (ankle - knee), ankle]
    return tube(way, [0.050, 0.047, 0.034, 0.033, 0.026], 9)


def _shoe(side: int, thigh_rad: float) -> Mesh:
    """Return a shoe below the ankle, its heel lifted behind the body and its toe in front."""
    ankle = _leg_joints(side, thigh_rad)[2]
    pitch = 0.35 * thigh_rad if thigh_rad > 0 else 0.9 * thigh_rad
    x, half_width, half_height = np.array(
        [
            (-0.036, 0.012, 0.012),
            (-0.030, 0.021, 0.024),
            (0.0, 0.024, 0.026),
            (0.05, 0.027, 0.018),
            (0.085, 0.024, 0.013),
            (0.10, 0.010, 0.008),
        ]
    ).T
    angle = np.arange(8) * (np.pi / 4)
    y, z = half_width[:, None] * np.cos(angle), half_height[:, None] * (1 + np.sin(angle)) - 0.042
    along = np.broadcast_to(x[:, None], y.shape)
    points = np.stack((np.cos(pitch) * along - np.sin(pitch) * z, y, np.sin(pitch) * along + np.cos(pitch) * z), -1)
    return loft(points + ankle)


def _arm_joints(side: int, arm_rad: float) -> Floats:
    """Return shoulder, elbow, wrist and finger tips."""
    shoulder = np.array([0.0, side * _SHOULDER_HALF, _SHOULDER - 0.01])
    out = np.array([0.0, side * 0.02, 0.0])
    elbow = shoulder + _UPPER_ARM * _forward(arm_rad) + out
    bend = arm_rad + 0.2 + 0.6 * max(arm_rad, 0.0)
    wrist = elbow + _FOREARM * _forward(bend)
    return np.stack((shoulder, elbow, wrist, wrist + _HAND * _forward(bend + 0.1)))


def _clothed_top(figure: Figure) -> Mesh:
    arms = []
    for side in (1, -1):
        shoulder, elbow, wrist, _ = _arm_joints(side, _arm_rad(figure, side))
        inward = shoulder + np.array([0.0, -side * 0.02, 0.022])
        arms.append(tube([inward, shoulder, elbow, wrist], [0.020, 0.031, 0.026, 0.019], 8))
    return join((_ellipses(_COAT if figure.coat else _TRUNK), *arms))


def _hand(side: int, arm_rad: float) -> Mesh:
    *_, wrist, tips = _arm_joints(side, arm_rad)
    return tube([wrist - 0.05 * (tips - wrist), wrist + 0.35 * (tips - wrist), tips], [0.013, 0.02, 0.008], 6)


def _head() -> Mesh:
    """Return head, neck and nose."""
    neck = tube([(-0.008, 0, 0.82), (0.0, 0, 0.885)], 0.031, 10)
    nose = tube([(0.052, 0, 0.935), (0.064, 0, 0.915), (0.055, 0, 0.908)], [0.004, 0.009, 0.006], 5)
    return join((neck, shifted(_ellipses(_HEAD), 0.006), nose))


def _hair(figure: Figure) -> Mesh:
    """Return a cap of hair that reaches lower at the back; longer with a coat."""
    low = 0.86 if figure.coat else 0.90
    rows = (
        (low, 0.030, 0.034),
        (low + 0.01, 0.042, 0.043),
        (0.945, 0.058, 0.048),
        (0.975, 0.054, 0.044),
        (0.992, 0.038, 0.032),
        (1.0, 0.012, 0.01),
    )
    back = np.array([-0.018, -0.016, -0.008, -0.004, 0.0, 0.0])
    angle = np.arange(12) * (np.pi / 6)
    rings = [
        np.column_stack((a * np.cos(angle) + s, b * np.sin(angle), np.full(12, z)))
        for (z, a, b), s in zip(rows, back, strict=True)
    ]
    return loft(rings)


def _rucksack() -> Mesh:
    rows = ((0.585, 0.02, 0.06), (0.59, 0.045, 0.08), (0.70, 0.05, 0.085), (0.78, 0.04, 0.075), (0.795, 0.015, 0.05))
    return shifted(_ellipses(rows, 8), -0.092)
