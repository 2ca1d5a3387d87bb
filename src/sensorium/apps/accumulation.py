"""Clouds of many scans on top of one another, thinned so that their number of points stays bounded.

Space is cut into cubes. A point is kept if no point was kept in its cube for a while; so the points kept within any such
while lie in different cubes, and however often a wall is scanned, it is drawn once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sensorium.core.errors import ConfigurationError
from sensorium.core.time import nanoseconds

MOST_POINTS = 3_000_000
_BITS = 21
_HALF = 1 << (_BITS - 1)


class Accumulation:
    """Remembers which cubes are taken, and until when.

    >>> kept = Accumulation(last_s=5.0, voxel_m=0.1)
    >>> points = points[kept.fresh(points, time_ns)]
    """

    def __init__(self, last_s: float, voxel_m: float = 0.1, most: int = MOST_POINTS) -> None:
        if not (np.isfinite(last_s) and last_s > 0):
            raise ConfigurationError(f"clouds are accumulated over a time above 0 s, found {last_s:g} s")
        if not (np.isfinite(voxel_m) and voxel_m > 0):
            raise ConfigurationError(f"clouds are thinned to cubes with an edge above 0 m, found {voxel_m:g} m")
        self.voxel_m = float(voxel_m)
        """Edge of a cube; it doubles whenever more than `most` cubes are taken."""
        self._last_ns, self._most = nanoseconds(last_s), most
        self._keys = np.empty(0, np.int64)
        self._until_ns = np.empty(0, np.int64)

    def __len__(self) -> int:
        return len(self._keys)

    def fresh(self, points_m: ArrayLike, time_ns: int) -> NDArray[np.int64]:
        """Return which points [N, 3] to keep, the first of each free cube, and take these cubes; times must not fall."""
        taken = self._until_ns > time_ns
        self._keys, self._until_ns = self._keys[taken], self._until_ns[taken]
        keys, first = np.unique(self._keys_of(np.asarray(points_m, np.float64)), return_index=True)
        place = np.searchsorted(self._keys, keys)
        known = np.zeros(len(keys), bool)
        inside = place < len(self._keys)
        known[inside] = self._keys[place[inside]] == keys[inside]
        self._keys = np.insert(self._keys, place[~known], keys[~known])
        self._until_ns = np.insert(self._until_ns, place[~known], time_ns + self._last_ns)
        while len(self._keys) > self._most:
            self._coarsen()
        return np.sort(first[~known])

    def _keys_of(self, points_m: NDArray[np.float64]) -> NDArray[np.int64]:
        cell = np.clip(np.floor(points_m / self.voxel_m), -_HALF, _HALF - 1).astype(np.int64) + _HALF
        return _packed(cell)

    def _coarsen(self) -> None:
        """Join eight cubes to one, which is taken as long as one of them was."""
        mask = (1 << _BITS) - 1
        cell = np.stack([self._keys >> (2 * _BITS), (self._keys >> _BITS) & mask, self._keys & mask], -1)
        halved = _packed(((cell - _HALF) >> 1) + _HALF)
        self._keys, where = np.unique(halved, return_inverse=True)
        until = np.zeros(len(self._keys), np.int64)
        np.maximum.at(until, where, self._until_ns)
        self._until_ns = until
        self.voxel_m *= 2


def _packed(cell: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.asarray((cell[:, 0] << (2 * _BITS)) | (cell[:, 1] << _BITS) | cell[:, 2])
