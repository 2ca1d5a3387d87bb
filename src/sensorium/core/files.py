"""Files that a configuration names: relative to the document that names them, and there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from sensorium.core.errors import did_you_mean

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema


@dataclass(frozen=True)
class _ExistingFile:
    """Annotation for a path field that holds, read from a document, the absolute path of a file that exists."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        from pydantic_core import core_schema

        return core_schema.with_info_after_validator_function(_existing, handler(source))


def _existing(path: Path, info: Any) -> Path:
    if info.context is None:  # made in Python: the file is asked for when it is read
        return path
    folder = info.context.get("folder") or Path()
    try:
        found = (folder / path.expanduser()).absolute()
        if found.is_file():
            return found
        if found.is_dir():
            raise ValueError(f"'{path}' is a folder; a file is wanted")
        known = [entry.name for entry in found.parent.iterdir()] if found.parent.is_dir() else []
        known = [name for name in known if name.endswith(found.suffix)] or known
    except (OSError, RuntimeError) as error:
        raise ValueError(f"'{path}' cannot be opened: {error}") from None
    guess = did_you_mean(found.name, known) if known else f" There is no folder '{found.parent}' either."
    raise ValueError(f"there is no file '{found}'.{guess}")


InputFile = Annotated[Path, _ExistingFile()]
"""A file to read; a relative path starts at the folder of the document, or at the current one without a document."""
