"""Documents: what stands in a file, with the place of every entry; and how an object is made of one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, overload

from sensorium.core.errors import ConfigurationError, Problem, shown
from sensorium.core.steps import Steps, parse_steps, steps_text

T = TypeVar("T")


@dataclass(frozen=True)
class Document:
    """Plain content (dict, list, text, number, bool, None) and where each entry stands."""

    content: Any
    source: str = ""
    """Name of the file, as the person gave it."""
    places: Mapping[Steps, str] = field(default_factory=dict)
    """Way to an entry -> "street.yaml:12"."""
    folder: Path | None = None
    """Folder to which the paths of files in the document are relative; None: the current one."""

    def nearest(self, steps: Steps) -> Steps:
        """Return the way to the entry itself, or to the nearest one around it whose place is known."""
        while steps and steps not in self.places:
            steps = steps[:-1]
        return steps

    def place_of(self, steps: Steps) -> str:
        """Return the place of an entry, or of the nearest entry around it."""
        return self.places.get(self.nearest(steps), "")

    def problems(self, told: Iterable[tuple[Steps, str]]) -> list[Problem]:
        """Return what is told of entries as problems with their places, in the order of the file, each once."""
        rank = {steps: number for number, steps in enumerate(self.places)}
        ordered = sorted(told, key=lambda pair: rank.get(self.nearest(pair[0]), 0))
        return list(dict.fromkeys(Problem(steps_text(steps), what, self.place_of(steps)) for steps, what in ordered))


@overload
def build(type_: type[T], document: Document | object, source: str = "", overrides: Iterable[str] = ()) -> T: ...
@overload
def build(type_: Any, document: Document | object, source: str = "", overrides: Iterable[str] = ()) -> Any: ...
def build(type_: Any, document: Document | object, source: str = "", overrides: Iterable[str] = ()) -> Any:
    """Make an object of a type from a document; ONE `ConfigurationError` names everything that is wrong with it.

    The type may be a `configured` class or anything that could annotate one of its fields, for example a union. The
    overrides are those of `with_overrides`.
    """
    from pydantic import TypeAdapter, ValidationError

    written = with_overrides(document, overrides)
    try:
        return TypeAdapter(type_).validate_python(written.content, context={"folder": written.folder})
    except ValidationError as error:
        from sensorium.core.problems import problems_of

        raise ConfigurationError(problems_of(error, written, type_), source or written.source) from None


def with_overrides(document: Document | object, overrides: Iterable[str]) -> Document:
    """Return the document with entries replaced: ``with_overrides(document, ["rig[0].sensor.rate_hz=20 Hz"])``.

    The value is read as YAML. Groups of settings that are missing on the way are made; entries of lists must exist, or
    be the next one.
    """
    written = document if isinstance(document, Document) else Document(document)
    content, places = written.content, dict(written.places)
    problems: list[Problem] = []
    for override in overrides:
        try:
            steps, value = _read_override(override)
            content = _replaced(content, steps, value, ())
        except ValueError as error:
            problems.append(Problem("", str(error), f"--set {override}"))
            continue
        places = {known: place for known, place in places.items() if known[: len(steps)] != steps}
        places[steps] = f"--set {override}"
    if problems:
        raise ConfigurationError(problems)
    return Document(content, written.source, places, written.folder)


def _read_override(override: str) -> tuple[Steps, Any]:
    from sensorium.core.yaml_text import parse_yaml

    name, equals, value = override.partition("=")
    steps = parse_steps(name.strip())
    if not equals or not steps:
        raise ValueError(f"expected path=value, for example rig[0].sensor.rate_hz=20 Hz, found '{override}'")
    return steps, parse_yaml(value).content


def _replaced(content: Any, steps: Steps, value: Any, before: Steps) -> Any:
    """Return the content with the value at the end of the steps; `before` is the way already gone."""
    if not steps:
        return value
    step, rest = steps[0], steps[1:]
    where = f"'{steps_text(before)}'" if before else "the document"
    if content is None:
        content = [] if isinstance(step, int) else {}
    if isinstance(step, int):
        if not isinstance(content, list):
            raise ValueError(f"{where} is not a list, so it has no entry [{step}]; found {shown(content)}")
        if step > len(content):
            raise ValueError(f"{where} has {len(content)} entries, the next one is [{len(content)}]; found [{step}]")
        old = content[step] if step < len(content) else None
        return [*content[:step], _replaced(old, rest, value, (*before, step)), *content[step + 1 :]]
    if not isinstance(content, dict):
        hint = f"; write {steps_text((*before, 0))}.{step} for its first entry" if isinstance(content, list) else ""
        raise ValueError(f"{where} is not a group of settings, so it has no '{step}'; found {shown(content)}{hint}")
    return {**content, step: _replaced(content.get(step), rest, value, (*before, step))}
