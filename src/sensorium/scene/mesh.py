"""A triangle mesh: the one form in which tracers see geometry."""

from __future__ import annotations

from dataclasses import dataclass

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
        vertices = np.ascontiguousarray(self.vertices_m, np.float64)
        triangles = np.ascontiguousarray(self.triangles, np.int32)
        if vertices.ndim != 2 or vertices.shape[1] != 3 or triangles.ndim != 2 or triangles.shape[1] != 3:
            raise SceneError(f"a mesh needs vertices [V, 3] and triangles [T, 3], found {vertices.shape} and {triangles.shape}")
        if not np.isfinite(vertices).all():
            bad = int(np.flatnonzero(~np.isfinite(vertices).all(1))[0])
            raise SceneError(f"vertex {bad} of the mesh is not finite: {vertices[bad]}")
        outside = (triangles < 0) | (triangles >= len(vertices))
        if outside.any():
            bad = int(np.flatnonzero(outside.any(1))[0])
            raise SceneError(f"triangle {bad} names vertex {triangles[bad].max()}, but the mesh has {len(vertices)} vertices")
        for name, width in (("normals", 3), ("uv", 2)):
            extra = getattr(self, name)
            if extra is not None:
                extra = np.ascontiguousarray(extra, np.float64)
                if extra.shape != (len(vertices), width):
                    raise SceneError(f"{name} of the mesh must have shape {(len(vertices), width)}, found {extra.shape}")
                object.__setattr__(self, name, extra)
        object.__setattr__(self, "vertices_m", vertices)
        object.__setattr__(self, "triangles", triangles)

    def moved(self, pose: Pose) -> Mesh:
        """Return the mesh in the outer frame of the pose."""
        normals = None if self.normals is None else pose.rotate(self.normals)
        return Mesh(pose.transform(self.vertices_m), self.triangles, normals, self.uv)

    def bounds_m(self) -> tuple[Floats, Floats]:
        """Return the lowest and the highest corner of the axis-aligned box around the mesh."""
        if not len(self.vertices_m):
            return np.zeros(3), np.zeros(3)
        return self.vertices_m.min(0), self.vertices_m.max(0)

    def corners_m(self) -> Floats:
        """Return triangle corners [T, 3, 3]."""
        return np.asarray(self.vertices_m[self.triangles])
