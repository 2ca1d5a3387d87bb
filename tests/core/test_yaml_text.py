"""YAML files become documents with places, or a refusal with file and line."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sensorium.core import yaml_text
from sensorium.core.errors import ConfigurationError
from sensorium.core.yaml_text import dump_yaml, parse_yaml, read_yaml

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts
documents = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4), max_leaves=15
)


@given(documents)
@example({"\x85": "\u2028", "a": ["\x1b", "\ufeff", "=", "<<"]})
def test_dump_and_parse_is_the_same_document(document: Any) -> None:
    """Whatever plain content is written comes back equal, type by type: "1.5" and "true" stay texts."""
    again = parse_yaml(dump_yaml(document)).content
    assert repr(again) == repr(document)


def test_yaml_1_2_scalars() -> None:
    """Kinds are those of the core schema of YAML 1.2: yes and dates are texts, 0o17 is 15, there is no base 60."""
    text = "[yes, on, 2024-01-01, 12:30:45, 0o17, 0x1F, 1e3, .5, -.inf, true, ~, null, '1', 012]"
    found = parse_yaml(text).content
    assert found == ["yes", "on", "2024-01-01", "12:30:45", 15, 31, 1e3, 0.5, -float("inf"), True, None, None, "1", 12]


def test_every_entry_knows_its_line() -> None:
    """An entry stands where its key does, or in a list where it begins; lines count from 1."""
    document = parse_yaml(
        "# comment\nrig:\n  - name: a\n    rates: [1,\n            2]\n  -\n    name: b\nseed: 1\n", "s.yaml"
    )
    lines = {
        (): 2, ("rig",): 2, ("rig", 0): 3, ("rig", 0, "name"): 3, ("rig", 0, "rates"): 4, ("rig", 0, "rates", 0): 4,
        ("rig", 0, "rates", 1): 5, ("rig", 1): 7, ("rig", 1, "name"): 7, ("seed",): 8,
    }  # fmt: skip
    assert document.places == {steps: f"s.yaml:{line}" for steps, line in lines.items()}
    assert document.place_of(("rig", 0, "absent", "deeper")) == "s.yaml:3"


def test_anchors_and_merges() -> None:
    """An alias is a copy; `<<` fills in what the group does not say itself, and of several sources the first wins."""
    text = "a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\nc: {<<: [*a, *b], x: 3}\nd: *a\n"
    assert parse_yaml(text).content["c"] == {"x": 3, "y": 1, "z": 2}
    assert parse_yaml(text).content["d"] == {"x": 1, "y": 1}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\nb: 2\na: 3\n", "s.yaml:3: a is given twice"),
        ("rig:\n- {x: 1, x: 2}", "s.yaml:2: rig[0].x is given twice"),
        ("a: [1,\n", "s.yaml:2: is not YAML: "),
        ("a:\n\t- 1\n", "s.yaml:2: is not YAML: found character '\\t'"),
        ("a: b: c\n", "s.yaml:1: is not YAML: mapping values are not allowed"),
        ("a: *nobody\n", "s.yaml:1: is not YAML: found undefined alias 'nobody'"),
        ("--- 1\n--- 2\n", "s.yaml:2: is not YAML: "),
        ("a: \x01\n", "s.yaml: is not YAML: unacceptable character #x0001"),
        ("a: !!python/object:os.system x\n", "s.yaml:1: a: the tag tag:yaml.org,2002:python/object:os.system is not"),
        ("a: !!binary aGk=\n", "s.yaml:1: a: the tag tag:yaml.org,2002:binary is not allowed"),
        ("1: 2\n", "s.yaml:1: names of settings must be texts, found 1; put it in quotes"),
        ("x:\n  ? [1]\n  : 2\n", "s.yaml:2: x: names of settings must be texts, found a list or a group"),
        ("&a [*a]\n", "s.yaml:1: [0]: contains itself by way of an anchor"),
        ("a: &a\n  <<: *a\n", "s.yaml:"),
        ("a: {<<: 3}\n", "s.yaml:1: a: '<<' wants a group of settings"),
        ("[" * 150 + "]" * 150, "s.yaml:1: "),
        ("[" * 1200, "s.yaml: is nested deeper than 100 levels"),
        ('a: "\\ud800"\n', "s.yaml:1: a: holds half of a surrogate pair"),
        ("a: " + "1" * 5000, "s.yaml:1: a: '1111111111"),
    ],
)
def test_refusals_name_file_and_line(text: str, message: str) -> None:
    """What is not plain YAML, or says something twice, is refused at its line."""
    with pytest.raises(ConfigurationError) as caught:
        parse_yaml(text, "s.yaml")
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("pattern", ["[{0}, {0}, {0}, {0}]", "{{<<: [{0}, {0}, {0}, {0}]}}"])
def test_aliases_cannot_explode(monkeypatch: pytest.MonkeyPatch, pattern: str) -> None:
    """A text of a few lines whose aliases stand for more entries than the limit is refused, lists and merges alike."""
    monkeypatch.setattr(yaml_text, "_MOST_ENTRIES", 1000)
    lines = ["a0: &a0 {x: 1}"]
    lines += [f"a{k}: &a{k} {pattern.format(f'*a{k - 1}')}" for k in range(1, 9)]
    with pytest.raises(ConfigurationError, match="over 1000 entries"):
        parse_yaml("\n".join(lines))


@given(st.text(max_size=60) | st.text("-:[]{}&*!|>'\"%@`#?,\n\t ab1<", max_size=60))
def test_any_text_is_a_document_or_a_refusal(text: str) -> None:
    """No text leads to anything but a document or a ConfigurationError."""
    with contextlib.suppress(ConfigurationError):
        parse_yaml(text, "s.yaml")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    """A missing file, a folder, other encodings and impossible names are refused by the name that was given."""
    latin = tmp_path / "latin.yaml"
    latin.write_bytes("name: Stra\u00dfe\n".encode("latin-1"))
    cases = {
        str(tmp_path / "none.yaml"): "there is no such file",
        str(tmp_path): "is a folder",
        str(latin): "is not UTF-8 text (byte 10)",
        "a\0b": "cannot be read",
    }
    for name, message in cases.items():
        with pytest.raises(ConfigurationError) as caught:
            read_yaml(name)
        assert str(caught.value).startswith(f"{name}: {message}")


def test_a_file_is_read_with_its_name_and_folder(tmp_path: Path) -> None:
    """A byte-order mark is no content; the document remembers its file for messages and its folder for paths."""
    path = tmp_path / "s.yaml"
    path.write_bytes("name: Straße\n".encode("utf-8-sig"))
    document = read_yaml(path)
    assert document.content == {"name": "Straße"}
    assert document.place_of(("name",)) == f"{path}:1"
    assert document.folder == tmp_path.resolve()
