"""What lies between the corners of triangles: smooth normals, texture coordinates and textures, as arrays for kernels.

Tracers answer with a triangle and a place in it; sensors that see pictures interpolate the rest here. Meshes without normals of
their own get smooth ones where neighbouring facets meet at less than 35 degrees, so that a body of facets looks round; the
geometry stays as it is.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sensorium.scene.body import Part, Texture
from sensorium.scene.mesh import Mesh
from sensorium.scene.scene import Scene

Floats32 = NDArray[np.float32]
CREASE_RAD = np.radians(35.0)


class Surfaces(NamedTuple):
    """Tables of all parts; meshes that parts share are stored once."""

    part_offset: NDArray[np.int32]
    """[bodies] global number of each body's first part."""
    first: NDArray[np.int64]
    """[parts] row of the part's first triangle in the tables below."""
    corner_m: Floats32
    """[T, 3, 3] corners in the body frame."""
    normal: Floats32
    """[T, 3, 3] unit normals at the corners, body frame."""
    uv: Floats32
    """[T, 3, 2] texture coordinates at the corners; 0 without."""
    texture: NDArray[np.int32]
    """[parts] number of the part's texture, -1 without."""
    texel: NDArray[np.uint8]
    """[N, 3] pixels of all textures, sRGB, one texture after the other."""
    texture_first: NDArray[np.int64]
    """[textures] first row in `texel`."""
    texture_size: NDArray[np.int32]
    """[textures, 2] rows and columns."""
    material: NDArray[np.int32]
    """[parts] row of the part's material."""
    flat: NDArray[np.bool_]
    """[parts] whether all normals are those of the facets."""


def surfaces_of(scene: Scene) -> Surfaces:
    """Return the tables of a scene; a broken texture is named in a warning and its part keeps its plain colour."""
    meshes: dict[int, int] = {}
    chosen: list[Mesh] = []
    first = np.zeros(len(scene.parts), np.int64)
    total = 0
    for number, part in enumerate(scene.parts):
        if id(part.mesh) not in meshes:
            meshes[id(part.mesh)] = total
            chosen.append(part.mesh)
            total += len(part.mesh.triangles)
        first[number] = meshes[id(part.mesh)]
    corner, normal, uv = np.empty((total, 3, 3), np.float32), np.empty((total, 3, 3), np.float32), None
    uv = np.zeros((total, 3, 2), np.float32)
    spans = [(meshes[id(mesh)], len(mesh.triangles)) for mesh in chosen]
    for mesh, (start, count) in zip(chosen, spans, strict=True):
        rows = slice(start, start + count)
        corner[rows], normal[rows] = mesh.corners_m(), corner_normals(mesh)
        if mesh.uv is not None:
            uv[rows] = mesh.uv[mesh.triangles]
    plane = {start: _is_flat(corner[start : start + count], normal[start : start + count]) for start, count in spans}
    flat = np.array([plane[start] for start in first.tolist()], np.bool_)
    numbers, textures = _textures(scene.parts)
    sizes = np.array([texture.pixels.shape[:2] for texture in textures], np.int32).reshape(-1, 2)
    texels = [np.ascontiguousarray(texture.pixels[..., :3]).reshape(-1, 3) for texture in textures]
    starts = np.concatenate(([0], np.cumsum([len(t) for t in texels], dtype=np.int64)))[:-1].astype(np.int64)
    return Surfaces(
        scene.part_offset, first, corner, normal, uv, numbers, np.concatenate([np.zeros((1, 3), np.uint8), *texels]),
        starts + 1, sizes, scene.part_material, flat,
    )  # fmt: skip


def _is_flat(corner: Floats32, normal: Floats32) -> bool:
    facet = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    length = np.linalg.norm(facet, axis=1, keepdims=True)
    return bool(
        (np.abs(normal - (facet / np.maximum(length, 1e-30))[:, None]).max(initial=0.0, where=length[:, None] > 0))
        < 1e-3
    )


def _textures(parts: Sequence[Part]) -> tuple[NDArray[np.int32], list[Texture]]:
    numbers, places, found = np.full(len(parts), -1, np.int32), dict[int, int](), list[Texture]()
    for number, part in enumerate(parts):
        texture = part.texture
        if texture is None:
            continue
        if id(texture) not in places:
            problem = _problem(texture, part.mesh)
            if problem:
                warnings.warn(
                    f"texture '{texture.name}' of part '{part.name}' {problem}; the part keeps its plain colour",
                    stacklevel=4,
                )
                places[id(texture)] = -1
            else:
                places[id(texture)] = len(found)
                found.append(texture)
        numbers[number] = places[id(texture)]
    return numbers, found


def _problem(texture: Texture, mesh: Mesh) -> str:
    """Return what is wrong with a texture, empty if nothing is."""
    pixels = texture.pixels
    if not isinstance(pixels, np.ndarray) or pixels.dtype != np.uint8 or pixels.ndim != 3:
        return "is no image [H, W, 3 or 4] of bytes"
    if pixels.shape[2] not in (3, 4) or 0 in pixels.shape:
        return f"has the shape {pixels.shape}, but must be [H, W, 3 or 4]"
    return "has no texture coordinates on its mesh" if mesh.uv is None else ""


def corner_normals(mesh: Mesh) -> Floats32:
    """Return unit normals at the corners of each triangle [T, 3, 3]: those of the mesh, or smooth ones."""
    from sensorium.scene import surface_kernels

    if not len(mesh.triangles):
        return np.zeros((0, 3, 3), np.float32)
    if mesh.normals is not None:
        return np.asarray(mesh.normals[mesh.triangles], np.float32)
    _, place = np.unique(np.round(mesh.vertices_m, 6), axis=0, return_inverse=True)
    corner = place.reshape(-1)[mesh.triangles].astype(np.int64)
    order = np.argsort(corner.ravel(), kind="stable")
    starts = np.concatenate(([0], np.cumsum(np.bincount(corner.ravel(), minlength=place.max() + 1))))
    return np.asarray(
        surface_kernels.smooth(mesh.vertices_m, mesh.triangles, corner, order, starts, float(np.cos(CREASE_RAD)))
    )
