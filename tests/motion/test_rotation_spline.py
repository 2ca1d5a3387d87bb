"""Rotation splines against SciPy's, and what SciPy's does not know: rest at the ends and closed paths."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation, RotationSpline

from sensorium.core.pose import rotate
from sensorium.motion.attitude import Turns
from sensorium.motion.ends import AtRest, Closed, Natural
from sensorium.motion.rotation_spline import knot_rates


def random_turns(count: int, largest_rad: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return quaternions [count, 4] and spans [count - 1] of a tumbling body."""
    rng = np.random.default_rng(seed)
    steps = rng.normal(size=(count - 1, 3))
    steps *= rng.uniform(0, largest_rad, (count - 1, 1)) / np.linalg.norm(steps, axis=1, keepdims=True)
    turned = [Rotation.random(random_state=seed)]
    for step in steps:
        turned.append(turned[-1] * Rotation.from_rotvec(step))
    return np.array([each.as_quat(scalar_first=True) for each in turned]), rng.uniform(0.3, 1.5, count - 1)


def test_is_scipys_rotation_spline_far_from_the_ends():
    """Rotation, rate and acceleration (SciPy's are in the body frame) agree where the ends' rules have died away.

    They die by 2 - sqrt(3) per knot: 0.268^30 = 7e-18. SciPy iterates to 1e-9.
    """
    quaternions, spans = random_turns(80, 1.5, 1)
    knots = np.concatenate(([0], np.cumsum(spans)))
    judge = RotationSpline(knots, Rotation.from_quat(quaternions, scalar_first=True))
    turns = Turns.through(quaternions, spans, Natural())
    piece = np.repeat(np.arange(32, 48), 7)
    elapsed = np.tile(np.linspace(0, 0.999, 7), 16) * spans[piece]
    at = knots[piece] + elapsed
    found, wanted = turns.quaternions(piece, elapsed), judge(at).as_quat(scalar_first=True)
    assert np.abs(np.abs(np.sum(found * wanted, 1)) - 1).max() < 1e-14
    for world, body in zip(turns.rates(piece, elapsed), (judge(at, 1), judge(at, 2)), strict=True):
        assert np.abs(world - rotate(found, body)).max() < 1e-7


@settings(max_examples=40, deadline=None)
@given(st.integers(3, 12), st.floats(0.1, 3.0), st.integers(0, 10**6), st.sampled_from([AtRest(), Natural(), Closed()]))
def test_acceleration_is_continuous(count, largest, seed, ends):
    """At every inner knot, of closed paths at the seam too, rate and acceleration on both sides are the same."""
    quaternions, spans = random_turns(count, largest, seed)
    if ends.closed:
        quaternions[-1] = quaternions[0]
    turns = Turns.through(quaternions, spans, ends)
    pieces = np.arange(count - 1)
    end, start = turns.rates(pieces, spans), turns.rates(pieces, np.zeros(count - 1))
    for late, early in zip(end, start, strict=True):
        wanted = np.roll(early, -1, 0) if ends.closed else early[1:]
        assert np.abs(late[: len(wanted)] - wanted).max() < 1e-9 * (1 + np.abs(early).max())
    if not ends.closed:
        at_ends = (end[0][-1], start[0][0]) if isinstance(ends, AtRest) else (end[1][-1], start[1][0])
        assert max(np.abs(each).max() for each in at_ends) < 1e-9 * (1 + np.abs(start[1]).max())


def test_a_steady_turn_stays_steady():
    """A body recorded at even angles turns with that rate everywhere, for natural ends exactly."""
    spans = np.array([0.5, 1.0, 0.25, 2.0])
    steps = spans[:, None] * np.array([0.3, -0.2, 0.9])
    assert np.abs(knot_rates(steps, spans, Natural()) - (0.3, -0.2, 0.9)).max() < 1e-14


@pytest.mark.parametrize("ends", [AtRest(), Natural()])
def test_two_orientations_make_one_turn(ends):
    """Between two orientations the body turns about one axis: evenly, or from rest to rest as 3 f^2 - 2 f^3."""
    quaternions, _ = random_turns(2, 2.0, 5)
    turns = Turns.through(quaternions, np.array([2.0]), ends)
    first, last = Rotation.from_quat(quaternions, scalar_first=True)
    f = np.linspace(0, 1, 11)
    share = 3 * f**2 - 2 * f**3 if isinstance(ends, AtRest) else f
    wanted = first * Rotation.from_rotvec(share[:, None] * (first.inv() * last).as_rotvec())
    found = Rotation.from_quat(turns.quaternions(np.zeros(11, int), 2 * f), scalar_first=True)
    assert (wanted.inv() * found).magnitude().max() < 1e-14
