"""What has always been there: cells of space that earlier scans have seen occupied."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sensorium.core.errors import ConfigurationError

Floats = NDArray[np.float64]
_HALF = 1 << 20
"""Cells in each direction from the origin: 200 km with cells of 0.2 m."""


@dataclass(frozen=True, eq=False)
class CloudBackground:
    """Occupied cells of the world; `learned` returns a larger one, the same object never changes."""

    cell_m: float = 0.25
    keys: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    """Sorted numbers of the occupied cells and their neighbours."""

    def __post_init__(self) -> None:
        if not self.cell_m > 0:
            raise ConfigurationError(f"cells must be larger than 0 m, found {self.cell_m:g} m")

    def learned(self, points_m: Floats) -> CloudBackground:
        """Return the background with points [N, 3] in the world; noise moves a point by less than a cell."""
        cells = np.unique(self._keys(np.floor(points_m / self.cell_m).astype(np.int64)))
        steps = np.array([(x << 42) + (y << 21) + z for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1)])
        grown = np.unique(cells[:, None] + steps)
        return CloudBackground(self.cell_m, np.union1d(self.keys, grown))

    def holds(self, points_m: Floats) -> NDArray[np.bool_]:
        """Return which points [N, 3] lie in occupied cells."""
        if not len(self.keys):
            return np.zeros(len(points_m), np.bool_)
        wanted = self._keys(np.floor(points_m / self.cell_m).astype(np.int64))
        row = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        return np.asarray(self.keys[row] == wanted)

    def _keys(self, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        if np.abs(cells).max(initial=0) >= _HALF - 1:
            raise ConfigurationError(f"a point lies more than {_HALF * self.cell_m / 1000:g} km from the origin")
        shifted = cells + _HALF
        return np.asarray((shifted[:, 0] << 42) + (shifted[:, 1] << 21) + shifted[:, 2])
