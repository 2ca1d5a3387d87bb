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
from sensorium.sensors.camera.thermal.planck import RadianceTable, weighted_radiance
from sensorium.sensors.camera.thermal.response import SpectralResponse

Floats = NDArray[np.float64]

LEAST_MIRRORED = 0.02
"""Where less than this part is thrown back as from a mirror, no ray follows it."""
SKY_STEPS = 1024
_WET_MM_H = 2.0
"""Rain that wets the ground all over, as for visible light; assumed."""
_SUN_K, _SUN_SR, _SOLAR_W_M2 = 5772.0, 6.794e-5, 1361.0
"""Effective temperature, solid angle and irradiance of the sun outside the air (IAU 2015 resolution B3)."""


class AirTable(NamedTuple):
    """The air in radiances, for kernels."""

    alpha: float
    here: float
    """Of a black body at the temperature of the air."""
    sky: Floats
    """Of the sky in directions whose third component is (i / (len - 1))^2."""
    dome: float
    """Mean of the sky over the hemisphere."""
    ground: float
    sunlight: float
    """Irradiance of the sun across its beam, in the unit of the radiances times steradians."""
    wetness: float
    """Of what faces the sky: 0 dry, 1 wet."""


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
    disc = weighted_radiance(_SUN_K, *response.nodes(), photons=photons)
    air = air_table(
        infrared_air(view.weather, scene.air, response.is_short), heat, table, float(disc), view.weather.rain_mm_h
    )
    rays = raster.rays(view, row_start_ns, 0.0, sample, samples)
    hits = view.cast(rays)
    library, count, spans = scene.library, len(raster), len(heat.lit)
    skin = np.stack((library.column("emissivity"), library.column("heat_mirrored")), 1)[scene.part_material]
    where, facing, row = np.empty((count, 3)), np.empty((count, 4)), np.empty(count, np.int64)
    outward, mirrored = np.empty((count, 3)), np.empty((count, 3))
    wants_sky, wants_mirror = np.empty(count, np.bool_), np.empty(count, np.bool_)
    wants_sun = np.empty((spans, count), np.bool_)
    kernels.aim(
        raster.pixel, raster.width, rays.origin_m, rays.direction, hits.distance_m, hits.body, hits.part, hits.normal,
        scene.part_offset, skin, parts, heat, air, LEAST_MIRRORED,
        where, facing, row, outward, wants_sky, mirrored, wants_mirror, wants_sun,
    )  # fmt: skip
    moves = np.array([body.motion.moves for body in scene.bodies], np.bool_)
    posts = posts_of(raster)
    second = _Second(view, where, rays.time_ns, hits.body, scene.part_offset, moves, air, table, skin)
    open_sky, around = second.received(outward, posts[wants_sky[posts]])
    _, from_mirror = second.received(mirrored, np.flatnonzero(wants_mirror))
    sees_sun = second.sees_sun(heat, strata_of(raster), [posts[wants[posts]] for wants in wants_sun])
    entry, found, mean = entries(raster), np.empty((count, 2 + spans)), np.empty((count, 2 + spans))
    kernels.collect(posts, open_sky, around, sees_sun, found)
    alike = np.empty(count, np.int64)
    kernels.compare(posts, raster.pixel, raster.width, raster.height, entry, hits.body, row, facing, alike)
    kernels.average(posts, raster.pixel, raster.width, entry, alike, found, mean)
    kernels.average(posts, raster.pixel, raster.width, entry, alike, mean, found)
    out, temperature = np.empty(count), np.empty(count)
    kernels.shade(
        raster.pixel, raster.width, raster.height, entry, rays.direction, hits.distance_m, hits.body, hits.triangle,
        hits.barycentric, row, facing, found, wants_mirror, from_mirror, air, table, parts, heat, skin, temperature, out,
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

    def _cast(self, direction: Floats, index: NDArray[np.int64]) -> tuple[Rays, Hits]:
        rays = Rays(self.where[index], direction, self.time_ns[index], together=True)
        return rays, self.view.cast(rays)

    def received(self, direction: Floats, index: NDArray[np.int64]) -> tuple[NDArray[np.bool_], Floats]:
        """Return whether rays of some entries left for the sky [N], and what they bring back [N]."""
        from sensorium.sensors.camera.thermal import radiance_kernels as kernels

        heat = self.view.scene.heat
        open_sky, arriving = np.zeros(len(direction), np.bool_), np.zeros(len(direction))
        rays, hits = self._cast(direction[index], index)
        kernels.receive(
            index, self.body, rays.direction, hits.distance_m, hits.body, hits.part, hits.triangle, hits.barycentric,
            hits.normal, self.part_offset, self.moves, self.air, self.table, heat.parts, heat.at(self.view.window.start_ns),
            self.skin, open_sky, arriving,
        )  # fmt: skip
        return open_sky, arriving

    def sees_sun(
        self, heat: HeatTable, stratum: NDArray[np.int8], entries: list[NDArray[np.int64]]
    ) -> NDArray[np.bool_]:
        """Return which rays [spans, N] of some entries of each span arrive at the sun."""
        from sensorium.sensors.camera.thermal import radiance_kernels as kernels

        sees = np.zeros((len(entries), len(stratum)), np.bool_)
        index, span = np.concatenate(entries), np.repeat(np.arange(len(entries)), [len(some) for some in entries])
        if len(index):
            _, hits = self._cast(heat.direction[span, stratum[index]], index)
            kernels.reach_sun(span, index, self.body, hits.body, self.moves, sees)
        return sees


def air_table(air: InfraredAir, heat: HeatTable, table: RadianceTable, sun: float, rain_mm_h: float) -> AirTable:
    """Return the air in the radiances of a table: the sky is e(h) B(T_air) + (1 - e(h)) c B(T_cloud).

    `sun` is the radiance of the sun's disc before the air, which takes from it what it takes from all sunlight.
    """
    from sensorium.sensors.camera.thermal.planck_kernels import radiances

    here, cloud, ground = radiances(table, np.array([air.temperature_k, air.cloud_k, heat.ground_k])).tolist()
    clouds, closed = cloud * air.cloud_cover, air.diffuse_emissivity
    closes = air.sky_emissivity(np.arcsin(np.linspace(0, 1, SKY_STEPS + 1) ** 2))
    return AirTable(
        air.extinction_1_m, here, closes * here + (1 - closes) * clouds, closed * here + (1 - closed) * clouds, ground,
        sun * _SUN_SR * heat.direct_w_m2 / _SOLAR_W_M2,
        min(1.0, rain_mm_h / _WET_MM_H),
    )  # fmt: skip


@lru_cache(maxsize=8)
def posts_of(raster: Raster) -> NDArray[np.int64]:
    """Return the entries that are posts, in an order in which posts of one direction in tiles of 32 x 32 stand side by side.

    Their rays run side by side, and a tracer may follow them together.
    """
    strata = strata_of(raster)
    posts = np.flatnonzero(strata >= 0)
    return posts[np.lexsort((strata[posts], posts // 1024))]


@lru_cache(maxsize=8)
def strata_of(raster: Raster) -> NDArray[np.int8]:
    """Return the direction of each entry of a raster, 0 .. 15 for posts and -1 for others [N]."""
    from sensorium.sensors.camera.thermal.radiance_kernels import stratum

    return np.array([stratum(pixel, raster.width) for pixel in raster.pixel], np.int8)


@lru_cache(maxsize=8)
def entries(raster: Raster) -> NDArray[np.int64]:
    """Return the raster's entry of each pixel [H * W]; -1 where the lens sees nothing."""
    entry = np.full(raster.width * raster.height, -1, np.int64)
    entry[raster.pixel] = np.arange(len(raster))
    return entry
