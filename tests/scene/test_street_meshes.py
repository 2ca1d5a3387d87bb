"""Meshes that the street is made of, against closed formulas and the eyes of another library."""

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st

from sensorium.core.errors import SceneError
from sensorium.scene.street.car_shell import shell
from sensorium.scene.street.cars import SHAPES, car_model, ego_model
from sensorium.scene.street.extrusion import (
    both_sides,
    boxes,
    join,
    loft,
    mirrored,
    prism,
    sheet,
    triangulated,
    tube,
    turned,
    turned_to,
)
from sensorium.scene.street.facade import REVEAL_M, Facade, evenly, openings
from sensorium.scene.street.figures import FIGURES, person_model
from sensorium.scene.street.roofs import flat_roof, gable_roof, hip_roof


def judged(mesh):
    """The mesh in the eyes of trimesh, vertices at one place made one."""
    other = trimesh.Trimesh(mesh.vertices_m, mesh.triangles, process=False)
    other.merge_vertices(digits_vertex=9)
    return other


def assert_solid(mesh, volume_m3):
    """Closed, facing outward, of this volume."""
    found = judged(mesh)
    assert found.is_watertight
    assert found.is_winding_consistent
    assert found.volume == pytest.approx(volume_m3, rel=1e-9)


def test_boxes():
    """Volumes add up; a box turned inside out is refused."""
    assert_solid(boxes([(0, 0, 0), (5, 0, 0)], [(1, 2, 3), (6, 1, 1)]), 7.0)
    with pytest.raises(SceneError, match="highest corner"):
        boxes((0, 0, 0), (1, -1, 1))


@given(st.lists(st.floats(0.3, 3.0), min_size=3, max_size=24), st.floats(0, 6.2))
@settings(max_examples=60)
def test_polygons_are_triangulated(radii, start):
    """A star-shaped outline of K points gives K - 2 triangles that turn left and cover its area (shoelace formula)."""
    angle = start + np.arange(len(radii)) * (2 * np.pi / len(radii))
    outline = np.array(radii)[:, None] * np.column_stack((np.cos(angle), np.sin(angle)))
    triangles = triangulated(outline)
    a, b, c = outline[triangles].swapaxes(0, 1)
    areas = ((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]) / 2
    x, y = outline.T
    assert len(triangles) == len(radii) - 2
    assert (areas > -1e-12).all()
    assert areas.sum() == pytest.approx((x * np.roll(y, -1) - np.roll(x, -1) * y).sum() / 2, rel=1e-9)


def test_clockwise_outlines_are_refused():
    """An outline the wrong way round is refused."""
    with pytest.raises(SceneError, match="counter-clockwise"):
        triangulated(np.array([(0, 0), (0, 1), (1, 1), (1, 0)], float))


def test_prism():
    """Volume = area x height, also of an outline that is not convex: an L of 3 squares."""
    assert_solid(prism([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)], -0.5, 1.5), 6.0)


def test_turned():
    """A cone of n sides has the volume n/2 sin(2 pi/n) r^2 h/3; a ring by Pappus: the section's area times its way."""
    n = 16
    assert_solid(turned([(0, 0), (2, 0), (0, 3)], n), n / 2 * np.sin(2 * np.pi / n) * 4 * 3 / 3)
    square = [(1.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0), (1.0, 0.0)]
    assert_solid(turned(square, n), n / 2 * np.sin(2 * np.pi / n) * (4 - 1) * 1)


def test_tube():
    """A straight tube is a prism with n sides; a bent one is closed too."""
    n = 10
    straight = tube([(0, 0, 0), (1, 2, 2), (2, 4, 4)], 0.3, n)
    assert_solid(straight, n / 2 * np.sin(2 * np.pi / n) * 0.09 * 6)
    bent = judged(tube([(0, 0, 0), (0, 0, 1), (0.5, 0, 1.5), (0.5, 0.7, 1.5)], [0.2, 0.15, 0.1, 0.05], n))
    assert bent.is_watertight
    assert bent.volume > 0


def test_loft_to_a_point_leaves_no_empty_triangles():
    """A pyramid from a square ring to a ring of one place has 4 + 4 triangles and a third of the box's volume."""
    square = np.array([(1, 1, 0), (-1, 1, 0), (-1, -1, 0), (1, -1, 0)], float)
    pyramid = loft([square, np.tile([0.0, 0, 3], (4, 1))])
    assert len(pyramid.triangles) == 8
    assert_solid(pyramid, 4.0)


def test_mirrored_and_turned_stay_outward():
    """Mirroring and laying along other axes keep volume and sense."""
    wedge = prism([(0, 0), (2, 0), (0, 1)], 0, 1)
    assert_solid(mirrored(wedge), 1.0)
    assert_solid(turned_to(wedge, ((0, 1, 0), (0, 0, 1), (1, 0, 0))), 1.0)
    assert judged(both_sides(boxes((0, 1, 0), (1, 2, 1)))).volume == pytest.approx(2.0)
    assert turned_to(wedge, ((0, 1, 0), (0, 0, 1), (1, 0, 0))).bounds_m()[1] == pytest.approx([1, 2, 1])


def test_sheet_faces_along_column_times_row():
    """Columns along x and rows along y face up."""
    y, x = np.meshgrid([0.0, 1, 2], [0.0, 3], indexing="ij")
    a, b, c = sheet(np.stack((x, y, 0 * x), -1)).corners_m().swapaxes(0, 1)
    normal = np.cross(b - a, c - a)
    assert (normal[:, 2] > 0).all()
    assert normal[:, 2].sum() / 2 == pytest.approx(6.0)


@given(st.floats(3, 20), st.integers(1, 4))
@settings(max_examples=25)
def test_facade(width, storeys):
    """Wall area = rectangle - openings + reveals; frame and glass fill the opening; frames are closed."""
    middles = evenly(width, 2.0)
    windows = np.concatenate([openings(middles, 1 + 3.0 * k, 1.2, 1.4) for k in range(storeys)])
    meshes = Facade(width, 0.0, 3.2 * storeys, windows).meshes()
    hole, rim = 1.2 * 1.4 * len(windows), 2 * (1.2 + 1.4) * REVEAL_M * len(windows)
    assert judged(meshes["walls"]).area == pytest.approx(width * 3.2 * storeys - hole + rim, rel=1e-9)
    front = meshes["frames"].vertices_m[meshes["frames"].triangles]
    assert judged(meshes["frames"]).is_watertight
    assert judged(meshes["panes"]).area == pytest.approx((1.2 - 0.14) * (1.4 - 0.14) * len(windows), rel=1e-9)
    assert front[..., 0].max() < 0
    assert front[..., 0].min() < meshes["panes"].vertices_m[:, 0].min() < front[..., 0].max()
    assert front[..., 0].min() == pytest.approx(-REVEAL_M)


def test_facade_and_fillings_face_outward():
    """Seen from outside, from x = 5 along -x, the first thing met everywhere on a facade faces the viewer."""
    door = openings(np.array([0.0]), 0.3, 1.0, 2.1)
    meshes = Facade(9.0, 0.0, 6.0, openings(np.array([-3.0, 3.0]), 1.2, 1.25, 1.35), door).meshes()
    whole = join(meshes.values())
    y, z = np.meshgrid(np.linspace(-4.45, 4.45, 90), np.linspace(0.03, 5.95, 60))
    origin = np.column_stack((np.full(y.size, 5.0), y.ravel(), z.ravel()))
    normal = first_normals(whole, origin, np.tile([-1.0, 0, 0], (y.size, 1)))
    assert (normal[:, 0] > 0.99).all()


def first_normals(mesh, origin, direction):
    """Unit normals of the first triangles that rays meet, by Moeller and Trumbore's formula on all pairs."""
    a, b, c = mesh.corners_m().swapaxes(0, 1)
    e1, e2 = b - a, c - a
    nearest, found = np.full(len(origin), np.inf), np.full((len(origin), 3), np.nan)
    for v0, s1, s2 in zip(a, e1, e2, strict=True):
        p = np.cross(direction, s2)
        det = p @ s1
        with np.errstate(divide="ignore", invalid="ignore"):
            t0 = origin - v0
            u = (t0 * p).sum(1) / det
            q = np.cross(t0, s1)
            v, t = (direction * q).sum(1) / det, q @ s2 / det
            hit = (np.abs(det) > 1e-12) & (u >= 0) & (v >= 0) & (u + v <= 1) & (t > 0) & (t < nearest)
        nearest[hit], found[hit] = t[hit], np.cross(s1, s2) / np.linalg.norm(np.cross(s1, s2))
    return found


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_car_shells_are_closed(shape):
    """Paint, glass, lights and underbody together are one closed skin, the same on both sides, of a car's volume."""
    pieces = shell(shape)
    found = judged(join(pieces.values()))
    low, high = found.bounds
    assert found.is_watertight
    assert found.is_winding_consistent
    assert found.volume / np.prod(high - low) == pytest.approx(0.68, abs=0.09)
    assert low[1] == -high[1]
    assert set(pieces) >= {"paint", "windows", "windscreens", "headlights", "tail_lights", "underbody"}


@pytest.mark.parametrize(
    "model", [*(car_model(shape, "car_paint_red") for shape in SHAPES), ego_model()], ids=lambda m: m.name
)
def test_cars_have_the_measures_of_cars(model):
    """Length 4 to 5.2 m, width without mirrors 1.7 to 2 m, four tyres that touch the ground under the axles."""
    tyres = next(part.mesh for part in model.parts if part.name == "tyres").vertices_m
    skin = next(part.mesh for part in model.parts if part.name == "underbody").vertices_m
    low, high = model.bounds_m
    touching = tyres[tyres[:, 2] < 1e-9]
    assert 4 < high[0] - low[0] < 5.2
    assert 1.7 < 2 * skin[:, 1].max() < 2
    assert {(round(x, 6) == 0, y > 0) for x, y, _ in touching} == {(a, b) for a in (True, False) for b in (True, False)}
    for name in ("tyres", "rims", "seats", "handles", "licence_plates", "mirror_glass"):
        part = judged(next(part.mesh for part in model.parts if part.name == name))
        assert part.is_watertight, name
        assert part.volume > 0, name


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.name)
def test_people_have_the_measures_of_people(figure):
    """Height within 3 %, a volume of 0.04 to 0.14 m^3 (parts overlap), closed parts, a step as the legs allow."""
    model = person_model(figure)
    low, high = model.bounds_m
    pieces = [judged(part.mesh) for part in model.parts]
    assert all(piece.is_watertight and piece.volume > 0 for piece in pieces)
    assert high[2] - low[2] == pytest.approx(figure.height_m, rel=0.03)
    assert 0.04 * (figure.height_m / 1.75) ** 3 < sum(piece.volume for piece in pieces) < 0.14
    legs = high[0] - low[0]
    assert legs < 1.3
    assert (legs > 0.6) == (figure.stride_rad != 0)


@pytest.mark.parametrize("towards_road", [True, False])
def test_gable_roof(towards_road):
    """Slabs of 0.2 m, measured upward, over the plan with its overhangs; gables fill the triangles under them."""
    depth, width, high, pitch = 9.0, 11.0, 5.0, np.radians(40)
    roof = gable_roof(depth, width, high, pitch, towards_road)
    span, run = (width, depth) if towards_road else (depth, width)
    assert judged(roof.covering).volume == pytest.approx((span + 2 * 0.45) * (run + 2 * 0.25) * 0.2, rel=1e-9)
    assert judged(roof.walls).area == pytest.approx(2 * span / 2 * np.tan(pitch) * span / 2, rel=1e-9)
    assert roof.covering.bounds_m()[1][2] == pytest.approx(roof.top_m)
    assert roof.covering.vertices_m[:, 0].mean() == pytest.approx(-depth / 2)
    ends = roof.walls.bounds_m()
    assert (ends[0][:2], ends[1][:2]) == (pytest.approx([-depth, -width / 2]), pytest.approx([0, width / 2]))


def test_hip_and_flat_roofs_are_closed():
    """Covering and parapet are solids that face outward; a wedge of base a x b, ridge c has b h (2 a + c) / 6."""
    for depth, width in ((9, 11), (11, 9), (9, 9)):
        roof = hip_roof(depth, width, 5, 0.5)
        a, b = max(depth, width) + 0.9, min(depth, width) + 0.9
        wedge = b * (b / 2 * np.tan(0.5)) * (2 * a + (a - b)) / 6
        assert_solid(roof.covering, 0.2 * a * b + wedge)
        assert roof.covering.bounds_m()[1][2] == pytest.approx(roof.top_m)
    flat = flat_roof(10, 15, 9)
    assert judged(flat.walls).volume == pytest.approx(0.5 * (10 * 15 - 9.5 * 14.5))
