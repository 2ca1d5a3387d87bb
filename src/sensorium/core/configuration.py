"""An object is its configuration: frozen dataclasses, validated where they are made.

``@configured`` makes a frozen, keyword-only dataclass whose fields are checked: units at the door (`core.units`), unknown
and missing settings refused. Written in Python a wrong argument raises `ConfigurationError`; `build` makes the same object
from a document and reports every problem at once with its path and its line. `to_document` is the way back.
"""

from __future__ import annotations

from typing import Any, TypeVar, dataclass_transform

from pydantic import ConfigDict, Field, ValidationError
from pydantic.dataclasses import dataclass as _dataclass

from sensorium.core.content import content_of, to_document
from sensorium.core.documents import Document, build, with_overrides
from sensorium.core.errors import ConfigurationError
from sensorium.core.problems import problems_of
from sensorium.core.yaml_text import dump_yaml, read_yaml

__all__ = ["Document", "build", "configured", "dump_yaml", "problems_of", "read_yaml", "to_document", "with_overrides"]

C = TypeVar("C", bound=type)

_SETTINGS = ConfigDict(extra="forbid", arbitrary_types_allowed=True, use_attribute_docstrings=True)


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(Field,))
def configured(cls: C) -> C:
    """Make a frozen, validated, keyword-only dataclass whose constructor raises `ConfigurationError`.

    Two objects are equal if their class and their content are equal; arrays and poses count as content. A base class that is
    not `configured` itself may annotate fields as a demand; its subclasses declare them.
    """
    made = _dataclass(cls, frozen=True, kw_only=True, eq=False, config=_SETTINGS)
    validated_init = made.__init__

    def __init__(self: Any, *args: Any, **values: Any) -> None:
        if args:
            names = ", ".join(f"{name}=..." for name in list(made.__pydantic_fields__)[: max(len(args), 1)])
            raise ConfigurationError(f"takes its settings by name, found {len(args)} without; write {made.__name__}({names})",
                                     source=made.__name__)
        try:
            validated_init(self, **values)
        except ValidationError as error:
            raise ConfigurationError(problems_of(error, values, made), source=made.__name__) from None

    def __eq__(self: Any, other: object) -> bool:
        return content_of(self) == content_of(other) if type(self) is type(other) else NotImplemented

    def __hash__(self: Any) -> int:
        return hash(content_of(self))

    for name, method in (("__init__", __init__), ("__eq__", __eq__), ("__hash__", __hash__)):
        if name == "__init__" or name not in cls.__dict__:
            method.__qualname__ = f"{made.__qualname__}.{name}"
            setattr(made, name, method)
    _refuse_forgotten_fields(made)
    return made


def _refuse_forgotten_fields(made: Any) -> None:
    """TypeError if a plain base class annotates a field that the class does not declare: nobody could set it."""
    for base in made.__mro__[1:]:
        if base.__dict__.get("__dataclass_fields__") is None:
            for name, kind in base.__dict__.get("__annotations__", {}).items():
                if not (hasattr(made, name) or name in made.__pydantic_fields__ or str(kind).startswith("ClassVar")):
                    raise TypeError(f"{made.__name__} must declare '{name}', which its base {base.__name__} asks for")

