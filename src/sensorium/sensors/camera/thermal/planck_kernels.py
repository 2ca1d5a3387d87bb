"""Radiance of a black body and back, from its table, for kernels. Import this lazily: it loads Numba."""

from __future__ import annotations

import numba as nb
import numpy as np
from numpy.typing import NDArray

from sensorium.sensors.camera.thermal.planck import RadianceTable


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def radiance(table, t_k):  # type: ignore[no-untyped-def]
    """Return the radiance of a temperature; outside the table that of its nearest end."""
    last = len(table.value) - 2
    place = (t_k - table.first_k) / table.step_k
    place = min(max(place, 0.0), last + 1.0)
    i = min(int(place), last)
    u = place - i
    a, b = table.value[i], table.value[i + 1]
    da, db = table.slope[i] * table.step_k, table.slope[i + 1] * table.step_k
    return a + u * (da + u * (3.0 * (b - a) - 2.0 * da - db + u * (2.0 * (a - b) + da + db)))


@nb.njit(cache=True, error_model="numpy")
def temperature(table, value):  # type: ignore[no-untyped-def]
    """Return the temperature of a radiance: the piece by bisection, the place in it by Newton's steps."""
    low, high = 0, len(table.value) - 1
    if not value > table.value[0]:
        return table.first_k
    if value >= table.value[high]:
        return table.first_k + high * table.step_k
    while high - low > 1:
        middle = (low + high) // 2
        if table.value[middle] <= value:
            low = middle
        else:
            high = middle
    a, b = table.value[low], table.value[low + 1]
    da, db = table.slope[low] * table.step_k, table.slope[low + 1] * table.step_k
    c2, c3 = 3.0 * (b - a) - 2.0 * da - db, 2.0 * (a - b) + da + db
    u = (value - a) / (b - a)
    for _ in range(4):
        u -= (a + u * (da + u * (c2 + u * c3)) - value) / (da + u * (2.0 * c2 + 3.0 * u * c3))
    return table.first_k + (low + u) * table.step_k


@nb.njit(cache=True, error_model="numpy", nogil=True)
def _radiances(table, t_k, out):  # type: ignore[no-untyped-def]
    for i in range(t_k.size):
        out[i] = radiance(table, t_k[i])


@nb.njit(cache=True, error_model="numpy", nogil=True)
def _temperatures(table, value, out):  # type: ignore[no-untyped-def]
    for i in range(value.size):
        out[i] = temperature(table, value[i])


def radiances(table: RadianceTable, t_k: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return radiances of temperatures [...]."""
    out = np.empty(t_k.size)
    _radiances(table, np.ascontiguousarray(t_k, np.float64).reshape(-1), out)
    return out.reshape(t_k.shape)


def temperatures(table: RadianceTable, value: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return temperatures of radiances [...]."""
    out = np.empty(value.size)
    _temperatures(table, np.ascontiguousarray(value, np.float64).reshape(-1), out)
    return out.reshape(value.shape)
