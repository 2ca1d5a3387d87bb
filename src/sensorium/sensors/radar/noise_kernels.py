"""Complex noise, element by element from its address. Import this lazily: it loads Numba."""

from __future__ import annotations

import numba as nb
import numpy as np

from sensorium.core.random_kernels import normal_pair


@nb.njit(cache=True, parallel=True, nogil=True, error_model="numpy")
def fill_complex(key, scale, out):  # type: ignore[no-untyped-def]
    """Write independent complex normal numbers whose parts have this standard deviation; element i depends on key and i alone."""
    for i in nb.prange(len(out)):
        x, y = normal_pair(key, i)
        out[i] = np.complex64(complex(scale * x, scale * y))
