"""Shapes against the formulas of the true bodies, within the depth of their facets."""

import math

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from sensorium.core.errors import ConfigurationError, SceneError
from sensorium.scene.shapes import AnyShape, Box, Capsule, Cone, Cylinder, Plane, Sphere

SOLIDS = [
    Box(size_m=(1.0, 2.0, 3.0)),
    Sphere(radius_m=0.7),
    Cylinder(radius_m=0.5, height_m=2.0),
    Cone(radius_m=0.5, height_m=2.0),
    Cone(radius_m=0.5, top_radius_m=0.2, height_m=0.3),
    Cone(radius_m=0.1, top_radius_m=0.4, height_m=0.3),
    Capsule(radius_m=0.3, length_m=1.1),
]
sizes = st.floats(0.01, 50)
facets = st.one_of(st.none(), st.floats(0.002, 0.2))


def volume_and_area(shape, shrink=0.0):
    """Closed forms of the body whose round radii are smaller by `shrink`."""
    if isinstance(shape, Box):
        x, y, z = shape.size_m
        return x * y * z, 2 * (x * y + y * z + z * x)
    if isinstance(shape, Sphere):
        r = shape.radius_m - shrink
        return 4 / 3 * math.pi * r**3, 4 * math.pi * r**2
    if isinstance(shape, Cylinder):
        r, h = shape.radius_m - shrink, shape.height_m
        return math.pi * r**2 * h, 2 * math.pi * r * (r + h)
    if isinstance(shape, Capsule):
        r, h = shape.radius_m - shrink, shape.length_m
        return math.pi * r**2 * h + 4 / 3 * math.pi * r**3, 2 * math.pi * r * h + 4 * math.pi * r**2
    part = 1 - shrink / max(shape.radius_m, shape.top_radius_m)
    r0, r1, h = shape.radius_m * part, shape.top_radius_m * part, shape.height_m
    wall = math.pi * (r0 + r1) * math.hypot(h, r0 - r1)
    return math.pi * h / 3 * (r0**2 + r0 * r1 + r1**2), wall + math.pi * (r0**2 + r1**2)


def facet_of(shape):
    """The depth of facets that the shape promises: 0.1 % of r, at most 1 mm, or 0.01 % of r beyond 10 m."""
    if isinstance(shape, Box):
        return 0.0
    radius = max(shape.radius_m, getattr(shape, "top_radius_m", 0.0))
    default = radius / 1000 if radius < 1 else 1e-3 if radius < 10 else radius / 10_000
    return default if shape.facet_m is None else min(shape.facet_m, radius)


def judged(mesh):
    """The mesh in the eyes of trimesh, corners at the very same place made one vertex."""
    vertices, place = np.unique(mesh.vertices_m, axis=0, return_inverse=True)
    return trimesh.Trimesh(vertices, place.reshape(-1)[mesh.triangles], process=False)


@pytest.mark.parametrize("shape", SOLIDS, ids=lambda shape: shape.type)
def test_solids_are_watertight_and_face_outwards(shape):
    """Every edge belongs to two triangles that run along it in opposite directions; sum of v.(a x b)/6 > 0."""
    mesh = judged(shape.mesh())
    assert mesh.is_watertight
    assert mesh.is_winding_consistent
    assert mesh.volume > 0


def check_measures(shape):
    """An inscribed convex body between the true one and the one smaller by the facet's depth has measures between."""
    facet, mesh = facet_of(shape), shape.mesh()
    corners = mesh.corners_m()
    volume = np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1).sum() / 2
    for found, least, most in zip((volume, area), volume_and_area(shape, facet), volume_and_area(shape), strict=True):
        assert least * (1 - 1e-9) <= found <= most * (1 + 1e-9)


@pytest.mark.parametrize("shape", SOLIDS, ids=lambda shape: shape.type)
def test_volume_and_area(shape):
    """V and A lie between the closed forms with radius r - facet and with r: convex bodies inside one another."""
    check_measures(shape)


@settings(max_examples=40, deadline=None)
@given(sizes, sizes, facets)
def test_volume_and_area_of_any_size(radius, length, part):
    """The same for any radius, length and facet (a part of the radius)."""
    facet = None if part is None else part * radius
    for shape in (
        Sphere(radius_m=radius, facet_m=facet),
        Cylinder(radius_m=radius, height_m=length, facet_m=facet),
        Capsule(radius_m=radius, length_m=length, facet_m=facet),
        Cone(radius_m=radius, height_m=length, facet_m=facet),
    ):
        check_measures(shape)


@pytest.mark.parametrize("facet", [None, 0.05, 0.002])
def test_facets_of_a_sphere_lie_within_the_promised_depth(facet):
    """Points of all triangles are between r - facet and r from the centre, and some are deeper than half of it."""
    shape = Sphere(radius_m=2.0, facet_m=facet)
    weights = np.random.default_rng(1).dirichlet((1, 1, 1), 40)
    points = np.einsum("kc,tcx->tkx", weights, shape.mesh().corners_m())
    distance = np.linalg.norm(points, axis=-1)
    assert distance.max() <= 2.0 * (1 + 1e-12)
    assert 2.0 - facet_of(shape) <= distance.min() < 2.0 - facet_of(shape) / 2


def test_normals_are_those_of_the_true_surface():
    """Sphere: v/r. Capsule: away from the axis' segment. Cylinder: away from the axis, or along z on the discs."""
    ball = Sphere(radius_m=0.7).mesh()
    np.testing.assert_allclose(ball.normals, ball.vertices_m / 0.7, atol=1e-12)
    capsule = Capsule(radius_m=0.3, length_m=1.0).mesh()
    axis = np.zeros_like(capsule.vertices_m)
    axis[:, 2] = np.clip(capsule.vertices_m[:, 2], -0.5, 0.5)
    np.testing.assert_allclose(capsule.normals, (capsule.vertices_m - axis) / 0.3, atol=1e-12)
    drum = Cylinder(radius_m=0.5, height_m=2.0).mesh()
    flat = np.abs(drum.normals[:, 2]) == 1
    np.testing.assert_allclose(drum.normals[~flat], drum.vertices_m[~flat] * (2, 2, 0), atol=1e-12)
    np.testing.assert_allclose(drum.normals[flat, 2], drum.vertices_m[flat, 2])
    cone = Cone(radius_m=0.3, height_m=0.4).mesh()
    wall = np.abs(cone.normals[:, 2]) < 1
    np.testing.assert_allclose(cone.normals[wall, 2], 0.6, atol=1e-12)  # half angle: tan = 3/4, so n_z = 3/5
    assert Box(size_m=(1, 1, 1)).mesh().normals is None


@pytest.mark.parametrize("shape", [*SOLIDS, Plane(size_m=(2.0, 3.0))], ids=lambda shape: shape.type)
def test_textures_are_whole_and_not_mirrored(shape):
    """0 <= uv <= 1, and seen from outside no triangle has a negative area in the texture."""
    mesh = shape.mesh()
    assert mesh.uv.min() >= 0
    assert mesh.uv.max() <= 1
    a, b, c = np.moveaxis(mesh.uv[mesh.triangles], 1, 0)
    turn = (b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]
    assert (turn > 0).all()


def test_textures_stand_upright_on_walls():
    """On the sides of a box and on the wall of a drum v grows with z alone."""
    for mesh in (Box(size_m=(1.0, 2.0, 3.0)).mesh(), Cylinder(radius_m=0.5, height_m=3.0).mesh()):
        a, b, c = np.moveaxis(mesh.corners_m(), 1, 0)
        wall = np.abs(np.cross(b - a, c - a)[:, 2]) < 1e-9
        assert wall.any()
        corners = mesh.triangles[wall]
        np.testing.assert_allclose(mesh.uv[corners, 1], mesh.vertices_m[corners, 2] / 3 + 0.5, atol=1e-12)


def test_shapes_are_centred():
    """The box round every shape has its middle at the origin."""
    for shape in SOLIDS:
        low, high = shape.mesh().bounds_m()
        np.testing.assert_allclose(low, -high, atol=1e-12)


def test_plane_faces_up():
    """Area x y; every triangle's normal is +z."""
    corners = Plane(size_m=(2.0, 3.0)).mesh().corners_m()
    double = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    np.testing.assert_allclose(double, [[0, 0, 6], [0, 0, 6]])


def test_documents_name_shapes_by_type():
    """A document with a type makes the shape, units at the door; a finer facet than 4096 segments is refused."""
    shape = TypeAdapter(AnyShape).validate_python({"type": "capsule", "radius_m": "30 cm", "length_m": "1 m"})
    assert shape == Capsule(radius_m=0.3, length_m=1.0)
    with pytest.raises(ConfigurationError, match="radius_m"):
        Sphere(radius_m=-1.0)
    with pytest.raises(SceneError, match="more than 4096 segments"):
        Sphere(radius_m=1.0, facet_m=1e-9).mesh()
