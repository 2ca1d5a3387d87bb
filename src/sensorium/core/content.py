"""The content of a configured object: as a plain document that can be read again, and as a key to compare by."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Hashable, Mapping
from datetime import datetime
from pathlib import PurePath
from typing import Any


def to_document(thing: Any) -> Any:
    """Return the object as plain dicts, lists, numbers and texts, complete with defaults.

    ``build(type(x), to_document(x)) == x`` for every configured object x.
    """
    if hasattr(thing, "to_document"):
        return thing.to_document()
    if dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        return {name: to_document(getattr(thing, name)) for name in _written(thing)}
    if isinstance(thing, Mapping):
        return {str(key): to_document(value) for key, value in thing.items()}
    if isinstance(thing, list | tuple | set | frozenset):
        return [to_document(entry) for entry in (sorted(thing) if isinstance(thing, set | frozenset) else thing)]
    if hasattr(thing, "tolist"):  # arrays and numbers of NumPy
        return thing.tolist()
    if isinstance(thing, enum.Enum):
        return to_document(thing.value)
    if isinstance(thing, PurePath):
        return str(thing)
    if isinstance(thing, datetime):
        return thing.isoformat()
    if thing is None or isinstance(thing, bool | int | float | str):
        return thing
    raise TypeError(f"{type(thing).__name__} cannot stand in a document; make it a configured class")


def _written(thing: Any) -> list[str]:
    """Return the names of the fields that a document holds: those which the constructor takes."""
    settings = getattr(thing, "__pydantic_fields__", {})
    hidden = {name for name, field in settings.items() if field.exclude}
    return [field.name for field in dataclasses.fields(thing) if field.init and field.name not in hidden]


def content_of(thing: Any) -> Hashable:
    """Return a key that is equal for things of the same type and content; arrays count by shape and values."""
    if hasattr(thing, "tobytes"):  # arrays and numbers of NumPy; + 0 makes one zero of -0.0 and 0.0
        return (thing.shape, thing.dtype.str, (thing + 0).tobytes() if thing.dtype.kind in "fc" else thing.tobytes())
    if dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        return (type(thing), *(content_of(getattr(thing, field.name)) for field in dataclasses.fields(thing)))
    if isinstance(thing, Mapping):
        return frozenset((key, content_of(value)) for key, value in thing.items())
    if isinstance(thing, list | tuple):
        return tuple(content_of(entry) for entry in thing)
    if isinstance(thing, set):
        return frozenset(thing)
    return thing  # type: ignore[no-any-return]
