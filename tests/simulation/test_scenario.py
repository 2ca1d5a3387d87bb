"""Scenario files: what they make, what they refuse, and that a recorded one gives the same simulation."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from sensorium.core.configuration import dump_yaml, read_yaml, to_document, with_overrides
from sensorium.core.errors import ConfigurationError
from sensorium.core.yaml_text import parse_yaml
from sensorium.motion import Fixed
from sensorium.recording.point_layouts import LAYOUTS
from sensorium.samples import PointCloud
from sensorium.sensors import sensor_of
from sensorium.simulation.rig import Mount
from sensorium.simulation.scenario import (
    Layout,
    Scenario,
    World,
    json_schema,
    load_scenario,
    scenario_of,
    scenario_path,
)

PLAIN = """
sensorium: 1
name: plain
duration_s: 0.1
world:
  type: bodies
  bodies:
    - name: car
      parts:
        - {name: hull, shape: {type: box, size_m: [4, 2, 1]}, material: asphalt}
rig:
  - name: lidar
    body: car
    pose: {position_m: [0, 0, 2]}
    sensor: {type: lidar, device: velodyne_vlp16}
"""


def problems(text: str, folder: Path | None = None) -> list[str]:
    with pytest.raises(ConfigurationError) as caught:
        scenario_of(parse_yaml(text, "s.yaml", folder))
    return [str(problem) for problem in caught.value.problems]


def test_a_plain_scenario() -> None:
    """World, rig and clock of the file are those of the simulation, defaults included."""
    scenario = scenario_of(parse_yaml(PLAIN))
    simulation = scenario.simulation()
    assert [body.name for body in simulation.scene.bodies] == ["car"]
    assert simulation.rig == scenario.rig
    assert scenario.rig[0].sensor == sensor_of("velodyne_vlp16")
    assert (simulation.seed, simulation.run, simulation.truth_rate_hz) == (0, 0, 20.0)
    assert scenario_of(parse_yaml(PLAIN), ["truth.rate_hz=null"]).simulation().truth_rate_hz is None


def test_the_shipped_scenario() -> None:
    """The example is read, has the ego car in its street and the board besides it, and hits its target's material."""
    scenario = load_scenario(scenario_path("first_drive"))
    scene = scenario.scene
    assert scene.body("ego").motion.moves
    assert isinstance(scene.body("target").motion, Fixed)
    assert scene.body("target").label == "board"
    assert scenario.duration_s == 10


def test_the_shipped_scenario_shows_the_true_defaults() -> None:
    """Settings that stand in the example as comments are the defaults: with them written out nothing changes."""
    path = scenario_path("first_drive")
    text = path.read_text(encoding="utf-8")
    written = re.sub(r"^( *)# ([a-z_]+: )", r"\1\2", text, flags=re.MULTILINE)
    assert written.count("\n") == text.count("\n")
    assert len(re.findall("^ *# [a-z_]+: ", text, flags=re.MULTILINE)) >= 15
    assert scenario_of(parse_yaml(written)) == load_scenario(path)


def test_every_setting_stands_in_the_shipped_scenario() -> None:
    """The example names each setting of the scenario, of its parts and of the street, in use or as a comment."""
    text = scenario_path("first_drive").read_text(encoding="utf-8")
    scenario = load_scenario(scenario_path("first_drive"))
    for thing in (scenario, scenario.world, scenario.rig[0], scenario.truth, scenario.recording, scenario.bodies[0]):
        for name in to_document(thing):
            assert re.search(rf"\b{name}:", text), f"{name} of {type(thing).__name__} is not in the example"


@pytest.mark.parametrize("source", ["plain", "first_drive"])
def test_a_recorded_scenario_is_the_same_scenario(source: str) -> None:
    """The resolved document, read again from YAML, makes an equal scenario; writing it again changes nothing."""
    scenario = scenario_of(parse_yaml(PLAIN)) if source == "plain" else load_scenario(scenario_path(source))
    text = dump_yaml(to_document(scenario))
    again = scenario_of(parse_yaml(text))
    assert again == scenario
    assert dump_yaml(to_document(again)) == text


def test_a_recorded_scenario_gives_the_same_samples() -> None:
    """The simulation of the document that a recording keeps is that of the original, bit for bit."""
    wall = "{name: wall, parts: [{name: a, shape: {type: box, size_m: [20, 20, 9]}, material: concrete}]}"
    changes = [f"bodies[0]={wall}", "rig[0].pose={position_m: [0, 0, 2], rpy_rad: [0, 10 deg, 0.3]}"]
    scenario = scenario_of(parse_yaml(PLAIN), changes)
    again = scenario_of(parse_yaml(dump_yaml(to_document(scenario))))
    clouds = [
        [sample.points_m for sample in each.simulation().samples(each.duration_s) if isinstance(sample, PointCloud)]
        for each in (scenario, again)
    ]
    assert len(clouds[0][0]) > 100
    assert [points.tobytes() for points in clouds[0]] == [points.tobytes() for points in clouds[1]]


def test_structural_and_cross_problems_come_together() -> None:
    """One error holds wrong settings and those that do not fit together, with lines, in the order of the file."""
    text = """
sensorium: 1
world:
  type: bodies
  bodies:
    - name: car
      parts:
        - {name: hull, shape: {type: box, size_m: [4, 2, 1]}, material: asfalt}
        - {name: top, shape: {type: bax}, material: concrete}
    - name: car
      parts: [{name: hull, shape: {type: sphere, radius_m: 1 s}, material: 3}]
rig:
  - {name: lidar, body: car, sensor: {type: lidar, device: velodyne_vlp16, rat_hz: 3}}
  - {name: lidar, body: carr, sensor: {type: lidar, device: velodyne_vlp16}}
  - {name: truth, body: car, sensor: {type: lidar, device: velodyne_vlp16}}
  - {name: car, body: car, sensor: {type: lidar, device: velodyne_vlp16}}
  - {name: a-b, body: 3, sensor: 3}
recording: {layout: velodine, layouts: {lidarr: velodyne}}
"""
    found = problems(text)
    expected = [
        "s.yaml:2: name is missing; it wants a text",
        "s.yaml:8: world.bodies[0].parts[0].material: there is no material in the library named 'asfalt'. "
        "Did you mean 'asphalt'?",
        "s.yaml:9: world.bodies[0].parts[1].shape.type: 'bax' is not known. Did you mean 'box'?",
        "s.yaml:10: world.bodies[1].name: 'car' is the name of world.bodies[0], too; every body needs its own",
        "s.yaml:11: world.bodies[1].parts[0].shape.radius_m: 's' is a unit of another kind in '1 s'; "
        "expected one of m, km, cm, mm, um, nm",
        "s.yaml:11: world.bodies[1].parts[0].material: expected a text, found 3",
        "s.yaml:13: rig[0].sensor.rat_hz is not a setting of Lidar. Did you mean 'rate_hz'?",
        "s.yaml:14: rig[1].name: 'lidar' is the name of rig[0], too; every sensor needs its own",
        "s.yaml:14: rig[1].body: there is no body in the world named 'carr'. Did you mean 'car'?",
        "s.yaml:15: rig[2].name: 'truth' is kept for the samples of the truth; give the sensor another name",
        "s.yaml:16: rig[3].name: 'car' is the name of a body that carries a sensor; give another one",
        "s.yaml:17: rig[4].name: must match pattern '^[a-zA-Z][a-zA-Z0-9_]*$', found 'a-b'",
        "s.yaml:17: rig[4].body: expected a text, found 3",
        "s.yaml:18: recording.layout: 'velodine' is not known. Did you mean 'velodyne'?",
        "s.yaml:18: recording.layouts.lidarr: there is no sensor in the rig named 'lidarr'. Did you mean 'lidar'?",
    ]
    assert [line for line in found if "rig[4].sensor" not in line] == expected


def test_cross_problems_of_sound_settings() -> None:
    """What does not fit together is refused in Python as in files, with the path of the setting."""
    mount = Mount(name="lidar", sensor=sensor_of("velodyne_vlp16"), body="car")
    with pytest.raises(ConfigurationError) as caught:
        Scenario(name="x", world=World(), rig=(mount, mount))
    assert [str(problem) for problem in caught.value.problems] == [
        "rig[1].name: 'lidar' is the name of rig[0], too; every sensor needs its own",
        "rig[0].body: there is no body in the world named 'car'.",
        "rig[1].body: there is no body in the world named 'car'.",
    ]


def test_bodies_of_a_street_can_carry_and_collide() -> None:
    """A street's own bodies may carry sensors, and bodies besides it may not take their names."""
    street = "name: x\nworld: {type: street, length_m: 60, moving_cars: 1}\n"
    board = "{name: %s, parts: [{name: a, shape: {type: sphere, radius_m: 1}, material: concrete}]}"
    mount = "{name: lidar, body: %s, sensor: {type: lidar, device: velodyne_vlp16}}"
    assert scenario_of(parse_yaml(street + "rig: [" + mount % "car_0" + "]")).rig[0].body == "car_0"
    text = street + "bodies: [" + board % "ego" + "]\nrig:\n- " + mount % "egg"
    collision = (
        "bodies[0].name: 'ego' is the name of a body that the world makes by itself, too; every body needs its own"
    )
    carrier = "rig[0].body: there is no body in the world named 'egg'. Did you mean 'ego'?"
    assert problems(text) == [f"s.yaml:3: {collision}", f"s.yaml:5: {carrier}"]
    assert problems(text + "\nsed: 1")[:2] == [f"s.yaml:3: {collision}", f"s.yaml:5: {carrier}"]


def test_files_are_found_beside_the_scenario(tmp_path: Path) -> None:
    """Paths are relative to the scenario file; missing and damaged files are named with the line that names them."""
    materials = "my_stone:\n  optical: {reflectance_905nm: 0.3, reflectance_1550nm: 0.4, colour: [0.4, 0.4, 0.4]}\n"
    (tmp_path / "stone.yaml").write_text(materials)
    (tmp_path / "broken.yaml").write_text("my_stone: [1")
    (tmp_path / "s.yaml").write_text(PLAIN.replace("asphalt", "my_stone") + "material_files: [stone.yaml]\n")
    scenario = load_scenario(tmp_path / "s.yaml")
    assert "my_stone" in scenario.scene.library
    assert scenario_of(parse_yaml(dump_yaml(to_document(scenario)))) == scenario
    (line,) = problems(PLAIN + "material_files: [ston.yaml]\n", tmp_path)
    assert line.startswith(
        f"s.yaml:16: material_files[0]: there is no file '{tmp_path}/ston.yaml'. Did you mean 'stone"
    )
    (line,) = problems(PLAIN + "material_files: [stone.yaml, broken.yaml]\n", tmp_path)
    assert line.startswith(f"s.yaml:16: material_files[1]: {tmp_path}/broken.yaml:1: is not YAML")
    car = PLAIN.replace("rig:", "    - {name: more, file: {path: gone.glb}}\nrig:")
    assert problems(car, tmp_path)[0].startswith("s.yaml:11: world.bodies[1].file.path: there is no file '")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("sensorium=2", "sensorium: this is format 2, but this version of Sensorium reads format 1"),
        ("seed=-1", "seed: must be at least 0, found -1"),
        ("duration_s=0", "duration_s: must be greater than 0 s, found 0"),
        ("truth=null", "truth: expected settings of Truth (rate_hz), found nothing"),
        ("world.type=stret", "world.type: 'stret' is not known. Did you mean 'street'?"),
    ],
)
def test_refusals_of_overrides(change: str, message: str) -> None:
    """A wrong override is refused in its own name."""
    with pytest.raises(ConfigurationError) as caught:
        scenario_of(parse_yaml(PLAIN, "s.yaml"), [change])
    assert str(caught.value.problems[0]).startswith(f"--set {change}: {message}")


def test_unknown_devices_are_refused() -> None:
    """A device that the catalogue does not have is refused with the one that was meant."""
    (line,) = problems(PLAIN.replace("velodyne_vlp16", "velodyne_vlp61"))
    assert "rig[0].sensor" in line
    assert "no device 'velodyne_vlp61' in the catalogue. Did you mean 'velodyne_vlp16'?" in line


@pytest.mark.parametrize(
    "text", ["", "[]", "world:", "world: 3\nrig: 3", "rig: [[], 3, {}]", "bodies: {a: 1}\nworld: {}"]
)
def test_shapeless_files_are_refused(text: str) -> None:
    """A file that has nothing of a scenario is refused like any other."""
    assert problems(text)


def test_layouts_are_those_of_the_recorder() -> None:
    """The names that a scenario may choose are all that the recorder knows."""
    assert set(get_args(Layout)) == set(LAYOUTS)


def test_shipped_scenarios_have_names() -> None:
    """An unknown name is refused with those that there are."""
    with pytest.raises(ConfigurationError, match=r"no scenario 'first_driv' .* Did you mean 'first_drive'"):
        scenario_path("first_driv")


def test_schema_for_editors() -> None:
    """The JSON schema is a schema, takes the example and its resolved form, and refuses what the reader refuses."""
    jsonschema = pytest.importorskip("jsonschema")
    schema = json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    editor = jsonschema.Draft202012Validator(schema)
    example = read_yaml(scenario_path("first_drive")).content
    assert [error.message for error in editor.iter_errors(example)] == []
    resolved = to_document(load_scenario(scenario_path("first_drive")))
    assert [error.message for error in editor.iter_errors(resolved)] == []
    for change in (
        "sed=1",
        "rig[0].sensor.rat_hz=3",
        "world.type=stret",
        "bodies[0].motion.type=fix",
        "rig[0].pose=[1]",
    ):
        assert not editor.is_valid(with_overrides(example, [change]).content), change
    assert "Scans per second" in str(schema["$defs"]["Lidar"]["properties"]["rate_hz"]["description"])
