"""JSON schemas of configured classes, for editors that complete and check while one types. Import this lazily."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from itertools import pairwise
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import CoreSchema

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema_of(type_: Any, instead: Mapping[Any, Any] | None = None) -> dict[str, Any]:
    """Return the schema of documents from which `build` makes this type.

    `instead` names the settings that stand for a type which cannot be described by itself, for example an abstract one.
    """
    schema = TypeAdapter(type_).json_schema(schema_generator=_Generator)
    for kind, settings in (instead or {}).items():
        described = TypeAdapter(settings).json_schema(schema_generator=_Generator)
        schema["$defs"] = {**described.pop("$defs", {}), **schema.get("$defs", {}), kind.__name__: described}
    known = schema.get("$defs", {})
    for part in [schema, *known.values()]:
        _refer(part, known)
    return {"$schema": DIALECT, **schema}


class _Generator(GenerateJsonSchema):
    """Adds the docstrings of the fields; what has no schema is left to the program to check."""

    def dataclass_schema(self, schema: Any) -> JsonSchemaValue:
        result = super().dataclass_schema(schema)
        cls = schema["cls"]
        for name, setting in result.get("properties", {}).items():
            if name in field_docstrings(cls):
                setting.setdefault("description", field_docstrings(cls)[name])
            kind = cls.__pydantic_fields__[name].annotation
            if not set(setting) - {"title", "description", "default"} and isinstance(kind, type):
                setting[_OPEN] = kind.__name__
        if "device" in result.get("properties", {}):  # the device brings what the document does not say
            result.pop("required", None)
        return result

    def handle_invalid_for_json_schema(self, schema: CoreSchema, error_info: str) -> JsonSchemaValue:
        return {}


_OPEN = "x-open"
"""Mark of a setting whose type is not described yet."""


def _refer(part: dict[str, Any], known: Mapping[str, Any]) -> None:
    """Turn the marks of open settings into references, where there is something to refer to."""
    for setting in part.get("properties", {}).values():
        name = setting.pop(_OPEN, None)
        if name in known:
            setting["$ref"] = f"#/$defs/{name}"


@cache
def field_docstrings(cls: type) -> dict[str, str]:
    """Return the docstrings that stand below the fields of a class and of its bases."""
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        if "__pydantic_fields__" in base.__dict__:
            with suppress(OSError):  # made at a prompt: there is no file with its text
                found.update(_docstrings_in(textwrap.dedent(inspect.getsource(base))))
    return found


def _docstrings_in(source: str) -> dict[str, str]:
    body = next(node.body for node in ast.parse(source).body if isinstance(node, ast.ClassDef))
    return {
        field.target.id: inspect.cleandoc(text.value.value)
        for field, text in pairwise(body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    }
