"""The street as a whole: the same for the same seed, clean meshes, everything in its place."""

import subprocess
import sys
import time

import numpy as np
import pytest

from sensorium.core.errors import ConfigurationError, SceneError
from sensorium.materials.library import MaterialLibrary
from sensorium.scene.street import Street
from sensorium.scene.street.cars import PAINTS, SHAPES, car_model
from sensorium.scene.street.extrusion import SMALLEST_AREA_M2
from sensorium.scene.street.trees import SPECIES, tree_models

NOW = np.zeros(1, np.int64)
CLASSES = {
    "bench", "building", "bus_stop", "car", "door", "fence", "kerb", "pavement", "pedestrian", "pole", "road",
    "road_marking", "roof", "terrain", "traffic_light", "traffic_sign", "trunk", "vegetation", "window",
}  # fmt: skip


@pytest.fixture(scope="module")
def street():
    return Street()


@pytest.fixture(scope="module")
def scene(street):
    return street.build()


def fingerprint(body):
    """All numbers of a body that anybody can see, as bytes."""
    pieces = [body.name, body.label, body.model.name]
    for part in body.model.parts:
        pieces += [part.name, part.material, part.label, part.mesh.vertices_m.tobytes(), part.mesh.triangles.tobytes()]
    poses = body.motion.pose_at(np.arange(0, 20_000_000_000, 1_700_000_000))
    return (*pieces, poses.position_m.tobytes(), poses.quaternion.tobytes())


def world_vertices(body, time_ns=0):
    """All vertices of a body in the world [V, 3]."""
    pose = body.motion.pose_at(np.array([time_ns]))[0]
    return np.concatenate([pose.transform(part.mesh.vertices_m) for part in body.model.parts])


def meshes_of(scene):
    """Every mesh of a scene once, with a name for messages."""
    found = {
        id(part.mesh): (f"{body.name}/{part.name}", part.mesh) for body in scene.bodies for part in body.model.parts
    }
    return found.values()


def test_same_seed_same_street(street, scene):
    """The same settings give the same bodies, meshes and motions to the last bit."""
    again = street.build()
    assert [fingerprint(body) for body in again.bodies] == [fingerprint(body) for body in scene.bodies]


def test_other_seed_other_street(scene):
    """Another seed moves houses, trees, cars and people."""
    other = {fingerprint(body) for body in Street(seed=1).build().bodies}
    kinds = ("house", "tree", "parked_car", "car_", "pedestrian", "hedge")
    for kind in kinds:
        mine = [body for body in scene.bodies if body.name.startswith(kind)]
        assert mine
        assert any(fingerprint(body) not in other for body in mine), kind


def test_each_thing_draws_its_own_chance(scene):
    """Without cars and people, houses, trees, signs and furniture are the same to the last bit."""
    empty = Street(parked_cars=0, moving_cars=0, pedestrians=0, ego=False).build()
    known = {fingerprint(body) for body in scene.bodies}
    assert len(empty.bodies) > 150
    assert all(fingerprint(body) in known for body in empty.bodies)


def test_size_and_speed(street, scene):
    """The street as it comes has 100 to 300 thousand triangles and is built in less than 2 s of work."""
    assert 100_000 <= scene.triangle_count <= 300_000
    start = time.process_time()
    street.build()
    assert time.process_time() - start < 2.0


def test_building_loads_no_compiler():
    """A street is built without Numba, SciPy, Embree or trimesh."""
    program = (
        "import sys; from sensorium.scene.street import Street; Street(length_m=60).build(); "
        "print(*{'numba', 'scipy', 'embreex', 'trimesh', 'matplotlib'} & sys.modules.keys())"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_triangles_have_area(scene):
    """Every triangle has an area above 0.01 mm^2 and three vertices; every vertex is used."""
    for name, mesh in meshes_of(scene):
        a, b, c = mesh.corners_m().swapaxes(0, 1)
        area = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2
        assert area.min() > SMALLEST_AREA_M2, name
        assert len(np.unique(mesh.triangles)) == len(mesh.vertices_m), name


def test_vertices_are_apart(scene):
    """No triangle is thinner than what 32-bit tracers tell apart at 300 m, 0.03 mm."""
    for name, mesh in meshes_of(scene):
        corners = mesh.corners_m()
        edges = np.linalg.norm(corners - np.roll(corners, 1, 1), axis=2)
        area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 2
        assert (2 * area / edges.max(1)).min() > 3e-5, name


def test_every_part_has_its_class(scene):
    """All classes of a street are there, and no part is without one."""
    assert set(scene.classes) >= CLASSES
    assert all(part.label and part.name for part in scene.parts)
    bodies = {"car_0": "car", "ego": "car", "pedestrian_0": "pedestrian", "road": "road", "ground": "terrain"}
    assert {name: scene.body(name).label for name in bodies} == bodies


def test_houses_differ(scene):
    """Neighbours are no copies: heights, walls, roofs and trees vary along the street."""
    houses = [body for body in scene.bodies if body.label == "building"]
    heights = {round(float(body.model.bounds_m[1][2]), 3) for body in houses}
    trees = {body.model.name for body in scene.bodies if body.name.startswith("tree_")}
    assert len(heights) > 0.7 * len(houses)
    assert {"plaster", "brick"} <= {body.model.parts[0].material for body in houses}
    assert len({body.model.parts[1].material for body in houses}) >= 3
    assert len(trees) >= 5


def test_kerb(street, scene):
    """The kerb is 12 cm high, and 3 cm along the four metres of the crossing."""
    kerb = next(part.mesh for part in scene.body("road").model.parts if part.name == "kerbs")
    x, y, z = kerb.vertices_m.T
    top = np.abs(y) > street.layout.kerb_m + 0.02
    at_zebra = np.abs(x - street.layout.zebra_m) < 2.01
    assert z[top & at_zebra] == pytest.approx(0.03)
    assert z[top & (np.abs(x - street.layout.zebra_m) > 3)] == pytest.approx(0.12)


def test_parked_cars_leave_the_crossing_in_sight(street, scene):
    """Even if all bays are taken, no car stands within five metres of the zebra's edges, nor over the kerb."""
    assert sum(body.name.startswith("parked_car") for body in scene.bodies) == street.parked_cars
    full = Street(parked_cars=500, moving_cars=0, pedestrians=0, house_density=0, tree_spacing_m=None).build()
    parked = [body for body in full.bodies if body.name.startswith("parked_car")]
    assert len(parked) > 60
    for body in parked:
        vertices = world_vertices(body)
        assert np.abs(vertices[:, 0] - street.layout.zebra_m).min() > 2 + 5, body.name
        assert np.abs(vertices[vertices[:, 2] < 0.3, 1]).max() < street.layout.kerb_m, body.name


def test_unknown_materials_are_refused():
    """A library that lacks a material is refused with the material's name."""
    with pytest.raises(SceneError, match="unknown material 'asphalt'"):
        Street(length_m=60).build(MaterialLibrary(()))


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        ({"length_m": 20}, "length_m"),
        ({"lanes": 0}, "lanes"),
        ({"house_density": "120 %"}, "house_density"),
        ({"tree_spacing_m": 1.0}, "tree_spacing_m"),
        ({"seed": -1}, "seed"),
        ({"ego_speed_m_s": "200 km/h"}, "ego_speed_m_s"),
        ({"houses": 3}, "houses"),
    ],
)
def test_settings_have_bounds(settings, name):
    """A setting out of bounds is refused by its name."""
    with pytest.raises(ConfigurationError, match=name):
        Street(**settings)


def test_paints_share_meshes():
    """Cars of one shape have the same mesh objects whatever their paint; bodies of one model share it."""
    for shape in SHAPES:
        first, second = (car_model(shape, paint) for paint in PAINTS[:2])
        assert all(a.mesh is b.mesh for a, b in zip(first.parts, second.parts, strict=True))
        assert first.parts[0].material != second.parts[0].material


def test_few_meshes_serve_many_bodies(scene):
    """Triangles in memory are at most half of those seen."""
    stored = sum(len(mesh.triangles) for _, mesh in meshes_of(scene))
    assert stored < scene.triangle_count / 2


def test_cars_stand_on_the_road(scene):
    """The lowest vertex of every car is within 1 cm of the road's surface, at the start and later."""
    cars = [body for body in scene.bodies if body.label == "car"]
    assert len(cars) >= 15
    for body in cars:
        for time_ns in (0, 7_000_000_000):
            assert abs(world_vertices(body, time_ns)[:, 2].min()) < 0.01, body.name


def test_nothing_floats(street, scene):
    """What stands on pavements and in gardens begins at the ground or less than half a metre below."""
    layout = street.layout
    kinds = (
        "tree_", "garden_tree", "house", "lamp", "sign", "traffic_light", "bench", "bin", "cabinet", "bus", "hedge",
        "fence", "wall", "railing", "path",
    )  # fmt: skip
    for body in scene.bodies:
        if body.name.startswith(kinds) and not body.name.endswith("_pit"):
            vertices = world_vertices(body)
            lowest = vertices[vertices[:, 2].argmin()]
            ground = layout.height_m(lowest[0], lowest[1])
            assert -0.5 < lowest[2] - ground < 0.005, body.name


def test_people_walk_on_the_surface(street, scene):
    """People are at the surface's height within 2.5 cm: their spline rounds off the kerb, a step of 3 cm."""
    layout = street.layout
    times = np.arange(0, 60_000_000_000, 400_000_000)
    for body in scene.bodies:
        if body.label == "pedestrian":
            place = body.motion.pose_at(times).position_m
            lowest = body.model.bounds_m[0][2]
            assert abs(lowest) < 1e-9
            assert np.abs(place[:, 2] - layout.height_m(place[:, 0], place[:, 1])).max() < 0.025, body.name


def test_road_is_flat_and_whole(street, scene):
    """The asphalt lies at z = 0 and covers (length + 60 m) x twice the kerb's distance."""
    layout = street.layout
    asphalt = next(part.mesh for part in scene.body("road").model.parts if part.name == "asphalt")
    a, b, c = asphalt.corners_m().swapaxes(0, 1)
    normal = np.cross(b - a, c - a)
    assert (asphalt.vertices_m[:, 2] == 0).all()
    assert (normal[:, 2] > 0).all()
    expected = (street.length_m + 60) * 2 * layout.kerb_m
    assert normal[:, 2].sum() / 2 == pytest.approx(expected, rel=1e-12)


def test_crowns_let_rays_through():
    """The area of leaves is 2 to 4 times the ground under a crown, as measured on street trees."""
    for species, model in zip(SPECIES, tree_models(3), strict=True):
        leaves = next(part.mesh for part in model.parts if part.name == "leaves")
        a, b, c = leaves.corners_m().swapaxes(0, 1)
        area = np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2
        low, high = leaves.bounds_m()
        shade = np.pi * np.prod((high - low)[:2]) / 4
        assert 2 < area / shade < 4, species.name
        assert len(leaves.triangles) > 0.6 * model.triangle_count


@pytest.mark.parametrize(
    "settings",
    [
        {"lanes": 3, "moving_cars": 20, "lane_width_m": 3.0},
        {"length_m": 60, "parking_width_m": 0, "front_garden_m": 0, "pavement_width_m": 2},
        {"house_density": 0, "tree_spacing_m": None, "pedestrians": 0, "ego": False},
        {"tree_spacing_m": 6, "house_depth_m": 6, "front_garden_m": 1.5},
    ],
)
def test_unusual_streets(settings):
    """Streets at the edges of the settings are built too, with unique names and known materials."""
    assert Street(**settings).build().triangle_count > 10_000
