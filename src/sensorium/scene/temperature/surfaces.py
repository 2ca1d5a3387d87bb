"""The temperatures of all parts of a scene at an instant, as tables that kernels read."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sensorium.core.errors import SceneError, did_you_mean
from sensorium.scene.body import Body
from sensorium.scene.scene import Scene
from sensorium.scene.temperature.balance import Exchange
from sensorium.scene.temperature.day import day_before
from sensorium.scene.temperature.temperature import Profile, Temperature

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

PERIOD_NS = 60_000_000_000
"""Balances are solved once in a minute of simulated time."""
EVERY_OTHER = "*"
"""Stands for all parts of a body that are not named."""
_THIN_M = 7e-4
"""Thinner than this a sheet has one temperature on both sides: leaves."""


class PartTable(NamedTuple):
    """What does not change: a row per part, by its global number."""

    kind: Numbers
    """[P] row in the tables of `HeatTable`."""
    thin: NDArray[np.bool_]
    """[P] whether the sun warms both sides alike."""
    rise: Floats
    """[P, 7] rise, then origin and growth of the gradient."""
    spot_first: Numbers
    """[P + 1] first hot spot of each part."""
    spot: Floats
    """[J, 7] centre, one over radius, rise."""
    corner_first: Numbers
    """[P] first row in `corner` of the part's triangles; -1 where the part has no pattern."""
    corner: Floats
    """[T, 3, 3] corners of triangles in the body's frame."""


class HeatTable(NamedTuple):
    """What a time of the day makes of it: a row per kind of surface."""

    base_k: Floats
    """[K, shares] without direct sun, by the share of sky that is seen."""
    sun_k: Floats
    """[K, spans, 3] what the sun of each span before now adds, times the normal."""
    direction: Floats
    """[spans, strata, 3] to the sun."""
    lit: NDArray[np.bool_]
    """[spans] whether the sun shone."""
    sun: Floats
    """[3] direction to the sun now."""
    direct_w_m2: float
    """Sunlight across its beam now."""
    ground_k: float
    """Temperature of the ground where nothing else is known of what a surface sees."""


class SurfaceHeat:
    """The temperatures of a scene; what was solved last is kept."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        kinds: dict[tuple[Temperature, int], int] = {}
        rows, patterns = [], []
        materials = iter(scene.part_material.tolist())
        for body in scene.bodies:
            for temperature in temperatures_of(body, scene.temperature):
                rows.append(kinds.setdefault((_base(temperature), next(materials)), len(kinds)))
                patterns.append(temperature.profile)
        self._kinds = tuple(kinds)
        thin = scene.library.column("thickness_m")[scene.part_material] < _THIN_M
        self.parts = _part_table(scene, np.array(rows, np.int64), thin, patterns)
        self._solved: tuple[int, HeatTable] | None = None

    def at(self, time_ns: int) -> HeatTable:
        """Return the tables of the minute in which an instant lies."""
        minute = time_ns // PERIOD_NS
        if self._solved is None or self._solved[0] != minute:
            self._solved = minute, self._solve(minute * PERIOD_NS)
        return self._solved[1]

    def _solve(self, now_ns: int) -> HeatTable:
        day = day_before(self._scene, now_ns)
        solved = [kind.solve(Exchange(self._scene.library, row, day)) for kind, row in self._kinds]
        base, sun = np.array([one.base_k for one in solved]), np.array([one.sun_k for one in solved])
        direction, lit = day.sun_directions
        return HeatTable(base, sun, direction, lit, day.sun[-1], float(day.direct_w_m2[-1]), float(day.ground_k[-1]))


def temperatures_of(body: Body, otherwise: Temperature) -> list[Temperature]:
    """Return the temperature of each part: that which the body gives to its name, or the part's own, or the scene's."""
    names = [part.name for part in body.model.parts]
    for name in body.temperatures:
        if name != EVERY_OTHER and name not in names:
            what = f"body '{body.name}' has a temperature for its part '{name}', but no such part"
            raise SceneError(f"{what}.{did_you_mean(name, names)}")
    given, rest = body.temperatures, body.temperatures.get(EVERY_OTHER)
    return [given.get(part.name) or rest or part.temperature or otherwise for part in body.model.parts]


def _base(temperature: Temperature) -> Temperature:
    """Return what the heat balance knows of a temperature, so that patterns share one balance."""
    return temperature.base if isinstance(temperature, Profile) else temperature


def _part_table(scene: Scene, kind: Numbers, thin: NDArray[np.bool_], patterns: list[Profile | None]) -> PartTable:
    rise, first, corner_first = np.zeros((len(kind), 7)), [0], np.full(len(kind), -1, np.int64)
    spots: list[tuple[float, ...]] = []
    corners: list[Floats] = []
    known: dict[int, int] = {}
    taken = 0
    for number, (part, pattern) in enumerate(zip(scene.parts, patterns, strict=True)):
        if pattern is not None:
            rise[number, 0] = pattern.rise_k
            if pattern.gradient is not None:
                rise[number, 1:] = *pattern.gradient.origin_m, *pattern.gradient.k_m
            spots += [spot.row for spot in pattern.spots]
            if pattern.spots or pattern.gradient:
                if id(part.mesh) not in known:  # models are shared by their bodies
                    known[id(part.mesh)] = taken
                    corners.append(part.mesh.corners_m())
                    taken += len(part.mesh.triangles)
                corner_first[number] = known[id(part.mesh)]
        first.append(len(spots))
    table = np.array(spots).reshape(-1, 7)
    corner = np.concatenate(corners) if corners else np.zeros((0, 3, 3))
    return PartTable(kind, thin, rise, np.array(first, np.int64), table, corner_first, corner)
