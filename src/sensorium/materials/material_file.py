"""Files of materials: a mapping from names to sections, as YAML or as JSON.

    granite:
      optical:
        reflectance_905nm: {value: 0.35, source: "where the figure comes from"}
        reflectance_1550nm: 0.4            # a bare figure counts as assumed
        colour: [0.4, 0.38, 0.36]
      thermal:
        emissivity: 95 %

The catalogue that comes with the package is JSON: it is a part of YAML, so entries can be copied into a YAML file, and
Python reads it a hundred times faster.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sensorium.core.configuration import Document, build, read_yaml
from sensorium.core.errors import ConfigurationError
from sensorium.materials.material import Material

CATALOG = Path(__file__).parent / "catalog"


def read_materials(path: Path | str) -> tuple[Material, ...]:
    """Return the materials of a YAML file in its order; every problem is reported at once, with its line."""
    return _materials(read_yaml(path))


def read_catalog() -> tuple[Material, ...]:
    """Return the materials that come with the package, file by file in the order of their names."""
    content: dict[str, object] = {}
    for path in sorted(CATALOG.glob("*.json")):
        content.update(json.loads(path.read_text(encoding="utf-8")))
    return _materials(Document(content, str(CATALOG)))


def _materials(document: Document) -> tuple[Material, ...]:
    content = document.content
    if not isinstance(content, dict):
        raise ConfigurationError("expected names of materials, each with its sections", document.source)
    named = {name: _with_name(name, entry) for name, entry in content.items()}
    places = dict(document.places)
    places.update({(name, "name"): document.place_of((name,)) for name in named})
    whole = Document(named, document.source, places, document.folder)
    built: dict[str, Material] = build(dict[str, Material], whole)
    return tuple(built.values())


def _with_name(name: str, entry: Any) -> Any:
    return {"name": name, **entry} if isinstance(entry, dict) else entry
