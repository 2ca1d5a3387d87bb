"""Shapes by their measures: box, sphere, cylinder, cone, capsule, plane; and `AnyShape`, all that a document may name.

Round shapes are made of flat facets that lie at most `facet_m` below the true surface. Left out, it is 0.1 % of the
radius r, at most 1 mm, or 0.01 % beyond 10 m: min(r/1000, max(1 mm, r/10000)), which is 72 to 316 segments a turn.
"""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.units import NonNegativeMetres, PositiveMetres, Size3
from sensorium.scene.height_field import HeightField, HeightFile
from sensorium.scene.mesh import Mesh
from sensorium.scene.mesh_file import MeshFile
from sensorium.scene.revolution import Band, revolve, segments
from sensorium.scene.shape import Shape

__all__ = [
    "AnyShape",
    "Box",
    "Capsule",
    "Cone",
    "Cylinder",
    "HeightField",
    "HeightFile",
    "MeshFile",
    "Plane",
    "Shape",
    "Sphere",
]

_SQUARE = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])  # counter-clockwise from the lower left
_SQUARE_TRIANGLES = np.array([[0, 1, 2], [0, 2, 3]])
# each face of a box by its outward axis and the axis that runs to the right seen from outside; up = outward x right
_BOX_FACES = (
    ((1, 0, 0), (0, 1, 0)),
    ((-1, 0, 0), (0, -1, 0)),
    ((0, 1, 0), (-1, 0, 0)),
    ((0, -1, 0), (1, 0, 0)),
    ((0, 0, 1), (1, 0, 0)),
    ((0, 0, -1), (-1, 0, 0)),
)


@configured
class Box(Shape):
    """A cuboid with edges along the axes. Each face shows the whole texture, upright on the sides."""

    type: Literal["box"] = "box"
    size_m: Size3
    """Edge lengths along x, y, z."""

    def mesh(self) -> Mesh:
        """Return twelve flat triangles on 24 vertices, four per face."""
        faces = []
        for outward, right in np.array(_BOX_FACES, np.float64):
            up = np.cross(outward, right)
            faces.append(outward + _SQUARE[:, :1] * right + _SQUARE[:, 1:] * up)
        vertices = np.concatenate(faces) * (np.array(self.size_m) / 2)
        triangles = (4 * np.arange(6)[:, None, None] + _SQUARE_TRIANGLES).reshape(-1, 3)
        return Mesh(vertices, triangles.astype(np.int32), None, np.tile((_SQUARE + 1) / 2, (6, 1)))


@configured
class Sphere(Shape):
    """A sphere. Its texture is a map of the world: u longitude, v latitude."""

    type: Literal["sphere"] = "sphere"
    radius_m: PositiveMetres
    facet_m: PositiveMetres | None = None
    """Depth of the facets below the surface; default as stated above."""

    def mesh(self) -> Mesh:
        """Return trapezia between meridians and parallels with smooth normals."""
        count = segments(self.radius_m, self.facet_m, double_curved=True)
        return revolve((_rounded(self.radius_m, 0.0, count),), count)


@configured
class Cylinder(Shape):
    """An upright cylinder, closed by discs."""

    type: Literal["cylinder"] = "cylinder"
    radius_m: PositiveMetres
    height_m: PositiveMetres
    facet_m: PositiveMetres | None = None
    """Depth of the facets below the surface; default as stated above."""

    def mesh(self) -> Mesh:
        """Return a smooth wall and two flat discs."""
        count = segments(self.radius_m, self.facet_m, double_curved=False)
        return revolve(_frustum(self.radius_m, self.radius_m, self.height_m), count)


@configured
class Cone(Shape):
    """An upright cone, or the stump of one, closed by discs; its middle height is at the origin."""

    type: Literal["cone"] = "cone"
    radius_m: PositiveMetres
    """Radius at the bottom."""
    top_radius_m: NonNegativeMetres = 0.0
    height_m: PositiveMetres
    facet_m: PositiveMetres | None = None
    """Depth of the facets below the surface at the bottom; default as stated above."""

    def mesh(self) -> Mesh:
        """Return a smooth wall and a flat disc at each end that has one."""
        count = segments(max(self.radius_m, self.top_radius_m), self.facet_m, double_curved=False)
        return revolve(_frustum(self.radius_m, self.top_radius_m, self.height_m), count)


@configured
class Capsule(Shape):
    """An upright cylinder with a half sphere at each end, smooth throughout."""

    type: Literal["capsule"] = "capsule"
    radius_m: PositiveMetres
    length_m: PositiveMetres
    """Length of the straight part: the distance between the centres of the half spheres."""
    facet_m: PositiveMetres | None = None
    """Depth of the facets below the surface; default as stated above."""

    def mesh(self) -> Mesh:
        """Return one smooth surface of height length_m + 2 radius_m."""
        count = segments(self.radius_m, self.facet_m, double_curved=True)
        return revolve((_rounded(self.radius_m, self.length_m, count),), count)


@configured
class Plane(Shape):
    """A rectangle at z = 0 that faces up. It has one layer, and rays meet it from both sides."""

    type: Literal["plane"] = "plane"
    size_m: tuple[PositiveMetres, PositiveMetres]
    """Edge lengths along x and y."""

    def mesh(self) -> Mesh:
        """Return two triangles."""
        vertices = np.concatenate((_SQUARE * (np.array(self.size_m) / 2), np.zeros((4, 1))), 1)
        return Mesh(vertices, _SQUARE_TRIANGLES.astype(np.int32), None, (_SQUARE + 1) / 2)


def _rounded(radius_m: float, length_m: float, count: int) -> Band:
    """Return the profile of a sphere that is pulled apart at its equator by a length."""
    latitude = np.linspace(-np.pi / 2, np.pi / 2, count // 2 + 1)
    cosine, sine = np.cos(latitude), np.sin(latitude)
    cosine[[0, -1]] = 0.0
    shift = np.full_like(sine, length_m / 2)
    if length_m:  # the equator is needed twice: at the lower and at the upper end of the straight part
        middle = len(latitude) // 2
        cosine, sine = np.insert(cosine, middle, cosine[middle]), np.insert(sine, middle, sine[middle])
        shift = np.where(np.arange(len(sine)) <= middle, -length_m / 2, length_m / 2)
    z_m = radius_m * sine + shift
    way = np.concatenate(([0.0], np.cumsum(np.hypot(np.diff(radius_m * cosine), np.diff(z_m)))))
    return Band(radius_m * cosine, z_m, cosine, sine, way / way[-1])


def _frustum(bottom_m: float, top_m: float, height_m: float) -> tuple[Band, ...]:
    low, high = -height_m / 2, height_m / 2
    bands = (
        Band.straight((0.0, low), (bottom_m, low)),
        Band.straight((bottom_m, low), (top_m, high)),
        Band.straight((top_m, high), (0.0, high)) if top_m else None,
    )
    return tuple(band for band in bands if band is not None)


AnyShape = Annotated[
    Box | Sphere | Cylinder | Cone | Capsule | Plane | HeightField | HeightFile | MeshFile, Field(discriminator="type")
]
"""Every shape that a document may name by its `type`."""
