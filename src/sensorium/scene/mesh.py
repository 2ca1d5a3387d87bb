"""A triangle mesh: the one form in which tracers see geometry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sensorium.core.errors import SceneError
from sensorium.core.pose import Pose

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Mesh:
    """Vertices [V, 3] in metres, triangles [T, 3] counter-clockwise seen from outside; normals and texture on request."""

    vertices_m: Floats
    triangles: NDArray[np.int32]
    normals: Floats | None = None
    """Unit vertex normals [V, 3] for smooth surfaces; None: flat facets."""
    uv: Floats | None = None
    """Texture coordinates [V, 2]."""

    def __post_init__(self) -> None:
        vertices = _own(self.vertices_m, np.float64)
        if (
            vertices.ndim != 2
            or vertices.shape[1] != 3
            or np.ndim(self.triangles) != 2
            or np.shape(self.triangles)[1] != 3
        ):
            shapes = f"{np.shape(self.vertices_m)} and {np.shape(self.triangles)}"
            raise SceneError(f"a mesh needs vertices [V, 3] and triangles [T, 3], found {shapes}")
        _check_finite("vertex", vertices)
        object.__setattr__(self, "vertices_m", vertices)
        object.__setattr__(self, "triangles", _checked_triangles(np.asarray(self.triangles), len(vertices)))
        for name, width in (("normals", 3), ("uv", 2)):
            given = getattr(self, name)
            if given is not None:
                extra = _own(given, np.float64)
                if extra.shape != (len(vertices), width):
                    raise SceneError(
                        f"{name} of the mesh must have shape {(len(vertices), width)}, found {extra.shape}"
                    )
                _check_finite(name, extra)
                object.__setattr__(self, name, extra)

    def moved(self, pose: Pose) -> Mesh:
        """Return the mesh in the outer frame of the pose."""
        normals = None if self.normals is None else pose.rotate(self.normals)
        return Mesh(pose.transform(self.vertices_m), self.triangles, normals, self.uv)

    def bounds_m(self) -> tuple[Floats, Floats]:
        """Return the lowest and the highest corner of the box around all triangles; both at the origin without any."""
        used = self.vertices_m[self.triangles.ravel()]
        return (used.min(0), used.max(0)) if len(used) else (np.zeros(3), np.zeros(3))

    def corners_m(self) -> Floats:
        """Return triangle corners [T, 3, 3]."""
        return np.asarray(self.vertices_m[self.triangles])


def _own(values: NDArray[Any], kind: type) -> NDArray[Any]:
    """Return an array that nobody else can write to, so that a frozen mesh stays as it is."""
    array: NDArray[Any] = np.array(values, kind, order="C")
    array.flags.writeable = False
    return array


def _check_finite(what: str, values: Floats) -> None:
    bad = np.flatnonzero(~np.isfinite(values).all(1))
    if len(bad):
        raise SceneError(f"{what} {bad[0]} of the mesh is not finite: {values[bad[0]]}")


def _checked_triangles(triangles: NDArray[Any], vertices: int) -> NDArray[np.int32]:
    if triangles.dtype.kind not in "iu" and triangles.size:
        raise SceneError(f"triangles of a mesh are whole numbers of vertices, found {triangles.dtype}")
    outside = (triangles < 0) | (triangles >= vertices)
    if outside.any():
        row, column = np.argwhere(outside)[0]
        raise SceneError(f"triangle {row} names vertex {triangles[row, column]}, but the mesh has {vertices} vertices")
    return _own(triangles, np.int32)
