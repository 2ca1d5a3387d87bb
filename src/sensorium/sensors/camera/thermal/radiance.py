"""The radiance that arrives at each pixel of a thermal camera: rays, second rays, and the radiation of what they met."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sensorium.atmosphere.infrared import InfraredAir, infrared_air
from sensorium.core.time import Times
from sensorium.scene.rays import Hits, Rays
from sensorium.scene.temperature.surfaces import HeatTable
from sensorium.scene.view import View
from sensorium.sensors.camera.raster import Raster
from sensorium.sensors.camera.thermal.planck import RadianceTable
from sensorium.sensors.camera.thermal.response import SpectralResponse

Floats = NDArray[np.float64]

LEAST_MIRRORED = 0.01
"""Where less than this part is thrown back as from a mirror, no ray follows it."""


class AirTable(NamedTuple):
    """The air in radiances, for kernels."""

    alpha: float
    depth: float
    here: float
    """Of a black body at the temperature of the air."""
    clouds: float
    """Of the clouds, times their cover."""
    dome: float
    """Mean of the sky over the hemisphere."""
    ground: float


@dataclass(frozen=True, eq=False)
class Light:
    """What the pixels of a raster receive, entry by entry."""

    radiance: Floats
    """[N] in the unit of the table."""
    temperature_k: Floats
    """[N] of the surfaces; NaN for the sky."""
    rays: Rays
    hits: Hits


def light_of(
    view: View, raster: Raster, row_start_ns: Times, response: SpectralResponse, photons: bool = False,
    sample: int = 0, samples: int = 1,
) -> Light:  # fmt: skip
    """Return what arrives, from one ray per pixel at the time of its row, in W/(m2 sr) or in photons/(s m2 sr)."""
    from sensorium.sensors.camera.thermal import radiance_kernels as kernels

    scene = view.scene
    heat, parts, table = scene.heat.at(view.window.start_ns), scene.heat.parts, response.table(photons)
    air = air_table(infrared_air(view.weather, scene.air, response.is_short), heat, table)
    rays = raster.rays(view, row_start_ns, 0.0, sample, samples)
    hits = view.cast(rays)
    library, count, spans = scene.library, len(raster), len(heat.lit)
    skin = np.stack((library.column("emissivity"), library.column("heat_mirrored")), 1)[scene.part_material]
    where, facing, row = np.empty((count, 3)), np.empty((count, 4)), np.empty(count, np.int64)
    outward, mirrored, to_sun = np.empty((count, 3)), np.empty((count, 3)), np.empty((spans, count, 3))
    wants_mirror, wants_sun = np.empty(count, np.bool_), np.empty((spans, count), np.bool_)
    kernels.aim(
        raster.pixel, raster.width, rays.origin_m, rays.direction, hits.distance_m, hits.body, hits.part, hits.normal,
        scene.part_offset, skin, parts, heat, LEAST_MIRRORED,
        where, facing, row, outward, mirrored, wants_mirror, to_sun, wants_sun,
    )  # fmt: skip
    moves = np.array([body.motion.moves for body in scene.bodies], np.bool_)
    order = strata_together(count)
    second = _Second(view, where, rays.time_ns, hits.body, scene.part_offset, moves, air, table, skin, order)
    open_sky, around = second.received(outward, row >= 0)
    _, from_mirror = second.received(mirrored, wants_mirror)
    sees_sun = np.zeros((spans, count), np.bool_)
    for span in range(spans):
        second.reach_sun(to_sun[span], wants_sun[span], sees_sun[span])
    out, temperature = np.empty(count), np.empty(count)
    kernels.shade(
        raster.pixel, raster.width, raster.height, entries(raster), rays.direction, hits.distance_m, hits.body, hits.triangle,
        hits.barycentric, row, facing, open_sky, around, wants_mirror, from_mirror, sees_sun, air, table, parts, heat, skin,
        temperature, out,
    )  # fmt: skip
    return Light(out, temperature, rays, hits)


@dataclass(frozen=True, eq=False)
class _Second:
    """Second rays from the surface points of a raster."""

    view: View
    where: Floats
    time_ns: Times
    body: NDArray[np.int32]
    part_offset: NDArray[np.int32]
    moves: NDArray[np.bool_]
    air: AirTable
    table: RadianceTable
    skin: Floats
    order: NDArray[np.int64]

    def _cast(self, direction: Floats, wanted: NDArray[np.bool_]) -> tuple[NDArray[np.int64], Rays, Hits]:
        index = self.order[wanted[self.order]]
        rays = Rays(self.where[index], direction[index], self.time_ns[index], together=True)
        return index, rays, self.view.cast(rays)

    def received(self, direction: Floats, wanted: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], Floats]:
        """Return whether each ray left for the sky [N], and what it brings back [N]."""
        from sensorium.sensors.camera.thermal import radiance_kernels as kernels

        heat = self.view.scene.heat
        open_sky, arriving = np.zeros(len(wanted), np.bool_), np.zeros(len(wanted))
        index, rays, hits = self._cast(direction, wanted)
        kernels.receive(
            index, self.body, rays.direction, hits.distance_m, hits.body, hits.part, hits.triangle, hits.barycentric,
            hits.normal, self.part_offset, self.moves, self.air, self.table, heat.parts, heat.at(self.view.window.start_ns),
            self.skin, open_sky, arriving,
        )  # fmt: skip
        return open_sky, arriving

    def reach_sun(self, direction: Floats, wanted: NDArray[np.bool_], sees: NDArray[np.bool_]) -> None:
        """Mark which of the wanted rays to the sun arrive."""
        from sensorium.sensors.camera.thermal import radiance_kernels as kernels

        if wanted.any():
            index, _, hits = self._cast(direction, wanted)
            kernels.reach_sun(index, self.body, hits.body, self.moves, sees)


def air_table(air: InfraredAir, heat: HeatTable, table: RadianceTable) -> AirTable:
    """Return the air in the radiances of a table."""
    from sensorium.sensors.camera.thermal.planck_kernels import radiances

    here, cloud, ground = radiances(table, np.array([air.temperature_k, air.cloud_k, heat.ground_k])).tolist()
    clouds, closed = cloud * air.cloud_cover, air.diffuse_emissivity
    return AirTable(air.extinction_1_m, air.depth, here, clouds, closed * here + (1 - closed) * clouds, ground)


@lru_cache(maxsize=8)
def strata_together(count: int) -> NDArray[np.int64]:
    """Return an order of raster entries in which 16 rays side by side come from one place of neighbouring 4 x 4 tiles.

    Those have one direction in their tiles' pattern: they run side by side, and a tracer may follow them together.
    """
    blocks = -(-count // 256)
    order = np.arange(blocks * 256).reshape(blocks, 16, 16).swapaxes(1, 2).ravel()
    return order[order < count]


@lru_cache(maxsize=8)
def entries(raster: Raster) -> NDArray[np.int64]:
    """Return the raster's entry of each pixel [H * W]; -1 where the lens sees nothing."""
    entry = np.full(raster.width * raster.height, -1, np.int64)
    entry[raster.pixel] = np.arange(len(raster))
    return entry
