"""The edges of an encoder against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from joints import Accelerating, Swinging, readings
from scipy.optimize import brentq

from sensorium.motion.mujoco.commands import Constant
from sensorium.motion.mujoco.dynamics import open_dynamics
from sensorium.motion.mujoco.loading import model_path
from sensorium.motion.mujoco.moving import MujocoJoint
from sensorium.sensors.encoder import Encoder
from sensorium.sensors.encoder.scales import Linear, Rotary


def encoder(counts: int = 2000, **scale) -> Encoder:
    return Encoder(joint="joint", edges=True, scale=Rotary(counts_per_turn=counts, index=True, **scale))


def edges(samples):
    each = [sample.edges for sample in samples]
    return [np.concatenate([getattr(one, name) for one in each]) for name in ("time_ns", "count", "a", "b", "z")]


def test_edges_of_an_accelerating_wheel():
    """t_i = (-w + sqrt(w^2 + 2 a (i r - u0))) / a, to 1 ns, none missing, none twice, over two seconds."""
    wheel = Accelerating(0.01, 0.5, 30.0)
    time_ns, count, *_ = edges(readings(encoder(), wheel, 201))
    r = 2 * math.pi / 2000
    i = np.arange(1, len(count) + 1) + math.floor(0.01 / r)
    exact_s = (-0.5 + np.sqrt(0.25 + 60 * (i * r - 0.01))) / 30
    np.testing.assert_array_equal(count, i)
    assert len(count) > 19_000
    assert np.abs(time_ns - exact_s * 1e9).max() <= 1.0


def test_edges_of_a_wheel_that_turns_round():
    """The same line is passed forwards and backwards: t = (w -+ sqrt(w^2 - 2 b (i r - u0))) / b, counts go up and down."""
    r, w, b = 2 * math.pi / 2000, 20.3 * 0.2459, 20.3
    start = 196 * r + 1e-6 - w * w / (2 * b)  # a micrometre of arc beyond line 196: there and back within one piece
    wheel = Accelerating(start, w, -b)
    time_ns, count, *_ = edges(readings(encoder(), wheel, 61))
    first, last = (math.floor(wheel.kinematics_at(np.array([t])).position[0] / r) for t in (0, 600_000_000))
    up, down = np.arange(first + 1, 197), np.arange(196, last, -1)
    forth = (w - np.sqrt(w * w - 2 * b * (up * r - start))) / b
    back = (w + np.sqrt(w * w - 2 * b * (down * r - start))) / b
    np.testing.assert_array_equal(count, np.concatenate((up, down - 1)))
    exact_ns = 1e9 * np.concatenate((forth, back))
    assert np.diff(exact_ns)[len(up) - 1] < 1e6
    near = np.abs(exact_ns - 1e9 * w / b) < 1e6  # where the wheel stands nearly still, a rounding of the angle is long
    assert np.abs(time_ns - exact_ns)[~near].max() <= 1.0
    assert np.abs(time_ns - exact_ns)[near].max() <= 10.0


def test_many_turns_inside_one_piece():
    """Eleven turns of direction within a hundredth of a second: the count is always that of the angle."""
    swing = Swinging(0.05, 3500.0, 0.3)
    time_ns, count, *_ = edges(readings(encoder(), swing, 11))
    r = 2 * math.pi / 2000
    assert np.abs(np.diff(count)).max() == 1
    middle = (time_ns[:-1] + time_ns[1:]) // 2
    apart = np.diff(time_ns) > 2000  # a microsecond on either side: the quintic of 1 ms pieces is an approximation here
    angle = swing.kinematics_at(middle).position
    assert np.mean(np.floor(angle / r)[apart] == count[:-1][apart]) > 0.9


def test_eccentric_disc():
    """m = u + (d / R) sin(u - p): an edge happens where m passes i r, so that the error is at most d / R in angle."""
    shift, turn = 50e-6 / 0.01, 0.7
    made = encoder(eccentricity_m=50e-6, disc_radius_m=0.01, eccentric_direction_rad=turn)
    wheel = Accelerating(0.001, 7.0, 3.0)
    time_ns, count, *_ = edges(readings(made, wheel, 151))
    r = 2 * math.pi / 2000
    seen = lambda t: (u := 0.001 + 7 * t + 1.5 * t * t) + shift * math.sin(u - turn)  # noqa: E731
    exact = [brentq(lambda t, m=i * r: seen(t) - m, 0, 2, xtol=1e-14) for i in count[::50]]
    assert np.abs(time_ns[::50] - np.array(exact) * 1e9).max() <= 1.0
    error = count * r - wheel.kinematics_at(time_ns).position
    assert error.max() == pytest.approx(shift, rel=0.01)
    assert error.min() == pytest.approx(-shift, rel=0.01)
    both = encoder(eccentricity_m=50e-6, disc_radius_m=0.01, heads=2)
    time_ns, count, *_ = edges(readings(both, wheel, 151))
    assert np.abs(count * r - wheel.kinematics_at(time_ns).position).max() < 1e-7


def test_gear():
    """A disc that turns 5 times as fast as its joint gives 5 times the counts."""
    _, count, *_ = edges(readings(encoder(100, gear=5.0), Accelerating(0.0, 2 * math.pi), 101))
    assert count[-1] in (499, 500)


def test_quadrature():
    """A leads B by one count when the angle grows, follows it when it falls; one of them changes at each edge; Z once a turn."""
    for speed, leads in ((9.0, True), (-9.0, False)):
        _, count, a, b, z = edges(readings(encoder(), Accelerating(0.001, speed), 201))
        assert (np.abs(np.diff(a.astype(int))) + np.abs(np.diff(b.astype(int))) == 1).all()
        rises = np.flatnonzero(a[1:] & ~a[:-1]) + 1
        assert (b[rises] != leads).all()
        turns = np.count_nonzero(count % 2000 == 0)
        assert turns == np.count_nonzero(z) == 2


def test_linear_scale_in_the_heat():
    """A steel ruler at 40 degC has grown by a (T - 20 K): the reading is short by 1 / (1 + a dT)."""
    made = Encoder(joint="joint", edges=True, scale=Linear(resolution_m=1e-6, expansion_per_k=11e-6))
    slide = Accelerating(0.0, 0.2, 0.0, "prismatic")
    time_ns, count, *_ = edges(readings(made, slide, 101, temperature_k=313.15))
    exact_s = np.arange(1, len(count) + 1) * 1e-6 * (1 + 11e-6 * 20) / 0.2
    assert np.abs(time_ns - exact_s * 1e9).max() <= 1.0


def test_edges_of_a_wheel_in_the_engine():
    """On a driven wheel of the vehicle each edge lies where the wheel's angle is a whole number of counts, to 1 ns."""
    dynamics = open_dynamics(model_path("road_vehicle"), Constant(values={"drive": 1500, "steering": 0.1}))
    wheel = MujocoJoint(dynamics, "rear_left_wheel")
    time_ns, count, *_ = edges(readings(encoder(192), wheel, 301))
    assert (np.diff(count[5:]) == 1).all()
    k = wheel.kinematics_at(time_ns)
    crossed = np.where(np.diff(count, prepend=count[0] - 1) > 0, count, count + 1) * (2 * math.pi / 192)
    late_s = (k.position - crossed) / k.velocity
    moving = np.abs(k.velocity) > 0.01
    assert np.abs(late_s[moving]).max() < 1e-9
