"""The functions that compiled loops use agree with the C library."""

from __future__ import annotations

import math

import numba as nb
import numpy as np
import pytest

from sensorium.core import arithmetic_kernels as functions
from sensorium.core import random_kernels
from sensorium.core.random import Draws

X = np.random.default_rng(1).uniform(size=20_000)


def over(function):
    """The function over an array, compiled as the loops compile it."""

    @nb.njit
    def each(values):
        out = np.empty_like(values)
        for i in range(len(values)):
            out[i] = function(values[i])
        return out

    return each


@pytest.mark.parametrize("scale", [1e-9, 1.0, 50.0, 690.0])
def test_exp_minus(scale: float) -> None:
    """exp(-x): the first neglected term is f^11/11! with |f| <= ln(2)/2, 2.2e-13."""
    x = X * scale
    np.testing.assert_allclose(over(functions.exp_minus)(x), np.exp(-x), rtol=5e-13)


def test_exp_minus_at_its_ends() -> None:
    """exp(-0) is 1 and nothing overflows far out."""
    assert over(functions.exp_minus)(np.array([0.0, 1e300, np.inf])).tolist() == pytest.approx([1, 0, 0], abs=1e-300)


@pytest.mark.parametrize("scale", [1e-300, 2.0**-33, 1.0, 3.7, 1e300])
def test_log_positive(scale: float) -> None:
    """ln x: the first neglected term is 2 z^17/17 with |z| <= 0.1716, 1e-14; near 1 the error stays relative."""
    x = (X + 1e-4) * scale
    np.testing.assert_allclose(over(functions.log_positive)(x), np.log(x), rtol=1e-12, atol=1e-14)
    near = 1 + (X - 0.5) * 1e-6
    np.testing.assert_allclose(over(functions.log_positive)(near), np.log1p(near - 1), rtol=1e-12)


def test_cos_of_turns() -> None:
    """cos(2 pi u): the first neglected term is (pi/2)^19/19!, 4.4e-14."""
    u = np.concatenate((X, [0.0, 0.25, 0.5, 0.75, 1.0]))
    np.testing.assert_allclose(over(functions.cos_of_turns)(u), np.cos(2 * np.pi * u), rtol=0, atol=1e-13)


def test_angle_squared() -> None:
    """arccos^2 over 0..90 degrees: the series is cut at y^13 with y <= sin^2(22.5 deg) = 0.146, 2e-12 of its value."""
    angle = np.radians(90 * X)
    np.testing.assert_allclose(over(functions.angle_squared)(np.cos(angle)), angle**2, rtol=3e-12, atol=1e-15)
    assert over(functions.angle_squared)(np.array([1.0, 1.0 + 1e-15])).tolist() == [0.0, 0.0]


def test_sin_of_turns() -> None:
    """sin(2 pi u), as good as the cosine."""
    u = np.concatenate((X, [0.0, 0.25, 0.5, 0.75, 1.0]))
    np.testing.assert_allclose(over(functions.sin_of_turns)(u), np.sin(2 * np.pi * u), rtol=0, atol=1e-13)


def test_normal_draws_are_those_of_box_and_muller() -> None:
    """Element i is sqrt(-2 ln u) (cos, sin)(2 pi v) of its two words, also for counters beyond 32 bits."""
    key = Draws(5).key("power")
    for element in [*range(500), *range(2**32, 2**32 + 50)]:
        words = random_kernels.philox(key, *(np.uint64(w) for w in (element % 2**32, element >> 32, 0, 0)))
        u, v = ((int(word) + 0.5) * 2.0**-32 for word in words[:2])
        expected = math.sqrt(-2 * math.log(u)) * np.array([math.cos(2 * math.pi * v), math.sin(2 * math.pi * v)])
        np.testing.assert_allclose(random_kernels.normal_pair(key, element), expected, rtol=0, atol=1e-11)
    assert random_kernels.normal(key, 0) == Draws(5).normal("power", 1)[0]
