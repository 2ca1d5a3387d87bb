"""The thrown sphere against the textbook: parabola, bounces, friction, rolling, and conservation laws."""

import numpy as np
import pytest
from differentiation import assert_kinematics
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from sensorium.core.errors import ConfigurationError
from sensorium.core.pose import multiply
from sensorium.core.units import STANDARD_GRAVITY_M_S2 as G
from sensorium.motion import Ballistic, rotation_vector
from sensorium.motion.phases import _turned
from sensorium.motion.sphere_contact import SphereOnFloor

EPS = np.finfo(float).eps

speeds, spins = st.floats(-8, 8), st.floats(-60, 60)
balls = st.builds(
    lambda height, velocity, spin, e, friction, factor, rolling, radius: Ballistic(
        position_m=(1.0, -2.0, radius + height),
        velocity_m_s=velocity,
        angular_velocity_rad_s=spin,
        restitution=e,
        friction=friction,
        inertia_factor=factor,
        rolling_resistance=rolling,
        radius_m=radius,
        rest_speed_m_s=0.05,
    ),
    st.floats(0, 3),
    st.tuples(speeds, speeds, speeds),
    st.tuples(spins, spins, spins),
    st.sampled_from([0.0, 0.3, 0.8, 0.95]),
    st.sampled_from([0.0, 0.05, 0.4, 1.0]),
    st.sampled_from([0.4, 2 / 3]),
    st.sampled_from([0.0, 0.02, 0.2]),
    st.sampled_from([0.05, 0.3]),
)


def starts_s(ball: Ballistic) -> np.ndarray:
    """Return the instants at which a phase begins."""
    return ball._table.start_s


@settings(max_examples=40, deadline=None)
@given(balls)
def test_rates_are_derivatives_between_impacts(ball):
    """v = dp/dt, a = dv/dt, dR/dt = w x R, dw/dt, in flight, sliding, rolling and at rest."""
    last = starts_s(ball)[-1]
    times = (np.linspace(0, last + 0.5, 60) * 1e9).astype(np.int64)
    assert_kinematics(ball, times, np.rint(starts_s(ball)[:2000] * 1e9), step_ns=20_000, elapsed_s=last + 1)


@settings(max_examples=40, deadline=None)
@given(balls)
def test_nothing_but_the_velocities_jumps(ball):
    """Position and orientation are continuous, the sphere never enters the floor, and its energy never grows."""
    instants = starts_s(ball)
    after = np.rint(instants * 1e9).astype(np.int64) + 2
    k, before = ball.kinematics_at(after), ball.pose_at(after - 4)
    fastest = np.abs(k.velocity_m_s).max() + 60 * G * 1e-9 + 20
    assert np.abs(k.pose.position_m - before.position_m)[1:].max(initial=0) < 4e-9 * fastest
    turned = 1 - np.abs(np.sum(k.pose.quaternion * before.quaternion, 1))
    assert turned[1:].max(initial=0) < 1e-12
    times = (np.linspace(0, instants[-1] + 1, 500) * 1e9).astype(np.int64)
    k = ball.kinematics_at(times)
    lowest = k.pose.position_m[:, 2] - ball.radius_m
    assert lowest.min() > -1e-12
    energy = (
        np.sum(k.velocity_m_s**2, 1) / 2
        + ball.inertia_factor * ball.radius_m**2 * np.sum(k.angular_velocity_rad_s**2, 1) / 2
        + G * lowest
    )
    assert (np.diff(energy) <= 1e-12 * (1 + energy[0])).all()


def test_flight_is_a_parabola_with_constant_spin():
    """p = p0 + v0 t - g t^2 / 2, R = exp(w t) R0."""
    ball = Ballistic(
        position_m=(1, 2, 30), velocity_m_s=(3, -1, 4), angular_velocity_rad_s=(1, 2, 3), radius_m=0.1, start_s=5
    )
    t = np.linspace(0, 2, 50)
    k = ball.kinematics_at((t * 1e9).astype(np.int64) + 5 * 10**9)
    t = (t * 1e9).astype(np.int64) * 1e-9
    wanted = np.array([1, 2, 30]) + np.outer(t, (3, -1, 4)) - np.outer(t**2, (0, 0, G / 2))
    assert np.abs(k.pose.position_m - wanted).max() < 1e-13
    turned = Rotation.from_rotvec(np.outer(t, (1, 2, 3))).as_quat(scalar_first=True)
    assert np.abs(np.abs(np.sum(turned * k.pose.quaternion, 1)) - 1).max() < 4 * EPS
    assert (k.acceleration_m_s2 == (0, 0, -G)).all()
    held = ball.kinematics_at(np.array([0]))
    assert held.pose.position_m.tolist() == [[1, 2, 30]]
    assert not held.velocity_m_s.any()
    assert not held.acceleration_m_s2.any()


@pytest.mark.parametrize("e", [0.9, 0.5, 0.1])
def test_bounces_come_in_a_geometric_series(e):
    """Dropped from h: impacts at sqrt(2 h / g), then after 2 e v / g, 2 e^2 v / g ...; the n-th flight has the energy
    e^(2 n) g h, and the last one is the last that rises with the rest speed or more.
    """
    h = 2.0
    ball = Ballistic(position_m=(0, 0, h + 0.1), radius_m=0.1, restitution=e, rest_speed_m_s=0.01)
    v = np.sqrt(2 * G * h)
    count = int(np.floor(np.log(0.01 / v) / np.log(e)))
    flights = 2 * v / G * e ** np.arange(1, count + 1)
    impacts = np.sqrt(2 * h / G) + np.concatenate(([0], np.cumsum(flights)))
    assert np.abs(starts_s(ball) - [0, *impacts]).max() < 1e-13
    tops = np.rint((impacts[:-1] + flights / 2) * 1e9).astype(np.int64)
    k = ball.kinematics_at(tops)
    energy = np.sum(k.velocity_m_s**2, 1) / 2 + G * (k.pose.position_m[:, 2] - 0.1)
    assert energy == pytest.approx(G * h * e ** (2 * np.arange(1, count + 1)), rel=1e-12)
    rest = ball.kinematics_at(np.array([10**12]))
    assert rest.pose.position_m.tolist() == [[0, 0, 0.1]]
    assert not rest.velocity_m_s.any()


def test_an_elastic_ball_bounces_for_ever():
    """With e = 1 the height repeats with the period 2 v / g and the horizontal velocity stays, hours later too."""
    ball = Ballistic(position_m=(0, 0, 1.1), velocity_m_s=(2, 0, 0), radius_m=0.1, restitution=1, friction=0)
    v = np.sqrt(2 * G)
    period, first = 2 * v / G, v / G
    t = np.rint(np.array([0.3, 0.8, 100.0, 3600.0, 36000.25]) * 1e9) * 1e-9
    k = ball.kinematics_at(np.rint(t * 1e9).astype(np.int64))
    s = np.remainder(t - first, period)
    s[t < first] = t[t < first] + period / 2
    assert k.pose.position_m[:, 2] == pytest.approx(0.1 + v * s - G * s * s / 2, abs=1e-9)
    assert k.pose.position_m[:, 0] == pytest.approx(2 * t, rel=1e-13)
    spinning = Ballistic(
        position_m=(0, 0, 1.1), velocity_m_s=(2, 0, 0), angular_velocity_rad_s=(0, -50, 7), radius_m=0.1, restitution=1
    )
    assert np.isfinite(spinning._table.repeat_s)
    late = np.array([3600 * 10**9 + 123])
    assert_kinematics(spinning, late, step_ns=100_000, elapsed_s=3600)
    assert spinning.kinematics_at(late).angular_velocity_rad_s[0, 2] == 7


@settings(deadline=None)
@given(
    st.tuples(speeds, speeds, st.floats(-8, -0.1)),
    st.tuples(spins, spins, spins),
    st.floats(0, 1),
    st.floats(0, 1),
    st.sampled_from([0.4, 2 / 3, 0.5]),
)
def test_laws_of_an_impact(velocity, spin, e, friction, factor):
    """v_z' = -e v_z; the spin about the contact, c R^2 w + r x v, stays; friction pushes at most mu times the normal
    impulse, never beyond grip, and never drives the slip; w_z stays.
    """
    floor = SphereOnFloor(0.2, factor, friction, 0.0, G)
    v, w = np.array(velocity), np.array(spin)
    v2, w2 = floor.bounced(v, w, e)
    assert v2[2] == -e * v[2]
    assert w2[2] == w[2]
    up = np.array([0, 0, 0.2])
    size = np.abs(v).max() + 0.2 * np.abs(w).max()
    about = [factor * 0.04 * spin + np.cross(up, speed * [1, 1, 0]) for speed, spin in ((v, w), (v2, w2))]
    assert np.abs(about[0] - about[1]).max() < 16 * EPS * size
    push = np.linalg.norm((v2 - v)[:2])
    most = friction * (1 + e) * -v[2]
    assert push <= most * (1 + 1e-12) + 1e-15
    slip, after = floor.slip_m_s(v, w), floor.slip_m_s(v2, w2)
    assert slip @ after >= -1e-12 * size**2
    grips = np.linalg.norm(after) <= 1e-9 * size
    assert grips or push == pytest.approx(most)


@pytest.mark.parametrize(("factor", "share"), [(0.4, 5 / 7), (2 / 3, 3 / 5)])
def test_a_bowled_ball_rolls_at_its_share_of_the_speed(factor, share):
    """A sphere pushed without spin slides for v / (mu g (1 + 1/c)) and then rolls at v / (1 + c): 5/7 or 3/5 of v."""
    ball = Ballistic(
        position_m=(0, 0, 0.1),
        velocity_m_s=(7, 0, 0),
        radius_m=0.1,
        inertia_factor=factor,
        friction=0.2,
        rolling_resistance=0,
    )
    slides = 7 / (0.2 * G * (1 + 1 / factor))
    k = ball.kinematics_at(np.array([int(slides * 0.5e9), int(slides * 1e9) + 1, 10**10]))
    assert k.acceleration_m_s2[0] == pytest.approx((-0.2 * G, 0, 0))
    assert k.velocity_m_s[1:, 0] == pytest.approx([7 * share] * 2, rel=1e-12)
    assert k.angular_velocity_rad_s[1:, 1] == pytest.approx([7 * share / 0.1] * 2, rel=1e-12)
    assert starts_s(ball)[1] == pytest.approx(slides, rel=1e-14)


def test_rolling_resistance_ends_the_roll():
    """A rolling sphere slows by k g / (1 + c) and rests after v^2 (1 + c) / (2 k g); a pivot by k g / (c R)."""
    ball = Ballistic(
        position_m=(0, 0, 0.1),
        velocity_m_s=(0, 3, 0),
        angular_velocity_rad_s=(-30, 0, 5),
        radius_m=0.1,
        rolling_resistance=0.05,
    )
    ends_s, pivot_s = 3 * 1.4 / (0.05 * G), 5 * 0.4 * 0.1 / (0.05 * G)
    k = ball.kinematics_at(np.array([int(pivot_s * 0.5e9), int(pivot_s * 1e9) + 1, int(ends_s * 1e9) + 1]))
    assert k.angular_velocity_rad_s[:, 2] == pytest.approx([2.5, 0, 0], abs=1e-8)
    assert k.pose.position_m[2] == pytest.approx((0, 9 * 1.4 / (2 * 0.05 * G), 0.1), rel=1e-12)
    assert not k.velocity_m_s[2].any()
    assert not k.angular_velocity_rad_s[2].any()


def test_rotation_with_turning_spin_is_the_integral():
    """While the sphere slides its spin changes direction; the orientation is that of an integrator of order 8."""
    ball = Ballistic(
        position_m=(0, 0, 0.1), velocity_m_s=(6, 2, 0), angular_velocity_rad_s=(20, -40, 90), radius_m=0.1, friction=0.3
    )
    spin, rate = ball._table.spin_rad_s[0], ball._table.spin_rate_rad_s2[0]
    assert np.linalg.norm(np.cross(spin, rate)) > 100
    times_s = np.array([0.05, 0.1, 0.2])
    found = ball.kinematics_at(np.rint(times_s * 1e9).astype(np.int64))
    assert np.abs(found.angular_velocity_rad_s - (spin + np.outer(times_s, rate))).max() < 1e-10
    path = solve_ivp(
        lambda t, q: multiply(np.append(0, spin + rate * t), q) / 2,
        (0, 0.2), [1, 0, 0, 0], "DOP853", times_s, rtol=1e-13, atol=1e-13, max_step=1e-3,
    )  # fmt: skip
    assert np.abs(np.abs(np.sum(path.y.T * found.pose.quaternion, 1)) - 1).max() < 1e-12
    assert (
        np.abs(path.y.T * np.sign(path.y[:1].T) - found.pose.quaternion * np.sign(found.pose.quaternion[:, :1])).max()
        < 1e-10
    )


def test_the_series_for_a_turning_spin_is_of_sixth_order():
    """One step of the Magnus series is wrong by less than 2^-7 of before when it is half as long (order h^7)."""
    spin, rate = np.array([1.0, 0.5, -0.3]), np.array([-0.4, 2.0, 0.7])
    off = []
    for h in (0.8, 0.4, 0.2):
        path = solve_ivp(
            lambda t, q: multiply(np.append(0, spin + rate * t), q) / 2,
            (0, h), [1, 0, 0, 0], "DOP853", [h], rtol=1e-13, atol=1e-14, max_step=0.01,
        )  # fmt: skip
        off.append(np.abs(path.y[:, 0] - rotation_vector.quaternions(_turned(spin, rate, np.array([h])))).max())
    assert off[0] / off[1] > 2**6.5
    assert off[1] / off[2] > 2**6.5


def test_a_long_roll_about_one_axis_needs_no_series():
    """Rolling straight on, hundreds of radians far, the rotation stays true to the rounding of its angle."""
    ball = Ballistic(
        position_m=(0, 0, 0.05), velocity_m_s=(1, 4, 0), angular_velocity_rad_s=(1, 0, 0), radius_m=0.05, friction=0.05
    )
    assert len(starts_s(ball)) < 3000
    assert_kinematics(ball, np.array([10, 20, 22]) * 10**9, step_ns=20_000, elapsed_s=25)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"position_m": (0, 0, 0.05)}, "position_m: the sphere's lowest point is at -0.05 m, below the floor at 0 m"),
        ({"restitution": 1.2}, "restitution"),
        ({"radius_m": 0}, "radius_m"),
        ({"inertia_factor": 0.9}, "inertia_factor"),
        ({"friction": -0.1}, "friction"),
        ({"rest_speed_m_s": 0}, "rest_speed_m_s"),
        ({"restitution": 0.99999, "position_m": (0, 0, 10)}, "restitution: the sphere would bounce"),
    ],
)
def test_impossible_spheres_are_refused(settings, told):
    """A sphere in the floor, restitution above one, more inertia than a shell ... are told with their settings."""
    with pytest.raises(ConfigurationError) as error:
        Ballistic(**{"position_m": (0, 0, 1), "radius_m": 0.1, **settings})
    assert told in str(error.value)
