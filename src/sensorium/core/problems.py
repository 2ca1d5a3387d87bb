"""From the errors of the validator to problems in the user's own words.

The validator names a place by a chain of names that holds the tags of unions as well. Walking that chain along the types
tells tags from settings, and which class was being filled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from sensorium.core import kinds
from sensorium.core.documents import Document
from sensorium.core.errors import ConfigurationError, Problem, did_you_mean, shown
from sensorium.core.steps import Steps, parse_steps, steps_text
from sensorium.core.units import InUnit

_BOUNDS = {
    "greater_than": ("gt", "greater than"),
    "greater_than_equal": ("ge", "at least"),
    "less_than": ("lt", "less than"),
    "less_than_equal": ("le", "at most"),
    "multiple_of": ("multiple_of", "a multiple of"),
}
_UNKNOWN = ("unexpected_keyword_argument", "extra_forbidden")
_MISSING = ("missing", "missing_argument", "missing_keyword_only_argument")


@dataclass(frozen=True)
class _Finding:
    """One error of the validator, with its place told in the user's terms."""

    error: Any
    path: Steps
    kind: Any
    """The type that was asked for at the path."""
    owner: Any
    """The type that holds the last step of the path."""
    branch: tuple[Steps, str, Any] | None
    """The first union without tags on the way: its path, the alternative tried, and the union."""


def problems_of(error: ValidationError, document: object, root_type: Any) -> list[Problem]:
    """Return every problem of a failed validation: path, place in the file, what was found, what is right."""
    written = document if isinstance(document, Document) else Document(document)
    findings = [_locate(entry, root_type) for entry in error.errors(include_url=False)]
    problems: list[Problem] = []
    for finding in _without_needless_branches(findings):
        for where, what in _explain(finding):
            problems.append(Problem(steps_text(where), what, written.place_of(where)))
    return list(dict.fromkeys(problems))


def _locate(error: Any, root_type: Any) -> _Finding:
    kind, owner, path = root_type, root_type, ()
    branch: tuple[Steps, str, Any] | None = None
    for step in error["loc"]:
        while len(kinds.members(kinds.bare(kind))) > 1 and step is not None:
            tagged = kinds.discriminator(kind)
            if tagged is None and branch is None:
                branch = (path, str(step), kind)
            kind, step = _chosen(kind, step, tagged), None
        if step is None:
            continue
        owner, path = kind, (*path, step)
        if isinstance(step, int):
            kind = kinds.item(kind, step)
        else:
            kind = kinds.settings(kind).get(step, _value_kind(kind))
    return _Finding(error, path, kind, owner, branch)


def _value_kind(kind: Any) -> Any:
    arguments = kinds.get_args(kinds.bare(kind))
    return arguments[1] if len(arguments) == 2 else Any


def _chosen(kind: Any, label: str | int, tagged: str | None) -> Any:
    """Return the alternative of a union that the validator means by its label."""
    alternatives = kinds.members(kinds.bare(kind))
    for member in alternatives:
        if tagged is not None and label in kinds.tags(member, tagged):
            return member
        bare = kinds.bare(member)
        name = getattr(kinds.get_origin(bare) or bare, "__name__", "")
        if tagged is None and str(label).startswith(name) or str(label).endswith(f" {name}]"):
            return member
    return Any


def _without_needless_branches(findings: list[_Finding]) -> list[_Finding]:
    """Of each union without tags keep the alternative that came nearest to the value: the one that failed deepest."""
    nearest: dict[Steps, tuple[tuple[int, bool, int], str]] = {}
    for path, label in {finding.branch[:2] for finding in findings if finding.branch}:
        mine = [finding for finding in findings if finding.branch and finding.branch[:2] == (path, label)]
        wrong_tag = any(finding.error["type"] == "literal_error" for finding in mine)
        depth = 0 if wrong_tag else max(len(finding.path) for finding in mine)
        rank = (depth, mine[0].error["type"] == "value_error", -len(mine))
        nearest[path] = max(nearest.get(path, (rank, label)), (rank, label))
    return [finding for finding in findings if not finding.branch or nearest[finding.branch[0]][1] == finding.branch[1]]


def _explain(finding: _Finding) -> list[tuple[Steps, str]]:
    """Return (path, what) of a finding; an error raised by a nested constructor brings several of its own."""
    kind, path, error = finding.error["type"], finding.path, finding.error
    cause = error.get("ctx", {}).get("error")
    if isinstance(cause, ConfigurationError):
        return [((*path, *parse_steps(problem.where)), problem.what) for problem in cause.problems]
    if cause is not None:
        return [(path, str(cause))]
    if kind in _UNKNOWN:
        name = getattr(kinds.bare(finding.owner), "__name__", str(finding.owner))
        guess = did_you_mean(str(path[-1]), kinds.settings(finding.owner))
        return [(path, f"is not a setting of {name}.{guess}")]
    if kind in _MISSING:
        return [(path, f"is missing; it wants {kinds.in_words(finding.kind)}")]
    if kind.startswith("union_tag"):
        return [_wrong_tag(finding)]
    return [(path, _wrong_value(finding))]


def _wrong_tag(finding: _Finding) -> tuple[Steps, str]:
    name = kinds.discriminator(finding.kind) or "type"
    known = [str(tag) for tag in kinds.tags(finding.kind, name)]
    path, tag = (*finding.path, name), finding.error.get("ctx", {}).get("tag")
    if finding.error["type"] == "union_tag_not_found":
        return path, f"is missing; it wants {kinds.one_of(known)}"
    return path, f"{tag!r} is not known.{did_you_mean(str(tag), known)}"


def _wrong_value(finding: _Finding) -> str:
    kind, value, context = finding.error["type"], finding.error["input"], finding.error.get("ctx", {})
    found = f"found {shown(value)}"
    if kind in _BOUNDS:
        key, words = _BOUNDS[kind]
        unit = next((f" {note.si_unit}" for note in kinds.notes(finding.kind) if isinstance(note, InUnit)), "")
        return f"must be {words} {context[key]:g}{unit.removesuffix(' 1')}, {found}"
    if kind in ("literal_error", "enum"):
        choices = [str(choice) for choice in kinds.choices(finding.kind)]
        return f"{shown(value)} is not known.{did_you_mean(str(value), choices)}"
    if kind in ("too_long", "too_short"):
        return f"expected {kinds.in_words(finding.kind)}, found {context['actual_length']} entries"
    if kind.endswith(("_type", "_parsing", "_from_float")) or kind == "is_instance_of":
        asked = finding.branch[2] if finding.branch and finding.branch[0] == finding.path else finding.kind
        return f"expected {kinds.in_words(asked)}, {found}"
    return f"{finding.error['msg'].replace('Input should', 'must')}, {found}"

