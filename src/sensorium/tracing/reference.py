"""The reference tracer: every ray against every triangle, in float64, with each body where it is at the ray's own time.

Slow and obvious on purpose. Moller and Trumbore, "Fast, minimum storage ray/triangle intersection", 1997:
origin + t d = (1 - u - v) a + u b + v c, solved by Cramer's rule with e1 = b - a, e2 = c - a, p = d x e2, det = e1 . p.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.core.time import TimeWindow
from sensorium.scene.mesh import Mesh
from sensorium.scene.rays import Hits, RayCaster, Rays
from sensorium.scene.scene import Scene
from sensorium.tracing.refusal import check_rays

Floats = NDArray[np.float64]

_PAIRS_AT_ONCE = 1_000_000


@dataclass(frozen=True, eq=False)
class ReferenceTracer:
    """Brute force over a scene."""

    scene: Scene

    def during(self, window: TimeWindow, near_m: Floats) -> RayCaster:
        """Return a caster for the window; the place does not matter in float64."""
        return ReferenceCaster(self.scene, window)


@dataclass(frozen=True, eq=False)
class ReferenceCaster:
    """A scene during one window."""

    scene: Scene
    window: TimeWindow

    def cast(self, rays: Rays) -> Hits:
        """Return the nearest hit of each ray."""
        check_rays(rays, self.window)
        count = len(rays)
        direction = rays.direction / np.linalg.norm(rays.direction, axis=1, keepdims=True)
        hits = Hits(
            np.full(count, np.inf),
            np.full(count, -1, np.int32),
            np.full(count, -1, np.int32),
            np.full(count, -1, np.int32),
            np.zeros((count, 2), np.float32),
            np.zeros((count, 3), np.float32),
        )
        for number, body in enumerate(self.scene.bodies):
            pose = body.motion.pose_at(rays.time_ns)
            inward = pose.inverse()
            start, along = inward.transform(rays.origin_m), inward.rotate(direction)
            for part_number, part in enumerate(body.model.parts):
                distance, triangle, uv = nearest(part.mesh, start, along, rays.near_m, rays.far_m)
                nearer = np.flatnonzero(distance < hits.distance_m)
                hits.distance_m[nearer] = distance[nearer]
                hits.body[nearer], hits.part[nearer] = number, part_number
                hits.triangle[nearer], hits.barycentric[nearer] = triangle[nearer], uv[nearer]
                hits.normal[nearer] = pose[nearer].rotate(_normals(part.mesh, triangle[nearer]))
        return hits

    def occluded(self, rays: Rays) -> NDArray[np.bool_]:
        """Return for each ray whether anything lies on it."""
        return self.cast(rays).hit


def _normals(mesh: Mesh, triangles: NDArray[np.int32]) -> Floats:
    a, b, c = np.moveaxis(mesh.vertices_m[mesh.triangles[triangles]], 1, 0)
    normal = np.cross(b - a, c - a)
    return np.asarray(normal / np.linalg.norm(normal, axis=1, keepdims=True))


def nearest(
    mesh: Mesh, origin: Floats, direction: Floats, near_m: float, far_m: float
) -> tuple[Floats, NDArray[np.int32], Floats]:
    """Return distance [N] (infinity: no hit), triangle [N] and barycentric weights [N, 2] of rays in the mesh's frame."""
    count, faces = len(origin), len(mesh.triangles)
    distance, triangle, uv = np.full(count, np.inf), np.full(count, -1, np.int32), np.zeros((count, 2))
    step = max(1, _PAIRS_AT_ONCE // max(1, faces))
    for first in range(0, count if faces else 0, step):
        rows = slice(first, first + step)
        t, u, v = _all_pairs(mesh.corners_m(), origin[rows], direction[rows])
        t[~((t >= near_m) & (t <= far_m))] = np.inf
        best = np.argmin(t, axis=1)
        row = np.arange(len(best))
        distance[rows], triangle[rows] = t[row, best], best
        uv[rows] = np.stack((u[row, best], v[row, best]), 1)
    return distance, triangle, uv


def _all_pairs(corners: Floats, origin: Floats, direction: Floats) -> tuple[Floats, Floats, Floats]:
    """Return distance, u and v of every ray [R] with every triangle [T]; infinity where they do not meet."""
    a, e1, e2 = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        p = np.cross(direction[:, None], e2)
        inverse = 1 / np.einsum("tk,rtk->rt", e1, p)
        s = origin[:, None] - a
        u = np.einsum("rtk,rtk->rt", s, p) * inverse
        q = np.cross(s, e1)
        v = np.einsum("rk,rtk->rt", direction, q) * inverse
        t = np.einsum("tk,rtk->rt", e2, q) * inverse
        inside = np.isfinite(inverse) & (u >= -1e-12) & (v >= -1e-12) & (u + v <= 1 + 1e-12)
    return np.where(inside, t, np.inf), u, v
