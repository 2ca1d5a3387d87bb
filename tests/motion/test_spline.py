"""Splines: the polynomials are SciPy's, the rates are their derivatives, the nose follows the path."""

import dataclasses
from itertools import pairwise

import numpy as np
import pytest
from differentiation import assert_kinematics
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.interpolate import CubicSpline

from sensorium.core.configuration import build, to_document
from sensorium.core.errors import ConfigurationError
from sensorium.core.pose import Pose
from sensorium.motion import (
    AlongPath,
    AtRest,
    AtWaypoints,
    Closed,
    EndVelocities,
    Facing,
    Natural,
    NotAKnot,
    Spline,
    Waypoint,
    path_motion,
)

EPS = np.finfo(float).eps
ENDS = (AtRest(), Natural(), NotAKnot(), EndVelocities(start_m_s=(1, -2, 0.5), end_m_s=(0, 3, 0)), Closed())
ORIENTATIONS = (AlongPath(), AlongPath(climb=True), AtWaypoints(), Facing(rpy_rad=(0.1, -0.2, 2.0)))

lengths = st.floats(-20, 20).map(lambda x: round(x, 3))
angles = st.floats(-0.7, 0.7).map(lambda x: round(x, 3))


@st.composite
def splines(draw) -> Spline:
    """Any spline: 2 to 7 waypoints, some at the same place, all ends, all orientations."""
    count = draw(st.integers(2, 7))
    ends, orientation = draw(st.sampled_from(ENDS)), draw(st.sampled_from(ORIENTATIONS))
    gaps_ms = draw(st.lists(st.integers(300, 3000), min_size=count, max_size=count))
    places = draw(st.lists(st.tuples(lengths, lengths, lengths), min_size=count, max_size=count))
    turns = draw(st.lists(st.tuples(angles, angles, angles), min_size=count, max_size=count))
    if ends.closed:
        places[-1], turns[-1] = places[0], turns[0]
    return made(np.cumsum(gaps_ms) / 1000, places, turns if orientation.needs_orientations else None, orientation, ends)


def made(times_s, places_m, turns_rad=None, orientation=None, ends=None) -> Spline:
    turns = [None] * len(places_m) if turns_rad is None else turns_rad
    waypoints = [
        Waypoint(time_s=float(t), position_m=tuple(map(float, p)), rpy_rad=None if r is None else tuple(r))
        for t, p, r in zip(times_s, places_m, turns, strict=True)
    ]
    return Spline(waypoints=waypoints, orientation=orientation or AlongPath(), ends=ends or AtRest())


def knots_ns(spline: Spline) -> np.ndarray:
    return np.array([round(waypoint.time_s * 1e9) for waypoint in spline.waypoints])


def times_within(spline: Spline, count: int = 40) -> np.ndarray:
    first, *_, last = knots_ns(spline)
    return np.linspace(first, last, count).astype(np.int64)


@settings(max_examples=60, deadline=None)
@given(splines())
def test_rates_are_derivatives(spline):
    """v = dp/dt, a = dv/dt, dR/dt = w x R, dw/dt, between the waypoints, for every orientation and every end."""
    corners = [*knots_ns(spline)]
    if isinstance(spline.orientation, AlongPath):  # where a path turns back inside a piece the heading jumps
        corners = [*corners, *reversals_ns(spline)]
    assert_kinematics(spline, times_within(spline), corners, sway=lambda times: sway_per_s(spline, times))


def sway_per_s(spline: Spline, times: np.ndarray) -> np.ndarray:
    """Return acceleration over horizontal speed: how fast a heading can turn, and how much rounding it suffers."""
    k = spline.kinematics_at(times[:, None] + np.arange(-8, 9) * 200_000)
    speed = np.linalg.norm(k.velocity_m_s[..., :2], axis=-1).min(1)
    return np.linalg.norm(k.acceleration_m_s2, axis=-1).max(1) / np.maximum(speed, 1e-9)


def reversals_ns(spline: Spline) -> list[int]:
    """Return instants around which the horizontal speed is so small that the heading turns within microseconds."""
    times = times_within(spline, 20_001)
    speed = np.linalg.norm(spline.kinematics_at(times).velocity_m_s[:, :2], axis=1)
    return times[speed < 2e-3 * speed.max()].tolist() if speed.max() > 0 else []


@pytest.mark.parametrize(
    ("ends", "condition"),
    [
        (AtRest(), "clamped"),
        (Natural(), "natural"),
        (NotAKnot(), "not-a-knot"),
        (Closed(), "periodic"),
        (EndVelocities(start_m_s=(1, 2, 3), end_m_s=(-1, 0, 2)), ((1, np.array([1, 2, 3])), (1, np.array([-1, 0, 2])))),
    ],
)
def test_position_is_scipys_spline(ends, condition):
    """Position, velocity and acceleration are those of scipy.interpolate.CubicSpline with the same ends."""
    rng = np.random.default_rng(1)
    times = np.cumsum(rng.integers(200, 2000, 9)) / 1000
    places = rng.uniform(-10, 10, (9, 3))
    places[-1] = places[0]
    judge = CubicSpline(times, places, bc_type=condition)
    spline = made(times, places, ends=ends)
    at = times_within(spline, 500)[:-1]
    k = spline.kinematics_at(at)
    for order, found in enumerate((k.pose.position_m, k.velocity_m_s, k.acceleration_m_s2)):
        wanted = judge(at * 1e-9, order)
        assert np.abs(found - wanted).max() < 1e4 * EPS * np.abs(wanted).max()


@settings(max_examples=30, deadline=None)
@given(splines())
def test_passes_its_waypoints_and_holds_still_outside(spline):
    """The body is at each waypoint at its time; outside an open path it rests at the first and the last pose."""
    knots = knots_ns(spline)
    places = np.array([waypoint.position_m for waypoint in spline.waypoints])
    assert np.abs(spline.pose_at(knots).position_m - places).max() < 1e-11
    if spline.orientation.needs_orientations:
        turned = np.array([waypoint.pose.quaternion for waypoint in spline.waypoints])
        assert np.abs(np.abs(np.sum(turned * spline.pose_at(knots).quaternion, 1)) - 1).max() < 1e-12
    if not spline.ends.closed:
        outside = spline.kinematics_at(np.array([knots[0] - 10**9, knots[-1] + 1]))
        ends = spline.pose_at(knots[[0, -1]])
        assert (outside.pose.position_m == ends.position_m).all()
        assert (outside.pose.quaternion == ends.quaternion).all()
        for rate in (outside.velocity_m_s, outside.acceleration_m_s2, outside.angular_velocity_rad_s):
            assert (rate == 0).all()


def test_acceleration_is_continuous_and_a_lap_has_no_seam():
    """A cubic spline is C2: v, a, w and dw/dt agree on both sides of every knot, for a closed path also at the seam."""
    rng = np.random.default_rng(2)
    places, turns = rng.uniform(-5, 5, (8, 3)), rng.uniform(-0.7, 0.7, (8, 3))
    places[-1], turns[-1] = places[0], turns[0]
    spline = made(np.arange(8.0), places, turns, AtWaypoints(), Closed())
    knots = knots_ns(spline)
    before, after = spline.kinematics_at(knots - 1), spline.kinematics_at(knots)
    jerk_m_s3, snap_rad_s3 = 500, 500
    for name in ("velocity_m_s", "acceleration_m_s2", "angular_velocity_rad_s", "angular_acceleration_rad_s2"):
        assert np.abs(getattr(before, name) - getattr(after, name)).max() < max(jerk_m_s3, snap_rad_s3) * 1e-9
    lap = knots[-1] - knots[0]
    again = spline.pose_at(times_within(spline) - 7 * lap)
    assert (again.position_m == spline.pose_at(times_within(spline)).position_m).all()


def test_ends_at_rest_have_no_rates():
    """With `AtRest` velocity and angular velocity are zero at both ends, so that nothing jumps there."""
    rng = np.random.default_rng(3)
    spline = made(np.arange(6.0), rng.uniform(-5, 5, (6, 3)), rng.uniform(-0.7, 0.7, (6, 3)), AtWaypoints())
    k = spline.kinematics_at(knots_ns(spline)[[0, -1]])
    assert np.abs(k.velocity_m_s).max() < 1e-13
    assert np.abs(k.angular_velocity_rad_s).max() < 1e-13


def test_heading_is_the_direction_of_travel():
    """yaw = atan2(vy, vx), and with climb pitch = -atan2(vz, horizontal speed)."""
    rng = np.random.default_rng(4)
    places = np.cumsum(rng.uniform(2, 6, (10, 3)) * [1, 1, 0.2], 0)
    for climb in (False, True):
        spline = Spline.through(places, 5.0, orientation=AlongPath(climb=climb))
        k = spline.kinematics_at(times_within(spline)[:-1])
        vx, vy, vz = k.velocity_m_s.T
        pitch = -np.arctan2(vz, np.hypot(vx, vy)) if climb else np.zeros_like(vx)
        assert np.abs(k.pose.rpy_rad() - np.stack((0 * vx, pitch, np.arctan2(vy, vx)), -1)).max() < 1e-14


def test_heading_exists_where_the_body_rests():
    """At the ends the velocity is zero; the heading is its limit, and the angular velocity there (a x j) / (2 a^2)."""
    spline = made([0, 1, 2.5], [(0, 0, 0), (3, 1, 0), (4, 5, 0)])
    k = spline.kinematics_at(np.array([0, 1]))
    a = k.acceleration_m_s2[0]
    j = (spline.kinematics_at(np.array([10**6])).acceleration_m_s2[0] - a) / 1e-3
    assert np.abs(k.velocity_m_s[0]).max() < 1e-13
    assert np.abs(k.pose.rpy_rad()[:, 2] - np.arctan2(a[1], a[0])).max() < 1e-9
    assert np.abs(k.angular_velocity_rad_s[:, 2] - np.cross(a, j)[2] / (2 * a @ a)).max() < 1e-8
    assert_kinematics(spline, np.array([10**6, 10**7, 2_499_000_000]), step_ns=100_000)


def test_a_stop_is_a_stop():
    """Between two waypoints at one place the body stands and turns on the spot, towards where it leaves; then holds."""
    times, places = [0, 2, 4, 6, 8], [(0, 0, 0), (10, 0, 0), (10, 0, 0), (10, 5, 0), (10, 5, 0)]
    spline = made(times, places)
    standing = np.linspace(2e9, 4e9, 200).astype(np.int64)
    k = spline.kinematics_at(standing)
    assert (k.pose.position_m == (10, 0, 0)).all()
    assert (k.velocity_m_s == 0).all()
    yaw = k.pose.rpy_rad()[:, 2]
    assert (np.diff(yaw) >= 0).all()
    assert np.abs(yaw[[0, -1]] - (0, np.pi / 2)).max() < 1e-12
    assert_kinematics(spline, standing, knots_ns(spline))
    steps = np.abs(np.diff(spline.pose_at(np.arange(0, 8 * 10**9, 10**6)).rpy_rad()[:, 2]))
    assert steps.max() < 1.875 * (np.pi / 2) / 2 * 1e-3 * (1 + 1e-6)  # the ease turns at most 15/8 of the mean rate
    assert spline.pose_at(np.array([9 * 10**9])).rpy_rad()[0, 2] == pytest.approx(np.pi / 2)


def test_a_stop_on_a_lap_holds_across_the_seam():
    """A closed path with stops leaves each at rest, also when the stop lies on both sides of the seam."""
    places = [(0, 0, 0), (0, 0, 0), (5, 0, 0), (5, 5, 0), (0, 5, 0), (0, 0, 0), (0, 0, 0)]
    spline = made(np.arange(7) * 2.0, places, ends=Closed())
    k = spline.kinematics_at(knots_ns(spline))
    assert np.abs(k.velocity_m_s[[0, 1, 5, 6]]).max() < 1e-12
    yaw = spline.pose_at(np.arange(-3 * 10**9, 25 * 10**9, 10**6)).rpy_rad()[:, 2]
    turned = np.abs(np.remainder(np.diff(yaw) + np.pi, 2 * np.pi) - np.pi)
    assert turned.max() < 0.02


@pytest.mark.parametrize("first", range(6))
def test_a_lap_may_begin_anywhere(first):
    """A closed path with a stop is the same whichever of its waypoints is the first, also in the middle of a leg."""
    places = np.array([(0, 0, 0), (0, 0, 0), (5, 0, 0), (5, 5, 1), (3, 6, 2), (0, 5, 0)], float)
    lap = made(np.arange(7) * 2.0, [*places, places[0]], ends=Closed())
    turned = np.roll(places, -first, 0)
    other = made(2.0 * first + np.arange(7) * 2.0, [*turned, turned[0]], ends=Closed())
    times = np.linspace(0, 12e9, 500).astype(np.int64)
    a, b = lap.kinematics_at(times), other.kinematics_at(times)
    assert np.abs(a.pose.position_m - b.pose.position_m).max() < 1e-13
    assert np.abs(a.acceleration_m_s2 - b.acceleration_m_s2).max() < 1e-12
    assert np.abs(np.abs(np.sum(a.pose.quaternion * b.pose.quaternion, 1)) - 1).max() < 1e-12


def test_a_body_that_waits_looks_where_it_will_go():
    """Before its first movement a body has the heading of that movement, after its last the heading of that one."""
    spline = made([0, 2, 4, 6], [(0, 0, 0), (0, 0, 0), (0, -5, 0), (0, -5, 0)])
    yaw = spline.pose_at(np.linspace(-1e9, 9e9, 60).astype(np.int64)).rpy_rad()[:, 2]
    assert np.abs(yaw + np.pi / 2).max() < 1e-12


def test_a_vertical_path_keeps_a_level_heading():
    """Without horizontal movement there is no course: the heading is zero, and nothing turns."""
    spline = made([0, 1, 3], [(1, 2, 0), (1, 2, 5), (1, 2, 1)])
    k = spline.kinematics_at(times_within(spline))
    assert np.abs(k.pose.rpy_rad()).max() == 0
    assert np.abs(k.angular_velocity_rad_s).max() == 0


def test_through_keeps_the_speed():
    """Between any two points the length of the curve over its time is the speed; on a circle also everywhere."""
    rng = np.random.default_rng(5)
    places = np.cumsum(rng.uniform(1, 20, (12, 3)), 0)
    spline = Spline.through(places, "36 km/h", start_s=2.0)
    knots = knots_ns(spline)
    assert knots[0] == 2_000_000_000
    for first, last in pairwise(knots):
        times = np.linspace(first, last, 4001).astype(np.int64)
        speed = np.linalg.norm(spline.kinematics_at(times).velocity_m_s, axis=1)
        assert np.trapezoid(speed, times * 1e-9) == pytest.approx(10.0 * (last - first) * 1e-9, rel=1e-5)
    angle = np.linspace(0, 2 * np.pi, 64, endpoint=False)
    circle = Spline.through(np.stack((30 * np.cos(angle), 30 * np.sin(angle), 0 * angle), -1), 6.0, ends=Closed())
    k = circle.kinematics_at(np.arange(0, 60 * 10**9, 10**8))
    h = 2 * np.pi / 64  # position is true to h^4/384, velocity to about h^3/24, acceleration to h^2/12 of the radius
    assert np.abs(np.linalg.norm(k.velocity_m_s, axis=1) / 6 - 1).max() < h**3 / 24
    assert np.abs(k.angular_velocity_rad_s[:, 2] / 0.2 - 1).max() < h**2 / 12 + h**3
    assert len(circle.waypoints) == 65


def test_times_far_from_zero_lose_nothing():
    """The same path 1.7e9 s later has the very same rates at the same instants."""
    rng = np.random.default_rng(6)
    places = rng.uniform(-5, 5, (6, 3))
    near, far = made(np.arange(6.0), places), made(np.arange(6.0) + 1.7e9, places)
    times = np.sort(rng.integers(0, 5 * 10**9, 200))
    a, b = near.kinematics_at(times), far.kinematics_at(times + 1_700_000_000 * 10**9)
    assert (a.pose.position_m == b.pose.position_m).all()
    assert (a.angular_acceleration_rad_s2 == b.angular_acceleration_rad_s2).all()


def mixed(count: int = 12) -> list[Spline]:
    rng = np.random.default_rng(7)
    found = []
    for number in range(count):
        places, turns = rng.uniform(-9, 9, (6, 3)), rng.uniform(-0.6, 0.6, (6, 3))
        places[-1], turns[-1] = places[0], turns[0]
        orientation, start = ORIENTATIONS[number % 4], rng.uniform(-3, 3)
        turned = turns if orientation.needs_orientations else None
        found.append(made(start + np.arange(6.0), places, turned, orientation, ENDS[number % 5]))
    return found


def test_a_batch_is_its_members():
    """poses_of(motions)[i] is motions[i].pose_at, with all orientations mixed, before, in and after the paths.

    Positions are the same bit for bit; vectorised sine and cosine may round the last bit otherwise than single ones.
    """
    motions = mixed()
    times = np.linspace(-5e9, 9e9, 57).astype(np.int64)
    batch = Spline.poses_of(motions, times)
    for number, motion in enumerate(motions):
        alone = motion.pose_at(times)
        assert (batch.position_m[number] == alone.position_m).all()
        assert np.abs(batch.quaternion[number] - alone.quaternion).max() <= 2 * EPS


def test_a_batch_is_packed_once(monkeypatch):
    """The polynomials of the same motions are joined once; other motions, though equal, are others."""
    joined = []
    monkeypatch.setattr(
        path_motion.Path, "joined", lambda paths, _joined=path_motion.Path.joined: joined.append(1) or _joined(paths)
    )
    motions = mixed(4)[:1] * 3
    for _ in range(5):
        Spline.poses_of(motions, np.array([0, 10**9]))
    assert len(joined) == 1
    Spline.poses_of([dataclasses.replace(motion) for motion in motions], np.array([0]))
    assert len(joined) == 2


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (
            {"waypoints": [{"time_s": 0, "position_m": [0, 0, 0]}]},
            "waypoints: a path needs at least 2 waypoints, found 1",
        ),
        (
            {"waypoints": [{"time_s": 1, "position_m": [0, 0, 0]}, {"time_s": "1 s", "position_m": [1, 0, 0]}]},
            "waypoints[1].time_s: times must increase, found 1.0 s after a waypoint at 1.0 s",
        ),
        (
            {
                "waypoints": [
                    {"time_s": 0, "position_m": [0, 0, 0], "rpy_rad": [0, 0, 0]},
                    {"time_s": 1, "position_m": [1, 0, 0]},
                ]
            },
            "waypoints[0]: says how the body is turned, but the orientation is 'along_path'",
        ),
        (
            {
                "waypoints": [{"time_s": 0, "position_m": [0, 0, 0]}, {"time_s": 1, "position_m": [1, 0, 0]}],
                "orientation": {"type": "at_waypoints"},
            },
            "waypoints[0]: needs rpy_rad or quaternion_wxyz",
        ),
        (
            {
                "waypoints": [{"time_s": 0, "position_m": [0, 0, 0]}, {"time_s": 1, "position_m": [1, 0, 0]}],
                "ends": {"type": "closed"},
            },
            "waypoints[1].position_m: a closed path ends where it starts",
        ),
        (
            {"waypoints": [{"time_s": 0, "position_m": [0, 0, 0], "quaternion_wxyz": [1, 1, 0, 0]}]},
            "quaternion_wxyz must have length 1",
        ),
        ({"waypoints": [{"time_s": "5e9 s", "position_m": [0, 0, 0]}]}, "waypoints[0].time_s"),
    ],
)
def test_wrong_settings_are_told(settings, told):
    """What is wrong is said with its place, what was found and what is right."""
    with pytest.raises(ConfigurationError) as error:
        build(Spline, settings)
    assert told in str(error.value)


@pytest.mark.parametrize("points", [[(0, 0, 0)], [(0, 0), (1, 1)], [(0, 0, 0), (0, 0, 0)], [(0, 0, 0), (np.nan, 0, 0)]])
def test_through_refuses_points_that_make_no_path(points):
    """One point, points in the plane, twice the same point and NaN are refused; so are speeds that are not positive."""
    with pytest.raises(ConfigurationError):
        Spline.through(points, 1.0)
    with pytest.raises(ConfigurationError):
        Spline.through([(0, 0, 0), (1, 0, 0)], 0.0)


@settings(max_examples=20, deadline=None)
@given(splines())
def test_a_spline_can_be_written_and_read(spline):
    """build(Spline, to_document(spline)) is the same spline."""
    assert build(Spline, to_document(spline)) == spline


@pytest.mark.study
def test_a_street_of_traffic_is_fast():
    """100 splines at 9 times in less than 0.3 ms, 100 000 poses of one in less than 30 ms: the median of many runs."""
    import time

    rng = np.random.default_rng(8)
    cars = [Spline.through(np.cumsum(rng.uniform(5, 15, (20, 3)), 0), 10.0) for _ in range(100)]
    window, long = np.linspace(1.3e9, 1.4e9, 9).astype(np.int64), np.linspace(0, 19e9, 100_000).astype(np.int64)
    for run, bar_s, rounds in (
        (lambda: Spline.poses_of(cars, window), 0.3e-3, 300),
        (lambda: cars[0].pose_at(long), 30e-3, 20),
    ):
        run()
        spent = []
        for _ in range(rounds):
            start = time.perf_counter()
            run()
            spent.append(time.perf_counter() - start)
        assert np.median(spent) < bar_s


def test_pose_is_what_waypoint_says():
    """A waypoint's quaternion and its roll, pitch, yaw are two words for one turn."""
    turn = Pose.from_rpy((1.0, 2.0, 3.0), (0.3, -0.2, 1.0))
    a = Waypoint(time_s=0, position_m=(1, 2, 3), quaternion_wxyz=tuple(turn.quaternion))
    b = Waypoint(time_s=0, position_m=(1, 2, 3), rpy_rad=(0.3, -0.2, 1.0))
    assert np.abs(a.pose.matrix() - b.pose.matrix()).max() < 1e-15
