"""Integer least squares: the whole numbers nearest to real ones in the metric of their covariance.

The LAMBDA method: decorrelate by integer Gauss steps and permutations (Teunissen, J. Geodesy 70, 1995), then search the
ellipsoid from the last number to the first, nearest first (Chang, Yang and Zhou, "MLAMBDA", J. Geodesy 79, 2005).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_LONGEST_SEARCH = 20_000


def nearest_integers(real: Floats, covariance: Floats) -> tuple[Floats, Floats] | None:
    """Return the two best vectors of whole numbers [2, N] and their squared distances [2]; None if the search finds no two."""
    lower, diagonal = _factors(covariance)
    if diagonal.min(initial=np.inf) <= 0:
        return None
    turn = _decorrelated(lower, diagonal)
    found = _search(lower, diagonal, turn.T @ real)
    if found is None:
        return None
    whole, distance = found
    return np.rint(np.linalg.solve(turn.T, whole.T).T), distance


def _factors(covariance: Floats) -> tuple[Floats, Floats]:
    """Return unit lower L and D with Q = L^T D L."""
    q, count = covariance.copy(), len(covariance)
    lower, diagonal = np.zeros_like(q), np.zeros(count)
    for i in range(count - 1, -1, -1):
        diagonal[i] = q[i, i]
        if diagonal[i] <= 0:
            return lower, diagonal
        lower[i, : i + 1] = q[i, : i + 1] / diagonal[i]
        q[:i, :i] -= diagonal[i] * np.outer(lower[i, :i], lower[i, :i])
    return lower, diagonal


def _decorrelated(lower: Floats, diagonal: Floats) -> Floats:
    """Reduce L and D in place; return the unimodular Z of z = Z^T a."""
    count = len(diagonal)
    turn = np.eye(count)
    j = k = count - 2
    while j >= 0:
        if j <= k:
            for i in range(j + 1, count):
                whole = round(lower[i, j])
                if whole:
                    lower[i:, j] -= whole * lower[i:, i]
                    turn[:, j] -= whole * turn[:, i]
        swapped = diagonal[j] + lower[j + 1, j] ** 2 * diagonal[j + 1]
        if swapped + 1e-6 < diagonal[j + 1]:
            _swap(lower, diagonal, turn, j, swapped)
            k, j = j, count - 2
        else:
            j -= 1
    return turn


def _swap(lower: Floats, diagonal: Floats, turn: Floats, j: int, swapped: float) -> None:
    eta, lam = diagonal[j] / swapped, diagonal[j + 1] * lower[j + 1, j] / swapped
    diagonal[j], diagonal[j + 1] = eta * diagonal[j + 1], swapped
    above, below = lower[j, :j].copy(), lower[j + 1, :j].copy()
    lower[j, :j], lower[j + 1, :j] = below - lower[j + 1, j] * above, eta * above + lam * below
    lower[j + 1, j] = lam
    lower[j + 2 :, [j, j + 1]] = lower[j + 2 :, [j + 1, j]]
    turn[:, [j, j + 1]] = turn[:, [j + 1, j]]


def _search(lower: Floats, diagonal: Floats, real: Floats) -> tuple[Floats, Floats] | None:
    """Walk the tree of whole numbers, from the last to the first, nearest first, in a shrinking ellipsoid."""
    count = len(real)
    best: list[tuple[float, Floats]] = []
    limit, k, partial = np.inf, count - 1, np.zeros(count + 1)
    centre, whole, step = real.copy(), np.zeros(count), np.zeros(count)
    left = np.zeros((count, count))  # what the numbers after k add to the centre of k
    whole[k] = np.rint(centre[k])
    step[k] = 1.0 if centre[k] >= whole[k] else -1.0
    for _ in range(_LONGEST_SEARCH):
        distance = partial[k + 1] + (centre[k] - whole[k]) ** 2 / diagonal[k]
        if distance < limit:
            if k:
                partial[k] = distance
                k -= 1
                left[k, : k + 1] = left[k + 1, : k + 1] + (whole[k + 1] - centre[k + 1]) * lower[k + 1, : k + 1]
                centre[k] = real[k] + left[k, k]
                whole[k] = np.rint(centre[k])
                step[k] = 1.0 if centre[k] >= whole[k] else -1.0
                continue
            best = sorted([*best, (float(distance), whole.copy())], key=lambda each: each[0])[:2]
            limit = best[1][0] if len(best) == 2 else np.inf
        elif k == count - 1:
            break
        else:
            k += 1
        whole[k] += step[k]
        step[k] = -step[k] - np.sign(step[k])
    if len(best) < 2:
        return None
    return np.array([each[1] for each in best]), np.array([each[0] for each in best])
