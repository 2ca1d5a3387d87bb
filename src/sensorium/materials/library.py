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
from sensorium.materials import optical_table as table
from sensorium.materials.material import Material
from sensorium.materials.optical_table import OpticalTable
from sensorium.materials.radio import RadioTable

Floats = NDArray[np.float64]

# column -> (the section that it needs, how to read it, what stands for an absent section; None: it must be there)
_COLUMNS: dict[str, tuple[str, Callable[[Any], Any], Any]] = {
    "reflectance_905nm": ("optical", lambda it: it.reflectance_905nm.value, None),
    "reflectance_1550nm": ("optical", lambda it: it.reflectance_1550nm.value, None),
    "diffuse_905nm": ("optical", lambda it: it.reflectance_905nm.value * (1 - it.mirrored.value), None),
    "diffuse_1550nm": ("optical", lambda it: it.reflectance_1550nm.value * (1 - it.mirrored.value), None),
    "mirrored": ("optical", lambda it: it.mirrored.value, None),
    "colour": ("optical", lambda it: it.colour.value, None),
    "emissivity": ("thermal", lambda it: it.emissivity.value, None),
    "heat_mirrored": ("thermal", lambda it: it.mirrored.value, None),
    "solar_absorptance": ("thermal", lambda it: it.solar_absorptance.value, None),
    "density_kg_m3": ("thermal", lambda it: it.density_kg_m3.value, None),
    "specific_heat_j_kg_k": ("thermal", lambda it: it.specific_heat_j_kg_k.value, None),
    "conductivity_w_m_k": ("thermal", lambda it: it.conductivity_w_m_k.value, None),
    "thickness_m": ("thermal", lambda it: it.thickness_m.value, None),
    "evaporating": ("thermal", lambda it: it.evaporating.value, None),
    "alpha": ("lobes", lambda it: it.alpha, None),
    "beta": ("lobes", lambda it: it.beta, None),
    "gamma": ("lobes", lambda it: it.gamma, None),
    "sigma_deg": ("lobes", lambda it: it.sigma_deg, None),
    "wire_id": ("lobes", lambda it: -1 if it.wire_id is None else it.wire_id, -1),
    "retro_coefficient_1_sr": ("retroreflection", lambda it: it.coefficient_1_sr, 0.0),
    "retro_half_entrance_rad": ("retroreflection", lambda it: it.half_entrance_rad, 1.0),
    "retro_half_observation_rad": ("retroreflection", lambda it: it.half_observation_rad, 1.0),
}
_BANDS_M = {"905nm": (840e-9, 960e-9), "1550nm": (1500e-9, 1600e-9)}


@dataclass(frozen=True, eq=False)
class MaterialLibrary:
    """Materials in a fixed order; a material's row is its place.

    >>> library = standard_library()
    >>> library["asphalt"].optical.reflectance_905nm.source
    >>> library.column("reflectance_905nm")[library.row("asphalt")]
    """

    materials: tuple[Material, ...]
    _columns: dict[str, Floats] = field(default_factory=dict, repr=False)
    _tables: dict[tuple[float, float], OpticalTable] = field(default_factory=dict, repr=False)

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

        return cls(read_materials(path))

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

    def reflectance(self, wavelength_m: float, kind: str = "reflectance") -> Floats:
        """Return reflectances [materials] in the band of a laser: 840 to 960 nm, or 1500 to 1600 nm.

        The kind is "reflectance" (hemispherical) or "diffuse" (without what leaves as from a mirror).
        """
        for band, (low_m, high_m) in _BANDS_M.items():
            if low_m <= wavelength_m <= high_m:
                return self.column(f"{kind}_{band}")
        raise SceneError(
            f"reflectances are known from 840 to 960 nm and from 1500 to 1600 nm, not at {wavelength_m * 1e9:g} nm"
        )

    def optical_table(self, wavelength_m: float, observation_rad: float = 0.0) -> OpticalTable:
        """Return all surfaces at the wavelength of a laser, for kernels.

        `observation_rad` is the angle at the target between emitter and receiver; it takes from retro-reflectors.
        The reflectance of each base is solved for, so that the whole surface met head-on reflects what its material
        states (`materials.normal_incidence`).
        """
        key = wavelength_m, observation_rad
        if key not in self._tables:
            self._tables[key] = self._fill_table(wavelength_m, observation_rad)
        return self._tables[key]

    def _fill_table(self, wavelength_m: float, observation_rad: float) -> OpticalTable:
        from sensorium.materials.response import tabulate

        values, kind = np.zeros((len(self), table.COLUMNS)), np.zeros(len(self), np.int8)
        reflectance, mirrored = self.reflectance(wavelength_m), self.column("mirrored")
        for row, material in enumerate(self):
            surface = material.surface
            kind[row] = surface.fill(values[row], wavelength_m)
            diffuse = surface.diffuse(reflectance[row], mirrored[row], wavelength_m)
            values[row, table.DIFFUSE], values[row, table.ALBEDO] = diffuse
            if material.retroreflection is not None:
                retro = material.retroreflection
                values[row, table.RETRO : table.RETRO_OBSERVATION + 1] = (
                    retro.coefficient_1_sr, retro.half_entrance_rad, retro.half_observation_rad
                )  # fmt: skip
            lobes = material.lobes
            weights = (lobes.alpha, lobes.beta, lobes.gamma, lobes.sigma_deg) if lobes else (-1, 0, 0, 1)
            values[row, table.LOBE_ALPHA : table.LOBE_SIGMA + 1] = weights
        made = table.OpticalTable(kind, values, np.empty((len(self), table.STEPS + 1)))
        tabulate(made, observation_rad)
        return made

    def radio_table(self, frequency_hz: float, rows: Iterable[int] | None = None) -> RadioTable:
        """Return the radio properties of all materials at one frequency; those of `rows` (all if None) must be known.

        SceneError names the material that has no section `radio` or whose bands do not reach the frequency.
        """
        table = RadioTable.of([material.radio for material in self.materials], frequency_hz)
        for row in range(len(self)) if rows is None else sorted(set(rows)):
            if table.problem[row]:
                raise SceneError(f"material '{self.names[row]}': {table.problem[row]}")
        return table

    def with_materials(self, materials: Iterable[Material]) -> MaterialLibrary:
        """Return a library with more materials; one of a known name takes the place and the row of the old one."""
        every = {material.name: material for material in self.materials}
        every.update({material.name: material for material in materials})
        return MaterialLibrary(tuple(every.values()))


@cache
def standard_library() -> MaterialLibrary:
    """Return the materials that come with the package."""
    from sensorium.materials.material_file import read_catalog

    return MaterialLibrary(read_catalog())
