"""Meshes from outlines: boxes, prisms, lofts through rings, turned profiles, tubes along paths.

Rings run counter-clockwise about the direction in which they follow one another (right-hand rule); triangles then face
outward. Triangles without area, as they arise where a ring shrinks to a point, are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sensorium.core.errors import SceneError
from sensorium.scene.mesh import Mesh
from sensorium.scene.revolution import grid_triangles

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

SMALLEST_AREA_M2 = 1e-8
"""A triangle of less area than this, 0.01 mm^2, counts as none."""

_CORNERS = np.array([[x, y, z] for z in (0, 1) for y in (0, 1) for x in (0, 1)])
_FACES = np.array([[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]])
_BOX = np.concatenate((_FACES[:, [0, 1, 2]], _FACES[:, [0, 2, 3]]))


def boxes(lowest_m: ArrayLike, highest_m: ArrayLike) -> Mesh:
    """Return cuboids along the axes between lowest and highest corners [N, 3]; one corner [3] serves all."""
    low, high = np.broadcast_arrays(
        np.atleast_2d(np.asarray(lowest_m, float)), np.atleast_2d(np.asarray(highest_m, float))
    )
    if (high <= low).any():
        raise SceneError(f"the highest corner of a box must lie above its lowest, found {high} and {low}")
    vertices = low[:, None] + _CORNERS * (high - low)[:, None]
    triangles = 8 * np.arange(len(low))[:, None, None] + _BOX
    return Mesh(vertices.reshape(-1, 3), triangles.reshape(-1, 3).astype(np.int32))


def quads(corners_m: ArrayLike) -> Mesh:
    """Return loose four-sided facets [N, 4, 3], counter-clockwise seen from the side they face."""
    corners = np.asarray(corners_m, np.float64).reshape(-1, 4, 3)
    triangles = 4 * np.arange(len(corners))[:, None, None] + np.array([[0, 1, 2], [0, 2, 3]])
    return solid(corners.reshape(-1, 3), triangles.reshape(-1, 3))


def sheet(points_m: ArrayLike) -> Mesh:
    """Return the surface through a grid of points [R, C, 3]; it faces along (next column) x (next row)."""
    points = np.asarray(points_m, np.float64)
    rows, columns = points.shape[:2]
    return solid(points.reshape(-1, 3), grid_triangles(rows, columns))


def loft(rings_m: ArrayLike, caps: bool = True) -> Mesh:
    """Return the skin over closed rings [S, K, 3], with its two ends closed by fans about their centres (`caps`)."""
    rings = np.asarray(rings_m, np.float64)
    count, around = rings.shape[:2]
    point = np.arange(around)
    following = (point + 1) % around
    start = around * np.arange(count - 1)[:, None]
    here, onward = start + point, start + following
    faces = [np.stack((here, onward, onward + around), -1), np.stack((here, onward + around, here + around), -1)]
    vertices = rings.reshape(-1, 3)
    if caps:
        last = around * (count - 1)
        vertices = np.concatenate((vertices, rings[[0, -1]].mean(1)))
        faces.append(np.stack((following, point, np.full(around, len(vertices) - 2)), -1))
        faces.append(np.stack((last + point, last + following, np.full(around, len(vertices) - 1)), -1))
    return solid(vertices, np.concatenate([face.reshape(-1, 3) for face in faces]))


def prism(outline_m: ArrayLike, low_m: float, high_m: float) -> Mesh:
    """Return a plane outline [K, 2], counter-clockwise and without crossings, raised along z from low to high."""
    outline = np.asarray(outline_m, np.float64)
    count = len(outline)
    rings = [np.column_stack((outline, np.full(count, z))) for z in (low_m, high_m)]
    point = np.arange(count)
    following = (point + 1) % count
    lid = triangulated(outline)
    wall = np.concatenate(
        (np.stack((point, following, following + count), -1), np.stack((point, following + count, point + count), -1))
    )
    return solid(np.concatenate(rings), np.concatenate((lid[:, ::-1], lid + count, wall)))


def triangulated(outline_m: Floats) -> Integers:
    """Cut a simple polygon [K, 2], counter-clockwise, into K - 2 triangles by clipping ears (Meisters 1975)."""
    left = list(range(len(outline_m)))
    triangles = []
    while len(left) > 3:
        for k in range(len(left)):
            ear = [left[k - 1], left[k], left[(k + 1) % len(left)]]
            if _is_ear(outline_m, ear, left):
                triangles.append(ear)
                del left[k]
                break
        else:
            raise SceneError("an outline must run counter-clockwise and must not cross itself")
    return np.array([*triangles, left])


def _is_ear(outline_m: Floats, ear: list[int], left: list[int]) -> bool:
    corners = outline_m[ear]
    if _turn(corners[0], corners[1], corners[2]) <= 0:
        return False
    others = outline_m[[k for k in left if k not in ear]]
    inside = np.all([_turn(corners[k], corners[(k + 1) % 3], others) >= 0 for k in range(3)], axis=0)
    return not inside.any()


def _turn(a: Floats, b: Floats, c: Floats) -> Floats:
    """Return twice the signed area of triangles a, b, c; positive if they turn left."""
    ab, ac = b - a, c - a
    return np.asarray(ab[..., 0] * ac[..., 1] - ab[..., 1] * ac[..., 0])


def turned(profile_m: ArrayLike, sides: int) -> Mesh:
    """Return a profile of (radius, z), which runs up the outside, turned about z; from radius 0 to 0 it is closed."""
    profile = np.asarray(profile_m, np.float64)
    return loft(
        profile[:, :1, None] * _circle(sides) + profile[:, 1, None, None] * np.array([0.0, 0.0, 1.0]), caps=False
    )


def tube(path_m: ArrayLike, radius_m: ArrayLike, sides: int) -> Mesh:
    """Return a closed round bar along a path [S, 3], with a radius per point or one for all."""
    path = np.asarray(path_m, np.float64)
    radii = np.broadcast_to(np.asarray(radius_m, np.float64), len(path))
    return loft(path[:, None] + radii[:, None, None] * (_circle(sides) @ _frames(path)), caps=True)


def _circle(sides: int) -> Floats:
    angle = np.arange(sides) * (2 * np.pi / sides)
    return np.stack((np.cos(angle), np.sin(angle), np.zeros(sides)), -1)


def _frames(path_m: Floats) -> Floats:
    """Return axes [S, 3 (side, up, along), 3] on a path, turned as little as possible from point to point."""
    along = np.gradient(path_m, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    side = np.empty_like(along)
    guess = np.eye(3)[np.argmin(np.abs(along[0]))]
    for k, axis in enumerate(along):
        guess = guess - axis * (guess @ axis)
        guess /= np.sqrt(guess @ guess)
        side[k] = guess
    return np.stack((side, np.cross(along, side), along), 1)


def join(meshes: Iterable[Mesh]) -> Mesh:
    """Return all meshes as one; normals and texture coordinates are left behind."""
    pieces = list(meshes)
    starts = np.cumsum([0, *(len(piece.vertices_m) for piece in pieces)])
    triangles = [piece.triangles + start for piece, start in zip(pieces, starts, strict=False)]
    return Mesh(np.concatenate([piece.vertices_m for piece in pieces]), np.concatenate(triangles).astype(np.int32))


def shifted(mesh: Mesh, x_m: float = 0.0, y_m: float = 0.0, z_m: float = 0.0) -> Mesh:
    """Return the mesh at another place."""
    return Mesh(mesh.vertices_m + np.array([x_m, y_m, z_m]), mesh.triangles)


def turned_to(mesh: Mesh, axes: Sequence[Sequence[float]]) -> Mesh:
    """Return the mesh with its axes x, y, z laid along three others, which must be right-handed."""
    return Mesh(mesh.vertices_m @ np.asarray(axes, np.float64), mesh.triangles)


def mirrored(mesh: Mesh) -> Mesh:
    """Return the mesh mirrored from left to right (y becomes -y), still facing outward."""
    return Mesh(mesh.vertices_m * np.array([1.0, -1.0, 1.0]), mesh.triangles[:, ::-1])


def both_sides(mesh: Mesh) -> Mesh:
    """Return the mesh together with its mirror image."""
    return join((mesh, mirrored(mesh)))


def solid(vertices_m: Floats, triangles: Integers) -> Mesh:
    """Return the mesh without triangles that have no area and without vertices that no triangle uses."""
    a, b, c = (vertices_m[triangles[:, k]] for k in range(3))
    kept = triangles[np.linalg.norm(np.cross(b - a, c - a), axis=1) > 2 * SMALLEST_AREA_M2]
    used = np.zeros(len(vertices_m), bool)
    used[kept] = True
    return Mesh(vertices_m[used], (np.cumsum(used) - 1)[kept].astype(np.int32))
