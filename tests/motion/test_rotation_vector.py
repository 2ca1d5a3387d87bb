"""Rotation vectors: exponential, angular velocity, and its inverse, against SciPy and numerical differentiation."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from sensorium.motion import rotation_vector

part = st.floats(-4, 4)
vectors = st.tuples(part, part, part).map(np.array)
EPS = np.finfo(float).eps


@settings(deadline=None)
@given(vectors, st.sampled_from([1.0, 1e-3, 1e-9, 0.0]))
def test_exponential_is_scipys(vector, scale):
    """The quaternion of a rotation vector is (cos t/2, sin(t/2) p/t), for small angles as well."""
    wanted = Rotation.from_rotvec(vector * scale).as_quat(scalar_first=True)
    found = rotation_vector.quaternions(vector * scale)
    assert min(np.abs(found - wanted).max(), np.abs(found + wanted).max()) < 8 * EPS


@settings(deadline=None)
@given(vectors, vectors, vectors, st.sampled_from([1.0, 1e-2, 1e-5, 0.0]))
def test_rates_are_the_derivatives_of_the_exponential(p, first, second, scale):
    """exp(p(s)) with p(s) = p + p' s + p'' s^2/2 obeys dR/ds = [w]x R, and w changes at the rate that is given.

    Central differences of fourth order with h = 1e-3: truncation h^4 f^(5) / 30, rounding eps / h.
    """
    h, p = 1e-3, p * scale

    def turned(s):
        return Rotation.from_rotvec(p + first * s + second * s * s / 2).as_matrix()

    def spin(s):
        return rotation_vector.rates(p + first * s + second * s * s / 2, first + second * s, second)[0]

    def slope(f):
        return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h)

    velocity, acceleration = rotation_vector.rates(p, first, second)
    size = 1 + np.abs(first).max() + np.abs(second).max()
    bound = h**4 / 30 * 3 * size**6 + 20 * EPS * size**2 / h
    wanted = slope(turned) @ turned(0).T
    assert np.abs(np.array([wanted[2, 1], wanted[0, 2], wanted[1, 0]]) - velocity).max() < bound
    assert np.abs(slope(spin) - acceleration).max() < bound


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-4, 0.999999, 1.000001, 3.0, np.pi])
def test_vector_rate_undoes_the_body_rate(angle):
    """The inverse right Jacobian: a vector that changes with p' turns the body with R^T w, and back."""
    rng = np.random.default_rng(1)
    p = rng.normal(size=(50, 3))
    p *= angle / np.linalg.norm(p, axis=1, keepdims=True)
    body = rng.normal(size=(50, 3))
    rate = rotation_vector.vector_rate(p, body)
    world = rotation_vector.rates(p, rate, np.zeros_like(p))[0]
    assert np.abs(Rotation.from_rotvec(p).inv().apply(world) - body).max() < 1e-13


def test_series_meet_the_closed_forms():
    """A, B and their derivatives change from series to closed forms at one radian without a step above 1e-14."""
    rng = np.random.default_rng(2)
    p, first, second = rng.normal(size=(3, 100, 3))
    p /= np.linalg.norm(p, axis=1, keepdims=True)
    below = rotation_vector.rates(p * (1 - 1e-15), first, second)
    above = rotation_vector.rates(p * (1 + 1e-15), first, second)
    assert max(np.abs(a - b).max() for a, b in zip(below, above, strict=True)) < 1e-13
