"""From a scene to radiance at the lens: rays through the pixels, their lit points, light from everywhere, mirrors and glass.

Every pixel sends one ray per sample. Its point sends one to the sun, up to two to lamps, and one into the half space above
for the light of sky and surroundings (`ambient_kernels`). Smooth coats, mirrors and panes lead further rays on, up to a depth.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.core.time import Times
from sensorium.scene.rays import Rays
from sensorium.scene.view import View
from sensorium.sensors.camera.lighting import lighting
from sensorium.sensors.camera.points import Points, Sample, Scenery
from sensorium.sensors.camera.raster import Raster
from sensorium.sensors.camera.stage import stage_of

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]

_AT_ONCE = 16_384
"""Rays of a block: what belongs to them stays in the cache from kernel to kernel."""
_FAINTEST = 0.01
_AROUND_M = 60.0
_THROUGH_GLASS, _IN_MIRRORS = 0.35, 0.6
"""How much of the sky a point sees that is itself seen through glass or in a mirror: assumed."""


@dataclass(frozen=True, eq=False)
class Rendered:
    """Radiance of each pixel, and how many rays it took."""

    radiance: Floats32
    """[H, W, 3] W/(m2 sr) in the red, green and blue band."""
    rays: int
    distance_m: Floats32
    """[H, W] of what the pixels' last rays met; infinity for the sky."""


@dataclass(frozen=True, eq=False)
class _Led:
    """Rays that mirrors and panes lead on."""

    rays: Rays
    pixel: NDArray[np.int32]
    carried: Floats32
    kind: int
    """0 mirrored, 1 behind a pane, 2 mirrored by a wet film, which blurs."""


def render(
    view: View,
    raster: Raster,
    row_start_ns: Times,
    exposure_s: float,
    samples: int,
    depth: int,
    grain: bool,
    farthest_m: float | None = None,
) -> Rendered:
    """Return the radiance of every pixel, mean over its area and its exposure."""
    from sensorium.sensors.camera import ambient_kernels

    stage, window = stage_of(view.scene), view.window
    light, middle = lighting(view), (window.start_ns + window.end_ns) // 2
    grains = stage.grains if grain else stage.plain
    scenery = Scenery(
        view, stage, light, stage.turns_at(view.scene, middle), grains, raster.pixel_rad, [], farthest_m or np.inf
    )
    shape = raster.height, raster.width
    film = np.zeros((raster.width * raster.height, 3), np.float32)
    glow = _glow(scenery)
    for sample in range(samples):
        whole, led = Sample.room(len(film)), list[_Led]()
        for first in range(0, len(raster), _AT_ONCE):
            rays = raster.rays(view, row_start_ns, exposure_s, sample, samples, first, _AT_ONCE)
            led += _block(scenery, raster, rays, first, sample, whole, glow, depth > 0)
        _spread(raster, whole.light, whole)
        ambient_kernels.compose(
            whole.radiance, whole.albedo, whole.light, whole.normal, whole.part, whole.distance, light.sky,
            light.extinction_1_m, light.airlight, 1 / samples, film,
        )  # fmt: skip
        _follow(scenery, raster, _joined(led), glow, depth, 1 / samples, whole, film)
    distance = np.where(whole.part < 0, np.float32(np.inf), whole.distance).reshape(shape)
    return Rendered(film.reshape(*shape, 3), sum(scenery.sent), distance)


def _glow(scenery: Scenery) -> Floats:
    """Return the irradiance that lamps leave between the walls of a street [3]: a hundredth of that below a lamp, assumed."""
    power = scenery.lighting.lamps.intensity_w_sr
    return np.sum(power, 0) / max(1, len(power)) * 0.02 / 49.0 if len(power) > 4 else np.zeros(3)


def _block(
    scenery: Scenery,
    raster: Raster,
    rays: Rays,
    first: int,
    sample: int,
    whole: Sample,
    glow: Floats,
    mirrors: bool,
) -> list[_Led]:
    """Shade a block of pixels; return the rays that mirrors and panes lead on."""
    from sensorium.sensors.camera import ambient_kernels

    points, pixel = scenery.points(rays), raster.pixel[first : first + len(rays)]
    radiance, albedo = scenery.shaded(points, mirrors)
    ambient_kernels.lay(
        pixel, radiance, albedo, points.part, points.normal, points.hits.distance_m, whole.radiance, whole.albedo, whole.part,
        whole.normal, whole.distance,
    )  # fmt: skip
    _ask_around(scenery, raster, first, points, sample, whole, glow)
    return _led(scenery, raster.width, points, pixel, None) if mirrors else []


def _ask_around(
    scenery: Scenery, raster: Raster, first: int, points: Points, sample: int, whole: Sample, glow: Floats
) -> None:
    """Send a ray into the half space above each point, and note what it brings home."""
    from sensorium.sensors.camera import ambient_kernels

    order, pixel = raster.asking(first, len(points.part)), raster.pixel[first : first + len(points.part)]
    rows = order[points.part[order] >= 0]
    origin, direction, time_ns = np.empty((len(rows), 3)), np.empty((len(rows), 3)), np.empty(len(rows), np.int64)
    ambient_kernels.ask(
        rows,
        pixel,
        raster.width,
        sample,
        points.point,
        points.normal,
        points.facet,
        points.rays.time_ns,
        origin,
        direction,
        time_ns,
    )
    around = scenery.points(Rays(origin, direction, time_ns, 0.0, _AROUND_M, together=True), plain=True)
    sunlit = scenery.sunlit(around, panes=0)
    ambient_kernels.gather(
        rows,
        pixel,
        direction,
        around.part,
        around.material,
        scenery.visible.kind,
        around.normal,
        around.colour,
        sunlit,
        scenery.lighting.sky,
        glow,
        whole.light,
    )


def _led(
    scenery: Scenery, width: int, points: Points, pixel: NDArray[np.int32], carried: Floats32 | None
) -> list[_Led]:
    """Return the rays that mirrors and panes lead on from some points."""
    from sensorium.sensors.camera import shading_kernels

    weights, rays, wetness = np.empty((len(pixel), 3), np.float32), points.rays, scenery.lighting.wetness
    shading_kernels.branches(
        rays.direction, points.facet, points.normal, points.material, points.part, scenery.visible, wetness, weights
    )
    throughput = np.ones((1, 3), np.float32) if carried is None else carried
    if carried is not None:
        weights *= carried.max(1, keepdims=True) > _FAINTEST
    found = []
    for kind in (0, 1, 2):
        rows = np.flatnonzero(weights[:, kind] > _FAINTEST)
        if not len(rows):
            continue
        count = len(rows)
        origin, direction, time_ns = np.empty((count, 3)), np.empty((count, 3)), np.empty(count, np.int64)
        passed = np.empty((count, 3), np.float32)
        shading_kernels.lead_on(
            rows, kind, rays.direction, points.point, points.facet, points.normal, points.material, rays.time_ns,
            scenery.visible, weights, throughput, pixel, width, origin, direction, time_ns, passed,
        )  # fmt: skip
        found.append(_Led(Rays(origin, direction, time_ns, together=True), pixel[rows], passed, kind))
    return found


def _joined(led: list[_Led]) -> list[_Led]:
    """Return the rays of many blocks as one batch of each kind: small batches cost more to start than to trace."""
    found = []
    for kind in (0, 1, 2):
        some = [one for one in led if one.kind == kind]
        if len(some) < 2:
            found += some
            continue
        origin, direction, time_ns = (
            np.concatenate([getattr(one.rays, name) for one in some]) for name in ("origin_m", "direction", "time_ns")
        )
        pixel, carried = np.concatenate([one.pixel for one in some]), np.concatenate([one.carried for one in some])
        found.append(_Led(Rays(origin, direction, time_ns, together=True), pixel, carried, kind))
    return found


def _follow(
    scenery: Scenery,
    raster: Raster,
    led: list[_Led],
    glow: Floats,
    depth: int,
    share: float,
    whole: Sample,
    film: Floats32,
) -> None:
    """Follow rays from mirrors and panes, and add what they bring home to the film."""
    from sensorium.sensors.camera import ambient_kernels

    light = scenery.lighting
    sheen = np.zeros_like(film) if light.wetness > 0 else film
    for level in range(depth):
        following: list[_Led] = []
        for one in led:
            points = scenery.points(one.rays)
            last = level + 1 == depth or one.kind == 2
            radiance, albedo = scenery.shaded(points, not last)
            ambient = np.empty_like(radiance)
            openness = _THROUGH_GLASS if one.kind == 1 else _IN_MIRRORS
            ambient_kernels.simple_light(points.part, points.normal, light.sky, glow, openness, ambient)
            ambient_kernels.deposit(
                one.pixel, one.carried, radiance, albedo, ambient, points.part, points.hits.distance_m, light.extinction_1_m,
                light.airlight, share, sheen if one.kind == 2 else film,
            )  # fmt: skip
            if not last:
                following += _led(scenery, raster.width, points, one.pixel, one.carried)
        led = _joined(following)
    if light.wetness > 0:
        blurred = np.ascontiguousarray(sheen.T)
        _spread(raster, blurred, whole)
        film += np.maximum(blurred.T, 0.0)


def _spread(raster: Raster, light: Floats32, whole: Sample) -> None:
    """Replace light by its mean over the 8 x 8 neighbours on the same surface."""
    from sensorium.sensors.camera.spread_kernels import spread

    across = np.empty_like(light)
    spread(light, whole.part, whole.normal, whole.distance, raster.width, raster.height, True, across)
    spread(across, whole.part, whole.normal, whole.distance, raster.width, raster.height, False, light)
