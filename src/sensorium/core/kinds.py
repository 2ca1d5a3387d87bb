"""What a type asks of the person who fills it in: its settings, its choices, and how that is said in words."""

from __future__ import annotations

import enum
import types
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from sensorium.core.units import InUnit, example_of

_PLAIN = {int: "a whole number", float: "a number", str: "a text", bool: "true or false", Any: "anything"}


def bare(kind: Any) -> Any:
    """Return the type without its annotations and without `| None`."""
    while True:
        if get_origin(kind) is Annotated:
            kind = get_args(kind)[0]
        elif hasattr(kind, "__value__"):
            kind = kind.__value__
        elif get_origin(kind) in (Union, types.UnionType) and len(members(kind)) == 1:
            kind = members(kind)[0]
        else:
            return kind


def notes(kind: Any) -> Iterator[Any]:
    """Yield all annotations that stand on a type, those inside `| None` included."""
    while True:
        if get_origin(kind) is Annotated:
            yield from get_args(kind)[1:]
            kind = get_args(kind)[0]
        elif get_origin(kind) in (Union, types.UnionType) and len(members(kind)) == 1:
            kind = members(kind)[0]
        else:
            return


def members(kind: Any) -> list[Any]:
    """Return the alternatives of a union, without None; any other type is its own single alternative."""
    if get_origin(kind) is Annotated:
        return members(get_args(kind)[0])
    if get_origin(kind) in (Union, types.UnionType):
        return [member for member in get_args(kind) if member is not type(None)]
    return [kind]


def discriminator(kind: Any) -> str | None:
    """Return the name of the setting that tells the alternatives of a union apart."""
    named = [note.discriminator for note in notes(kind) if isinstance(note, FieldInfo)]
    return next((name for name in named if isinstance(name, str)), None)


def settings(kind: Any) -> dict[str, Any]:
    """Return name -> type of the settings of a configured class; empty for all other types."""
    fields: dict[str, FieldInfo] = getattr(bare(kind), "__pydantic_fields__", {})
    return {name: _with_notes(field) for name, field in fields.items() if field.init is not False}


def _with_notes(field: FieldInfo) -> Any:
    kind: Any = field.annotation
    for note in field.metadata:
        kind = Annotated[kind, note]
    return Annotated[kind, field] if field.discriminator is not None else kind


def inside(kind: Any, step: str | int) -> Any:
    """Return the type of what stands at a step inside a value of this type; Any if the type does not say."""
    kind = bare(kind)
    arguments = get_args(kind)
    if isinstance(step, str):
        return settings(kind).get(step, arguments[1] if len(arguments) == 2 else Any)
    if get_origin(kind) is tuple and Ellipsis not in arguments:
        return arguments[step] if step < len(arguments) else Any
    return arguments[0] if arguments else Any


def name_of(kind: Any) -> str:
    """Return the short name of a type: Lidar, list, float."""
    kind = bare(kind)
    return str(getattr(get_origin(kind) or kind, "__name__", kind))


def tags(kind: Any, name: str) -> tuple[Any, ...]:
    """Return the values of the discriminator by which a class, or the classes of a union, can be chosen."""
    found: list[Any] = []
    for member in members(kind):
        if len(members(bare(member))) > 1:
            found.extend(tags(bare(member), name))
        else:
            found.extend(get_args(bare(settings(member).get(name, Any))))
    return tuple(found)


def choices(kind: Any) -> tuple[Any, ...]:
    """Return the values of a Literal or an enumeration; empty for all other types."""
    kind = bare(kind)
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return tuple(entry.value for entry in kind)
    return get_args(kind) if get_origin(kind) is Literal else ()


def in_words(kind: Any) -> str:
    """Say what a value of this type looks like, for messages: "a number in Hz, for example '10 Hz'"."""
    unit = next((note.si_unit for note in notes(kind) if isinstance(note, InUnit)), None)
    if unit is not None:
        return (
            f"a number, for example {example_of(unit)}"
            if unit == "1"
            else (f"a number in {unit} or a text such as '{example_of(unit)}'")
        )
    name = discriminator(kind)
    kind = bare(kind)
    if name:
        return f"a group of settings with {name}: {one_of(tags(kind, name))}"
    if len(members(kind)) > 1:
        return " or ".join(dict.fromkeys(in_words(member) for member in members(kind)))
    return _PLAIN.get(kind) or _compound_in_words(kind)


def _compound_in_words(kind: Any) -> str:
    origin, arguments = get_origin(kind) or kind, get_args(kind)
    if choices(kind):
        return one_of(choices(kind))
    if origin is tuple and arguments and Ellipsis not in arguments:
        words = list(dict.fromkeys(in_words(argument) for argument in arguments))
        return f"a list of {len(arguments)} entries" + (f", each {words[0]}" if len(words) == 1 else "")
    if not isinstance(origin, type):
        return f"{kind}"
    if issubclass(origin, PurePath):
        return "the path of a file, as a text"
    if issubclass(origin, Mapping):
        return "a group of names with values"
    if issubclass(origin, Sequence | set | frozenset):
        inner = arguments[0] if arguments else Any
        return "a list" if bare(inner) is Any else f"a list, each entry {in_words(inner)}"
    asked = ", ".join(settings(kind))
    return f"settings of {origin.__name__} ({asked})" if asked else f"a {origin.__name__}"


def one_of(choices: Sequence[Any]) -> str:
    """Say a choice: "'a'", "one of 'a', 'b'"."""
    words = ", ".join(repr(choice) for choice in choices)
    return f"one of {words}" if len(choices) > 1 else words
