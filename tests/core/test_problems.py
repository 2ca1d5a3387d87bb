"""Everything that is wrong with a document, at once, in the words of the person who wrote it."""

from __future__ import annotations

import contextlib
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BeforeValidator, Field, StringConstraints

from sensorium.core.configuration import build, configured
from sensorium.core.errors import ConfigurationError
from sensorium.core.pose import Pose
from sensorium.core.units import Fraction, Hertz, PositiveHertz, Vector3
from sensorium.core.yaml_text import parse_yaml


@configured
class Lidar:
    type: Literal["lidar"] = "lidar"
    rate_hz: PositiveHertz
    beams: int = 64


@configured
class Camera:
    type: Literal["camera"] = "camera"
    shutter: Literal["rolling", "global"] = "global"
    quality: Fraction = 1.0


def _by_name(value: Any) -> Any:
    return {"type": "lidar", "rate_hz": 10} if value == "standard" else value


def _made(value: Any) -> Any:
    named = isinstance(value, dict) and "beams" in value and all(isinstance(name, str) for name in value)
    return Lidar(**value) if named else value


Sensor = Annotated[Annotated[Lidar | Camera, Field(discriminator="type")], BeforeValidator(_by_name)]


@configured
class Mount:
    name: Annotated[str, StringConstraints(pattern="^[a-z]+$")] = "a"
    sensor: Sensor
    pose: Pose = Field(default_factory=Pose.identity)


@configured
class Drive:
    rig: tuple[Mount, ...] = ()
    offset: Hertz | Vector3 = 0.0
    plain: Lidar | Camera | None = None
    made: Annotated[Lidar, BeforeValidator(_made)] | None = None
    by_name: dict[str, Lidar] = Field(default_factory=dict)
    seed: int = 0
    box_m: Vector3 = (0.0, 0.0, 0.0)


def problems(text: str) -> list[str]:
    with pytest.raises(ConfigurationError) as caught:
        build(Drive, parse_yaml(text, "street.yaml"))
    return [str(problem) for problem in caught.value.problems]


def test_all_problems_at_once_with_path_line_and_remedy() -> None:
    """One error holds every problem; each has its path without the tags of unions, its line, and the remedy."""
    text = """
rig:
- name: a
  sensor: {type: lidar, rat_hz: 10, beams: many}
- name: b
  sensor:
    type: camera
    shutter: roling
    quality: 101 %
- name: Ä
  sensor: {type: lidarr}
  pose: {position_m: [0, 0, 2 s]}
  pos: 1
- sensor: {rate_hz: 10}
- sensor: 3
seed: 1.5
box_m: [1, 2]
sed: 2
"""
    assert problems(text) == [
        "street.yaml:4: rig[0].sensor.rate_hz is missing; it wants a number in Hz or a text such as '10 Hz'",
        "street.yaml:4: rig[0].sensor.rat_hz is not a setting of Lidar. Did you mean 'rate_hz'?",
        "street.yaml:4: rig[0].sensor.beams: expected a whole number, found 'many'",
        "street.yaml:8: rig[1].sensor.shutter: 'roling' is not known. Did you mean 'rolling'?",
        "street.yaml:9: rig[1].sensor.quality: must be at most 1, found '101 %'",
        "street.yaml:10: rig[2].name: must match pattern '^[a-z]+$', found 'Ä'",
        "street.yaml:11: rig[2].sensor.type: 'lidarr' is not known. Did you mean 'lidar'?",
        "street.yaml:12: rig[2].pose.position_m[2]: 's' is a unit of another kind in '2 s'; "
        "expected one of m, km, cm, mm, um, nm",
        "street.yaml:13: rig[2].pos is not a setting of Mount. Did you mean 'pose'?",
        "street.yaml:14: rig[3].sensor.type is missing; it wants one of 'lidar', 'camera'",
        "street.yaml:15: rig[4].sensor: expected a group of settings with type: one of 'lidar', 'camera', found 3",
        "street.yaml:16: seed: expected a whole number, found 1.5",
        "street.yaml:17: box_m: expected a list of 3 entries, each a number in m or a text such as '905 nm', "
        "found 2 entries",
        "street.yaml:18: sed is not a setting of Drive. Did you mean 'seed'?",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # of the alternatives of a union without tags, the one that came nearest speaks
        ("offset: 5 m", "offset: 'm' is a unit of another kind in '5 m'; expected one of Hz, kHz, MHz, GHz, rpm"),
        ("offset: [1, 2, 3 x]", "offset[2]: 'x' is not a known unit. Known: cm, km, m, mm, nm, um."),
        ("offset: {}", "offset: expected a number in Hz or a text such as '10 Hz', found {}"),
        ("plain: {type: camera, quality: x}", "plain.quality: expected a number with a unit such as '10 %', found 'x'"),
        # errors of constructors that validators call keep their own paths
        ("made: {rat_hz: 3, beams: 3}", "made.rate_hz is missing; it wants a number in Hz or a text such as '10 Hz'"),
        ("by_name: {front: {rate_hz: 0}}", "by_name.front.rate_hz: must be greater than 0 Hz, found 0"),
        ('by_name: {"a.b": 3}', 'by_name["a.b"]: expected settings of Lidar (type, rate_hz, beams), found 3'),
        ("rig: {a: 1}", "rig: expected a list, each entry settings of Mount (name, sensor, pose), found {'a': 1}"),
        ("rig:\n", "rig: expected a list, each entry settings of Mount (name, sensor, pose), found nothing"),
        ("rig: [standard]", "rig[0]: expected settings of Mount (name, sensor, pose), found 'standard'"),
        ("seed: true_", "seed: expected a whole number, found 'true_'"),
        ("box_m: [1, 2, 3, 4]", "box_m: expected a list of 3 entries, each a number in m or a text such as '905 nm', "
         "found 4 entries"),
        ("[1]", "expected settings of Drive (rig, offset, plain, made, by_name, seed, box_m), found [1]"),
        ("", "expected settings of Drive (rig, offset, plain, made, by_name, seed, box_m), found nothing"),
    ],
)  # fmt: skip
def test_single_problems(text: str, expected: str) -> None:
    """Path, what was found, and what is right, for each kind of mistake."""
    assert problems(text)[0].removeprefix("street.yaml:1: ") == expected


def test_names_of_settings_are_texts() -> None:
    """A group whose names are not texts is refused; in a file the reader has done so before."""
    with pytest.raises(ConfigurationError, match=r"^names of settings must be texts, found 1$"):
        build(Drive, {1: 2})


def test_one_problem_needs_no_list() -> None:
    """A single problem is a message of one line that begins with the place."""
    with pytest.raises(ConfigurationError) as caught:
        build(Drive, parse_yaml("seed: x", "street.yaml"))
    assert str(caught.value) == "street.yaml:1: seed: expected a whole number, found 'x'"


def test_overrides_are_the_place_of_what_they_set() -> None:
    """A mistake in an override is reported with the override, not with a line of the file."""
    document = parse_yaml("rig:\n- sensor: standard\n", "street.yaml")
    assert build(Drive, document, overrides=["rig[0].name=b"]).rig[0].name == "b"
    with pytest.raises(ConfigurationError) as caught:
        build(Drive, document, overrides=["rig[0].sensor={type: lidar, rate_hz: 0}", "sed=1"])
    assert [problem.place for problem in caught.value.problems] == [
        "--set rig[0].sensor={type: lidar, rate_hz: 0}",
        "--set sed=1",
    ]


words = ["rig", "name", "sensor", "type", "lidar", "camera", "standard", "pose", "position_m", "rate_hz", "offset",
         "plain", "made", "beams", "by_name", "seed", "box_m", "10 Hz", "3 m", "x"]  # fmt: skip
leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(words)
yamlish = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(words) | st.text(max_size=3) | st.integers(0, 9), inner, max_size=4)
    ),
    max_leaves=25,
)
drives = st.fixed_dictionaries({}, optional=dict.fromkeys(("rig", "offset", "plain", "made", "by_name"), yamlish))
mounts = st.fixed_dictionaries({}, optional=dict.fromkeys(("name", "sensor", "pose"), yamlish))


@given(yamlish | drives | st.fixed_dictionaries({"rig": st.lists(mounts, max_size=3)}))
@settings(max_examples=200)
def test_any_document_is_an_object_or_a_refusal(document: Any) -> None:
    """No document leads to anything but a Drive or a ConfigurationError whose problems all have a text."""
    try:
        assert isinstance(build(Drive, document), Drive)
    except ConfigurationError as error:
        assert error.problems  # noqa: PT017
        assert all(problem.what for problem in error.problems)  # noqa: PT017


@given(st.text("rigsenotyplda_hz:[]{}- \n0123.'#&*", max_size=80))
@settings(max_examples=200)
def test_any_text_is_an_object_or_a_refusal(text: str) -> None:
    """No text of a file leads to anything but a Drive or a ConfigurationError."""
    with contextlib.suppress(ConfigurationError):
        assert isinstance(build(Drive, parse_yaml(text)), Drive)
