"""The library of materials: rows of named data, and columns of one property for kernels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sensorium.core.errors import SceneError, did_you_mean
from sensorium.materials.material import Material

Floats = NDArray[np.float64]

CATALOG = Path(__file__).parent / "catalog"

# column -> (the section that it needs, how to read it); a section that may be absent has a value for "not there"
_COLUMNS: dict[str, tuple[str, Callable[[Any], Any], Any]] = {
    "reflectance_905nm": ("optical", lambda optical: optical.reflectance_905nm.value, None),
    "reflectance_1550nm": ("optical", lambda optical: optical.reflectance_1550nm.value, None),
    "mirrored": ("optical", lambda optical: optical.mirrored.value, None),
    "colour": ("optical", lambda optical: optical.colour.value, None),
    "emissivity": ("thermal", lambda thermal: thermal.emissivity.value, None),
    "alpha": ("lobes", lambda lobes: lobes.alpha, None),
    "beta": ("lobes", lambda lobes: lobes.beta, None),
    "gamma": ("lobes", lambda lobes: lobes.gamma, None),
    "sigma_deg": ("lobes", lambda lobes: lobes.sigma_deg, None),
    "wire_id": ("lobes", lambda lobes: -1 if lobes.wire_id is None else lobes.wire_id, -1),
    "retro_coefficient_1_sr": ("retroreflection", lambda retro: retro.coefficient_1_sr, 0.0),
    "retro_half_entrance_rad": ("retroreflection", lambda retro: retro.half_entrance_rad, 1.0),
    "retro_cone_rad": ("retroreflection", lambda retro: retro.cone_rad, 1.0),
}


@dataclass(frozen=True, eq=False)
class MaterialLibrary:
    """Materials in a fixed order; a material's row is its place.

    >>> library = standard_library()
    >>> library["asphalt"].optical.reflectance_905nm.source
    >>> library.column("reflectance_905nm")[library.row("asphalt")]
    """

    materials: tuple[Material, ...]
    _columns: dict[str, Floats] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for name in self.names:
            if name in seen:
                raise SceneError(f"two materials are named '{name}'; names must be unique")
            seen.add(name)

    @classmethod
    def from_yaml(cls, path: Path | str) -> MaterialLibrary:
        """Read a file of materials, name by name with their sections; all problems are reported at once."""
        from sensorium.materials.material_file import read_materials

        return cls(read_materials(Path(path)))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names in the order of the rows."""
        return tuple(material.name for material in self.materials)

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {name: row for row, name in enumerate(self.names)}

    def __len__(self) -> int:
        return len(self.materials)

    def __iter__(self) -> Iterator[Material]:
        return iter(self.materials)

    def __contains__(self, name: object) -> bool:
        return name in self._rows

    def __getitem__(self, name: str) -> Material:
        return self.materials[self.row(name)]

    def row(self, name: str) -> int:
        """Return the row of a material."""
        if name not in self._rows:
            raise SceneError(f"there is no material '{name}' in the library.{did_you_mean(name, self.names)}")
        return self._rows[name]

    def column(self, name: str) -> Floats:
        """Return one property of all materials, float64 [materials] ([materials, 3] for the colour), read-only.

        Without retro-reflection the coefficient is 0; without a number on the wire it is -1.
        """
        if name not in self._columns:
            self._columns[name] = self._read_column(name)
        return self._columns[name]

    def _read_column(self, name: str) -> Floats:
        if name not in _COLUMNS:
            raise SceneError(f"materials have no column '{name}'.{did_you_mean(name, _COLUMNS)}")
        section, read, absent = _COLUMNS[name]
        values = []
        for material in self.materials:
            found = getattr(material, section)
            if found is None and absent is None:
                raise SceneError(f"material '{material.name}' has no section '{section}', which '{name}' needs; add it")
            values.append(absent if found is None else read(found))
        column = np.array(values, np.float64)
        column.flags.writeable = False
        return column

    def reflectance(self, wavelength_m: float) -> Floats:
        """Return hemispherical reflectances [materials] in the band round 905 nm (840..960) or 1550 nm (1500..1600)."""
        for low_m, high_m, name in ((840e-9, 960e-9, "reflectance_905nm"), (1500e-9, 1600e-9, "reflectance_1550nm")):
            if low_m <= wavelength_m <= high_m:
                return self.column(name)
        raise SceneError(
            f"reflectances are known from 840 to 960 nm and from 1500 to 1600 nm, not at {wavelength_m * 1e9:g} nm"
        )

    def with_materials(self, materials: Iterable[Material]) -> MaterialLibrary:
        """Return a library with more materials; one of a known name takes the place and the row of the old one."""
        every = {material.name: material for material in self.materials}
        every.update({material.name: material for material in materials})
        return MaterialLibrary(tuple(every.values()))


@cache
def standard_library() -> MaterialLibrary:
    """Return the materials that come with the package: the files in materials/catalog, in the order of their names."""
    from sensorium.materials.material_file import read_materials

    return MaterialLibrary(tuple(material for path in sorted(CATALOG.glob("*.yaml")) for material in read_materials(path)))
