"""What is fixed to a car's skin: wheels, mirrors, door handles, licence plates, seats."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sensorium.scene.mesh import Mesh
from sensorium.scene.street.car_shell import CarShape
from sensorium.scene.street.extrusion import both_sides, boxes, join, loft, prism, shifted, tube, turned, turned_to

Floats = NDArray[np.float64]

TYRE_WIDTH_M = 0.2
_LEFT_WHEEL = ((1, 0, 0), (0, 0, -1), (0, 1, 0))
"""Axes that lay a wheel, made about z, on its side with its outer face to the left."""


def wheels(shape: CarShape) -> dict[str, Mesh]:
    """Return the four wheels, by what they are made of; their lowest point is at z = 0."""
    out = shape.half_width_m - TYRE_WIDTH_M / 2 - 0.015
    made = {}
    for piece, mesh in _wheel(shape.wheel_radius_m).items():
        left = turned_to(mesh, _LEFT_WHEEL)
        placed = [shifted(left, axle, out, shape.wheel_radius_m) for axle in (0.0, shape.wheelbase_m)]
        made[piece] = both_sides(join(placed))
    return made


def _wheel(radius_m: float) -> dict[str, Mesh]:
    """Return a wheel about z, its outer face up."""
    half, rim = TYRE_WIDTH_M / 2, 0.64 * radius_m
    shoulder = radius_m - 0.02
    tyre = [(rim, -half), (shoulder, -half), (radius_m, -half + 0.03), (radius_m, half - 0.03), (shoulder, half)]
    tyre += [(rim, half - 0.01), (rim, -half)]
    lip = [(rim - 0.02, 0.03), (rim + 0.002, 0.03), (rim + 0.004, half - 0.004), (rim - 0.02, 0.03)]
    hub = [(0.0, 0.0), (0.06, 0.0), (0.05, half - 0.03), (0.0, half - 0.025)]
    disc = [(0.0, -0.01), (0.72 * rim, -0.01), (0.72 * rim, 0.01), (0.0, 0.01)]
    spokes = [_spoke(rim, half - 0.03, turn) for turn in np.arange(5) * (2 * np.pi / 5)]
    return {
        "tyres": turned(tyre, 16),
        "rims": join((turned(lip, 16), turned(hub, 8), *spokes)),
        "brakes": turned(disc, 10),
    }


def _spoke(rim_m: float, z_m: float, turn_rad: float) -> Mesh:
    """Return a bar from the hub to the rim that grows thinner outward."""
    rings = [
        [(r, -w, z - 0.025), (r, w, z - 0.025), (r, w, z), (r, -w, z)]
        for r, w, z in ((0.04, 0.028, z_m), (rim_m - 0.01, 0.018, z_m - 0.005))
    ]
    cosine, sine = np.cos(turn_rad), np.sin(turn_rad)
    return turned_to(loft(rings), ((cosine, sine, 0), (-sine, cosine, 0), (0, 0, 1)))


def mirrors(shape: CarShape) -> dict[str, Mesh]:
    """Return both mirror housings, from the door outward, and the glass that faces back."""
    x = shape.windscreen[1] - 0.42
    y, z = float(shape.width_m(x)), float(shape.belt_m(x)) + 0.06
    path = [
        (0.0, y - 0.06, z - 0.04),
        (0.0, y + 0.02, z),
        (0.0, y + 0.06, z + 0.02),
        (0.0, y + 0.17, z + 0.03),
        (0.0, y + 0.2, z + 0.03),
    ]
    housing = tube(path, [0.02, 0.03, 0.085, 0.08, 0.04], 8)
    flat = housing.vertices_m * (0.8, 1, 1) + (x, 0, 0)
    glass = boxes((x - 0.076, y + 0.065, z - 0.035), (x - 0.066, y + 0.165, z + 0.085))
    return {"paint": both_sides(type(housing)(flat, housing.triangles)), "mirror_glass": both_sides(glass)}


def handles(shape: CarShape) -> Mesh:
    """Return a handle below the rear end of each side window, except the rearmost small ones."""
    places = [low + 0.1 for low, high in shape.side_windows if high - low > 0.6]
    pieces = []
    for x in places:
        y, z = 0.985 * float(shape.width_m(x)), float(shape.belt_m(x)) - 0.1
        pieces.append(boxes((x - 0.08, y - 0.03, z - 0.014), (x + 0.08, y + 0.025, z + 0.014)))
    return both_sides(join(pieces))


def licence_plates(shape: CarShape) -> Mesh:
    """Return the plates at both bumpers: 520 x 110 mm, as in most of Europe."""
    middle = np.array([(shape.nose_m - 0.015, 0, 0.43), (shape.tail_m + 0.015, 0, 0.55)])
    half = np.array([0.022, 0.26, 0.055])
    return boxes(middle - half, middle + half)


def interior(shape: CarShape, rows_x_m: tuple[float, ...]) -> dict[str, Mesh]:
    """Return rows of two seats each and the dashboard, as one sees them through the glass."""
    inner = shape.half_width_m - 0.16
    seat = _across(
        [
            (-0.12, 0.3),
            (0.42, 0.3),
            (0.46, 0.5),
            (0.0, 0.46),
            (-0.14, 0.98),
            (-0.15, 1.18),
            (-0.23, 1.17),
            (-0.24, 0.96),
            (-0.14, 0.42),
        ],
        0.5,
    )
    seats = [shifted(seat, x, side * 0.38, 0.02) for x in rows_x_m for side in (1, -1)]
    low, high = float(shape.windscreen[1]) - 0.62, float(shape.windscreen[1]) - 0.06
    level = float(shape.belt_m(high)) - 0.03
    dash = _across(
        [
            (low, level - 0.3),
            (high, level - 0.35),
            (high, level - 0.02),
            (low + 0.1, level + 0.02),
            (low, level - 0.03),
        ],
        2 * inner,
    )
    return {"seats": join(seats), "dashboard": dash}


def _across(outline_m: list[tuple[float, float]], width_m: float) -> Mesh:
    """Return an outline (x, z), counter-clockwise seen from the right, spread over a width about y = 0."""
    return turned_to(prism(outline_m, -width_m / 2, width_m / 2), ((1, 0, 0), (0, 0, 1), (0, -1, 0)))
