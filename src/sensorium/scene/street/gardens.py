"""Front gardens: what divides them from the pavement and from each other, and the path to each door."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from sensorium.motion.fixed import Fixed
from sensorium.scene.body import Body, Model, Part
from sensorium.scene.street.extrusion import boxes, join, quads
from sensorium.scene.street.houses import Lot
from sensorium.scene.street.layout import Layout, chance

Floats = NDArray[np.float64]
Random = np.random.Generator
Spans = list[tuple[float, float]]

PATH_WIDTH_M = 1.3
_GATE_M = 0.1
_LEAVES_PER_M2 = 20
_LEAF_M = 0.27


def gardens(layout: Layout, seed: int, lots: Sequence[Lot]) -> Iterator[Body]:
    """Yield the front boundary of each lot and, where there is a house, the path through it."""
    if layout.front_garden_m < 1:
        return
    kinds: tuple[Callable[[Spans, Random], tuple[Part, ...]], ...] = (_hedge, _pickets, _low_wall, _railing)
    for lot in lots:
        random = chance(seed, f"garden {lot.side} {lot.number}")
        end = f"{'left' if lot.side > 0 else 'right'}_{lot.number}"
        kind = kinds[int(random.choice(4, p=(0.4, 0.3, 0.15, 0.15)))]
        half = (lot.high_m - lot.low_m) / 2
        gap = PATH_WIDTH_M / 2 + _GATE_M
        spans = [(-half + 0.15, half - 0.15)]
        if lot.house_width_m:
            spans = [(-half + 0.15, lot.door_m - gap), (lot.door_m + gap, half - 0.15)]
        spans = [(low, high) for low, high in spans if high - low > 0.6]
        pose = layout.facing_road(lot.middle_m, layout.pavement_edge_m + 0.35, lot.side)
        parts = kind(spans, random)
        yield Body(f"{parts[0].name}_{end}", Model(f"{parts[0].name}_{end}", parts), Fixed(pose=pose))
        if lot.house_width_m:
            yield _path(layout, lot, end)


def _path(layout: Layout, lot: Lot, end: str) -> Body:
    half = PATH_WIDTH_M / 2
    slab = boxes((0.0, lot.door_m - half, -0.05), (layout.front_garden_m, lot.door_m + half, 0.025))
    pose = layout.facing_road(lot.middle_m, layout.house_line_m, lot.side)
    return Body(f"path_{end}", Model(f"path_{end}", (Part("path", slab, "concrete", "pavement"),)), Fixed(pose=pose))


def _hedge(spans: Spans, random: Random) -> tuple[Part, ...]:
    """Return a clipped hedge: leaves on a dense core of twigs."""
    high, half = random.uniform(0.9, 1.5), 0.28
    core = join(boxes((-half + 0.09, low + 0.08, -0.05), (half - 0.09, top - 0.08, high - 0.1)) for low, top in spans)
    leaves = np.concatenate([_leaves_on(low, top, high, half, random) for low, top in spans])
    return (Part("hedge", quads(leaves), "leaves", "vegetation"), Part("core", core, "leaves", "vegetation"))


def _leaves_on(low_m: float, top_m: float, high_m: float, half_m: float, random: Random) -> Floats:
    """Return leaf facets [N, 4, 3] strewn over the two long sides and the top of one piece of hedge."""
    area = (top_m - low_m) * (2 * high_m + 2 * half_m)
    count = int(area * _LEAVES_PER_M2)
    round_way = random.uniform(0, 2 * high_m + 2 * half_m, count)  # up the front, over the top, down the back
    x = np.clip(high_m + half_m - round_way, -half_m, half_m)
    z = np.minimum(np.minimum(round_way, 2 * high_m + 2 * half_m - round_way), high_m)
    place = np.column_stack((x, random.uniform(low_m, top_m, count), z)) + random.normal(0, 0.03, (count, 3))
    rib, other = random.normal(0, 1, (2, count, 3))
    across = np.cross(rib, other)
    rib, across = (v / np.linalg.norm(v, axis=1, keepdims=True) for v in (rib, across))
    along, wide = rib * (_LEAF_M / 2), across * (0.4 * _LEAF_M)
    return np.stack((place - along, place + wide, place + along, place - wide), 1)


def _pickets(spans: Spans, random: Random) -> tuple[Part, ...]:
    """Return a fence of upright boards on two rails."""
    high = random.uniform(0.8, 1.1)
    pieces = []
    for low, top in spans:
        y = np.arange(low, top, 0.18)
        pieces.append(boxes(np.c_[0 * y, y - 0.045, 0 * y + 0.06], np.c_[0 * y + 0.02, y + 0.045, 0 * y + high]))
        pieces.append(
            boxes([(-0.04, low, z) for z in (0.25, high - 0.2)], [(0.0, top, z + 0.07) for z in (0.25, high - 0.2)])
        )
        posts = np.linspace(low + 0.05, top - 0.05, max(2, round((top - low) / 2.2) + 1))
        pieces.append(
            boxes(
                np.c_[0 * posts - 0.12, posts - 0.04, 0 * posts - 0.1],
                np.c_[0 * posts - 0.04, posts + 0.04, 0 * posts + high],
            )
        )
    return (Part("fence", join(pieces), "wood", "fence"),)


def _low_wall(spans: Spans, random: Random) -> tuple[Part, ...]:
    """Return a low wall of brick with a coping of concrete."""
    high = random.uniform(0.5, 0.8)
    wall = join(boxes((-0.12, low, -0.1), (0.12, top, high)) for low, top in spans)
    coping = join(boxes((-0.15, low - 0.02, high), (0.15, top + 0.02, high + 0.06)) for low, top in spans)
    return (Part("wall", wall, "brick", "fence"), Part("coping", coping, "concrete", "fence"))


def _railing(spans: Spans, random: Random) -> tuple[Part, ...]:
    """Return bars of iron between two rails on a stone kerb."""
    high = random.uniform(0.9, 1.2)
    bars, stones = [], []
    for low, top in spans:
        y = np.arange(low + 0.06, top, 0.18)
        bars.append(boxes(np.c_[0 * y - 0.008, y - 0.008, 0 * y + 0.1], np.c_[0 * y + 0.008, y + 0.008, 0 * y + high]))
        bars.append(
            boxes([(-0.02, low, z) for z in (0.2, high - 0.1)], [(0.02, top, z + 0.03) for z in (0.2, high - 0.1)])
        )
        stones.append(boxes((-0.1, low, -0.1), (0.1, top, 0.1)))
    return (Part("railing", join(bars), "painted_metal", "fence"), Part("stone", join(stones), "rock", "fence"))
