"""What every format comes down to: pieces of geometry under named nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sensorium.core.errors import SceneError
from sensorium.scene.importing.findings import Findings
from sensorium.scene.mesh import Mesh

Floats = NDArray[np.float64]

THINNEST = 1e-8
"""A triangle whose height is less than this part of its longest edge has no area: its normal would be mere rounding."""


@dataclass(frozen=True, eq=False)
class Piece:
    """Triangles of one material under one node, in the node's frame."""

    name: str
    node: str
    T_file_node: Floats
    """[4, 4], may scale and mirror."""
    vertices: Floats
    """[V, 3] in units of the file."""
    triangles: NDArray[Any]
    """[T, 3]"""
    normals: Floats | None = None
    uv: Floats | None = None
    material: str | None = None
    """Name of the material in the file."""
    image: Any = None
    """Texture as an image of Pillow, not yet decoded."""

    def checked(self, findings: Findings) -> Piece:
        """Return the piece as arrays that make sense; an error names the first vertex or triangle that does not."""
        where = f"part '{self.name}'"
        vertices, triangles = np.asarray(self.vertices, np.float64), np.asarray(self.triangles)
        if vertices.ndim != 2 or vertices.shape[1] != 3 or triangles.ndim != 2 or triangles.shape[1] != 3:
            raise findings.error(
                where, f"expected vertices [V, 3] and triangles [T, 3], found {vertices.shape} and {triangles.shape}"
            )
        if triangles.dtype.kind not in "iu":
            raise findings.error(where, f"the corners of triangles must be whole numbers, found {triangles.dtype}")
        if not np.isfinite(self.T_file_node).all():
            raise findings.error(where, f"the transform of node '{self.node}' is not finite")
        if not np.isfinite(vertices).all():
            bad = int(np.flatnonzero(~np.isfinite(vertices).all(1))[0])
            raise findings.error(where, f"vertex {bad} is not finite: {vertices[bad].tolist()}")
        outside = ((triangles < 0) | (triangles >= len(vertices))).any(1)
        if outside.any():
            bad = int(np.flatnonzero(outside)[0])
            raise findings.error(
                where, f"triangle {bad} names the vertices {triangles[bad].tolist()}, but there are {len(vertices)}"
            )
        normals, uv = _usable(self.normals, len(vertices), 3), _usable(self.uv, len(vertices), 2)
        return Piece(
            self.name,
            self.node,
            np.asarray(self.T_file_node, np.float64),
            vertices,
            triangles.astype(np.int32),
            normals,
            uv,
            self.material,
            self.image,
        )

    def mesh(self, linear: Floats, offset_m: Floats, findings: Findings) -> Mesh:
        """Return the mesh moved by x -> linear x + offset, outward again if that mirrors, without empty triangles."""
        with np.errstate(over="ignore", invalid="ignore"):  # what overflows is refused by the mesh
            vertices = self.vertices @ linear.T + offset_m
        mirrored = np.linalg.det(linear) < 0
        triangles = self.triangles[:, ::-1] if mirrored else self.triangles
        filled = _has_area(vertices, triangles)
        if not filled.all():
            findings.note(
                f"dropped {int((~filled).sum())} of {len(filled)} triangles of part '{self.name}', which have no area"
            )
        normals = None if self.normals is None else _turned(self.normals, linear)
        used, triangles = _used(triangles[filled], len(vertices))
        try:
            return Mesh(vertices[used], triangles, *(None if a is None else a[used] for a in (normals, self.uv)))
        except SceneError as error:
            raise findings.error(f"part '{self.name}'", error) from None


def _used(triangles: NDArray[np.int32], count: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the vertices that triangles need and the triangles on them; pieces of a file may share one array."""
    needed = np.zeros(count, bool)
    needed[triangles] = True
    place = np.cumsum(needed, dtype=np.int32) - np.int32(1)
    return np.flatnonzero(needed), place[triangles]


def _usable(values: Floats | None, count: int, width: int) -> Floats | None:
    """Return what belongs to vertices if it is complete and finite; else nothing: the surface is then flat or plain."""
    if values is None:
        return None
    array = np.asarray(values, np.float64)
    return array if array.shape == (count, width) and np.isfinite(array).all() else None


def _has_area(vertices: Floats, triangles: NDArray[np.int32]) -> NDArray[np.bool_]:
    a, b, c = (vertices[triangles[:, corner]] for corner in range(3))
    with np.errstate(over="ignore", invalid="ignore"):
        one, two, three = b - a, c - a, c - b
        longest = np.maximum.reduce([np.einsum("tk,tk->t", edge, edge) for edge in (one, two, three)])
        twice_area = [one[:, i] * two[:, j] - one[:, j] * two[:, i] for i, j in ((0, 1), (1, 2), (2, 0))]
        return np.asarray(np.sqrt(sum(part * part for part in twice_area)) > THINNEST * longest)


def _turned(normals: Floats, linear: Floats) -> Floats | None:
    """Return unit normals moved by the inverse transpose; nothing if one of them has no length or the map is flat."""
    if np.linalg.det(linear) == 0:
        return None
    turned = normals @ np.linalg.inv(linear) * np.sign(np.linalg.det(linear))
    length = np.linalg.norm(turned, axis=-1, keepdims=True)
    return np.asarray(turned / length) if (length > 0).all() else None
