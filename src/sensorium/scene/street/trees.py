"""Trees: a trunk that forks into boughs and twigs, and a crown of single leaf clusters that rays can slip between.

A tree grows from a few numbers of its species. Boughs follow each other up the trunk by the golden angle, 137.5
degrees, and are as thick as da Vinci's rule says: together they have the cross-section of the trunk. A leaf facet
stands for a spray of leaves; their area is 2 to 4 times that of the ground under the crown, as on real street trees.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.core.pose import Pose
from sensorium.motion.fixed import Fixed
from sensorium.scene.body import Body, Model, Part
from sensorium.scene.mesh import Mesh
from sensorium.scene.street.extrusion import join, quads, sheet, tube
from sensorium.scene.street.houses import Lot
from sensorium.scene.street.layout import SIDES, ZEBRA_WIDTH_M, Layout, Plots, chance

Floats = NDArray[np.float64]
Random = np.random.Generator

GOLDEN_ANGLE_RAD = np.pi * (3 - np.sqrt(5))
KERB_TO_TREE_M = 0.75
"""From the face of the kerb to the middle of a trunk."""


@dataclass(frozen=True)
class Species:
    """The habit of a tree."""

    name: str
    height_m: float
    crown_radius_m: float
    crown_low_m: float
    """Height of the lowest bough."""
    trunk_radius_m: float
    boughs: int
    rise_rad: float
    """How steeply boughs climb."""
    leaves: int
    leaf_m: float
    """Length of a leaf facet."""


SPECIES = (
    Species("lime", 7.8, 2.35, 2.6, 0.15, 10, 0.65, 820, 0.38),
    Species("maple", 7.0, 2.45, 2.5, 0.14, 9, 0.45, 800, 0.39),
    Species("plane", 9.0, 2.55, 3.0, 0.19, 11, 0.60, 900, 0.40),
    Species("pear", 6.2, 1.70, 2.3, 0.10, 8, 0.85, 620, 0.32),
    Species("young_lime", 4.8, 1.25, 2.1, 0.06, 7, 0.80, 460, 0.27),
    Species("hornbeam", 8.6, 1.80, 2.4, 0.13, 11, 1.00, 780, 0.34),
)


def tree_models(seed: int) -> tuple[Model, ...]:
    """Return one tree of each species; its x axis may point anywhere."""
    return tuple(_grown(species, chance(seed, f"tree {species.name}")) for species in SPECIES)


def street_trees(
    layout: Layout, seed: int, spacing_m: float, models: tuple[Model, ...], plots: Plots
) -> Iterator[Body]:
    """Yield trees on both pavements near the kerb, clear of lamps and signs, and the soil that each stands in."""
    fitting, pit, across = _fitting(layout, models), _pit_model(), layout.kerb_m + KERB_TO_TREE_M
    for side in SIDES:
        random = chance(seed, f"street trees {side}")
        places = np.arange(layout.start_m + spacing_m * (0.4 if side > 0 else 0.8), layout.end_m - 2, spacing_m)
        for number, place in enumerate(places):
            model, yaw = fitting[int(random.integers(len(fitting)))], random.uniform(-np.pi, np.pi)
            tries = place + random.uniform(-0.4, 0.4) + np.array([0.0, 1.5, -1.5, 3.0, -3.0])
            clear = np.abs(tries - layout.zebra_m) > ZEBRA_WIDTH_M / 2 + 3.5
            free = [x for x in tries[clear] if plots.free(x, side * across, 2.3, 2.2)]
            if free:
                x, y = float(free[0]), side * across
                plots.keep(x, y, 0.25, 0.25)
                name, z = f"tree_{'left' if side > 0 else 'right'}_{number}", float(layout.height_m(x, y))
                yield Body(name, model, Fixed(pose=Pose.at(x, y, z, yaw)), "vegetation")
                yield Body(f"{name}_pit", pit, Fixed(pose=Pose.at(x, y, z)), "terrain")


def _fitting(layout: Layout, models: tuple[Model, ...]) -> list[Model]:
    """Return the trees whose crowns reach neither the houses nor far into the lanes; at least the narrowest."""
    to_houses = layout.house_line_m - layout.kerb_m - KERB_TO_TREE_M - 1.3
    to_lane = KERB_TO_TREE_M + layout.parking_width_m + 0.4
    reaches = [species.crown_radius_m for species in SPECIES]
    most = max(min(to_houses, to_lane), min(reaches))
    return [model for model, reach in zip(models, reaches, strict=True) if reach <= most]


def garden_trees(
    layout: Layout, seed: int, lots: list[Lot], models: tuple[Model, ...], depth_m: float
) -> Iterator[Body]:
    """Yield a tree behind most houses, and several where a lot has no house."""
    for lot in lots:
        name = f"garden_tree_{'left' if lot.side > 0 else 'right'}_{lot.number}"
        random = chance(seed, name)
        count = int(random.random() < 0.2) if lot.house_width_m else 1
        behind = layout.house_line_m + (depth_m * 1.15 + 3.5 if lot.house_width_m else 2.0)
        for k, x in enumerate(np.linspace(lot.low_m, lot.high_m, count + 2)[1:-1]):
            y, yaw = lot.side * (behind + random.uniform(0, 5)), random.uniform(-np.pi, np.pi)
            model = models[int(random.integers(len(models)))]
            yield Body(f"{name}_{k}", model, Fixed(pose=Pose.at(x, y, float(layout.height_m(x, y)), yaw)), "vegetation")


def _pit_model() -> Model:
    """Return a square of soil that lies in the pavement around a trunk."""
    y, x = np.meshgrid([-0.5, 0.5], [-0.5, 0.5], indexing="ij")
    return Model("tree_pit", (Part("soil", sheet(np.stack((x, y, np.full_like(x, 0.02)), -1)), "soil", "terrain"),))


def _grown(species: Species, random: Random) -> Model:
    trunk = _trunk(species, random)
    boughs = [_bough(species, trunk, k, random) for k in range(species.boughs)]
    twigs = [twig for bough in boughs for twig in _twigs(bough, random)]
    trunk_radii = species.trunk_radius_m * np.array([1.45, 1.05, 0.95, 0.85, 0.6, 0.35, 0.08])
    bough_radius = species.trunk_radius_m * np.sqrt(1 / species.boughs)
    wood = [tube(trunk, trunk_radii, 8)]
    wood += [tube(bough, bough_radius * np.array([1.0, 0.75, 0.5, 0.15]), 5) for bough in boughs]
    wood += [tube(twig, bough_radius * np.array([0.4, 0.1]), 3) for twig in twigs]
    parts = (
        Part("wood", join(wood), "tree_bark", "trunk"),
        Part("leaves", _leaves(species, np.array([*boughs, *_as_boughs(twigs)]), random), "leaves", "vegetation"),
    )
    return Model(species.name, parts)


def _trunk(species: Species, random: Random) -> Floats:
    """Return points up the trunk, which leans and bends a little."""
    height = species.height_m * np.array([0.0, 0.06, 0.25, 0.45, 0.65, 0.82, 0.95])
    height[0] = -0.1
    bend = np.cumsum(random.normal(0, 0.05, (7, 2)), 0) * np.array([0, 0, 0.6, 1, 1.2, 1.4, 1.5])[:, None]
    return np.column_stack((bend, height))


def _bough(species: Species, trunk: Floats, number: int, random: Random) -> Floats:
    """Return four points along a bough that starts on the trunk and stays inside the crown's egg shape."""
    up = (number + 0.5) / species.boughs
    height = species.crown_low_m + (0.88 * species.height_m - species.crown_low_m) * up**0.9
    turn = number * GOLDEN_ANGLE_RAD + random.normal(0, 0.2)
    reach = species.crown_radius_m * np.sqrt(np.clip(1 - (1.75 * up - 0.72) ** 2, 0.12, 1)) * random.uniform(0.72, 0.9)
    start = np.array([np.interp(height, trunk[:, 2], trunk[:, k]) for k in range(3)])
    along = np.array([0.0, 0.35, 0.7, 1.0])
    outward = reach * along
    climb = reach * np.tan(species.rise_rad) * (along - 0.25 * along**2) * 0.8
    return np.asarray(start + np.column_stack((np.cos(turn) * outward, np.sin(turn) * outward, climb)))


def _twigs(bough: Floats, random: Random) -> list[Floats]:
    """Return two short twigs from the outer half of a bough."""
    reach = np.linalg.norm(bough[-1] - bough[0])
    twigs = []
    for place in (0.5, 0.8):
        start = np.array([np.interp(place, [0, 0.35, 0.7, 1], bough[:, k]) for k in range(3)])
        way = random.normal(0, 1, 3) * (1, 1, 0.5) + (bough[-1] - bough[0]) / reach + (0, 0, 0.4)
        twigs.append(np.stack((start, start + way / np.linalg.norm(way) * 0.38 * reach)))
    return twigs


def _as_boughs(twigs: list[Floats]) -> Floats:
    ends = np.array(twigs)
    return np.asarray(ends[:, :1] + (ends[:, 1:] - ends[:, :1]) * np.array([0.0, 0.35, 0.7, 1.0])[:, None])


def _leaves(species: Species, paths: Floats, random: Random) -> Mesh:
    """Return leaf facets [leaves] scattered about the outer parts of boughs and twigs, each folded along its rib."""
    count, size = species.leaves, species.leaf_m
    path = paths[random.integers(0, len(paths), count)]
    place = random.uniform(0.9, 3.0, count)
    k = np.minimum(place.astype(int), 2)
    each = np.arange(count)
    middle = path[each, k] + (path[each, k + 1] - path[each, k]) * (place - k)[:, None]
    middle += np.clip(random.normal(0, 1, (count, 3)), -1.6, 1.6) * (0.16, 0.16, 0.13) * species.crown_radius_m
    middle[:, 2] = np.maximum(middle[:, 2], species.crown_low_m - 0.25 + random.uniform(0, 0.3, count))
    rib = random.normal(0, 1, (count, 3)) * (1, 1, 0.6)
    rib /= np.linalg.norm(rib, axis=1, keepdims=True)
    across = np.cross(rib, np.array([0, 0, 1.0]) + random.normal(0, 0.7, (count, 3)))
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    fold = np.cross(rib, across) * (0.12 * size)
    length = rib * (random.uniform(0.7, 1.2, count) * size / 2)[:, None]
    breadth = across * (0.42 * size)
    return quads(np.stack((middle - length, middle + breadth + fold, middle + length, middle - breadth + fold), 1))
