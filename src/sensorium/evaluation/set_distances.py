"""Distances between sets of points: how far a picture of several targets is from the truth, missed and false ones included."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sensorium.core.errors import ConfigurationError

Floats = NDArray[np.float64]


def _checked(found: ArrayLike, truth: ArrayLike, cutoff: float, order: float) -> tuple[Floats, Floats]:
    if not (cutoff > 0 and order >= 1):
        raise ConfigurationError(
            f"the cut-off must be above 0 and the order at least 1, found {cutoff:g} and {order:g}"
        )
    a, b = np.asarray(found, np.float64), np.asarray(truth, np.float64)
    width = b.shape[-1] if b.size else a.shape[-1] if a.size else 3
    return a.reshape(-1, width), b.reshape(-1, width)


def _assigned(cost: Floats) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(cost)
    return rows, columns


def ospa(found: ArrayLike, truth: ArrayLike, cutoff_m: float, order: float = 2.0) -> float:
    """Return the optimal sub-pattern assignment distance of points [M, d] and [N, d].

    ((sum over pairs of min(d, c)^p + c^p |M - N|) / max(M, N))^(1/p); D. Schuhmacher, B.-T. Vo, B.-N. Vo, IEEE Trans.
    Signal Processing 56, 2008.
    """
    a, b = _checked(found, truth, cutoff_m, order)
    if not len(a) and not len(b):
        return 0.0
    cost = np.minimum(np.linalg.norm(a[:, None] - b[None], axis=-1), cutoff_m) ** order
    total = cost[_assigned(cost)].sum() + cutoff_m**order * abs(len(a) - len(b))
    return float((total / max(len(a), len(b))) ** (1 / order))


def gospa(found: ArrayLike, truth: ArrayLike, cutoff_m: float, order: float = 2.0) -> dict[str, float]:
    """Return the generalised OSPA distance with alpha = 2, and its parts to the power of the order.

    (sum over pairs of d^p + c^p / 2 (missed + false))^(1/p); A. Rahmathullah, A. Garcia-Fernandez, L. Svensson, FUSION
    2017. A pair farther apart than c counts as one missed and one false.
    """
    a, b = _checked(found, truth, cutoff_m, order)
    distance = np.linalg.norm(a[:, None] - b[None], axis=-1)
    cost = np.minimum(distance, cutoff_m) ** order
    rows, columns = _assigned(cost)
    near = distance[rows, columns] < cutoff_m
    localisation = float(cost[rows[near], columns[near]].sum())
    pairs, unit = int(near.sum()), cutoff_m**order / 2
    missed, false = unit * (len(b) - pairs), unit * (len(a) - pairs)
    total = localisation + missed + false
    return {"distance": total ** (1 / order), "localisation": localisation, "missed": missed, "false": false}
