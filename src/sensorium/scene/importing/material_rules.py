"""From the names in a file to materials of the library."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

from sensorium.core.errors import SceneError, did_you_mean
from sensorium.materials.library import MaterialLibrary
from sensorium.scene.importing.findings import Findings, some_of
from sensorium.scene.importing.piece import Piece

STAND_IN = "default_surface"
"""Material of parts about which nothing is known."""


@dataclass(frozen=True)
class MaterialRules:
    """Decides a part's material: the first pattern that fits, else the file's own name, else the default.

    Patterns are those of a shell ("*glass*", "wheel_[fr]*") and are held against the name of the material in the file,
    of the node and of the part. The file's own name counts in the spelling of the library: "Car Paint Red.001" is
    car_paint_red.
    """

    patterns: Mapping[str, str]
    library: MaterialLibrary
    default: str | None = None
    _unknown: list[str] = field(default_factory=list)
    _fitting: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        for name in [*self.patterns.values(), *([self.default] if self.default else [])]:
            if name not in self.library:
                raise SceneError(f"'{name}' is not a material of the library.{did_you_mean(name, self.library.names)}")

    def material_of(self, piece: Piece) -> str:
        """Return the name of a material in the library."""
        pattern = first_fitting(self.patterns, piece)
        if pattern is not None:
            self._fitting.add(pattern)
            return self.patterns[pattern]
        for name in spellings(piece.material):
            if name in self.library:
                return name
        if self.default is None:
            self._unknown.append(piece.name)
        return self.default or STAND_IN

    def tell(self, findings: Findings) -> None:
        """Note which parts got the stand-in, and which patterns never fitted."""
        if self._unknown:
            findings.note(
                f"nothing is known of the material of {some_of(self._unknown)}; '{STAND_IN}' stands in for it "
                "(give a mapping of names to materials, or a default_material)"
            )
        idle = [pattern for pattern in self.patterns if pattern not in self._fitting]
        if idle:
            findings.note(f"no part fits the pattern {some_of(idle)}")


def read_patterns(materials: Mapping[str, str] | Path | str | None) -> Mapping[str, str]:
    """Return a mapping from patterns to materials; a path names a YAML file that holds one."""
    from sensorium.core.configuration import build, read_yaml

    if isinstance(materials, Path | str):
        patterns: dict[str, str] = build(dict[str, str], read_yaml(materials))
        return patterns
    return materials or {}


def first_fitting(patterns: Iterable[str], piece: Piece) -> str | None:
    """Return the first pattern that fits a name of the piece."""
    names = [name for name in (piece.material, piece.node, piece.name) if name]
    return next((pattern for pattern in patterns if any(fnmatchcase(name, pattern) for name in names)), None)


def spellings(name: str | None) -> list[str]:
    """Return a name as it is, and as the library would write it, without the number that Blender appends."""
    if not name:
        return []
    return [name, re.sub(r"[^a-z0-9]+", "_", re.sub(r"\.\d+$", "", name).lower()).strip("_")]
