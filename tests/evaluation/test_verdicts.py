"""Measures of errors against hand calculation, chi-squared numbers and Stone Soup."""

from __future__ import annotations

from datetime import datetime
from itertools import permutations

import numpy as np
import pytest

from sensorium.core.errors import ConfigurationError
from sensorium.evaluation.consistency import band, nees, share_inside
from sensorium.evaluation.set_distances import gospa, ospa
from sensorium.evaluation.track_errors import rms
from sensorium.evaluation.track_quality import alert_latency_s, purity


def test_rms_by_hand():
    """Errors (3, 4) and 0: sqrt((25 + 0) / 2)."""
    assert rms([[3.0, 4.0], [1.0, 1.0]], [[0.0, 0.0], [1.0, 1.0]]) == pytest.approx(np.sqrt(12.5))
    np.testing.assert_allclose(rms([[3.0, 4.0]], [0.0, 0.0], axis=None), [5.0])
    with pytest.raises(ConfigurationError, match="cannot be compared"):
        rms(np.zeros((2, 3)), np.zeros((2, 2)))


def test_nees_of_consistent_errors_is_chi_squared():
    """e ~ N(0, P): the mean over N runs is n within 5 sqrt(2 n / N), and lies in its band at 95 percent of the instants."""
    rng = np.random.default_rng(1)
    root = rng.normal(size=(4, 4))
    covariance = root @ root.T
    e = rng.multivariate_normal(np.zeros(4), covariance, (500, 400))
    values = nees(e, covariance, np.zeros(4))
    assert abs(values.mean() - 4) < 5 * np.sqrt(8 / values.size)
    assert abs(share_inside(values, 4) - 0.95) < 5 * np.sqrt(0.95 * 0.05 / 400)
    assert share_inside(2 * values, 4) == 0.0
    low, high = band(4, 500)
    assert low < 4 < high
    assert band(1, 1)[1] == pytest.approx(5.0239, abs=1e-4)  # 97.5 percent of chi-squared with one degree


def test_bands_refuse_what_makes_none():
    with pytest.raises(ConfigurationError, match="confidence"):
        band(3, 10, 1.0)
    with pytest.raises(ConfigurationError, match="square covariances"):
        nees(np.zeros(3), np.eye(2), np.zeros(3))
    with pytest.raises(ConfigurationError, match="no finite value"):
        share_inside(np.full((2, 3), np.nan), 2)


def brute_ospa(a, b, cutoff, order):
    """Try every assignment of the smaller set to the larger one."""
    if len(a) > len(b):
        a, b = b, a
    best = min(
        sum(min(np.linalg.norm(a[i] - b[j]), cutoff) ** order for i, j in enumerate(chosen))
        for chosen in permutations(range(len(b)), len(a))
    )
    return ((best + cutoff**order * (len(b) - len(a))) / len(b)) ** (1 / order)


@pytest.mark.parametrize("seed", range(6))
def test_set_distances_equal_stone_soup_and_brute_force(seed):
    """Random sets of 1 to 5 points: OSPA against every assignment and Stone Soup, GOSPA against Stone Soup."""
    from stonesoup.metricgenerator.ospametric import GOSPAMetric, OSPAMetric
    from stonesoup.types.state import State

    rng = np.random.default_rng(seed)
    a, b = (rng.uniform(0, 10, (rng.integers(1, 6), 3)) for _ in range(2))
    cutoff, order = 4.0, (1.0, 2.0)[seed % 2]
    now = datetime(2026, 1, 1)
    theirs, real = ([State(point[:, None], timestamp=now) for point in points] for points in (a, b))
    assert ospa(a, b, cutoff, order) == pytest.approx(brute_ospa(a, b, cutoff, order))
    assert ospa(a, b, cutoff, order) == pytest.approx(
        OSPAMetric(p=order, c=cutoff).compute_OSPA_distance(theirs, real).value
    )
    metric, _ = GOSPAMetric(p=order, c=cutoff).compute_gospa_metric(theirs, real)
    found = gospa(a, b, cutoff, order)
    assert found["distance"] == pytest.approx(metric.value["distance"])
    assert found["localisation"] == pytest.approx(metric.value["localisation"])
    assert found["missed"] == pytest.approx(metric.value["missed"])


def test_empty_sets():
    """Nothing and nothing agree; nothing for one target costs the cut-off (OSPA) or half its power (GOSPA)."""
    assert ospa([], [], 5.0) == 0.0
    assert ospa([], [[1.0, 2.0, 3.0]], 5.0) == 5.0
    assert gospa([], [[1.0, 2.0, 3.0]], 5.0)["distance"] == pytest.approx(np.sqrt(12.5))
    with pytest.raises(ConfigurationError, match="cut-off"):
        ospa([], [], 0.0)


def test_purity_and_latency():
    """Track 0 follows target 5 twice and 6 once, track 1 only 6; a detection of no track does not count."""
    assert purity([0, 0, 0, 1, 1, -1], [5, 5, 6, 6, 6, 5]) == pytest.approx(4 / 5)
    assert np.isnan(purity([-1], [0]))
    np.testing.assert_array_equal(alert_latency_s([1.5, np.nan], [1.0, 1.0]), [0.5, np.inf])
