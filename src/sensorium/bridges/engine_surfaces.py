"""The surfaces that an external engine may name by number: the three-lobe materials with a number on the wire."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from sensorium.core.errors import ConfigurationError
from sensorium.materials import MaterialLibrary, standard_library

_MOST_IDS = 65536


@dataclass(frozen=True, eq=False)
class WireSurfaces:
    """Tables with one row per number on the wire; 0 is "no material", whatever a library says of it."""

    table: NDArray[np.float64]
    """[ids, 5]: alpha, beta, gamma, beta/(sigma sqrt(2 pi)) (sigma in deg), 1/(2 sigma^2) (in rad)."""
    known: NDArray[np.bool_]
    """[ids] whether there is such a material."""

    @classmethod
    def from_library(cls, library: MaterialLibrary) -> WireSurfaces:
        """Read all materials that have lobes and a number; two of one number are refused."""
        rows: dict[int, tuple[float, ...]] = {}
        names: dict[int, str] = {}
        for material in library:
            lobes = material.lobes
            if lobes is None or lobes.wire_id is None:
                continue
            number = lobes.wire_id
            if number in names or number >= _MOST_IDS:
                other = f"; '{names[number]}' has it too" if number in names else f"; it must be below {_MOST_IDS}"
                raise ConfigurationError(f"material '{material.name}' has the number {number} on the wire{other}")
            names[number] = material.name
            peak = min(1.0, 1 / (lobes.sigma_deg * math.sqrt(2 * math.pi)))
            sharpness = 0.5 / math.radians(lobes.sigma_deg) ** 2
            rows[number] = (lobes.alpha, lobes.beta, lobes.gamma, lobes.beta * peak, sharpness)
        table = np.zeros((max(rows, default=0) + 1, 5))
        known = np.zeros(len(table), np.bool_)
        for number, row in rows.items():
            table[number], known[number] = row, True
        table[0], known[0] = 0.0, True
        return cls(table, known)


@cache
def standard_surfaces() -> WireSurfaces:
    """Return the surfaces of the library that comes with the package: 0 and 1 to 12."""
    return WireSurfaces.from_library(standard_library())
