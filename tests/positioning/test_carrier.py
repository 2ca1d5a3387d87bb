"""Whole cycles: the nearest integers against trying all of them, and baselines against made-up differences."""

import itertools

import numpy as np
import pytest

from sensorium.positioning.carrier import Ambiguities, Differences, code_baseline, fixed, phase_baseline
from sensorium.positioning.integers import nearest_integers

WAVE = 0.19029


@pytest.mark.parametrize("seed", range(25))
def test_nearest_integers_are_those_of_trying_all(seed):
    """The two least values of (a - z)^T Q^-1 (a - z) over all z within 3 of a, for strongly correlated Q."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 5))
    mix = rng.normal(size=(n, n))
    q = mix @ np.diag(10.0 ** rng.uniform(-2.5, 0, n)) @ mix.T + 1e-3 * np.eye(n)
    a = rng.normal(0, 5, n)
    weight = np.linalg.inv(q)
    near = itertools.product(*(range(int(np.floor(v)) - 3, int(np.ceil(v)) + 4) for v in a))
    all_ = sorted(((np.array(z) - a) @ weight @ (np.array(z) - a), z) for z in near)
    whole, distance = nearest_integers(a, q)
    np.testing.assert_allclose(distance, [all_[0][0], all_[1][0]], rtol=1e-8)
    np.testing.assert_array_equal(whole[0], all_[0][1])


def made_up(rng, whole, place, code=0.5, phase=0.003, count=14):
    """Differences of satellites that have moved a little, for a place, with noise."""
    azimuth, elevation = np.linspace(0, 5 * np.pi, count) + 0.01 * place[0], np.linspace(0.3, 1.5, count)
    towards = np.stack((np.sin(azimuth) * np.cos(elevation), np.cos(azimuth) * np.cos(elevation), np.sin(elevation)), 1)
    group = np.arange(count) % 2
    true = -towards @ place + np.array([30.0, -12.0])[group]
    keys = tuple((f"G{k:02d}", "1C") for k in range(count))
    return Differences(keys, group, towards, np.full(count, WAVE), true + rng.normal(0, code, count),
                       true + WAVE * whole + rng.normal(0, phase, count), np.full(count, code), np.full(count, phase))  # fmt: skip


def test_float_and_fixed_baselines():
    """From some epochs of a moving rover the cycles come out right and the place to millimetres."""
    rng = np.random.default_rng(4)
    whole, known = rng.integers(-50, 50, 14).astype(float), Ambiguities()
    for k in range(20):
        place = np.array([1.0 + 0.5 * k, -2.0, 0.3])
        d = made_up(rng, whole, place)
        known = known.learnt(d)
    rows, references, real, covariance = known.floats(d.group)
    expected = whole[rows] - whole[references]
    assert np.sqrt(np.diag(covariance)).max() < 1.5
    assert (np.abs(real - expected) < 5 * np.sqrt(np.diag(covariance))).all()
    found, ratio = fixed(real, covariance, 3.0)
    assert ratio > 3
    np.testing.assert_array_equal(found, expected)
    exact = phase_baseline(d, rows, references, found, np.zeros(len(rows)))
    np.testing.assert_allclose(exact.step_m, place, atol=5 * 0.003 * 3)
    assert np.linalg.norm(phase_baseline(d, rows, references, real, np.diag(covariance)).step_m - place) < 0.5
    assert np.linalg.norm(code_baseline(d).step_m - place) < 5 * 0.5 * 3


def test_what_slips_is_forgotten_alone():
    """Averaging over one signal leaves what is known of the others as a covariance does: rows and columns left out."""
    rng = np.random.default_rng(5)
    whole, known = np.zeros(14), Ambiguities()
    for k in range(5):
        known = known.learnt(made_up(rng, whole, np.array([k, 0.0, 0.0])))
    fewer = known.kept(set(known.keys[:6] + known.keys[7:]))
    group = np.delete(np.arange(14) % 2, 6)
    _, _, real, covariance = fewer.floats(group)
    rows, _, all_real, all_covariance = known.floats(np.arange(14) % 2)
    keep = rows != 6
    np.testing.assert_allclose(real, all_real[keep], atol=1e-5)
    np.testing.assert_allclose(covariance, all_covariance[np.ix_(keep, keep)], atol=1e-5)
