"""Overrides replace single entries of a document: path=value."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensorium.core.documents import with_overrides
from sensorium.core.errors import ConfigurationError
from sensorium.core.steps import steps_text
from sensorium.core.yaml_text import dump_yaml, parse_yaml

TEXT = "rig:\n- {name: a, rate_hz: 10}\n- {name: b}\nseed: 1\nnothing:\n"


@pytest.mark.parametrize(
    ("override", "steps", "value"),
    [
        ("seed=2", ("seed",), 2),
        ("rig[0].rate_hz=20 Hz", ("rig", 0, "rate_hz"), "20 Hz"),
        ("rig[1].pose.position_m=[0, 0, 1.7]", ("rig", 1, "pose", "position_m"), [0, 0, 1.7]),
        ("rig[2].name=c", ("rig", 2, "name"), "c"),
        ("truth.rate_hz=null", ("truth", "rate_hz"), None),
        ("nothing.deep[0]={a: 1}", ("nothing", "deep", 0), {"a": 1}),
        ('odd["a.b"]=x=y', ("odd", "a.b"), "x=y"),
        ("seed=", ("seed",), None),
    ],
)
def test_an_override_sets_its_entry(override: str, steps: tuple[str | int, ...], value: Any) -> None:
    """The entry holds the value, read as YAML; everything else and the document itself stay as they were."""
    before = parse_yaml(TEXT, "s.yaml")
    after = with_overrides(before, [override])
    found = after.content
    for step in steps:
        found = found[step]
    assert found == value
    assert before.content == parse_yaml(TEXT).content
    assert after.place_of(steps) == f"--set {override}"
    assert after.place_of(("rig", 1, "name")) == "s.yaml:3"
    assert {**after.content, steps[0]: None} == {**before.content, steps[0]: None}


def test_later_overrides_win() -> None:
    """Overrides apply in their order."""
    assert with_overrides({"a": 1}, ["a=2", "b.c=3", "b.d=4", "a=5"]).content == {"a": 5, "b": {"c": 3, "d": 4}}


def test_all_bad_overrides_are_named_at_once() -> None:
    """Each override that cannot be carried out stands in the message with its reason."""
    bad = {
        "rig[7].name=x": "'rig' has 2 entries, the next one is [2]; found [7]",
        "rig.name=x": "'rig' is not a group of settings, so it has no 'name'",
        "seed.x=1": "'seed' is not a group of settings, so it has no 'x'; found 1",
        "seed[0]=1": "'seed' is not a list, so it has no entry [0]; found 1",
        "rig[0].name.first=x": "'rig[0].name' is not a group of settings",
        "[0]=1": "the document is not a list",
        "seed": "expected path=value",
        "=1": "expected path=value",
        "rig[x].name=1": "'rig[x].name' is not a path such as rig[0].sensor.rate_hz; see '[x].name'",
        "seed=[1": "line 1: is not YAML",
    }
    with pytest.raises(ConfigurationError) as caught:
        with_overrides(parse_yaml(TEXT, "s.yaml"), bad)
    assert len(caught.value.problems) == len(bad)
    for (override, reason), problem in zip(bad.items(), caught.value.problems, strict=True):
        assert str(problem).startswith(f"--set {override}: {reason}")


plain = st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["C", "Z"]), max_size=8)
ways = st.lists(st.sampled_from(["a", "b", 0, 1]), min_size=1, max_size=4).map(tuple)


@given(st.dictionaries(st.sampled_from("ab"), plain | st.lists(plain)), ways, plain)
def test_a_way_is_set_or_refused(content: Any, steps: tuple[str | int, ...], value: Any) -> None:
    """For every document, way and value: afterwards the value stands there, or a ConfigurationError tells why not."""
    override = f"{steps_text(steps)}={dump_yaml([value]).strip()}"
    try:
        found = with_overrides(content, [override]).content
    except ConfigurationError:
        return
    for step in steps:
        found = found[step]
    assert found == [value]
