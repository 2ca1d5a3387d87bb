"""Models from files that trimesh has written; trimesh's own scene is the judge of places and transforms."""

import numpy as np
import pytest
import trimesh
from PIL import Image
from trimesh.transformations import compose_matrix, rotation_matrix, translation_matrix
from trimesh.visual import TextureVisuals
from trimesh.visual.material import PBRMaterial

from sensorium.core.errors import ConfigurationError, SceneError
from sensorium.core.pose import Pose
from sensorium.scene.importing import Axes, SceneWarning, import_bodies, import_mesh, import_model

PIXELS = np.array([[[255, 0, 0], [0, 255, 0]], [[0, 0, 255], [10, 20, 30]]], np.uint8)
GLTF_TO_FLU = np.array([[0.0, 0, 1], [1, 0, 0], [0, 1, 0]])  # forward z, up y, so left x


def street():
    """A hull with a turned wheel below it, and a mirrored, stretched sign beside."""
    hull = trimesh.creation.box((2, 1, 4))
    uv = np.random.default_rng(3).random((len(hull.vertices), 2))
    paint = PBRMaterial(name="Car Paint Red.001", baseColorTexture=Image.fromarray(PIXELS))
    hull.visual = TextureVisuals(uv=uv, material=paint)
    wheel = trimesh.creation.cylinder(0.3, 0.2, sections=12)
    wheel.visual = TextureVisuals(uv=np.zeros((len(wheel.vertices), 2)), material=PBRMaterial(name="Rubber_02"))
    sign = trimesh.creation.cone(0.5, 1.0, sections=8)
    scene = trimesh.Scene()
    scene.add_geometry(hull, node_name="hull", geom_name="hull", transform=translation_matrix((1, 2, 3)))
    below = compose_matrix(angles=(0.3, -0.2, 0.7), translate=(0.5, -0.6, 1.2))
    scene.add_geometry(wheel, node_name="wheel", geom_name="wheel", parent_node_name="hull", transform=below)
    stretched = translation_matrix((-4, 0, 1)) @ rotation_matrix(0.4, (1, 2, 3)) @ np.diag([-1, 2, 0.5, 1])
    scene.add_geometry(sign, node_name="sign", geom_name="sign", transform=stretched)
    return scene


@pytest.fixture
def glb(tmp_path):
    path = tmp_path / "street.glb"
    street().export(path)
    return path


def volume(mesh):
    """Sum of v.(a x b)/6: positive if triangles run counter-clockwise seen from outside."""
    a, b, c = np.moveaxis(mesh.corners_m(), 1, 0)
    return np.einsum("ij,ij->", a, np.cross(b, c)) / 6


def sorted_corners(corners):
    """Triangles as rows in an order that does not depend on how they are listed."""
    rows = np.sort(np.round(corners, 5).view([("", corners.dtype)] * 3).reshape(len(corners), 3), axis=1)
    return np.sort(rows, axis=0)


def world_corners(scene, node):
    """Corners of a node's triangles in the frame of the file, by trimesh."""
    matrix, name = scene.graph[node]
    return trimesh.transform_points(scene.geometry[name].triangles.reshape(-1, 3), matrix).reshape(-1, 3, 3)


@pytest.mark.filterwarnings("ignore::sensorium.scene.importing.SceneWarning")
def test_a_model_stands_where_its_nodes_put_it(glb):
    """x_FLU = C T_file_node x, C from (forward z, up y) to (forward x, up z); mirrored nodes still face outwards."""
    scene, model = street(), import_model(glb)
    assert [part.name for part in model.parts] == ["hull", "wheel", "sign"]
    for part in model.parts:
        expected = world_corners(scene, part.name) @ GLTF_TO_FLU.T
        np.testing.assert_array_equal(sorted_corners(part.mesh.corners_m()), sorted_corners(expected))
        assert volume(part.mesh) > 0, part.name


@pytest.mark.filterwarnings("ignore::sensorium.scene.importing.SceneWarning")
def test_bodies_stand_where_the_model_stands(glb):
    """T_world_body applied to a body's mesh gives the model's part, moved by the pose of the file; poses are rigid."""
    pose = Pose.from_rpy((5, 6, 7), (0.1, 0.2, 0.3))
    bodies, model = import_bodies(glb, prefix="a/", pose=pose), import_model(glb)
    assert [body.name for body in bodies] == ["a/hull", "a/wheel", "a/sign"]
    for body, part in zip(bodies, model.parts, strict=True):
        moved = body.model.parts[0].mesh.moved(body.motion.pose)
        np.testing.assert_allclose(moved.corners_m(), part.mesh.moved(pose).corners_m(), atol=1e-6)
        assert volume(body.model.parts[0].mesh) > 0
    hull = bodies[0]
    np.testing.assert_allclose(hull.motion.pose.position_m, pose.transform(np.array([3.0, 1.0, 2.0])), atol=1e-6)
    low, high = hull.model.bounds_m
    np.testing.assert_allclose(high - low, (4, 2, 1), atol=1e-6)


def test_textures_and_their_coordinates_survive(glb):
    """The image comes bit for bit with row 0 at v = 1, and uv belong to the same vertices as before."""
    with pytest.warns(SceneWarning):
        part = import_model(glb).parts[0]
    np.testing.assert_array_equal(part.texture.pixels, PIXELS)
    hull = street().geometry["hull"]
    before = np.column_stack((hull.triangles_center, hull.visual.uv[hull.faces].mean(1)))
    corners = (part.mesh.corners_m() @ GLTF_TO_FLU).mean(1) - (1, 2, 3)
    after = np.column_stack((corners, part.mesh.uv[part.mesh.triangles].mean(1)))
    order = [np.lexsort(np.round(rows[:, :3], 4).T) for rows in (before, after)]
    np.testing.assert_allclose(after[order[1]], before[order[0]], atol=1e-5)


@pytest.mark.parametrize("suffix", ["gltf", "obj", "ply", "stl"])
def test_other_formats_hold_the_same_solid(tmp_path, suffix):
    """One cone through every writer of trimesh keeps its volume and its box; all but glTF keep their axes."""
    cone = trimesh.creation.cone(0.5, 2.0, sections=24)
    path = tmp_path / f"cone.{suffix}"
    if suffix == "gltf":
        for name, content in cone.scene().export(file_type="gltf").items():
            (tmp_path / name).write_bytes(content)
        path = tmp_path / "model.gltf"
    else:
        cone.export(path)
    mesh = import_mesh(path)
    assert volume(mesh) == pytest.approx(cone.volume, rel=1e-6)
    turn = GLTF_TO_FLU if suffix == "gltf" else np.eye(3)
    box = np.sort(cone.bounds @ turn.T, axis=0)
    np.testing.assert_allclose(mesh.bounds_m(), box, atol=1e-6)


def test_normals_turn_with_their_node(tmp_path):
    """n' = A^-T n / |A^-T n|: on a stretched sphere x = A s the normals are those of the ellipsoid, A^-T s."""
    ball = trimesh.creation.icosphere(subdivisions=2)
    ball.vertex_normals = ball.vertices
    scene = trimesh.Scene()
    stretch = rotation_matrix(0.5, (1, 1, 0)) @ np.diag([1, 2, 3, 1])
    scene.add_geometry(ball, node_name="ball", transform=stretch)
    path = tmp_path / "ball.glb"
    path.write_bytes(trimesh.exchange.gltf.export_glb(scene, include_normals=True))
    mesh = import_model(path, default_material="steel", axes=Axes()).parts[0].mesh
    surface = mesh.vertices_m @ np.linalg.inv(stretch[:3, :3]).T
    expected = surface @ np.linalg.inv(stretch[:3, :3])
    np.testing.assert_allclose(mesh.normals, expected / np.linalg.norm(expected, axis=1, keepdims=True), atol=1e-5)


@pytest.mark.parametrize(
    ("axes", "nose", "roof"),
    [
        (Axes(forward="z", up="y"), (0, 0, 1), (0, 1, 0)),
        (Axes(forward="-y", up="z"), (0, -1, 0), (0, 0, 1)),
        (Axes(forward="x", up="y"), (1, 0, 0), (0, 1, 0)),
        (Axes(), (1, 0, 0), (0, 0, 1)),
    ],
)
def test_axes_turn_forward_to_x_and_up_to_z(axes, nose, roof):
    """C forward = (1, 0, 0), C up = (0, 0, 1), det C = 1."""
    turn = axes.rotation()
    np.testing.assert_array_equal(turn @ nose, (1, 0, 0))
    np.testing.assert_array_equal(turn @ roof, (0, 0, 1))
    assert np.linalg.det(turn) == pytest.approx(1)
    with pytest.raises(ConfigurationError, match="must be different axes"):
        Axes(forward="x", up="-x")


def test_scale_is_metres_per_unit(glb):
    """scale = 0.001 makes a drawing in millimetres a thousand times smaller, places included."""
    with pytest.warns(SceneWarning):
        whole, small = import_model(glb), import_model(glb, scale=0.001)
    np.testing.assert_allclose(np.array(small.bounds_m) * 1000, whole.bounds_m, rtol=1e-6)


def test_materials_by_pattern_by_name_and_by_default(glb, tmp_path):
    """The first pattern that fits decides, then the library's spelling of the file's name, then the default."""
    model = import_model(glb, {"*ubber*": "tyre", "*": "traffic_sign"}, label={"wh*": "wheel"})
    assert [part.material for part in model.parts] == ["traffic_sign", "tyre", "traffic_sign"]
    model = import_model(glb, {"wheel": "tyre"}, "traffic_sign", label={"wh*": "wheel"})
    assert [part.material for part in model.parts] == ["car_paint_red", "tyre", "traffic_sign"]
    assert [part.label for part in model.parts] == ["object", "wheel", "object"]
    sidecar = tmp_path / "street.yaml"
    sidecar.write_text('"wheel": rubber\n"*": concrete\n')
    assert [part.material for part in import_model(glb, sidecar).parts] == ["concrete", "rubber", "concrete"]


def test_guesses_are_told_loudly_and_once(glb):
    """One SceneWarning names the file, the parts without a known material, and patterns that fit nothing."""
    with pytest.warns(SceneWarning) as caught:
        model = import_model(glb, {"*rubber*": "tyre"})
    told = [str(warning.message) for warning in caught if warning.category is SceneWarning]
    assert len(told) == 1
    for expected in ("street.glb", "'wheel', 'sign'", "'default_surface' stands in", "fits the pattern '*rubber*'"):
        assert expected in told[0]
    assert [part.material for part in model.parts] == ["car_paint_red", "default_surface", "default_surface"]
    with pytest.raises(SceneError, match=r"'tire' is not a material of the library. Did you mean 'tyre'"):
        import_model(glb, {"*": "tire"})


OBJ = """mtllib car.mtl
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
vt 0 0
vt 1 0
vt 1 1
vt 0 1
o body
usemtl Car Paint Blue
f 1/1 2/2 3/3 4/4
usemtl dull
f 1/1 4/4 5/1
o roof
f 1 5 2
"""


def test_obj_keeps_objects_and_materials(tmp_path):
    """One part per object and usemtl, polygons become triangles, map_Kd is kept, so are names without MTL."""
    (tmp_path / "car.obj").write_text(OBJ)
    (tmp_path / "car.mtl").write_text("newmtl Car Paint Blue\nKd 0 0 1\nmap_Kd paint.png\n")
    Image.fromarray(PIXELS).save(tmp_path / "paint.png")
    with pytest.warns(SceneWarning, match="the material files do not explain 'dull'"):
        bodies = import_bodies(tmp_path / "car.obj", {"dull": "plastic_black"})
    assert [body.name for body in bodies] == ["body", "roof"]
    parts = bodies[0].model.parts
    found = [(part.material, len(part.mesh.triangles)) for part in parts]
    assert found == [("car_paint_blue", 2), ("plastic_black", 1)]
    np.testing.assert_array_equal(parts[0].texture.pixels, PIXELS)
    assert bodies[1].model.parts[0].material == "plastic_black"
