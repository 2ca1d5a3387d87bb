"""The cell of each direction, for sorting. Import this lazily: it loads Numba."""

from __future__ import annotations

import numba as nb
import numpy as np


@nb.njit(cache=True, error_model="numpy")
def cells(direction, columns, rows):  # type: ignore[no-untyped-def]
    """Return the number of each direction's cell, column by column, at most columns * rows = 65536 of them.

    Columns divide the turn by the diamond angle, y / (|x| + |y|) continued over the quadrants: it grows with the azimuth and
    needs no arc tangent. Rows divide the heights that occur, the sine of the elevation if the directions have length one.
    """
    low, high = np.inf, -np.inf
    for k in range(len(direction)):
        low, high = min(low, direction[k, 2]), max(high, direction[k, 2])
    step = (rows - 1) / (high - low) if high > low else 0.0
    cell = np.empty(len(direction), np.uint16)
    for k in range(len(direction)):
        x, y = direction[k, 0], direction[k, 1]
        flat = abs(x) + abs(y)
        diamond = y / flat if flat > 0.0 else 0.0
        turn = (diamond if x >= 0.0 else 2.0 - diamond) + 1.0  # 0 .. 4, from minus a quarter on
        column = min(columns - 1, int(turn * 0.25 * columns))
        cell[k] = column * rows + int((direction[k, 2] - low) * step)
    return cell
