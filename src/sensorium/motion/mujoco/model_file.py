"""A setting that names a model: a file, relative to the document that names it, or a model of the package."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import ValidatorFunctionWrapHandler, WrapValidator

from sensorium.core.errors import did_you_mean
from sensorium.core.files import InputFile
from sensorium.motion.mujoco.loading import MODELS


def _file_or_name(value: Any, handler: ValidatorFunctionWrapHandler) -> Path:
    name = str(value)
    if isinstance(value, str | Path) and Path(name).suffix == "" and len(Path(name).parts) == 1:
        known = [entry.stem for entry in MODELS.glob("*.xml")]
        if name not in known:
            raise ValueError(
                f"there is no model '{name}' in the package.{did_you_mean(name, known)} A file has an ending: {name}.xml"
            )
        return Path(name)
    path: Path = handler(value)
    return path


ModelFile = Annotated[InputFile, WrapValidator(_file_or_name)]
