"""The LiDAR's compiled loops over whole scans. Import this lazily: it loads Numba."""

from __future__ import annotations

import math

import numba as nb
import numpy as np



@nb.njit(cache=True, parallel=True, nogil=True)
def spin(time_ns, start_ns, start_azimuth, turn_per_ns, table, first):  # type: ignore[no-untyped-def]
    """Return origin and direction [N, 3] of beams of a turning head; beam k belongs to channel (first + k) mod C.

    Direction (cos e cos a, cos e sin a, sin e) with azimuth a = start + turn t + channel; the origin lies `lateral` to the
    left of the beam and `vertical` above the middle of the head.
    """
    n, channels = len(time_ns), len(table)
    elevation_cos, elevation_sin = np.cos(table[:, 1]), np.sin(table[:, 1])
    origin, direction = np.empty((n, 3)), np.empty((n, 3))
    for k in nb.prange(n):
        c = (first + k) % channels
        azimuth = start_azimuth + turn_per_ns * (time_ns[k] - start_ns) + table[c, 2]
        cos, sin = math.cos(azimuth), math.sin(azimuth)
        direction[k, 0], direction[k, 1], direction[k, 2] = elevation_cos[c] * cos, elevation_cos[c] * sin, elevation_sin[c]
        origin[k, 0], origin[k, 1], origin[k, 2] = -table[c, 4] * sin, table[c, 4] * cos, table[c, 3]
    return origin, direction
