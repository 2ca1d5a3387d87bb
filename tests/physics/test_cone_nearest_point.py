"""The exact nearest point of a triangle in an elliptical cone, against a slow twin and against closed forms."""

import math

import cone_twin
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sensorium.sensors.cone.segment_kernels import clipped
from sensorium.sensors.cone.triangle_kernels import nearest_of_triangle, towards

NUMBER = st.floats(-5, 5, allow_nan=False).map(lambda x: round(x, 6))
CORNER = st.tuples(NUMBER, NUMBER, NUMBER)
HALF_TAN = st.floats(math.radians(1), math.radians(85)).map(math.tan)


def exact(triangle, a, b, deepest=np.inf):
    square, *q = nearest_of_triangle(np.asarray(triangle, float), 0, 1, 2, a, b, deepest, np.inf)
    return math.sqrt(square), np.array(q)


def area2(t):
    return np.linalg.norm(np.cross(t[1] - t[0], t[2] - t[0]))


@settings(max_examples=60, deadline=None)
@given(st.tuples(CORNER, CORNER, CORNER), HALF_TAN, HALF_TAN, st.sampled_from([np.inf, 1.0, 2.5]))
def test_no_point_of_the_triangle_is_nearer(corners, a, b, deepest):
    """The point found is in triangle and cone, and the twin finds none that is nearer: it is the nearest one."""
    triangle = np.array(corners)
    assume(area2(triangle) > 1e-2)
    distance, q = exact(triangle, a, b, deepest)
    searched = cone_twin.nearest_of_triangle(triangle, a, b, deepest)
    assert searched >= distance - 1e-9
    if math.isfinite(distance):
        weights = np.linalg.lstsq(np.vstack((triangle.T, np.ones(3))), [*q, 1.0], rcond=None)[0]
        assert weights.min() > -1e-7
        np.testing.assert_allclose(weights @ triangle, q, atol=1e-9)
        assert cone_twin.inside(q, a, b, deepest, slack=1e-9)
        if math.isfinite(searched):
            assert abs(searched - distance) < 1e-6


@settings(max_examples=300, deadline=None)
@given(CORNER, HALF_TAN, HALF_TAN)
def test_projection_on_the_elliptic_cone(n, a, b):
    """The direction found makes the smallest angle with n: no direction of the rim makes a smaller one."""
    nx, ny, nz = n
    assume(math.hypot(ny / a, nz / b) > nx + 1e-6)
    assume(nx + math.hypot(ny * a, nz * b) > 1e-6)
    w = np.array(towards(nx, ny, nz, a, b))
    assert math.hypot(w[1] / a, w[2] / b) == pytest.approx(w[0], rel=1e-12)
    phi = np.linspace(0, 2 * np.pi, 20_001)
    rim = np.stack((np.ones_like(phi), a * np.cos(phi), b * np.sin(phi)), 1)
    cosines = rim @ n / np.linalg.norm(rim, axis=1)
    assert w @ n / np.linalg.norm(w) >= cosines.max() - 1e-12 * np.linalg.norm(n)


@settings(max_examples=300, deadline=None)
@given(CORNER, CORNER, HALF_TAN, HALF_TAN, st.sampled_from([np.inf, 2.0]))
def test_clipped_segment(p, end, a, b, deepest):
    """Of the points of a segment those between the two ends found are in the cone, the others are not."""
    e = np.subtract(end, p)
    low, high = clipped(*p, *e, a, b, deepest)
    t = np.linspace(0, 1, 401)
    points = np.array(p) + t[:, None] * e
    within = (t >= low) & (t <= high)
    assert cone_twin.inside(points, a, b, deepest, slack=1e-7)[within].all()
    assert not cone_twin.inside(points, a, b, deepest, slack=-1e-7)[~within].any()


def test_foot_of_the_perpendicular():
    """A large wall across the axis: the foot, at its distance."""
    distance, q = exact([[3, -50, -50], [3, 50, -50], [3, 0, 90]], 0.5, 0.3)
    assert distance == 3
    np.testing.assert_allclose(q, (3, 0, 0), atol=1e-12)


@pytest.mark.parametrize("half_deg", [5, 20, 40])
def test_oblique_plane_in_a_round_cone(half_deg):
    """A plane whose normal makes the angle g > h with the axis, at distance d: d / cos(g - h), on the rim nearest to it."""
    h, g, d = math.radians(half_deg), math.radians(60), 2.0
    normal, along = np.array([math.cos(g), math.sin(g), 0]), np.array([-math.sin(g), math.cos(g), 0])
    corners = [d * normal + 1e3 * (along * u + np.array([0, 0, 1]) * v) for u, v in ((-2, -2), (3, -2), (0, 4))]
    distance, q = exact(corners, math.tan(h), math.tan(h))
    assert distance == pytest.approx(d / math.cos(g - h), rel=1e-9)
    assert math.atan2(q[1], q[0]) == pytest.approx(h, rel=1e-9)


def test_apex_in_the_triangle():
    """A surface through the sensor is at distance 0."""
    assert exact([[-1, -1, 0.5], [-1, 1, 0], [2, 0, -0.25 * 0]], 1, 1)[0] >= 0
    assert exact([[-1, -1, 0], [-1, 1, 0], [2, 0, 0]], 1, 1)[0] == 0


def test_behind_and_beside():
    """Nothing behind the sensor is seen, nor beside the cone."""
    wall = np.array([[3.0, -1, -1], [3, 1, -1], [3, 0, 1]])
    assert exact(-wall, 1, 1)[0] == np.inf
    assert exact(wall + (0, 10, 0), 1, 1)[0] == np.inf


def test_front_cuts_the_triangle():
    """A ramp that comes nearer beyond the end of the cone: the nearest point is on the front disc."""
    ramp = [[1.5, 5.0, -9], [1.5, 5.0, 9], [4.0, 0.0, 0]]
    free, _ = exact(ramp, 10.0, 10.0)
    cut, q = exact(ramp, 10.0, 10.0, 2.0)
    assert free < cut
    assert q[0] == pytest.approx(2.0)


def test_triangle_across_the_sensor_plane():
    """Corners behind the sensor do not matter: the part before it counts."""
    distance, q = exact([[-5, 1, 0], [5, 1, 0], [0, 1, 5]], 1.0, 1.0)
    assert distance == pytest.approx(math.sqrt(2))
    np.testing.assert_allclose(q, (1, 1, 0), atol=1e-12)
