"""Pairs of tracks and detections: global assignment is optimal, nearest neighbour takes the cheapest first."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from sensorium.tracking.association import GlobalAssignment, NearestNeighbour


def brute_force(cost: np.ndarray, alone: float) -> float:
    """Least total over every way to give each track one detection or none."""
    tracks, found = cost.shape
    options = list(range(found)) + [-1] * tracks
    return min(
        sum(alone if d < 0 else cost[t, d] for t, d in enumerate(chosen))
        for chosen in set(permutations(options, tracks))
    )


def total(pairs, cost, alone):
    rows, columns = pairs
    assert len(set(rows.tolist())) == len(rows)
    assert len(set(columns.tolist())) == len(columns)
    return cost[rows, columns].sum() + alone * (cost.shape[0] - len(rows))


@pytest.mark.parametrize("seed", range(12))
def test_global_assignment_is_optimal(seed):
    """Random costs, a third of them impossible, 1 to 4 tracks and 0 to 4 detections: never worse than any other way."""
    rng = np.random.default_rng(seed)
    cost = rng.uniform(-5, 10, (rng.integers(1, 5), rng.integers(0, 5)))
    cost[rng.uniform(size=cost.shape) < 0.33] = np.inf
    best = brute_force(cost, 6.0)
    assert total(GlobalAssignment().pairs(cost, 6.0), cost, 6.0) == pytest.approx(best)
    assert total(NearestNeighbour().pairs(cost, 6.0), cost, 6.0) >= best - 1e-9


def test_they_differ_where_greed_does_not_pay():
    """Two tracks want the same detection; the greedy one leaves the other with what is far."""
    cost = np.array([[1.0, 2.0], [1.5, 9.0]])
    assert GlobalAssignment().pairs(cost, 20.0)[1].tolist() == [1, 0]
    assert sorted(zip(*(a.tolist() for a in NearestNeighbour().pairs(cost, 20.0)), strict=True)) == [(0, 0), (1, 1)]


def test_what_is_too_dear_stays_alone():
    for one in (GlobalAssignment(), NearestNeighbour()):
        assert len(one.pairs(np.array([[7.0]]), 6.0)[0]) == 0
        assert len(one.pairs(np.full((2, 2), np.inf), 6.0)[0]) == 0
        assert len(one.pairs(np.empty((0, 3)), 6.0)[0]) == 0
