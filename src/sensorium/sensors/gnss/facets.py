"""Plane surfaces of a scene that are large enough to mirror satellites; found once per scene.

Triangles of one body that lie in one plane make one facet, told by a rectangle around them in that plane. Facets whose area
is below `SMALLEST_M2` are left out: at 10 m their first Fresnel zone would be several times larger than they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from sensorium.core.pose import Pose
from sensorium.scene.body import Model
from sensorium.scene.scene import Scene

Floats = NDArray[np.float64]

SMALLEST_M2 = 1.0
_NORMAL_STEP, _OFFSET_STEP_M = 1e-6, 1e-4
_OFF_GRID = 0.318  # of a step, so that round numbers do not lie where rounding decides


@dataclass(frozen=True, eq=False)
class Facets:
    """F rectangles: centre, normal and two axes in the plane, in the world or in the frame of a body."""

    centre_m: Floats
    """[F, 3]"""
    normal: Floats
    axes: Floats
    """[F, 2, 3]"""
    half_m: Floats
    """[F, 2]"""
    area_m2: Floats
    """[F] of the triangles themselves."""

    def __len__(self) -> int:
        return len(self.centre_m)


@dataclass(frozen=True, eq=False)
class SceneFacets:
    """Facets of all still bodies in the world frame, and those of the bodies that move, each in its body's frame."""

    scene: Scene
    still: Facets
    moving: Facets
    body: NDArray[np.int64]
    """[F] place of each moving facet's body in `numbers`."""
    numbers: tuple[int, ...]
    """Of the bodies that move and have facets."""

    def at(self, time_ns: int) -> Facets:
        """Return all facets in the world frame at an instant."""
        if not self.numbers:
            return self.still
        from sensorium.sensors.gnss.facet_kernels import place_facets

        poses = self.scene.poses_at(self.numbers, np.array([time_ns]))
        still, moving = self.still, self.moving
        centre, normal, axes = place_facets(
            still.centre_m, still.normal, still.axes, moving.centre_m, moving.normal, moving.axes, self.body,
            poses.position_m, poses.quaternion,
        )  # fmt: skip
        return Facets(centre, normal, axes, *self._sizes)

    @cached_property
    def _sizes(self) -> tuple[Floats, Floats]:
        """What does not move: half lengths and areas."""
        half = np.concatenate((self.still.half_m, self.moving.half_m))
        return half, np.concatenate((self.still.area_m2, self.moving.area_m2))


def _placed(facets: Facets, pose: Pose) -> Facets:
    """Return facets in the outer frame of a pose, or of one pose for each of them."""
    axes = np.stack([pose.rotate(facets.axes[:, side]) for side in (0, 1)], 1)
    centre, normal = pose.transform(facets.centre_m), pose.rotate(facets.normal)
    return Facets(centre, normal, axes, facets.half_m, facets.area_m2)


_OF_SCENE: WeakKeyDictionary[Scene, SceneFacets] = WeakKeyDictionary()


def facets_of(scene: Scene) -> SceneFacets:
    """Return the facets of a scene; they are looked for when they are first asked for, and kept as long as the scene."""
    if scene not in _OF_SCENE:
        _OF_SCENE[scene] = _found(scene)
    return _OF_SCENE[scene]


def _found(scene: Scene) -> SceneFacets:
    still: list[Facets] = []
    moving: list[Facets] = []
    body: list[NDArray[np.int64]] = []
    numbers: list[int] = []
    known: dict[int, Facets] = {}
    for number, each in enumerate(scene.bodies):
        if id(each.model) not in known:
            known[id(each.model)] = _of_model(each.model)
        facets = known[id(each.model)]
        if not len(facets):
            continue
        if each.motion.moves:
            body.append(np.full(len(facets), len(numbers)))
            numbers.append(number)
            moving.append(facets)
        else:
            still.append(_placed(facets, each.motion.pose_at(np.array([0]))[0]))
    joined = np.concatenate([np.zeros(0, np.int64), *body])
    return SceneFacets(scene, _joined(still), _joined(moving), joined, tuple(numbers))


def _joined(parts: list[Facets]) -> Facets:
    shapes = {"centre_m": (0, 3), "normal": (0, 3), "axes": (0, 2, 3), "half_m": (0, 2), "area_m2": (0,)}
    joined = {
        name: np.concatenate([np.empty(shape), *(getattr(part, name) for part in parts)])
        for name, shape in shapes.items()
    }
    return Facets(**joined)


def _of_model(model: Model) -> Facets:
    found = [facets for part in model.parts for facets in _of_corners(part.mesh.corners_m())]
    return _joined(found)


def _of_corners(corners_m: Floats) -> Iterator[Facets]:
    """Yield the facets of triangles [T, 3, 3] of one part, as one table."""
    cross = np.cross(corners_m[:, 1] - corners_m[:, 0], corners_m[:, 2] - corners_m[:, 0])
    doubled = np.linalg.norm(cross, axis=1)
    kept = doubled > 1e-12
    corners_m, normal, area = corners_m[kept], cross[kept] / doubled[kept, None], doubled[kept] / 2
    if area.sum() < SMALLEST_M2:
        return
    offset = (normal * corners_m[:, 0]).sum(1, keepdims=True)
    steps = np.concatenate((normal / _NORMAL_STEP, offset / _OFFSET_STEP_M), 1)
    key = np.floor(steps + _OFF_GRID).astype(np.int64)
    _, first, group = np.unique(key, axis=0, return_index=True, return_inverse=True)
    group = group.reshape(-1)
    areas = np.asarray(np.bincount(group, area), np.float64)
    large = np.flatnonzero(areas >= SMALLEST_M2)
    if not len(large):
        return
    n = normal[first[large]]
    u = np.cross([0.0, 0.0, 1.0], n)
    level = np.linalg.norm(u, axis=1) < 1e-6
    u[level] = (1.0, 0.0, 0.0)
    u -= n * (u * n).sum(1, keepdims=True)
    u /= np.linalg.norm(u, axis=1, keepdims=True)
    axes = np.stack((u, np.cross(n, u)), 1)
    place = np.full(len(areas), -1)
    place[large] = np.arange(len(large))
    mine = np.flatnonzero(place[group] >= 0)
    of = place[group[mine]]
    origin = corners_m[first[large], 0]
    flat = np.einsum("tcx,tax->tca", corners_m[mine] - origin[of][:, None], axes[of])
    low, high = np.full((len(large), 2), np.inf), np.full((len(large), 2), -np.inf)
    np.minimum.at(low, of, flat.min(1))
    np.maximum.at(high, of, flat.max(1))
    centre = origin + np.einsum("fa,fax->fx", (low + high) / 2, axes)
    yield Facets(centre, n, axes, (high - low) / 2, areas[large])
