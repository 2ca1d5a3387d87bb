"""A picture of a scene itself, as a pinhole camera with a lamp beside its lens would see it at one instant.

It is a stage for points, no camera model: a matt surface of its material's colour c, met at the angle a to its normal,
shows c (s + (1 - s) cos a) with a share s of light from all around, coded as sRGB (IEC 61966-2-1). Panes are looked
through, as light of a LiDAR passes them: they only tint what is behind, and they hide no point.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sensorium.apps.colours import Rgb
from sensorium.apps.pictures.perspective import Camera
from sensorium.core.time import TimeWindow
from sensorium.materials.surface import Glass, Pane
from sensorium.scene.rays import RayCaster, Rays, Tracer

if TYPE_CHECKING:
    from sensorium.scene.scene import Scene

Floats = NDArray[np.float64]

OVERSAMPLING = 2  # rays across a pixel, so that edges are smooth
_LIGHT_AROUND = 0.3
_SKY = (0.012, 0.018, 0.032)
_MOST_PANES, _TINT = 4, 0.3  # a car has two; the part of what is seen that is the pane itself
_BEHIND_M = 1e-3
_RAYS_AT_ONCE = 500_000


@dataclass(frozen=True, eq=False)
class Photograph:
    """What the camera sees: a colour for each pixel, and how far away it is."""

    camera: Camera
    picture: Rgb
    """[H, W, 3]"""
    distance_m: Floats
    """[H * OVERSAMPLING, W * OVERSAMPLING] from the camera along each ray; infinite where there is sky."""

    def sees(self, points_m: ArrayLike, slack_m: float = 0.15, slack: float = 0.01) -> NDArray[np.bool_]:
        """Tell for each point [N, 3] whether it is in the picture and nothing stands before it.

        A point is hidden when everything about it (the pixel and half of each neighbour) is nearer than the point by
        more than `slack_m` and this part of its distance: noise must not hide a point in the surface that it is from.
        """
        points = np.asarray(points_m, np.float64)
        pixels, depth = self.camera.project(points)
        size = np.array([self.camera.width_px, self.camera.height_px])
        inside = (depth > 0) & np.all((pixels >= 0) & (pixels < size), -1)
        seen = np.zeros(len(points), bool)
        rows = np.flatnonzero(inside)
        column, row = np.floor(pixels[rows].T * OVERSAMPLING).astype(np.int64)
        surface = np.zeros(len(rows))
        high, wide = self.distance_m.shape
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                near = self.distance_m[np.clip(row + dy, 0, high - 1), np.clip(column + dx, 0, wide - 1)]
                surface = np.maximum(surface, near)
        away = np.linalg.norm(points[rows] - self.camera.pose.position_m, axis=1)
        seen[rows] = away * (1 - slack) - slack_m <= surface
        return seen


def photograph(scene: Scene, tracer: Tracer, camera: Camera, time_ns: int) -> Photograph:
    """Take a picture of a scene at an instant."""
    high, wide = camera.height_px * OVERSAMPLING, camera.width_px * OVERSAMPLING
    light, distance_m = np.empty((high, wide, 3), np.float32), np.empty((high, wide))
    caster = tracer.during(TimeWindow(time_ns, time_ns), camera.pose.position_m)
    surfaces = _Surfaces.of(scene)
    band = max(1, _RAYS_AT_ONCE // wide)
    column = (np.arange(wide) + 0.5) / OVERSAMPLING
    for top in range(0, high, band):
        row = (np.arange(top, min(top + band, high)) + 0.5) / OVERSAMPLING
        u, v = np.meshgrid(column, row)
        directions = camera.directions(np.stack((u.ravel(), v.ravel()), -1))
        shown = surfaces.seen(caster, camera.pose.position_m, directions, time_ns)
        light[top : top + len(row)] = shown[0].reshape(len(row), wide, 3)
        distance_m[top : top + len(row)] = shown[1].reshape(len(row), wide)
    small = light.reshape(camera.height_px, OVERSAMPLING, camera.width_px, OVERSAMPLING, 3).mean((1, 3))
    return Photograph(camera, _coded(small), distance_m)


@dataclass(frozen=True, eq=False)
class _Surfaces:
    """How the parts of a scene look; the last row is the sky."""

    part_offset: NDArray[np.int32]
    """[bodies + 1] with one more for rays that meet no body."""
    colour: Floats
    """[parts + 1, 3] linear."""
    pane: NDArray[np.bool_]
    """[parts + 1] whether one sees through."""

    @classmethod
    def of(cls, scene: Scene) -> _Surfaces:
        """Look the materials of all parts up."""
        clear = np.array([isinstance(material.surface, Pane | Glass) for material in scene.library], bool)
        colour = np.vstack((scene.library.column("colour")[scene.part_material], _SKY))
        return cls(np.append(scene.part_offset, np.int32(0)), colour, np.append(clear[scene.part_material], False))

    def seen(self, caster: RayCaster, from_m: Floats, direction: Floats, time_ns: int) -> tuple[Floats, Floats]:
        """Return linear light [N, 3] and the distance_m [N] of what is behind all panes, along unit directions [N, 3]."""
        light, passed = np.zeros(direction.shape), np.ones(len(direction))
        distance_m, going = np.zeros(len(direction)), np.arange(len(direction))
        for layer in range(_MOST_PANES + 1):
            ahead = direction[going]
            origin = from_m + ahead * distance_m[going, None]
            hits = caster.cast(Rays(origin, ahead, np.full(len(going), time_ns, np.int64), near_m=_BEHIND_M))
            part = np.where(hits.hit, self.part_offset[hits.body] + hits.part, -1)
            cosine = np.abs(np.einsum("ij,ij->i", hits.normal, ahead))
            shade = np.where(hits.hit, _LIGHT_AROUND + (1 - _LIGHT_AROUND) * cosine, 1.0)
            clear = self.pane[part] & (layer < _MOST_PANES)
            share = passed[going] * np.where(clear, _TINT, 1.0)
            light[going] += self.colour[part] * (shade * share)[:, None]
            distance_m[going] += hits.distance_m
            passed[going] -= share
            going = going[clear]
        return light, distance_m


def _coded(light: Floats) -> Rgb:
    """Return linear light 0..1 as sRGB bytes."""
    light = np.clip(light, 0, 1)
    coded = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    return np.asarray(np.rint(coded * 255), np.uint8)
