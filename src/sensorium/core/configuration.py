"""An object is its configuration: frozen dataclasses, validated where they are made.

``@configured`` makes a frozen, keyword-only dataclass whose fields are checked by pydantic: units at the door
(`core.units`), unknown and missing settings refused. Written in Python a wrong argument raises `ConfigurationError`; read
from a file, `read_document` reports every problem at once with its path.
"""

from __future__ import annotations

from typing import Any, TypeVar, dataclass_transform

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass as _dataclass

from sensorium.core.errors import ConfigurationError, Problem, did_you_mean

T = TypeVar("T")
C = TypeVar("C", bound=type)

_SETTINGS = ConfigDict(extra="forbid", arbitrary_types_allowed=True, use_attribute_docstrings=True)


@dataclass_transform(kw_only_default=True, frozen_default=True)
def configured(cls: C) -> C:
    """Make a frozen, validated, keyword-only dataclass whose constructor raises `ConfigurationError`."""
    made = _dataclass(cls, frozen=True, kw_only=True, config=_SETTINGS)
    validated_init = made.__init__

    def __init__(self: Any, *args: Any, **values: Any) -> None:
        try:
            validated_init(self, *args, **values)
        except ValidationError as error:
            raise ConfigurationError(problems_of(error, values, made), source=made.__name__) from None

    made.__init__ = __init__
    return made  # type: ignore[return-value]
