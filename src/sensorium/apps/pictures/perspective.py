"""A point cloud in perspective, drawn in software: points become discs, depth becomes shadow.

Where discs overlap, the nearest is seen. Without surfaces there are no normals to light, so depth is made visible by
eye-dome lighting (Boucheny, "Visualisation scientifique de grands volumes de données", thesis, Grenoble 2009): a pixel
darkens by how far it lies behind its neighbours, shade = exp(-strength * mean max(0, log2 d - log2 d_neighbour)).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sensorium.core.pose import Pose

Floats = NDArray[np.float64]
Rgb = NDArray[np.uint8]

_OVERSAMPLING = 2  # drawn twice as large and averaged, so that discs have smooth edges
_SHADE_STRENGTH = 7.0
_SHADE_REACH_PX = (1, 2, 4)
_NEAREST_M = 0.5


@dataclass(frozen=True, eq=False)
class Camera:
    """A pinhole camera: T_world_camera with x forward, y left, z up."""

    pose: Pose
    width_px: int = 1600
    height_px: int = 800
    field_of_view_rad: float = np.pi / 2.6
    """Horizontal, edge to edge."""

    @classmethod
    def looking(cls, from_m: ArrayLike, at_m: ArrayLike, width_px: int = 1600, height_px: int = 800) -> Camera:
        """Stand at a point and look at another, the horizon level."""
        start = np.asarray(from_m, np.float64)
        x, y, z = np.asarray(at_m, np.float64) - start
        return cls(Pose.from_rpy(start, (0.0, -np.arctan2(z, np.hypot(x, y)), np.arctan2(y, x))), width_px, height_px)

    @property
    def focal_px(self) -> float:
        """Focal length: half the width over the tangent of half the field of view."""
        return float(self.width_px / 2 / np.tan(self.field_of_view_rad / 2))

    def project(self, points_m: ArrayLike) -> tuple[Floats, Floats]:
        """Return pixels [N, 2] (column, row; rows downwards) and depth_m [N]: u = w/2 - f y/x, v = h/2 - f z/x."""
        local = self.pose.inverse().transform(np.asarray(points_m, np.float64))
        depth = local[..., 0]
        safe = np.where(np.abs(depth) < 1e-9, 1e-9, depth)[..., None]
        centre = np.array([self.width_px / 2, self.height_px / 2])
        return centre - self.focal_px * local[..., 1:] / safe, depth

    def directions(self, pixels: ArrayLike) -> Floats:
        """Return unit directions [N, 3] in the world of the rays through pixels [N, 2] (column, row)."""
        across = np.array([self.width_px / 2, self.height_px / 2]) - np.asarray(pixels, np.float64)
        local = np.concatenate((np.full((*across.shape[:-1], 1), self.focal_px), across), -1)
        return self.pose.rotate(local / np.linalg.norm(local, axis=-1, keepdims=True))


def render(points_m: ArrayLike, colours: Rgb, camera: Camera, size_m: float = 0.05, sky: str = "#0b0f17") -> Rgb:
    """Return the picture [H, W, 3] of points [N, 3] with colours [N, 3]; a point is a disc of about `size_m` across."""
    factor = _OVERSAMPLING
    pixels, depth = camera.project(points_m)
    height, width = camera.height_px * factor, camera.width_px * factor
    seen = (depth > _NEAREST_M) & np.all((pixels > -8) & (pixels < (camera.width_px + 8, camera.height_px + 8)), -1)
    radius = np.clip(camera.focal_px * size_m / 2 / depth[seen] * factor, 0.75 * factor, 3.5 * factor)
    index, far = _discs(pixels[seen] * factor, depth[seen], radius, width, height)
    background = np.array([int(sky[i : i + 2], 16) for i in (1, 3, 5)], np.float64)
    picture = np.where(index[..., None] >= 0, colours[seen][index] if seen.any() else background, background)
    lit = np.where(index >= 0, _eye_dome(far), 1.0)[..., None]
    small = (picture * lit).reshape(camera.height_px, factor, camera.width_px, factor, 3).mean((1, 3))
    return np.asarray(np.clip(np.rint(small), 0, 255), np.uint8)


def with_dots(picture: Rgb, points_m: ArrayLike, colours: Rgb, camera: Camera, size_px: float) -> Rgb:
    """Return a picture [H, W, 3] of the camera with a dot of this width on it for each point [N, 3], near over far."""
    factor = _OVERSAMPLING
    pixels, depth = camera.project(points_m)
    seen = depth > 0
    high, wide = camera.height_px * factor, camera.width_px * factor
    radius = np.full(int(seen.sum()), size_px / 2 * factor)
    index, _ = _discs(pixels[seen] * factor, depth[seen], radius, wide, high)
    large = np.repeat(np.repeat(picture, factor, 0), factor, 1)
    covered = index >= 0
    large[covered] = colours[seen][index[covered]]
    small = large.reshape(camera.height_px, factor, camera.width_px, factor, 3).mean((1, 3))
    return np.asarray(np.rint(small), np.uint8)


def _discs(pixels: Floats, depth: Floats, radius: Floats, width: int, height: int) -> tuple[NDArray[np.int64], Floats]:
    """Return for each pixel the number of the nearest point on it (-1: none) and its depth (infinity: none)."""
    far_first = np.argsort(-depth, kind="stable")
    nearness = np.empty(len(depth), np.int64)
    nearness[far_first] = np.arange(len(depth))
    winner = _cover(pixels, radius, nearness, width, height)
    covered = winner >= 0
    index, distance = np.full(height * width, -1, np.int64), np.full(height * width, np.inf)
    index[covered] = far_first[winner[covered]]
    distance[covered] = depth[index[covered]]
    return index.reshape(height, width), distance.reshape(height, width)


def _cover(pixels: Floats, radius: Floats, nearness: NDArray[np.int64], width: int, height: int) -> NDArray[np.int64]:
    """Return the largest nearness of all discs over each pixel [height * width], -1 where there is none."""
    large_first = np.argsort(-radius, kind="stable")
    pixels, radius, nearness = pixels[large_first], radius[large_first], nearness[large_first]
    base, winner = np.floor(pixels).astype(np.int64), np.full(height * width, -1, np.int64)
    reach = int(np.ceil(radius.max(initial=0.0)))
    for dy in range(-reach, reach + 1):
        for dx in range(-reach, reach + 1):
            least = np.hypot(max(abs(dx) - 0.5, 0), max(abs(dy) - 0.5, 0))  # no disc with a smaller radius gets there
            some = slice(0, int(np.searchsorted(-radius, -least, side="right")))
            column, row = base[some, 0] + dx, base[some, 1] + dy
            away = np.hypot(column + 0.5 - pixels[some, 0], row + 0.5 - pixels[some, 1])
            hit = (away <= radius[some]) & (column >= 0) & (column < width) & (row >= 0) & (row < height)
            np.maximum.at(winner, (row * width + column)[hit], nearness[some][hit])
    return winner


def _eye_dome(depth: Floats) -> Floats:
    """Return the shade 0..1 of each pixel: dark where neighbours are nearer; the empty sky casts no shadow."""
    level = np.log2(np.where(np.isfinite(depth), depth, 1e6))
    total = np.zeros_like(level)
    for reach in _SHADE_REACH_PX:
        step = reach * _OVERSAMPLING
        padded = np.pad(level, step, mode="edge")
        for dy, dx in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            rows = slice(step + dy * step, step + dy * step + level.shape[0])
            columns = slice(step + dx * step, step + dx * step + level.shape[1])
            total += np.clip(level - padded[rows, columns], 0, 0.15)
    return np.asarray(np.exp(-_SHADE_STRENGTH * total / (4 * len(_SHADE_REACH_PX))))
