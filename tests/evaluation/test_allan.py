"""The Allan deviation against another library, against closed forms, and what is read from it."""

from __future__ import annotations

import allantools
import numpy as np
import pytest

from sensorium.core.errors import RecordingError
from sensorium.evaluation import allan_models
from sensorium.evaluation.allan import allan_curve, noise_parameters

RATE_HZ = 50.0


@pytest.fixture(scope="module")
def record() -> np.ndarray:
    """White noise N = 0.02, rate random walk K = 0.001, an hour at 50 Hz."""
    rng = np.random.default_rng(5)
    count = int(3600 * RATE_HZ)
    white = rng.normal(size=(count, 2)) * 0.02 * np.sqrt(RATE_HZ)
    return white + np.cumsum(rng.normal(size=(count, 2)), 0) * 0.001 / np.sqrt(RATE_HZ)


def test_same_as_another_library(record) -> None:
    """allantools.oadev gives the same deviations to rounding at the same cluster times."""
    curve = allan_curve(record, RATE_HZ)
    for channel in (0, 1):
        tau, theirs, _, _ = allantools.oadev(record[:, channel], RATE_HZ, "freq", curve.tau_s)
        np.testing.assert_allclose(tau, curve.tau_s)
        np.testing.assert_allclose(curve.deviation[:, channel], theirs, rtol=1e-8)


def test_degrees_of_freedom_are_those_of_the_handbook() -> None:
    """allantools has the simple formulas of NIST SP 1065 for overlapping clusters; ours is the least of three noises."""
    from sensorium.evaluation.allan import degrees_of_freedom

    for n in (2, 10, 1000):
        theirs = min(allantools.edf_simple(100_000, n, alpha) for alpha in (0, -1, -2))
        assert degrees_of_freedom(100_000, n) == pytest.approx(theirs, rel=1e-9)


def test_slopes_and_levels(record) -> None:
    """s^2 = N^2/tau + K^2 tau/3 lies in the 99.9 % band at every cluster time; N and K are found within 4 of their errors."""
    curve = allan_curve(record, RATE_HZ, confidence=0.999)
    truth = np.hypot(allan_models.white(0.02, curve.tau_s), allan_models.walk(0.001, curve.tau_s))[:, None]
    assert ((curve.low < truth) & (truth < curve.high)).all()
    found = noise_parameters(curve)
    assert (np.abs(found.random_walk - 0.02) < 4 * found.random_walk_error).all()
    assert (np.abs(found.rate_random_walk - 0.001) < 4 * found.rate_random_walk_error).all()
    assert (found.random_walk_error < 0.01 * 0.02).all()
    assert (found.rate_random_walk_error < 0.3 * 0.001).all()


def test_what_is_not_there_is_not_seen() -> None:
    """White noise alone shows neither flat part nor walk: NaN instead of a number without meaning."""
    values = np.random.default_rng(2).normal(size=200_000)
    found = noise_parameters(allan_curve(values, 100.0))
    assert found.random_walk == pytest.approx(0.1, rel=0.01)
    assert np.isnan(found.bias_instability).all()
    assert np.isnan(found.rate_random_walk).all()


def test_gauss_markov_curve() -> None:
    """The hill of a Gauss-Markov process is 0.6174 sigma high at 1.893 T; left of it sqrt(2 tau/(3T)), right sqrt(2T/tau)."""
    tau = np.geomspace(1e-4, 1e5, 20_001)
    curve = allan_models.gauss_markov(1.0, 10.0, tau)
    assert curve.max() == pytest.approx(0.6174, abs=1e-4)
    assert tau[curve.argmax()] == pytest.approx(18.93, rel=1e-3)
    assert curve[0] == pytest.approx(np.sqrt(2 * 1e-4 / 30), rel=1e-4)
    assert curve[-1] == pytest.approx(np.sqrt(2 * 10 / 1e5), rel=1e-3)


def test_bad_records_are_refused() -> None:
    with pytest.raises(RecordingError, match="at least 100 readings without gaps, found 50 readings"):
        allan_curve(np.zeros(50), 10.0)
    with pytest.raises(RecordingError, match="not numbers"):
        allan_curve(np.full(200, np.nan), 10.0)
