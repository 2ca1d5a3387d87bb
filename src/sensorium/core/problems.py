"""From the errors of the validator to problems in the user's own words.

The validator names a place by a chain of names that holds the tags of unions as well. Walking that chain along the
types tells tags from settings, and which class was being filled.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from sensorium.core import kinds
from sensorium.core.documents import Document
from sensorium.core.errors import ConfigurationError, Problem, did_you_mean, shown
from sensorium.core.steps import Steps, parse_steps
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
    branches: tuple[tuple[Steps, str, Any], ...]
    """The unions without tags on the way: path, the alternative tried, and the union."""


def problems_of(error: ValidationError, document: object, root_type: Any) -> list[Problem]:
    """Return every problem of a failed validation: path, place in the file, what was found, what is right.

    They stand in the order of the file.
    """
    written = document if isinstance(document, Document) else Document(document)
    findings = [_locate(entry, root_type) for entry in error.errors(include_url=False)]
    return written.problems(pair for finding in _without_needless_branches(findings) for pair in _explain(finding))


def _locate(error: Any, root_type: Any) -> _Finding:
    """Walk the validator's chain of names along the types; a name that stands at a union is a label, not a step."""
    kind, owner = root_type, root_type
    path: Steps = ()
    branches: list[tuple[Steps, str, Any]] = []
    for name in error["loc"]:
        if len(kinds.members(kinds.bare(kind))) > 1:
            tagged = kinds.discriminator(kind)
            if tagged is None:
                branches.append((path, str(name), kind))
            kind = _chosen(kind, name, tagged)
        elif name != "[key]":
            owner, path = kind, (*path, name)
            kind = kinds.inside(kind, name)
    return _Finding(error, path, kind, owner, tuple(branches))


def _chosen(kind: Any, label: str | int, tagged: str | None) -> Any:
    """Return the alternative of a union that the validator means by its label."""
    for member in kinds.members(kinds.bare(kind)):
        if tagged is not None:
            fits = label in kinds.tags(member, tagged)
        else:
            name = kinds.name_of(member)
            fits = str(label).startswith(name) or str(label).endswith(f" {name}]")
        if fits:
            return member
    return Any


def _without_needless_branches(findings: list[_Finding]) -> list[_Finding]:
    """Of each union without tags keep the alternative that came nearest to the value: the one that failed deepest."""
    for level in range(max((len(finding.branches) for finding in findings), default=0)):
        tried: dict[Steps, dict[str, list[_Finding]]] = {}
        for finding in findings:
            for path, label, _ in finding.branches[level : level + 1]:
                tried.setdefault(path, {}).setdefault(label, []).append(finding)
        for labels in tried.values():
            *needless, _nearest = sorted(labels.values(), key=_nearness)
            drop = {id(finding) for group in needless for finding in group}
            findings = [finding for finding in findings if id(finding) not in drop]
    return findings


def _nearness(findings: list[_Finding]) -> tuple[int, bool, int]:
    wrong_tag = any(finding.error["type"] == "literal_error" for finding in findings)
    depth = 0 if wrong_tag else max(len(finding.path) for finding in findings)
    return depth, findings[0].error["type"] == "value_error", -len(findings)


def _explain(finding: _Finding) -> list[tuple[Steps, str]]:
    """Return (path, what) of a finding; an error raised by a nested constructor brings several of its own."""
    kind, path, error = finding.error["type"], finding.path, finding.error
    cause = error.get("ctx", {}).get("error")
    if isinstance(cause, ConfigurationError):
        return [((*path, *_steps(problem.where)), problem.what) for problem in cause.problems]
    if cause is not None:
        return [(path, str(cause))]
    if kind in _UNKNOWN:
        guess = did_you_mean(str(path[-1]), kinds.settings(finding.owner))
        return [(path, f"is not a setting of {kinds.name_of(finding.owner)}.{guess}")]
    if kind in _MISSING and isinstance(path[-1], int):
        return [(path[:-1], f"expected {kinds.in_words(finding.owner)}, found {len(error['input'])} entries")]
    if kind in _MISSING:
        return [(path, f"is missing; it wants {kinds.in_words(finding.kind)}")]
    if kind == "invalid_key":
        return [(path[:-1], f"names of settings must be texts, found {path[-1]!r}")]
    if kind.startswith("union_tag"):
        return [_wrong_tag(finding)]
    return [(path, _wrong_value(finding))]


def _steps(where: str) -> Steps:
    try:
        return parse_steps(where)
    except ValueError:  # a name with dots or brackets, as the person wrote it
        return (where,)


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
        asked = next((union for path, _, union in finding.branches if path == finding.path), finding.kind)
        return f"expected {kinds.in_words(asked)}, {found}"
    return f"{re.sub('^[A-Z][a-z]* should', 'must', finding.error['msg'])}, {found}"
