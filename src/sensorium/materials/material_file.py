"""Files of materials: YAML, a mapping from names to sections.

    granite:
      optical:
        reflectance_905nm: {value: 0.35, source: "where the figure comes from"}
        reflectance_1550nm: 0.4            # a bare figure counts as assumed
        colour: [0.4, 0.38, 0.36]
      thermal:
        emissivity: 95 %
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from sensorium.core.documents import Document
from sensorium.core.errors import ConfigurationError, Problem, SceneError
from sensorium.core.problems import problems_of
from sensorium.materials.material import Material


def read_materials(path: Path) -> tuple[Material, ...]:
    """Return the materials of a file in its order; every problem is reported at once, with file and setting."""
    content = _content(path)
    if not isinstance(content, dict):
        raise ConfigurationError([Problem("", "expected names of materials, each with its sections")], source=str(path))
    named = {name: {"name": name, **entry} if isinstance(entry, dict) else entry for name, entry in content.items()}
    try:
        return tuple(_adapter().validate_python(named).values())
    except ValidationError as error:
        problems = problems_of(error, Document(named, str(path)), dict[str, Material])
        raise ConfigurationError(problems, source=str(path)) from None


@cache
def _adapter() -> TypeAdapter[dict[str, Material]]:
    return TypeAdapter(dict[str, Material])


def _content(path: Path) -> Any:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        return YAML(typ="safe").load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise SceneError(f"{path}: the materials cannot be read: {error}") from None
    except YAMLError as error:
        raise ConfigurationError([Problem("", f"this is not YAML: {error}")], source=str(path)) from None
