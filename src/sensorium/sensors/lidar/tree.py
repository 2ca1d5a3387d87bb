"""Light that goes on: from mirrors and glass to what lies behind them, level by level, live rays only.

Document 004 of the project's sources, section 2.1: at each interface a ray splits into a reflected and a transmitted one; each node
whose surface scatters gives an echo at its optical path. Document 001: a surface lit over a mirror may be seen directly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.materials.optical_table import OpticalTable
from sensorium.samples.causes import Cause
from sensorium.scene.rays import Hits, Rays
from sensorium.scene.view import View
from sensorium.sensors.lidar.echoes import FoundEchoes, Met
from sensorium.sensors.lidar.links import LinkFigures

Floats = NDArray[np.float64]
_LEAST = 0.02
"""Branches that carry less than this share of their ray are dropped; their echo would carry its square."""


@dataclass(frozen=True, eq=False)
class Branches:
    """Light of one level: which of the tree's rays it comes from, where it is going, what it carries."""

    ray: NDArray[np.int64]
    origin_m: Floats
    direction: Floats
    state: Floats

    def split(self, hits: Hits, view: View, table: OpticalTable) -> Branches:
        """Return the children of those that met a mirror or glass."""
        from sensorium.sensors.lidar import tree_kernels

        parent, origin, direction, state = tree_kernels.split(
            self.origin_m, self.direction, self.state, hits.distance_m, hits.body, hits.part, hits.normal,
            view.scene.part_offset, view.scene.part_material, table, _LEAST,
        )  # fmt: skip
        return Branches(self.ray[parent], origin, direction, state)


@dataclass(frozen=True, eq=False)
class Tree:
    """Rays that met a mirror or glass, and what following them needs to know of the scan."""

    view: View
    table: OpticalTable
    live: NDArray[np.int64]
    """Numbers of the rays in the scan: ray r of beam k is k R + r."""
    met: Met
    """Those rays and what they met."""
    weights: Floats
    """[R] of the rays of a beam."""
    link: LinkFigures
    extinction_1_m: float
    acceptance_rad: float
    """Largest angle between the emission and a surface that is seen directly."""

    def echoes(self, depth: int) -> list[FoundEchoes]:
        """Return all echoes beyond the first surface of the scan's beams, level by level."""
        found: list[FoundEchoes] = []
        rays, met = self.met.rays, self.met.hits
        state = np.zeros((len(self.live), 4))
        state[:, 0], state[:, 2] = 1.0, 1.0
        branches = Branches(np.arange(len(self.live)), rays.origin_m, rays.direction, state)
        for _ in range(depth - 1):
            branches = branches.split(met, self.view, self.table)
            if not len(branches.ray):
                break
            met = self.view.cast(
                Rays(branches.origin_m, branches.direction, rays.time_ns[branches.ray], 0.0, rays.far_m)
            )
            found += [self._back(branches, met), self._home(branches, met)]
        return found

    def _back(self, branches: Branches, met: Hits) -> FoundEchoes:
        """Return echoes that come back the way they went."""
        from sensorium.sensors.lidar import tree_kernels

        power, path, cosine = tree_kernels.there_and_back(
            self._weight(branches), branches.state, branches.direction, met.distance_m, met.body, met.part, met.normal,
            self.view.scene.part_offset, self.view.scene.part_material, self.table, self.link, self.extinction_1_m,
        )  # fmt: skip
        cause = np.where(branches.state[:, 3] > 0, Cause.MIRROR_GHOST, Cause.THROUGH_GLASS).astype(np.int8)
        return self._kept(branches, met, power, path, cause, cosine)

    def _home(self, branches: Branches, met: Hits) -> FoundEchoes:
        """Return surfaces lit over a mirror that send light straight home, where nothing stands in between."""
        from sensorium.sensors.lidar import tree_kernels

        power, half, start, back = tree_kernels.straight_home(
            self._weight(branches), branches.state, branches.origin_m, branches.direction, met.distance_m, met.body, met.part,
            met.normal, self.met.rays.origin_m[branches.ray], self.met.rays.direction[branches.ray], self.acceptance_rad,
            self.view.scene.part_offset, self.view.scene.part_material, self.table, self.link,
            self.extinction_1_m,
        )  # fmt: skip
        seen = np.flatnonzero(power > 0)
        if len(seen):
            back_rays = Rays(start[seen], back[seen], self.met.rays.time_ns[branches.ray[seen]])
            clear = self.view.cast(back_rays).distance_m >= np.linalg.norm(back[seen], axis=1)
            power[seen[~clear]] = 0.0
        cause = np.full(len(power), Cause.DIRECT_GHOST, np.int8)
        return self._kept(branches, met, power, half, cause, np.ones(len(power)))

    def _weight(self, branches: Branches) -> Floats:
        return self.weights[self.live[branches.ray] % len(self.weights)]

    def _kept(
        self, branches: Branches, met: Hits, power: Floats, path: Floats, cause: NDArray[np.int8], cosine: Floats
    ) -> FoundEchoes:
        rows = np.flatnonzero(power > 0)
        beam = self.live[branches.ray[rows]] // len(self.weights)
        return FoundEchoes(beam, path[rows], power[rows], cause[rows], met.body[rows], met.part[rows], cosine[rows])
