"""Settings that may hold any motion: an object in Python, or in a document a group of settings with its type."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from sensorium.core.configuration import Document, build
from sensorium.motion.motion import Motion

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema


@dataclass(frozen=True)
class _MotionOrSettings:
    """Annotation for a field that holds a motion; the list of motions is looked up late, as one may hold others."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        from pydantic_core import core_schema

        return core_schema.with_info_plain_validator_function(_read)


def _read(value: object, info: Any) -> Motion:
    if isinstance(value, Motion):
        return value
    from sensorium.motion import MotionSettings

    motion: Motion = build(MotionSettings, Document(value, folder=(info.context or {}).get("folder")))
    return motion


AnyMotion = Annotated[Motion, _MotionOrSettings()]
