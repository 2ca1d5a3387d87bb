"""Bodies from documents and from Python."""

import numpy as np
import pytest
import trimesh

from sensorium.core.configuration import Document, build, read_yaml
from sensorium.core.errors import ConfigurationError, SceneError
from sensorium.core.pose import Pose
from sensorium.materials import standard_library
from sensorium.motion.fixed import Fixed
from sensorium.scene.build import body, part
from sensorium.scene.documents import BodyDocument, bodies_of
from sensorium.scene.scene import Scene
from sensorium.scene.shapes import Box, Sphere

STREET = """
- name: car
  label: car
  file: {path: models/car.stl, default_material: car_paint_red}
  motion: {type: fixed, pose: {position_m: [10, 0, 0]}}
- name: second_car
  label: car
  file: {path: models/car.stl, default_material: car_paint_red}
- name: target
  parts:
    - {name: board, shape: {type: box, size_m: [2 cm, 1, 1]}, material: lambertian_80, pose: {position_m: [5, 0, 1]}}
    - {name: knob, shape: {type: sphere, radius_m: 10 cm}, material: steel, label: knob}
"""


def test_documents_make_the_bodies_that_they_name(tmp_path):
    """Paths are relative to the document, poses place the parts, labels go down to parts, equal files are one model."""
    (tmp_path / "models").mkdir()
    trimesh.creation.box((4, 2, 1)).export(tmp_path / "models" / "car.stl")
    (tmp_path / "street.yaml").write_text(STREET)
    documents = build(tuple[BodyDocument, ...], read_yaml(tmp_path / "street.yaml"))
    car, second, target = bodies_of(documents, standard_library())
    assert car.model is second.model
    assert (car.label, car.model.parts[0].label, car.model.parts[0].material) == ("car", "car", "car_paint_red")
    np.testing.assert_array_equal(car.motion.pose.position_m, (10, 0, 0))
    np.testing.assert_allclose(car.model.bounds_m, [(-2, -1, -0.5), (2, 1, 0.5)])
    np.testing.assert_allclose(target.model.parts[0].mesh.bounds_m(), [(4.99, -0.5, 0.5), (5.01, 0.5, 1.5)])
    assert [part.label for part in target.model.parts] == ["object", "knob"]
    assert Scene((car, second, target)).classes == ("car", "knob", "object")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"parts": []}, "needs either parts or a file, found neither"),
        ({"file": {"path": "car.glb"}}, "there is no file"),
        ({"motion": {"type": "fxed"}}, "Did you mean 'fixed'"),
        ({"colour": "red"}, "is not a setting of BodyDocument"),
    ],
)
def test_wrong_documents_are_told(change, told):
    """Unknown settings, missing files, wrong kinds, and neither or both of parts and file are refused."""
    board = {"name": "board", "shape": {"type": "box", "size_m": [1, 1, 1]}, "material": "steel"}
    with pytest.raises(ConfigurationError, match=told):
        build(BodyDocument, Document({"name": "target", "parts": [board], **change}))


def test_python_builds_the_same_body():
    """part() places a shape in the body frame, body() labels the parts that have no label of their own."""
    tower = body(
        "tower",
        part("foot", Box(size_m=(1, 1, 2)), "concrete", pose=Pose.at(0, 0, 1)),
        part("ball", Sphere(radius_m=0.5), "glass", "lamp", Pose.at(0, 0, 2.5)),
        label="building",
        motion=Fixed(pose=Pose.at(3, 0, 0)),
    )
    assert [one.label for one in tower.model.parts] == ["building", "lamp"]
    np.testing.assert_allclose(tower.model.bounds_m, [(-0.5, -0.5, 0), (0.5, 0.5, 3)])
    assert tower.label == "building"
    with pytest.raises(SceneError, match="Did you mean 'concrete'"):
        Scene((body("tower", part("foot", Box(size_m=(1, 1, 2)), "concret")),))
