"""The geoms of a MuJoCo model as pieces of triangles, in the frame of their body."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sensorium.core.errors import SceneError
from sensorium.core.pose import Pose
from sensorium.scene.height_field import height_mesh
from sensorium.scene.importing.piece import Piece
from sensorium.scene.mesh import Mesh
from sensorium.scene.revolution import default_facet_m
from sensorium.scene.shapes import Box, Capsule, Cylinder, Plane, Sphere

Floats = NDArray[np.float64]
ENDLESS_M = 400.0
"""Edge of a plane that MuJoCo takes as endless."""
_PLANE, _HFIELD, _SPHERE, _CAPSULE, _ELLIPSOID, _CYLINDER, _BOX, _MESH = range(8)


def geom_piece(model: Any, number: int) -> Piece:
    """Return a geom as a piece of triangles in its body's frame."""
    geom = model.geom(number)
    pose = Pose(geom.pos.copy(), geom.quat.copy())
    frame = np.eye(4)
    frame[:3] = pose.matrix()[:3]
    body = model.body(int(geom.bodyid[0])).name
    name = geom.name or f"{body}_{number - int(model.body_geomadr[int(geom.bodyid[0])])}"
    mesh = _mesh(model, number)
    return Piece(
        name, body, frame, mesh.vertices_m, mesh.triangles, mesh.normals, mesh.uv, material_name(model, number)
    )


def material_name(model: Any, number: int) -> str | None:
    """Return the name of a geom's material; without one that of its texture or its mesh."""
    material = int(model.geom_matid[number])
    if material >= 0:
        name: str = model.material(material).name
        return name
    data = int(model.geom_dataid[number])
    if int(model.geom_type[number]) == _MESH and data >= 0:
        mesh_name: str = model.mesh(data).name
        return mesh_name
    return None


def texture_name(model: Any, number: int) -> str | None:
    """Return the name of the texture of a geom's material."""
    material = int(model.geom_matid[number])
    if material < 0:
        return None
    each = [int(texture) for texture in np.ravel(model.mat_texid[material]) if texture >= 0]
    return str(model.texture(each[0]).name) if each else None


def _mesh(model: Any, number: int) -> Mesh:
    kind, size = int(model.geom_type[number]), [float(x) for x in model.geom_size[number]]
    if kind == _PLANE:
        x, y = (2 * half if half > 0 else ENDLESS_M for half in size[:2])
        return Plane(size_m=(x, y)).mesh()
    if kind == _SPHERE:
        return Sphere(radius_m=size[0], facet_m=_facet_m(size[0])).mesh()
    if kind == _CAPSULE:
        return Capsule(radius_m=size[0], length_m=2 * size[1], facet_m=_facet_m(size[0])).mesh()
    if kind == _ELLIPSOID:
        return _ellipsoid(np.array(size))
    if kind == _CYLINDER:
        return Cylinder(radius_m=size[0], height_m=2 * size[1], facet_m=_facet_m(size[0])).mesh()
    if kind == _BOX:
        return Box(size_m=(2 * size[0], 2 * size[1], 2 * size[2])).mesh()
    if kind == _HFIELD:
        return _height_field(model, int(model.geom_dataid[number]))
    if kind == _MESH:
        return _triangles(model, int(model.geom_dataid[number]))
    raise SceneError(
        f"geom '{model.geom(number).name}' has the shape number {kind}, which has no surface that a sensor could see"
    )


def _facet_m(radius_m: float) -> float:
    """Return how far facets may lie below a round surface: as for shapes, but not finer than 0.2 mm."""
    return max(default_facet_m(radius_m), min(2e-4, radius_m / 50))


def _ellipsoid(half_m: Floats) -> Mesh:
    """Return a unit sphere stretched along the axes; its normals shrink by the same factors."""
    ball = Sphere(radius_m=1.0, facet_m=_facet_m(float(half_m.max())) / float(half_m.max())).mesh()
    assert ball.normals is not None, "a sphere is smooth"
    normals = ball.normals / half_m
    return Mesh(
        ball.vertices_m * half_m, ball.triangles, normals / np.linalg.norm(normals, axis=1, keepdims=True), ball.uv
    )


def _height_field(model: Any, number: int) -> Mesh:
    """Return heights 0..1 times the field's height; rows go from -y to +y, which is from the bottom of our map up."""
    rows, columns = int(model.hfield_nrow[number]), int(model.hfield_ncol[number])
    first = int(model.hfield_adr[number])
    half_x, half_y, top, _ = (float(x) for x in model.hfield_size[number])
    heights = model.hfield_data[first : first + rows * columns].reshape(rows, columns) * top
    grid = height_mesh(np.asarray(heights[::-1], np.float64), 1.0)
    stretch = np.array([2 * half_x / (columns - 1), 2 * half_y / (rows - 1), 1.0])
    assert grid.normals is not None, "a height field is smooth"
    normals = grid.normals / stretch
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return Mesh(grid.vertices_m * stretch, grid.triangles, normals, grid.uv)


def _triangles(model: Any, number: int) -> Mesh:
    first, count = int(model.mesh_vertadr[number]), int(model.mesh_vertnum[number])
    face, faces = int(model.mesh_faceadr[number]), int(model.mesh_facenum[number])
    vertices = np.asarray(model.mesh_vert[first : first + count], np.float64)
    return Mesh(vertices, np.asarray(model.mesh_face[face : face + faces], np.int32))
