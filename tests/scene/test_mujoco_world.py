"""MuJoCo models become bodies that optical sensors see, and wrong ones are refused by name and line."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from sensorium.core.configuration import build, dump_yaml, to_document
from sensorium.core.errors import ConfigurationError, MotionError, SceneError
from sensorium.core.time import TimeWindow
from sensorium.core.yaml_text import parse_yaml
from sensorium.motion.mujoco.commands import Constant
from sensorium.scene.importing import SceneWarning
from sensorium.scene.mujoco_world import MujocoWorld
from sensorium.scene.rays import Rays
from sensorium.scene.scene import Scene
from sensorium.simulation.scenario import load_scenario, scenario_of, scenario_path
from sensorium.tracing import EmbreeTracer

SHAPES = """\
<mujoco>
  <asset>
    <hfield name="hills" nrow="3" ncol="5" size="2 1 0.5 0.1" elevation="0 0 0 0 0  0 1 0 0 0  0 0 0 0 0.5"/>
    <mesh name="wedge" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/>
    <texture name="wood" type="2d" builtin="flat" width="4" height="4" rgb1="1 0 0"/>
    <material name="boards" texture="wood"/>
    <material name="Car Paint Red.001"/>
  </asset>
  <worldbody>
    <geom name="hill" type="hfield" hfield="hills" pos="0 0 -3"/>
    <geom name="floor" type="plane" size="3 2 1" pos="0 0 -5"/>
    <body name="shapes" pos="0 0 1">
      <freejoint/>
      <geom name="ball" type="sphere" size="0.3" pos="-3 0 0" material="boards"/>
      <geom name="pill" type="capsule" size="0.1 0.4" pos="-2 0 0" material="Car Paint Red.001"/>
      <geom name="egg" type="ellipsoid" size="0.1 0.2 0.4" pos="-1 0 0"/>
      <geom name="can" type="cylinder" size="0.2 0.3" euler="90 0 0"/>
      <geom name="crate" type="box" size="0.1 0.2 0.3" pos="1 0 0"/>
      <geom name="wedge" type="mesh" mesh="wedge" pos="2 0 0"/>
      <geom name="hidden" type="sphere" size="5" group="3" contype="0" conaffinity="0"/>
      <geom name="clear" type="sphere" size="5" rgba="1 1 1 0" contype="0" conaffinity="0"/>
    </body>
  </worldbody>
</mujoco>
"""

BODY = "<mujoco>\n<worldbody>\n<body>\n<geom size='.1' {}/>\n</body></worldbody></mujoco>"


def write(folder: Path, text: str, name: str = "world.xml") -> Path:
    path = folder / name
    path.write_text(text)
    return path


@pytest.fixture
def shapes(tmp_path: Path) -> Scene:
    return MujocoWorld(file=write(tmp_path, SHAPES), default_material="steel", labels={"shapes": "toy"}).build()


def test_bodies_and_parts(shapes: Scene) -> None:
    """A body of the model is a body of the scene; each geom of the world is one of its own; what is hidden is left out."""
    assert [body.name for body in shapes.bodies] == ["hill", "floor", "shapes"]
    parts = {part.name: part for part in shapes.body("shapes").model.parts}
    assert set(parts) == {"ball", "pill", "egg", "can", "crate", "wedge"}
    assert {name: part.material for name, part in parts.items()} == {
        "ball": "wood", "pill": "car_paint_red", "egg": "steel", "can": "steel", "crate": "steel", "wedge": "steel",
    }  # fmt: skip
    assert {part.label for part in parts.values()} == {"toy"}
    assert shapes.body("shapes").label == "toy"


def test_shapes_are_where_the_engine_has_them(tmp_path: Path) -> None:
    """Rays of ours meet every kind of geom where MuJoCo's own rays meet it, at the start and after half a second of fall."""
    import mujoco

    path = write(tmp_path, SHAPES)
    scene = MujocoWorld(file=path, default_material="steel").build()
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    random = np.random.default_rng(1)
    for time_ns in (0, 500_000_000):
        while data.time < time_ns * 1e-9 - 1e-6:
            mujoco.mj_step(model, data)
        mujoco.mj_forward(model, data)
        origin = np.column_stack((random.uniform(-3.5, 3, 3000), random.uniform(-1, 1, 3000), np.full(3000, 4.0)))
        aim = np.column_stack((random.normal(0, 0.1, (3000, 2)), np.full(3000, -1.0)))
        aim /= np.linalg.norm(aim, axis=1, keepdims=True)
        caster = EmbreeTracer(scene).during(TimeWindow(time_ns, time_ns), np.zeros(3))
        hits = caster.cast(Rays(origin, aim, np.full(3000, time_ns, np.int64)))
        groups, seen = np.array([1, 1, 1, 0, 0, 0], np.uint8), np.zeros(1, np.int32)
        theirs = np.array(
            [mujoco.mj_ray(model, data, o, a, groups, 1, -1, seen) for o, a in zip(origin, aim, strict=True)]
        )
        both = hits.hit & (theirs >= 0)
        assert np.mean(hits.hit == (theirs >= 0)) > 0.995
        off = np.abs(hits.distance_m[both] - theirs[both])
        assert np.quantile(off, 0.98) < 2e-3, np.quantile(off, [0.5, 0.9, 0.98])


def test_materials_by_pattern_and_file(tmp_path: Path) -> None:
    """Patterns win over the model's own names; those written in the scenario win over those of the file."""
    path = write(tmp_path, SHAPES)
    sidecar = write(tmp_path, "egg: plaster\nball: concrete\n'*': aluminium\n", "materials.yaml")
    scene = MujocoWorld(file=path, materials={"egg": "brick"}, materials_file=sidecar).build()
    found = {part.name: part.material for part in scene.parts}
    assert found["egg"] == "brick"
    assert found["ball"] == "concrete"
    assert found["pill"] == "aluminium"


def test_unknown_materials(tmp_path: Path) -> None:
    path = write(tmp_path, SHAPES)
    with pytest.warns(SceneWarning, match="nothing is known of the material of 'hill', 'floor', 'egg'"):
        MujocoWorld(file=path).build()
    with pytest.raises(SceneError, match=r"'stel' is not a material of the library\. Did you mean 'steel'"):
        MujocoWorld(file=path, default_material="stel").build()


def test_shipped_models_have_all_their_materials(recwarn: pytest.WarningsRecorder) -> None:
    for name in ("road_vehicle", "differential_robot", "double_pendulum"):
        MujocoWorld(file=name).build()
    assert not recwarn.list


def test_surface_changes_the_look() -> None:
    """Snow on the ground is white to a LiDAR as well."""
    assert MujocoWorld(file="road_vehicle", surface="snow").build().body("ground").model.parts[0].material == "snow"
    assert MujocoWorld(file="road_vehicle").build().body("ground").model.parts[0].material == "asphalt"
    with pytest.raises(SceneError, match=r"no geom fits the pattern 'ice\*' of the ground"):
        MujocoWorld(file="road_vehicle", surface="ice", ground="ice*").build()


def test_street_around() -> None:
    """The car of the engine among the houses of the street, without the street's own car and without a second ground."""
    world = {
        "type": "mujoco",
        "file": "road_vehicle",
        "unseen": ["ground"],
        "around": {"type": "street", "length_m": 60, "ego": False},
    }
    scene = scenario_of({"name": "both", "world": world, "rig": []}).scene
    assert scene.body("ground").model.triangle_count > 2
    assert scene.body("car").motion.step_s == 0.002
    assert scene.body("road").label == "road"
    with pytest.raises(SceneError, match=r"both have a body 'ground'.* unseen: \[ground\]"):
        scenario_of({"name": "both", "world": {**world, "unseen": []}}).scene  # noqa: B018
    assert scene.gravity_m_s2[2] == pytest.approx(-9.81, abs=0.01)


def test_names_of_two_bodies(tmp_path: Path) -> None:
    """A body of the scenario with the name of one of the model is refused."""
    bodies = [
        {"name": "upper", "parts": [{"name": "a", "shape": {"type": "sphere", "radius_m": 1}, "material": "steel"}]}
    ]
    with pytest.raises(ConfigurationError, match="'upper' is the name of a body that the world makes by itself, too"):
        scenario_of({"name": "x", "world": {"type": "mujoco", "file": "double_pendulum"}, "bodies": bodies})


def test_every_setting_stands_in_the_shipped_scenario() -> None:
    """The scenario with the vehicle names each setting of such a world; its document makes the same scenario again."""
    text = scenario_path("vehicle_dynamics").read_text("utf-8")
    scenario = load_scenario(scenario_path("vehicle_dynamics"))
    for name in to_document(scenario.world):
        assert re.search(rf"\b{name}:", text), f"{name} is not in the scenario"
    assert scenario_of(parse_yaml(dump_yaml(to_document(scenario)))) == scenario
    assert to_document(scenario)["world"]["file"] == "road_vehicle"


def test_urdf(tmp_path: Path) -> None:
    """Links of a URDF are bodies, fixed ones too; its joints are joints."""
    text = """<robot name="arm">
      <link name="base"><visual><geometry><box size="0.2 0.2 0.1"/></geometry></visual></link>
      <link name="arm"><inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
        <visual><origin xyz="0 0 0.5"/><geometry><cylinder radius="0.05" length="1"/></geometry></visual></link>
      <link name="tip"><visual><geometry><sphere radius="0.1"/></geometry></visual></link>
      <joint name="turn" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/></joint>
      <joint name="weld" type="fixed"><parent link="arm"/><child link="tip"/><origin xyz="0 0 1"/></joint>
    </robot>"""
    scene = MujocoWorld(file=write(tmp_path, text, "arm.urdf"), default_material="steel").build()
    assert {"base", "arm", "tip"} <= set(scene.body_numbers)
    assert scene.joint("turn").kind == "revolute"
    np.testing.assert_allclose(scene.body("tip").motion.pose_at(np.array([0])).position_m, [[0, 0, 1]], atol=1e-12)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (BODY.format("foo='3'"), r"world\.xml:4: .*unrecognized attribute: 'foo'"),
        (BODY.format("type='box'"), r"world\.xml:4: .*size 1 must be positive"),
        ("<mujoco>\n<worldbody>\n</mujoco>", r"world\.xml:2: .*XML_ERROR_MISMATCHED_ELEMENT"),
        ("<mujoco>\n<worldbody/>\n<actuator><motor joint='none'/></actuator></mujoco>", r"world\.xml:3: .*none"),
        ("hello", r"world\.xml:1: MuJoCo refuses the model"),
    ],
)  # fmt: skip
def test_damaged_models(tmp_path: Path, text: str, told: str) -> None:
    """MuJoCo's own words, behind the name of the file and the line."""
    with pytest.raises(SceneError, match=told):
        MujocoWorld(file=write(tmp_path, text)).build()


def test_models_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(
        ConfigurationError, match=r"no model 'road_vehicel' in the package\. Did you mean 'road_vehicle'"
    ):
        build(MujocoWorld, {"file": "road_vehicel"})
    with pytest.raises(ConfigurationError, match=r"there is no file .*carr\.xml"):
        build(MujocoWorld, {"file": str(tmp_path / "carr.xml")})


def test_wrong_settings_of_a_world(tmp_path: Path) -> None:
    with pytest.raises(SceneError, match=r"there is no keyframe 'swign'\. Did you mean 'swing'"):
        MujocoWorld(file="double_pendulum", keyframe="swign").build()
    with pytest.raises(MotionError, match=r"no actuator 'gas' in the model"):
        MujocoWorld(file="road_vehicle", commands=Constant(values={"gas": 1})).build()
    table = write(tmp_path, "time_s,drive\n0,1\n0,2\n", "drive.csv")
    with pytest.raises(MotionError, match=r"drive\.csv:3: the time must grow, found 0\.0 after 0\.0"):
        build(MujocoWorld, {"file": "road_vehicle", "commands": {"type": "csv", "path": str(table)}}).build()
    points = [{"time_s": 1, "values": {}}, {"time_s": 0, "values": {}}]
    with pytest.raises(ConfigurationError, match="points must follow each other in time"):
        build(MujocoWorld, {"file": "road_vehicle", "commands": {"type": "ramps", "points": points}})


def test_unstable_physics(tmp_path: Path) -> None:
    """A spring that is far too hard for the step: the error says when, and what to do."""
    text = """<mujoco><option timestep="0.05" integrator="RK4"/><worldbody><body name="b">
      <joint name="j" type="slide" stiffness="1e9" springref="1"/><geom size="0.1"/></body></worldbody></mujoco>"""
    scene = MujocoWorld(file=write(tmp_path, text), default_material="steel").build()
    with pytest.raises(MotionError, match=r"unstable at .* s; use a smaller time step than 0\.05 s"):
        scene.body("b").motion.pose_at(np.array([10**11]))
