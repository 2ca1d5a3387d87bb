"""An object is its configuration: frozen dataclasses, validated where they are made.

``@configured`` makes a frozen, keyword-only dataclass whose fields are checked: units at the door (`core.units`),
unknown and missing settings refused. Written in Python a wrong argument raises `ConfigurationError`; `build` makes the
same object from a document and reports every problem at once with its path and its line. `to_document` is the way back.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar, cast, dataclass_transform

from pydantic import ConfigDict, Field, ValidationError
from pydantic.dataclasses import dataclass as _dataclass

from sensorium.core import kinds
from sensorium.core.content import content_of, to_document
from sensorium.core.documents import Document, build, with_overrides
from sensorium.core.errors import ConfigurationError
from sensorium.core.problems import problems_of
from sensorium.core.yaml_text import dump_yaml, read_yaml

__all__ = ["Document", "build", "configured", "dump_yaml", "problems_of", "read_yaml", "to_document", "with_overrides"]

C = TypeVar("C", bound=type)

_SETTINGS = ConfigDict(extra="forbid", arbitrary_types_allowed=True)


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(Field,))
def configured(cls: C) -> C:
    """Make a frozen, validated, keyword-only dataclass whose constructor raises `ConfigurationError`.

    Two objects are equal if their class and their content are equal; arrays and poses count as content. A base class
    that is not `configured` itself may annotate fields as a demand; its subclasses declare them.
    """
    made: Any = _dataclass(cls, frozen=True, kw_only=True, eq=False, config=_SETTINGS)
    made.__init__ = _reporting(made.__init__, made)
    for name, method in (("__eq__", _equal), ("__hash__", _hash)):
        if name not in cls.__dict__:
            setattr(made, name, method)
    _refuse_forgotten_fields(made)
    return cast(C, made)


def _reporting(validated_init: Callable[..., None], made: Any) -> Callable[..., None]:
    """Return the constructor with its errors told in the words of `core.problems`."""

    def init(self: Any, *args: Any, **values: Any) -> None:
        if args:
            names = ", ".join(f"{name}=..." for name in kinds.settings(made))
            what = f"takes its settings by name, but {len(args)} stand without one; write {made.__name__}({names})"
            raise ConfigurationError(what, source=made.__name__)
        try:
            validated_init(self, **values)
        except ValidationError as error:
            raise ConfigurationError(problems_of(error, values, made), source=made.__name__) from None

    init.__name__, init.__qualname__ = "__init__", f"{made.__qualname__}.__init__"
    return init


def _equal(self: Any, other: object) -> bool:
    return content_of(self) == content_of(other) if type(self) is type(other) else NotImplemented


def _hash(self: Any) -> int:
    return hash(content_of(self))


def _refuse_forgotten_fields(made: Any) -> None:
    """TypeError if a plain base class annotates a field that the class does not declare: nobody could set it."""
    for base in made.__mro__[1:]:
        if "__dataclass_fields__" in base.__dict__:
            continue
        for name, kind in inspect.get_annotations(base).items():
            if not (hasattr(made, name) or name in made.__pydantic_fields__ or str(kind).startswith("ClassVar")):
                raise TypeError(f"{made.__name__} must declare '{name}', which its base {base.__name__} asks for")
