"""Damaged model files: one SceneError that names file and place, or one SceneWarning with what was put right."""

import contextlib
import json
import struct
import warnings
from datetime import timedelta

import numpy as np
import pytest
import trimesh
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image
from trimesh.visual import TextureVisuals
from trimesh.visual.material import PBRMaterial

from sensorium.core.errors import SceneError
from sensorium.scene.importing import SceneWarning, import_bodies, import_mesh, import_model

TRIANGLE_PLY = """ply
format ascii 1.0
element vertex {vertices}
property float x
property float y
property float z
element face 1
property list uchar int vertex_indices
end_header
0 0 0
1 0 {z}
0 1 0
3 0 1 {last}
"""


def glb(header, binary=b""):
    """A GLB by hand: header, JSON chunk, binary chunk."""
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary
    return b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks


def triangle(**changes):
    """The header of a glTF with one triangle; changes replace its entries."""
    header = {
        "asset": {"version": "2.0"},
        "buffers": [{"byteLength": 36}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "accessors": [{"bufferView": 0, "count": 3, "componentType": 5126, "type": "VEC3"}],
        "meshes": [{"name": "tri", "primitives": [{"attributes": {"POSITION": 0}}]}],
        "nodes": [{"name": "leaf", "mesh": 0}],
        "scenes": [{"nodes": [0]}],
    }
    return {**header, **changes}


CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "<f4").tobytes()
FINE_GLB = glb(triangle(), CORNERS)


def damaged():
    """Yield file name, content, and what the error must say."""
    yield "none.glb", None, "No such file"
    yield "model.xyz", b"", r"'\.xyz' is not a format of models"
    yield "empty.stl", b"", "cut off or damaged"
    yield "empty.glb", b"", "not in the GLB format"
    yield "letter.glb", b"Dear sir or madam", "not in the GLB format"
    yield "cut.glb", FINE_GLB[:-8], "cut off"
    yield "cut.stl", trimesh.creation.box().export(file_type="stl")[:-7], "12 triangles take 684 bytes, it has 677"
    yield "cut.ply", TRIANGLE_PLY.format(vertices=9, z=0, last=2).encode(), "cut off|not in the PLY format"
    yield "nan.ply", TRIANGLE_PLY.format(vertices=3, z="nan", last=2).encode(), "part 'nan': vertex 1 is not finite"
    yield "last.ply", TRIANGLE_PLY.format(vertices=3, z=0, last=7).encode(), r"triangle 0 names .* \[0, 1, 7\]"
    yield "huge.ply", TRIANGLE_PLY.format(vertices=10**12, z=0, last=2).encode(), "cut off"
    yield "points.obj", b"v 0 0 0\nv 1 0 0\n", "no triangles"
    yield "letters.obj", b"v 0 0 0\nv 1 zero 0\nv 0 1 0\nf 1 2 3\n", "not in the OBJ format"
    yield "flat.obj", b"v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "no triangles in it; dropped 1 of 1"
    yield "nothing.glb", glb(triangle(nodes=[])), "GLB format|no triangles"
    packed = triangle(extensionsRequired=["KHR_draco_mesh_compression"])
    yield "packed.glb", glb(packed, CORNERS), "KHR_draco_mesh_compression"
    sparse = triangle(accessors=[{"count": 10**12, "componentType": 5126, "type": "VEC3"}])
    yield "sparse.glb", glb(sparse, CORNERS), "accessor 0: sparse or empty"
    loop = triangle(nodes=[{"mesh": 0, "children": [1]}, {"children": [1]}])
    yield "loop.glb", glb(loop, CORNERS), "node 1: it hangs"
    yield "place.glb", glb(triangle(nodes=[{"mesh": 0, "scale": [float("nan"), 1, 1]}]), CORNERS), "transform of node"
    yield "nan.glb", glb(triangle(), np.full(9, np.nan, "<f4").tobytes()), "part 'leaf': vertex 0 is not finite"
    lost = triangle(buffers=[{"byteLength": 36, "uri": "there.bin"}])
    yield "lost.gltf", json.dumps(lost).encode(), "there is no file 'there.bin' beside it. Did you mean 'here.bin'"


@pytest.mark.parametrize(("name", "content", "told"), list(damaged()), ids=[row[0] for row in damaged()])
def test_damage_is_one_error_with_file_and_place(tmp_path, name, content, told):
    """Whatever the damage, SceneError comes out and names the file."""
    path = tmp_path / name
    (tmp_path / "here.bin").write_bytes(b"")
    if content is not None:
        path.write_bytes(content)
    for load in (import_model, import_bodies, import_mesh):
        with pytest.raises(SceneError, match=told) as caught:
            load(path)
        assert str(path) in str(caught.value)


def textured(folder):
    """A box with a texture in a file of its own, as glTF and as OBJ."""
    box = trimesh.creation.box()
    picture = Image.effect_noise((8, 8), 50).convert("RGB")
    box.visual = TextureVisuals(uv=box.vertices[:, :2], material=PBRMaterial(name="wood", baseColorTexture=picture))
    box.export(folder / "box.obj")
    (folder / "glb.glb").write_bytes(box.export(file_type="glb"))
    for name, content in box.scene().export(file_type="gltf").items():
        (folder / name).write_bytes(content)
    header = json.loads((folder / "model.gltf").read_text())
    picture.save(folder / "noise.png")
    header["images"] = [{"uri": "noise.png"}]
    (folder / "model.gltf").write_text(json.dumps(header))
    return folder


@pytest.mark.parametrize("name", ["model.gltf", "box.obj"])
@pytest.mark.parametrize("damage", ["missing", "no image", "cut off"])
def test_a_texture_that_cannot_be_had_is_told(tmp_path, name, damage):
    """A missing or damaged texture is an error that names it; textures=False does without."""
    textured(tmp_path)
    assert import_model(tmp_path / name).parts[0].texture is not None
    for picture in [*tmp_path.glob("*.png"), *tmp_path.glob("*.jp*g")]:
        content = picture.read_bytes()
        picture.unlink()
        if damage != "missing":
            picture.write_bytes(b"no image" if damage == "no image" else content[: len(content) // 2])
    told = {"missing": "there is no file", "no image": "not an image", "cut off": "texture is damaged"}[damage]
    with pytest.raises(SceneError, match=told) as caught:
        import_model(tmp_path / name)
    assert name in str(caught.value)
    assert import_model(tmp_path / name, textures=False).parts[0].texture is None


def test_triangles_without_area_are_dropped_and_counted(tmp_path):
    """Repeated and collinear corners leave; slivers of 1 um by 1 m stay; one warning says how many went from where."""
    lines = [f"v {x} {y} 0" for x, y in ((0, 0), (1, 0), (2, 0), (0, 1), (0.5, 1e-6))]
    path = tmp_path / "slivers.obj"
    path.write_text("\n".join([*lines, "usemtl steel", "f 1 2 4", "f 1 1 2", "f 1 2 3", "f 1 2 5"]))
    with pytest.warns(SceneWarning, match="slivers.obj: dropped 2 of 4 triangles of part 'slivers'"):
        model = import_model(path)
    assert model.triangle_count == 2


def test_lines_and_skins_are_told(tmp_path):
    """What is not taken from a glTF file stands in the warning."""
    primitives = [{"attributes": {"POSITION": 0}}, {"attributes": {"POSITION": 0}, "mode": 1}]
    header = triangle(meshes=[{"name": "tri", "primitives": primitives}], skins=[{"joints": [0]}])
    path = tmp_path / "lines.glb"
    path.write_bytes(glb(header, CORNERS))
    with pytest.warns(SceneWarning, match=r"skins are not applied.*left out 1 primitives of mesh 'tri'"):
        assert import_model(path, default_material="steel").triangle_count == 1


def test_parts_keep_only_their_own_vertices(tmp_path):
    """Two primitives on one array of four vertices become two parts of three vertices each, named after their node."""
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [5, 5, 5]], "<f4").tobytes()
    indices = np.array([0, 1, 2, 1, 3, 2], "<u2").tobytes()
    views = [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 12}]
    index = {"bufferView": 1, "count": 3, "componentType": 5123, "type": "SCALAR"}
    places = {"bufferView": 0, "count": 4, "componentType": 5126, "type": "VEC3"}
    accessors = [places, index, {**index, "byteOffset": 6}]
    primitives = [{"attributes": {"POSITION": 0}, "indices": number} for number in (1, 2)]
    header = triangle(buffers=[{"byteLength": 60}], bufferViews=views, accessors=accessors)
    path = tmp_path / "shared.glb"
    path.write_bytes(glb({**header, "meshes": [{"primitives": primitives}]}, corners + indices))
    (body,) = import_bodies(path, default_material="steel")
    assert [(part.name, len(part.mesh.vertices_m)) for part in body.model.parts] == [("leaf.0", 3), ("leaf.1", 3)]
    np.testing.assert_array_equal(body.model.parts[0].mesh.bounds_m(), [(0, 0, 0), (0, 1, 1)])


def originals():
    """Sound files of every format to be damaged."""
    ball, box = trimesh.creation.icosphere(subdivisions=1), trimesh.creation.box()
    box.visual = TextureVisuals(uv=box.vertices[:, :2], material=PBRMaterial(baseColorTexture=Image.new("RGB", (4, 2))))
    scene = trimesh.Scene()
    scene.add_geometry(box, node_name="box")
    scene.add_geometry(ball, node_name="ball", parent_node_name="box")
    return {
        "glb": scene.export(file_type="glb"),
        "stl": ball.export(file_type="stl"),
        "solid.stl": ball.export(file_type="stl_ascii").encode(),
        "ply": ball.export(file_type="ply"),
        "text.ply": ball.export(file_type="ply", encoding="ascii"),
        "obj": ball.export(file_type="obj").encode(),
    }


ORIGINALS = originals()


@settings(max_examples=250, deadline=timedelta(seconds=3), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_no_bytes_bring_anything_but_a_scene_error(tmp_path, data):
    """Cut, overwritten or repeated bytes: a model or a SceneError, within seconds, never an exception of the parser."""
    suffix = data.draw(st.sampled_from(sorted(ORIGINALS)))
    content = bytearray(ORIGINALS[suffix])
    for _ in range(data.draw(st.integers(0, 4))):
        place = data.draw(st.integers(0, min(len(content), 2000) - 1))
        text = st.text('0123456789-e.{}[]",: \n', max_size=6).map(str.encode)
        content[place : place + data.draw(st.integers(0, 8))] = data.draw(st.one_of(st.binary(max_size=6), text))
    if data.draw(st.booleans()):
        del content[data.draw(st.integers(0, len(content))) :]
    path = tmp_path / f"model.{suffix}"
    path.write_bytes(content)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SceneWarning)
        warnings.simplefilter("error", RuntimeWarning)
        with contextlib.suppress(SceneError):
            import_bodies(path)
