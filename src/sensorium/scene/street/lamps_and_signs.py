"""Street lamps, traffic signs with retro-reflective faces, and the lights at the crossing.

Lamps have x towards the road; signs and lights have x towards those who read them. All origins are on the ground.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from sensorium.core.pose import Pose
from sensorium.motion.fixed import Fixed
from sensorium.scene.body import Body, Model, Part
from sensorium.scene.mesh import Mesh
from sensorium.scene.street.extrusion import boxes, join, loft, prism, shifted, tube, turned, turned_to
from sensorium.scene.street.layout import SIDES, ZEBRA_WIDTH_M, Layout, Plots
from sensorium.scene.street.sign_faces import sign_face

Floats = NDArray[np.float64]

KERB_TO_POST_M = 0.45
LAMP_SPACING_M = 30.0
_LAMP_M = 7.0
_ARM_M = 1.5
_FORWARD = ((0, 1, 0), (0, 0, 1), (1, 0, 0))
"""Axes that set an upright (y, z) outline, drawn as (x, y), to face along x."""

PLATES = {
    "round": np.column_stack([0.31 * np.cos(a := np.arange(24) * (np.pi / 12)), 0.31 * np.sin(a)]),
    "triangular": np.array([(-0.45, -0.26), (0.45, -0.26), (0.0, 0.52)]),
    "octagonal": np.column_stack([0.42 * np.cos(a := (np.arange(8) + 0.5) * (np.pi / 4)), 0.42 * np.sin(a)]),
    "square": np.array([(-0.3, -0.3), (0.3, -0.3), (0.3, 0.3), (-0.3, 0.3)]),
}
"""Outlines (across, up) of the plates: diameter 620 mm, side 900 mm, width across flats 780 mm, side 600 mm."""


def lamps(layout: Layout, plots: Plots) -> Iterator[Body]:
    """Yield street lamps, now on one side, now on the other; each steps aside where something stands."""
    places = np.arange(layout.start_m + 8, layout.end_m - 4, LAMP_SPACING_M / 2)
    across = layout.kerb_m + KERB_TO_POST_M
    for number, x in enumerate(places):
        side = SIDES[number % 2]
        for shift in (0.0, 2.0, -2.0, 4.0, -4.0):
            clear = abs(x + shift - layout.zebra_m) > ZEBRA_WIDTH_M / 2 + 1.5
            if clear and plots.take(x + shift, side * across, 1.0, 0.3):
                pose = layout.facing_road(x + shift, across, side)
                yield Body(f"lamp_{number}", lamp_model(), Fixed(pose=pose), "pole")
                break


def signs(layout: Layout, plots: Plots) -> Iterator[Body]:
    """Yield the signs for both directions: a limit, a warning, the crossing, a stop at the end of the street."""
    before = -1, ZEBRA_WIDTH_M / 2 + 0.9
    for side in SIDES:
        zebra = layout.zebra_m if side < 0 else layout.length_m - layout.zebra_m
        travelled = (("round", 6.0), ("triangular", zebra - 30.0), ("square", zebra + before[0] * before[1]),
                     ("round", 0.8 * layout.length_m), ("octagonal", layout.length_m + 12.0))  # fmt: skip
        for number, (plate, way) in enumerate(travelled):
            place = _free_place(layout, plots, side, way)
            if place is not None:
                name = f"sign_{plate}_{'left' if side > 0 else 'right'}_{number}"
                yield Body(name, sign_model(plate), Fixed(pose=place), "traffic_sign")


def _free_place(layout: Layout, plots: Plots, side: int, way_m: float) -> Pose | None:
    """Return a pose near the kerb after a way along a direction of travel, as near to it as there is room."""
    across = layout.kerb_m + KERB_TO_POST_M
    for shift in (0.0, -1.0, 1.0, -2.0, 2.0, -3.0, 3.0):
        x = way_m + shift if side < 0 else layout.length_m - way_m - shift
        if layout.start_m + 1 < x < layout.end_m - 1 and plots.take(x, side * across, 0.3, 0.3):
            return _towards_traffic(layout, x, across, side)
    return None


def _towards_traffic(layout: Layout, x_m: float, across_m: float, side: int) -> Pose:
    y_m = side * across_m
    return Pose.at(x_m, y_m, float(layout.height_m(x_m, y_m)), np.pi if side < 0 else 0.0)


def traffic_lights(layout: Layout, plots: Plots) -> Iterator[Body]:
    """Yield a light on the right of each direction, just before the crossing."""
    across = layout.kerb_m + KERB_TO_POST_M
    for side in SIDES:
        x = layout.zebra_m + side * (ZEBRA_WIDTH_M / 2 + 0.35)
        plots.keep(x, side * across, 0.3, 0.3)
        name = f"traffic_light_{'left' if side > 0 else 'right'}"
        yield Body(name, traffic_light_model(), Fixed(pose=_towards_traffic(layout, x, across, side)), "traffic_light")


@cache
def lamp_model() -> Model:
    """Return a tapered pole with an arm over the road and a flat head."""
    pole = turned([(0.0, -0.05), (0.10, -0.05), (0.10, 0.9), (0.075, 0.95), (0.04, _LAMP_M), (0.0, _LAMP_M)], 10)
    bend = np.linspace(0, np.pi / 2, 5)
    curve = np.column_stack((0.5 * (1 - np.cos(bend)), 0 * bend, _LAMP_M - 0.05 + 0.5 * np.sin(bend)))
    arm = tube([*curve, (_ARM_M - 0.25, 0.0, _LAMP_M + 0.48)], 0.03, 8)
    z = _LAMP_M + 0.46
    rows = (
        (_ARM_M - 0.3, 0.06, 0.05),
        (_ARM_M - 0.2, 0.11, 0.06),
        (_ARM_M + 0.35, 0.13, 0.045),
        (_ARM_M + 0.45, 0.08, 0.02),
    )
    ring = np.array([(-1, -0.6), (1, -0.6), (1, 0.2), (0.5, 1), (-0.5, 1), (-1, 0.2)])
    head = loft([np.column_stack((np.full(6, x), w * ring[:, 0], z + h * ring[:, 1])) for x, w, h in rows])
    lens = boxes((_ARM_M - 0.12, -0.085, z - 0.062), (_ARM_M + 0.28, 0.085, z - 0.03))
    parts = (
        Part("pole", join((pole, arm)), "galvanised_steel", "pole"),
        Part("head", head, "aluminium", "pole"),
        Part("lens", lens, "glass", "pole"),
    )
    return Model("lamp", parts)


@cache
def sign_model(plate: str) -> Model:
    """Return a plate of aluminium on a post, with sheeting on its face."""
    outline, middle = PLATES[plate], 2.45
    post = turned([(0.0, -0.05), (0.03, -0.05), (0.03, middle + 0.25), (0.0, middle + 0.26)], 10)
    clamps = boxes(
        [(0.0, -0.05, middle + z) for z in (-0.18, 0.14)], [(0.034, 0.05, middle + z + 0.04) for z in (-0.18, 0.14)]
    )
    back = shifted(turned_to(prism(outline, 0.034, 0.037), _FORWARD), z_m=middle)
    face = turned_to(prism(0.985 * outline, 0.037, 0.0375), _FORWARD)
    low, high = (corner[1:] for corner in face.bounds_m())
    uv = (face.vertices_m[:, 1:] - low) / (high - low)
    sheeting = Mesh(shifted(face, z_m=middle).vertices_m, face.triangles, None, uv)
    parts = (
        Part("post", join((post, clamps)), "galvanised_steel", "pole"),
        Part("plate", back, "aluminium", "traffic_sign"),
        Part("face", sheeting, "traffic_sign", "traffic_sign", sign_face(plate)),
    )
    return Model(f"sign_{plate}", parts)


@cache
def traffic_light_model() -> Model:
    """Return a post with three lights for drivers and two for those who cross."""
    post = turned([(0.0, -0.05), (0.06, -0.05), (0.055, 3.3), (0.0, 3.32)], 10)
    case = boxes([(0.05, -0.15, 2.3), (-0.11, -0.34, 2.0)], [(0.22, 0.15, 3.25), (0.11, -0.16, 2.55)])
    arms = boxes(
        [(0.0, -0.03, 2.45), (0.0, -0.03, 3.1), (-0.02, -0.17, 2.3)],
        [(0.06, 0.03, 2.5), (0.06, 0.03, 3.15), (0.02, -0.04, 2.34)],
    )
    visors = join(_visor(z) for z in (2.47, 2.78, 3.09))
    lenses = {name: _lens(z) for name, z in (("green", 2.47), ("amber", 2.78), ("red", 3.09))}
    lit = {"green": "glass", "amber": "headlight_lens", "red": "tail_light"}
    parts = [
        Part("post", join((post, arms)), "painted_metal", "pole"),
        Part("case", join((case, visors)), "plastic_black", "traffic_light"),
    ]
    parts += [Part(name, mesh, lit[name], "traffic_light") for name, mesh in lenses.items()]
    return Model("traffic_light", tuple(parts))


def _lens(z_m: float) -> Mesh:
    """Return a lens of 200 mm, curved outward."""
    dome = turned([(0.0, 0.0), (0.1, 0.0), (0.07, 0.016), (0.0, 0.024)], 14)
    return shifted(turned_to(dome, _FORWARD), 0.221, 0.0, z_m)


def _visor(z_m: float) -> Mesh:
    """Return the hood over a lens: half a tube with a wall of 5 mm."""
    angle = np.linspace(-0.15, np.pi + 0.15, 11)
    outline = np.concatenate(
        [r * np.column_stack((np.cos(a), np.sin(a))) for r, a in ((0.12, angle), (0.115, angle[::-1]))]
    )
    return shifted(turned_to(prism(outline, 0.215, 0.40), _FORWARD), z_m=z_m)
