"""Houses: cottages with gabled or hipped roofs and flat-roofed blocks of flats, each with its own measures.

A house's frame has its origin on the ground in the middle of the front, x towards the road, y along the front, z up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.motion.fixed import Fixed
from sensorium.scene.body import Body, Model, Part
from sensorium.scene.mesh import Mesh
from sensorium.scene.street.extrusion import boxes, join, shifted, turned_to
from sensorium.scene.street.facade import Facade, evenly, openings
from sensorium.scene.street.layout import SIDES, Layout, chance
from sensorium.scene.street.roofs import Roof, chimney, flat_roof, gable_roof, hip_roof
from sensorium.scene.street.warmth import HOUSE

Floats = NDArray[np.float64]
Random = np.random.Generator

PLINTH_M = 0.3
"""Height of the ground floor above the ground."""
_SUNK_M = 0.3
_WALLS = ("plaster", "brick", "plaster", "brick", "wood")
_MATERIALS = {
    "frames": ("plastic_white", "window"),
    "panes": ("window_glass", "window"),
    "sills": ("concrete", "building"),
    "doors": ("wood", "door"),
    "handles": ("chrome", "door"),
    "steps": ("concrete", "building"),
    "plinth": ("concrete", "building"),
    "rooms": ("plaster", "building"),
    "gutters": ("galvanised_steel", "building"),
    "chimney": ("brick", "building"),
    "chimney_lid": ("concrete", "building"),
    "balconies": ("concrete", "building"),
    "railings": ("steel", "building"),
}


@dataclass(frozen=True)
class Lot:
    """A piece of land along the street, with a house or without."""

    number: int
    side: int
    low_m: float
    high_m: float
    house_width_m: float
    """0: no house stands here."""
    block: bool

    @property
    def middle_m(self) -> float:
        """Middle of the lot along x."""
        return (self.low_m + self.high_m) / 2

    @property
    def door_m(self) -> float:
        """Where the door is along the house's front, from its middle (house frame)."""
        return 0.0 if self.block else evenly(self.house_width_m, 2.7)[0]


def lots(layout: Layout, seed: int, density: float) -> Iterator[Lot]:
    """Cut both sides of the street into lots; a lot has a house with probability `density`."""
    for side in SIDES:
        random, x, number = chance(seed, f"lots {side}"), layout.start_m, 0
        while x < layout.end_m - 10:
            block = random.random() < 0.22
            width = random.uniform(14, 19) if block else random.uniform(8, 11.5)
            gap = random.uniform(2.5, 5.0)
            built = random.random() < density and x + width + gap <= layout.end_m
            high = min(x + width + gap, layout.end_m)
            yield Lot(number, side, x, high, width if built else 0.0, block)
            x, number = high, number + 1


def houses(layout: Layout, seed: int, plots: Iterable[Lot], depth_m: float) -> Iterator[Body]:
    """Yield a house for each lot that has one."""
    for lot in plots:
        if lot.house_width_m:
            name = f"house_{'left' if lot.side > 0 else 'right'}_{lot.number}"
            model = _house(name, lot, depth_m, chance(seed, name))
            motion = Fixed(pose=layout.facing_road(lot.middle_m, layout.house_line_m, lot.side))
            heated = {part.name: HOUSE[part.name] for part in model.parts if part.name in HOUSE}
            yield Body(name, model, motion, "building", heated)


def _house(name: str, lot: Lot, depth_m: float, random: Random) -> Model:
    storeys = int(random.integers(3, 5)) if lot.block else int(random.integers(1, 3))
    storey = 2.9 if lot.block else 2.75
    depth, width = depth_m * (1.15 if lot.block else random.uniform(0.9, 1.05)), lot.house_width_m
    high = PLINTH_M + storeys * storey
    roof = flat_roof(depth, width, high) if lot.block else _pitched(depth, width, high, random)
    wall = str(random.choice(_WALLS[:4] if lot.block else _WALLS))
    covering = "concrete" if lot.block else str(random.choice(["roof_tile", "roof_tile", "roof_tile", "slate"]))
    pieces = _walls(lot, depth, storeys, storey)
    pieces["plinth"] = [boxes((-depth - 0.03, -width / 2 - 0.03, -_SUNK_M), (0.03, width / 2 + 0.03, PLINTH_M - 0.05))]
    pieces["rooms"] = [_rooms(depth, width, storeys, storey)]
    if lot.block:
        pieces["balconies"], pieces["railings"] = _balconies(width, storeys, storey)
    else:
        shaft, lid = chimney(
            -depth / 2 + random.choice([-1, 1]) * 0.9, random.uniform(-0.3, 0.3) * width, high, roof.top_m + 0.7
        )
        pieces["chimney"], pieces["chimney_lid"] = [shaft], [lid]
    if roof.gutters:
        pieces["gutters"] = [roof.gutters]
    if roof.walls:
        pieces["walls"].append(roof.walls)
    parts = [Part("walls", join(pieces.pop("walls")), wall, "building"), Part("roof", roof.covering, covering, "roof")]
    parts += [Part(part, join(meshes), *_MATERIALS[part]) for part, meshes in pieces.items()]
    return Model(name, tuple(parts))


def _pitched(depth_m: float, width_m: float, high_m: float, random: Random) -> Roof:
    pitch = np.radians(random.uniform(33, 45))
    if random.random() < 0.3:
        return hip_roof(depth_m, width_m, high_m, 0.8 * pitch)
    return gable_roof(depth_m, width_m, high_m, pitch, towards_road=bool(random.random() < 0.35))


def _walls(lot: Lot, depth_m: float, storeys: int, storey_m: float) -> dict[str, list[Mesh]]:
    """Return the four outer walls with what fills their openings, by part."""
    width, high = lot.house_width_m, PLINTH_M + storeys * storey_m
    middle = -depth_m / 2
    door = openings(np.array([lot.door_m]), PLINTH_M, 1.05, 2.15)
    front = Facade(width, 0.0, high, _front_windows(lot, storeys, storey_m), door)
    back = Facade(width, 0.0, high, _windows(evenly(width, 3.6), storeys, storey_m))
    gable = Facade(depth_m, 0.0, high, _windows(evenly(depth_m, 5.0), storeys, storey_m))
    placed = [
        (front, ((1, 0, 0), (0, 1, 0), (0, 0, 1)), (0.0, 0.0)),
        (back, ((-1, 0, 0), (0, -1, 0), (0, 0, 1)), (-depth_m, 0.0)),
        (gable, ((0, 1, 0), (-1, 0, 0), (0, 0, 1)), (middle, width / 2)),
        (gable, ((0, -1, 0), (1, 0, 0), (0, 0, 1)), (middle, -width / 2)),
    ]
    pieces: dict[str, list[Mesh]] = {}
    for facade, axes, place in placed:
        for part, mesh in facade.meshes().items():
            pieces.setdefault(part, []).append(shifted(turned_to(mesh, axes), *place))
    return pieces


def _windows(middles_m: Floats, storeys: int, storey_m: float) -> Floats:
    sills = PLINTH_M + 0.9 + storey_m * np.arange(storeys)
    return np.concatenate([openings(middles_m, sill, 1.25, 1.35) for sill in sills])


def _front_windows(lot: Lot, storeys: int, storey_m: float) -> Floats:
    """Return the windows of the front, none where the door is; flats have tall ones at their balconies."""
    middles = evenly(lot.house_width_m, 2.7)
    ground = middles[np.abs(middles - lot.door_m) > 1.3]
    rows = [_windows(ground, 1, storey_m)]
    for storey in range(1, storeys):
        z = PLINTH_M + storey * storey_m
        tall = lot.block & (np.abs(np.abs(middles) - np.abs(middles).max()) < 0.1)
        rows += [openings(middles[~tall], z + 0.9, 1.25, 1.35), openings(middles[tall], z + 0.06, 1.5, 2.2)]
    return np.concatenate(rows)


def _rooms(depth_m: float, width_m: float, storeys: int, storey_m: float) -> Mesh:
    """Return the floors and an inner core, which one sees through the windows."""
    floor = PLINTH_M + storey_m * np.arange(storeys + 1) - 0.02
    edge, zero = np.full(storeys + 1, 0.02), np.zeros(storeys + 1)
    slabs = boxes(
        np.column_stack((zero - depth_m + 0.15, zero - width_m / 2 + 0.15, floor - 0.18)),
        np.column_stack((zero - 0.15, zero + width_m / 2 - 0.15, floor - edge)),
    )
    inset = min(2.5, 0.3 * depth_m)
    walls = boxes(
        np.column_stack((zero - depth_m + inset, zero - width_m / 2 + inset, floor))[:-1],
        np.column_stack((zero - inset, zero + width_m / 2 - inset, floor + storey_m - 0.2))[:-1],
    )
    return join((slabs, walls))


def _balconies(width_m: float, storeys: int, storey_m: float) -> tuple[list[Mesh], list[Mesh]]:
    """Return slabs and railings before the outermost windows of the upper storeys."""
    place = float(np.abs(evenly(width_m, 2.7)).max())
    reach, half = 1.2, 1.15
    slabs, railings = [], []
    upright = np.linspace(-half + 0.03, half - 0.03, 11)
    for storey in range(1, storeys):
        z = PLINTH_M + storey * storey_m
        for y in (-place, place):
            slabs.append(boxes((0.0, y - half, z - 0.16), (reach, y + half, z)))
            at = y + upright
            bars = boxes(
                np.column_stack((np.full(11, reach - 0.05), at - 0.01, np.full(11, z))),
                np.column_stack((np.full(11, reach - 0.03), at + 0.01, np.full(11, z + 0.95))),
            )
            ends = np.array([-half, half - 0.04])
            rails = boxes(
                np.column_stack(([0.0, 0.0], y + ends, [z + 0.95] * 2)),
                np.column_stack(([reach] * 2, y + ends + 0.04, [z + 1.0] * 2)),
            )
            front = boxes((reach - 0.06, y - half + 0.04, z + 0.95), (reach - 0.02, y + half - 0.04, z + 1.0))
            railings += [bars, rails, front]
    return slabs, railings
