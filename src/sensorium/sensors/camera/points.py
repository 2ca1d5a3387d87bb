"""Lit points: what a batch of rays met, ready to be shaded."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sensorium.materials.visible_table import VisibleTable
from sensorium.scene.rays import Hits, Rays
from sensorium.scene.view import View
from sensorium.sensors.camera.grain import Grains
from sensorium.sensors.camera.lighting import Lighting
from sensorium.sensors.camera.stage import Stage

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]

_SUN_FAR_M = 400.0


class Sample(NamedTuple):
    """Images of one sample of each pixel, flat: [pixels, ...], but normal and light [3, pixels], which are filtered."""

    radiance: Floats32
    albedo: Floats32
    normal: Floats32
    light: Floats32
    distance: Floats32
    part: NDArray[np.int32]

    @classmethod
    def room(cls, pixels: int) -> Sample:
        """Return empty images; where `part` stays -1 nothing but radiance means anything."""
        radiance, albedo = np.zeros((pixels, 3), np.float32), np.empty((pixels, 3), np.float32)
        normal, light = np.zeros((3, pixels), np.float32), np.full((3, pixels), -1.0, np.float32)
        return cls(radiance, albedo, normal, light, np.zeros(pixels, np.float32), np.full(pixels, -1, np.int32))


@dataclass(frozen=True, eq=False)
class Points:
    """N points that rays met; `part` is -1 where a ray met nothing."""

    rays: Rays
    hits: Hits
    point: Floats
    facet: Floats32
    normal: Floats32
    colour: Floats32
    material: NDArray[np.int32]
    part: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Scenery:
    """A view with all that is needed to see it in visible light; counts the rays that it sends."""

    view: View
    stage: Stage
    lighting: Lighting
    turns: Floats
    grains: Grains
    pixel_rad: float
    sent: list[int]
    """Number of rays of each batch."""
    farthest_m: float = np.inf
    """What is farther along a ray is not drawn."""

    @property
    def visible(self) -> VisibleTable:
        """The materials."""
        return self.stage.visible

    def points(self, rays: Rays, plain: bool = False) -> Points:
        """Cast rays and find normal and colour of what they meet; `plain` leaves out grain and smooth normals."""
        from sensorium.sensors.camera import surfel_kernels

        if rays.far_m > self.farthest_m:
            rays = replace(rays, far_m=self.farthest_m)
        hits = self.view.cast(rays)
        self.sent.append(len(rays))
        count = len(rays)
        facet, normal, colour = (np.empty((count, 3), np.float32) for _ in range(3))
        material, part = np.empty(count, np.int32), np.empty(count, np.int32)
        made = Points(rays, hits, np.empty((count, 3)), facet, normal, colour, material, part)
        surfel_kernels.meet(
            rays.origin_m, rays.direction, hits.distance_m, hits.body, hits.part, hits.triangle, hits.barycentric, hits.normal,
            self.stage.surfaces, self.turns, self.visible, self.stage.plain if plain else self.grains, not plain,
            self.lighting.wetness, self.pixel_rad, made.point, made.facet, made.normal, made.colour, made.material, made.part,
        )  # fmt: skip
        return made

    def sunlit(self, points: Points, panes: int = 2) -> Floats32:
        """Return how much of the sun's light reaches each point [N]; so many panes on the way let most of it pass."""
        from sensorium.sensors.camera import surfel_kernels

        share = np.zeros(len(points.part), np.float32)
        sky, lit = self.lighting.sky, np.zeros(len(points.part), np.bool_)
        if sky.beam_w_m2.max() <= 0:
            return share
        surfel_kernels.facing(points.part, points.facet, points.normal, sky.sun, lit)
        rows = np.flatnonzero(lit)
        if not len(rows):
            return share
        origin, direction = np.empty((len(rows), 3)), np.empty((len(rows), 3))
        time_ns = np.empty(len(rows), np.int64)
        surfel_kernels.leave(rows, points.point, sky.sun, points.rays.time_ns, origin, direction, time_ns)
        blocked = self.view.occluded(Rays(origin, direction, time_ns, 0.0, _SUN_FAR_M, together=True))
        self.sent.append(len(rows))
        surfel_kernels.reach(rows, blocked, share)
        if panes and self.stage.glazed:
            rows = rows[blocked]
            share[rows] = self._through_panes(origin[blocked], direction[blocked], time_ns[blocked], panes)
        return share

    def _through_panes(self, origin: Floats, direction: Floats, time_ns: NDArray[np.int64], panes: int) -> Floats32:
        """Return what passes along rays that meet something [N]: 0 behind anything but panes."""
        from sensorium.sensors.camera import surfel_kernels

        share, going, passed = (
            np.zeros(len(origin), np.float32),
            np.arange(len(origin)),
            np.ones(len(origin), np.float32),
        )
        for _ in range(panes + 1):
            if not len(going):
                break
            self.sent.append(len(going))
            hits = self.view.cast(Rays(origin, direction, time_ns, 0.0, _SUN_FAR_M, together=True))
            factor = np.empty(len(going), np.float32)
            surfel_kernels.transmitted(
                direction,
                hits.distance_m,
                hits.body,
                hits.part,
                hits.normal,
                self.stage.surfaces,
                self.visible,
                origin,
                factor,
            )
            passed *= np.abs(factor)
            share[going[factor == -1.0]] = passed[factor == -1.0]
            on = factor > 0
            going, passed, origin, direction, time_ns = going[on], passed[on], origin[on], direction[on], time_ns[on]
        return share

    def lamplit(self, points: Points) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """Return the strongest lamps of each point [N, L], and whether they reach it."""
        from sensorium.sensors.camera import shading_kernels

        lamps, count, most = self.lighting.lamps, len(points.part), shading_kernels.LAMPS
        chosen, lit = np.full((count, most), -1, np.int32), np.zeros((count, most), np.bool_)
        if not len(lamps.half_rad) or not lamps.dark:
            return chosen, lit
        shading_kernels.strongest(points.part, points.point, points.facet, lamps, chosen)
        for place in range(most):
            rows = np.flatnonzero(chosen[:, place] >= 0)
            lit[rows, place] = ~self._before(rows, points, lamps.place_m[chosen[rows, place]])
        return chosen, lit

    def _before(self, rows: NDArray[np.intp], points: Points, lamp: Floats) -> NDArray[np.bool_]:
        """Return whether anything lies between points and their lamps, whose own housing does not count."""
        if not len(rows):
            return np.zeros(0, np.bool_)
        self.sent.append(len(rows))
        way = lamp - points.point[rows]
        rays = Rays(points.point[rows], way, points.rays.time_ns[rows], together=True)
        return np.asarray(self.view.cast(rays).distance_m < np.linalg.norm(way, axis=1) - 0.15)

    def shaded(self, points: Points, mirrors: bool) -> tuple[Floats32, Floats32]:
        """Return radiance and albedo [N, 3]."""
        from sensorium.sensors.camera import shading_kernels

        sunlit, (chosen, lit) = self.sunlit(points), self.lamplit(points)
        radiance, albedo = np.empty((len(sunlit), 3), np.float32), np.empty((len(sunlit), 3), np.float32)
        shading_kernels.shade(
            points.rays.direction, points.point, points.facet, points.normal, points.colour, points.material, points.part,
            sunlit, chosen, lit, self.visible, self.lighting.sky, self.lighting.lamps, mirrors, radiance, albedo,
        )  # fmt: skip
        return radiance, albedo
