"""What stands on the pavement: the bus stop, benches, bins, cabinets. x points to the road, z = 0 is the ground."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import numpy as np

from sensorium.motion.fixed import Fixed
from sensorium.scene.body import Body, Model, Part
from sensorium.scene.mesh import Mesh
from sensorium.scene.street.extrusion import boxes, join, quads, shifted, turned
from sensorium.scene.street.lamps_and_signs import KERB_TO_POST_M
from sensorium.scene.street.layout import SIDES, ZEBRA_WIDTH_M, Layout, Plots, chance

SHELTER_LENGTH_M = 3.6
SHELTER_DEPTH_M = 1.1
_SHELTER_M = 2.4
_ROOMY_M = 2.6
"""A pavement narrower than this has no room for a shelter."""


def furniture(layout: Layout, seed: int, plots: Plots) -> Iterator[Body]:
    """Yield benches, bins and cabinets along both pavements, near the kerb."""
    things: tuple[tuple[str, Callable[[], Model], float, float], ...] = (
        ("bench", bench_model, 0.95, 0.35),
        ("bin", bin_model, 0.3, 0.3),
        ("cabinet", cabinet_model, 0.5, 0.3),
    )
    for side in SIDES:
        random, number = chance(seed, f"furniture {side}"), 0
        for x in np.arange(layout.start_m + 5, layout.end_m - 5, 14.0):
            name, model, half_x, half_y = things[int(random.choice(3, p=(0.4, 0.4, 0.2)))]
            x += random.uniform(0, 8)
            across = layout.kerb_m + KERB_TO_POST_M + 0.15
            if abs(x - layout.zebra_m) > ZEBRA_WIDTH_M / 2 + 3 and plots.take(x, side * across, half_x, half_y):
                pose = layout.facing_road(x, across, side)
                yield Body(f"{name}_{'left' if side > 0 else 'right'}_{number}", model(), Fixed(pose=pose), name)
                number += 1


def bus_stop(layout: Layout, plots: Plots) -> Iterator[Body]:
    """Yield the post of the bus stop on the right and, where the pavement is wide enough, its shelter."""
    post_across = layout.kerb_m + KERB_TO_POST_M
    if plots.take(layout.bus_stop_m - SHELTER_LENGTH_M, -post_across, 0.4, 0.3):
        pose = layout.facing_road(layout.bus_stop_m - SHELTER_LENGTH_M, post_across, -1)
        yield Body("bus_stop_post", bus_post_model(), Fixed(pose=pose), "traffic_sign")
    across = layout.pavement_edge_m - 0.08
    if layout.pavement_width_m >= _ROOMY_M:
        plots.keep(layout.bus_stop_m, -(across - SHELTER_DEPTH_M / 2), SHELTER_LENGTH_M / 2 + 0.1, SHELTER_DEPTH_M / 2)
        pose = layout.facing_road(layout.bus_stop_m, across, -1)
        yield Body("bus_stop", shelter_model(), Fixed(pose=pose), "bus_stop")


@cache
def shelter_model() -> Model:
    """Return a shelter with glass at its back and one side and a bench inside; its back is at x = 0."""
    half, depth, high = SHELTER_LENGTH_M / 2, SHELTER_DEPTH_M, _SHELTER_M
    posts = [
        (x, y) for x in (0.03, depth - 0.1) for y in (-half, -half / 3, half / 3, half) if x < 0.1 or abs(y) == half
    ]
    frame = boxes([(x - 0.03, y - 0.03, -0.05) for x, y in posts], [(x + 0.03, y + 0.03, high) for x, y in posts])
    rails = boxes([(0.0, -half, z) for z in (0.25, 2.15)], [(0.06, half, z + 0.04) for z in (0.25, 2.15)])
    roof = boxes((-0.05, -half - 0.1, high), (depth + 0.05, half + 0.1, high + 0.08))
    edges = np.linspace(-half, half, 4)
    back = [
        [(0.03, a, 0.3), (0.03, b, 0.3), (0.03, b, 2.14), (0.03, a, 2.14)]
        for a, b in zip(edges[:-1] + 0.04, edges[1:] - 0.04, strict=True)
    ]
    side = [(0.08, -half, 0.3), (depth - 0.16, -half, 0.3), (depth - 0.16, -half, 2.14), (0.08, -half, 2.14)]
    seat = shifted(_slats(1.8, 0.4), 0.35, 0.0, 0.45)
    legs = boxes([(0.2, y - 0.02, -0.05) for y in (-0.7, 0.7)], [(0.5, y + 0.02, 0.45) for y in (-0.7, 0.7)])
    board = boxes((0.07, half / 3 + 0.2, 0.9), (0.11, half - 0.15, 1.9))
    parts = (
        Part("frame", join((frame, rails, roof)), "painted_metal", "bus_stop"),
        Part("glazing", quads([*back, side]), "glass", "bus_stop"),
        Part("seat", seat, "wood", "bench"),
        Part("legs", legs, "steel", "bench"),
        Part("board", board, "plastic_white", "bus_stop"),
    )
    return Model("bus_shelter", parts)


@cache
def bus_post_model() -> Model:
    """Return the post of a bus stop with its round flag across the pavement's direction."""
    post = turned([(0.0, -0.05), (0.035, -0.05), (0.035, 2.7), (0.0, 2.72)], 10)
    flag = boxes((0.035, -0.012, 2.25), (0.45, 0.012, 2.65))
    table = boxes((-0.15, -0.02, 1.2), (0.15, 0.02, 1.75))
    faces = boxes([(0.05, -0.0135, 2.265), (0.05, 0.012, 2.265)], [(0.435, -0.012, 2.635), (0.435, 0.0135, 2.635)])
    parts = (
        Part("post", join((post, flag)), "steel", "pole"),
        Part("faces", faces, "traffic_sign", "traffic_sign"),
        Part("timetable", table, "plastic_white", "traffic_sign"),
    )
    return Model("bus_post", parts)


def _slats(length_m: float, depth_m: float) -> Mesh:
    """Return level slats of wood about the origin, their tops at z = 0.03."""
    x = np.linspace(-depth_m / 2, depth_m / 2, 5)
    low = np.column_stack((x[:-1], np.full(4, -length_m / 2), np.zeros(4)))
    high = np.column_stack((x[1:] - 0.015, np.full(4, length_m / 2), np.full(4, 0.03)))
    return boxes(low, high)


@cache
def bench_model() -> Model:
    """Return a bench with its back to the road, as benches between parked cars and a walkway stand."""
    rest = boxes([(0.24, -0.85, z) for z in (0.58, 0.72)], [(0.27, 0.85, z + 0.1) for z in (0.58, 0.72)])
    legs = boxes(
        [(x, y - 0.025, -0.05) for y in (-0.65, 0.65) for x in (-0.18, 0.2)],
        [(x + 0.05, y + 0.025, 0.45 if x < 0 else 0.8) for y in (-0.65, 0.65) for x in (-0.18, 0.2)],
    )
    seat = shifted(_slats(1.7, 0.42), 0.0, 0.0, 0.45)
    return Model("bench", (Part("slats", join((seat, rest)), "wood", "bench"), Part("legs", legs, "steel", "bench")))


@cache
def bin_model() -> Model:
    """Return a round litter bin with a domed lid and a dark slot."""
    body = turned([(0.0, -0.02), (0.2, -0.02), (0.23, 0.72), (0.0, 0.72)], 14)
    lid = turned([(0.0, 0.86), (0.24, 0.86), (0.22, 0.93), (0.12, 1.0), (0.0, 1.02)], 14)
    posts = boxes([(x - 0.02, y - 0.02, 0.72) for x, y in _CROSS], [(x + 0.02, y + 0.02, 0.86) for x, y in _CROSS])
    inner = turned([(0.0, 0.72), (0.15, 0.72), (0.15, 0.86), (0.0, 0.86)], 8)
    metal = Part("bin", join((body, lid, posts)), "painted_metal", "bin")
    return Model("bin", (metal, Part("slot", inner, "plastic_black", "bin")))


_CROSS = ((0.19, 0.0), (-0.19, 0.0), (0.0, 0.19), (0.0, -0.19))


@cache
def cabinet_model() -> Model:
    """Return a cabinet of the telephone network on its plinth."""
    plinth = boxes((-0.2, -0.42, -0.05), (0.2, 0.42, 0.12))
    case = boxes([(-0.18, -0.4, 0.12), (-0.2, -0.42, 1.2)], [(0.18, 0.4, 1.2), (0.2, 0.42, 1.25)])
    return Model(
        "cabinet", (Part("case", case, "plastic_white", "cabinet"), Part("plinth", plinth, "concrete", "cabinet"))
    )
