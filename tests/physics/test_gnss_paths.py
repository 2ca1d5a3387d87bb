"""Satellites behind walls, beside edges and in mirrors, each against its formula."""

import numpy as np
import pytest
from gnss_worlds import ANTENNA, FRAME, far_away, ground, scene_of, upright, view_of

from sensorium.ephemeris.sources import Nominal
from sensorium.materials.radio import reflection
from sensorium.sensors import Gnss
from sensorium.sensors.gnss.channels import channels_of
from sensorium.sensors.gnss.correlator import correlation, track
from sensorium.sensors.gnss.edges import edges_of, knife_edge_db
from sensorium.sensors.gnss.mirrors import mirrors_of
from sensorium.sensors.gnss.reception import Paths
from sensorium.sensors.gnss.signals import L1_HZ, SIGNALS

ONE = channels_of(Nominal(systems="G").orbits_at(0), ("GPS L1",)).rows(np.array([0]))
RNG = np.random.default_rng(4)


def some_directions(count=200):
    azimuth, elevation = RNG.uniform(0, 2 * np.pi, count), np.arcsin(RNG.uniform(0.02, 1, count))
    return azimuth, elevation, direction(azimuth, elevation)


def direction(azimuth, elevation):
    return np.stack((np.sin(azimuth) * np.cos(elevation), np.cos(azimuth) * np.cos(elevation), np.sin(elevation)), -1)


def test_a_wall_in_the_north_hides_what_is_below_its_skyline():
    """A wall y = d, |x| <= w, up to h above the antenna hides a satellite if tan E <= h cos A / d and |tan A| <= w / d."""
    d, w, h = 10.0, 30.0, 15.0
    view = view_of(scene_of(upright("wall", (-w, w), (d, d), 0.0, h + 2.0)))
    azimuth, elevation, towards = some_directions(2000)
    with np.errstate(divide="ignore"):
        hidden = (
            (np.cos(azimuth) > 0) & (np.tan(elevation) <= h * np.cos(azimuth) / d) & (np.abs(np.tan(azimuth)) <= w / d)
        )
    edges = edges_of(view, ANTENNA.position_m, towards)
    np.testing.assert_array_equal(edges.direct, ~hidden)
    assert 100 < hidden.sum() < 1900


@pytest.mark.parametrize("degrees", [-1.5, -0.5, 0.5, 2.0, 5.0, 10.0])
def test_the_edge_of_a_wall_is_a_knife_edge(degrees):
    """J(v), v = theta sqrt(2 d / lambda): the loss at an edge theta above the line of sight, d = slant distance to it.

    The fan finds the angle to 1/16 of the step between its rays.
    """
    d, h, angle = 20.0, 8.0, np.deg2rad(degrees)
    view = view_of(scene_of(upright("wall", (-500, 500), (d, d), -50.0, h + 2.0)))
    skyline = np.arctan2(h, d)
    towards = direction(np.zeros(1), np.array([skyline - angle]))
    edges = edges_of(view, ANTENNA.position_m, towards)
    assert edges.direct[0] == (degrees < 0)
    assert edges.angle_rad[0] == pytest.approx(angle, abs=abs(angle) / 16 + 1e-3)
    assert edges.distance_m[0] == pytest.approx(np.hypot(d, h), rel=0.12)
    v = angle * np.sqrt(2 * np.hypot(d, h) * L1_HZ / 299_792_458.0)
    assert edges.loss_db(L1_HZ)[0] == pytest.approx(knife_edge_db(np.array([v]))[0], abs=0.8)


def test_knife_edge_at_grazing_is_6_db():
    """J(0) = 6.0 dB: half of the amplitude (ITU-R P.526)."""
    assert knife_edge_db(np.array([0.0]))[0] == pytest.approx(6.0, abs=0.05)
    assert knife_edge_db(np.array([-0.8]))[0] == 0


def test_mirror_paths_over_the_ground_are_exact():
    """Every satellite has one path over the ground; it is longer by 2 h sin E."""
    _, elevation, towards = some_directions()
    mirrors = mirrors_of(view_of(scene_of(ground(20_000.0))), ANTENNA.position_m, towards)
    reach = 2.0 / np.sin(elevation) < 200
    np.testing.assert_array_equal(mirrors.satellite, np.flatnonzero(reach))
    np.testing.assert_allclose(mirrors.excess_m, 2 * 2.0 * np.sin(elevation[reach]), atol=1e-6)


def test_mirror_paths_over_walls_are_exactly_those_of_the_image_method():
    """A wall y = d from x0 to x1, z0 to z1 mirrors a satellite if the mirror point lies on it and nothing hides it there.

    The path is longer by 2 d cos(theta) with cos(theta) = -s_y for a wall in the south (y = -d): the antenna sees
    the image of a satellite in the north. A second wall close to the first one's foot hides what is below the line to its top.
    """
    d, x, z = 12.0, (-7.0, 9.0), (0.5, 14.0)
    scene = scene_of(upright("wall", x, (-d, -d), *z), upright("screen", (-50, 50), (20, 20), -10.0, 6.0))
    towards = some_directions(3000)[2]
    place = ANTENNA.position_m
    mirrors = mirrors_of(view_of(scene), place, towards)
    of_wall = mirrors.normal[:, 1] ** 2 > 0.99
    image = towards * (1, -1, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = -d / image[:, 1]
        point = place + t[:, None] * image
        on_wall = (
            (image[:, 1] < 0)
            & (point[:, 0] > x[0])
            & (point[:, 0] < x[1])
            & (point[:, 2] > z[0])
            & (point[:, 2] < z[1])
        )
        over = point + ((20 + d) / towards[:, 1])[:, None] * towards  # where the way to the satellite passes the screen
    free = (over[:, 2] > 6.0) | (np.abs(over[:, 0]) > 50)
    expected = np.flatnonzero(on_wall & free)
    found = np.unique(mirrors.satellite[of_wall & (mirrors.arrival[:, 1] < 0)])
    np.testing.assert_array_equal(found, expected)
    assert len(expected) > 100
    row = of_wall & (mirrors.arrival[:, 1] < 0)
    np.testing.assert_allclose(mirrors.excess_m[row], 2 * d * np.abs(towards[mirrors.satellite[row], 1]), atol=1e-6)


def test_what_stands_before_a_mirror_breaks_its_path():
    """Something between the antenna and the wall takes all its images away."""
    towards = some_directions()[2]
    wall = upright("wall", (-500, 500), (-12, -12), 0.0, 200.0)
    blind = upright("blind", (-600, 600), (-6, -6), -10.0, 400.0, "asphalt")
    open_, closed = (
        mirrors_of(view_of(scene), ANTENNA.position_m, towards) for scene in (scene_of(wall), scene_of(wall, blind))
    )
    assert (np.abs(open_.excess_m - 2 * 12 * np.abs(towards[open_.satellite, 1])) < 1e-6).all()
    assert not np.isclose(closed.excess_m, 2 * 12 * np.abs(towards[closed.satellite, 1])).any()


def test_a_mirror_turns_the_hand():
    """Right-handed waves come back with (R_TM + R_TE) / 2, left-handed with (R_TM - R_TE) / 2 (ITU-R P.2040).

    At normal incidence nothing comes back right-handed; at 85 degrees, beyond Brewster's angle, most does.
    """
    scene = scene_of(ground(20_000.0, "concrete"))
    towards = direction(np.zeros(2), np.deg2rad([89.999, 5.0]))
    mirrors = mirrors_of(view_of(scene), ANTENNA.position_m, towards)
    same, crossed = (np.abs(each) for each in mirrors.strength(scene.library, L1_HZ))
    eta = scene.library.radio_table(L1_HZ, rows=()).permittivity[scene.library.row("concrete")]
    te, tm = reflection(eta, np.inf, mirrors.cosine, L1_HZ)
    assert same[0] < 1e-3 < crossed[0]
    assert same[1] > crossed[1]
    assert crossed[0] == pytest.approx(abs(tm[0] - te[0]) / 2, rel=1e-2)


def one_mirror(excess_m, amplitude, turn=0.0):
    wave = 299_792_458.0 / L1_HZ
    cycles = np.round(excess_m / wave)
    table = np.array([[1.0, 1.0], [amplitude * np.exp(1j * turn), 0.0]], complex)
    return Paths(np.zeros(2, np.int64), np.array([0.0, cycles * wave]), np.zeros(2), table)


@pytest.mark.parametrize("spacing", [1.0, 0.5, 0.1])
def test_code_error_follows_the_envelope(spacing):
    """+-a d / 2 chips for delays of d (1 +- a) / 2 to 1 - d (1 -+ a) / 2 chips (van Nee 1993); 0 beyond 1 + d / 2."""
    a, chip = 0.5, SIGNALS["GPS L1"].chip_m
    for turn, sign in ((0.0, 1.0), (np.pi, -1.0)):
        low, high = spacing * (1 + sign * a) / 2 + 0.02, 1 - spacing * (1 - sign * a) / 2 - 0.02
        for delay in (low, high, (low + high) / 2, 1.05 + spacing / 2) if low < high else ():
            found = track(one_mirror(delay * chip, a, turn), np.zeros(1, np.int64), ONE, spacing, 200e6)  # fmt: skip
            expected = sign * a * spacing / 2 if delay < 1 else 0.0
            assert found.code_m[0] / chip == pytest.approx(expected, abs=0.012 * spacing + 2e-3), (turn, delay)


def test_phase_error_and_strength_are_those_of_the_sum_of_phasors():
    """For a short excess the composite is 1 + a e^-jp: phase -arctan(a sin p / (1 + a cos p)), power |1 + a e^-jp|^2."""
    wave, a, p = 299_792_458.0 / L1_HZ, 0.4, 1.1
    paths = one_mirror(10 * wave, a, -p)
    found = track(paths, np.zeros(1, np.int64), ONE, 0.1, 200e6)
    share = 1 - 10 * wave / SIGNALS["GPS L1"].chip_m  # correlation at the excess
    total = 1 + a * share * np.exp(-1j * p)
    assert found.phase_m[0] == pytest.approx(-np.angle(total) * wave / (2 * np.pi), abs=3e-4)
    assert found.power[0] == pytest.approx(abs(total) ** 2, rel=0.01)


def test_a_signal_that_comes_over_a_mirror_alone_is_late_by_its_excess():
    """Non-line-of-sight reception: code and phase are longer by the excess path, exactly."""
    paths = Paths(np.zeros(2, np.int64), np.array([0.0, 37.0]), np.zeros(2), np.array([[0, 0], [0.3, 0.3]], complex))
    found = track(paths, np.zeros(1, np.int64), ONE, 0.1, 8e6)
    assert found.code_m[0] == found.phase_m[0] == 37.0
    assert found.power[0] == pytest.approx(0.09)


def test_correlation_functions():
    """BPSK: 1 - |x|; BOC(1,1): 1 - 3|x| to half a chip, then |x| - 1; a narrow front end rounds the peak."""
    x = np.linspace(-3, 3, 1537)
    np.testing.assert_allclose(correlation("bpsk", 1000.0), np.maximum(1 - abs(x), 0), atol=2e-3)
    boc = np.where(abs(x) < 0.5, 1 - 3 * abs(x), np.where(abs(x) < 1, abs(x) - 1, 0))
    np.testing.assert_allclose(correlation("boc", 1000.0), boc, atol=2e-3)
    near = np.abs(x) < 0.05
    assert (correlation("bpsk", 4.0)[near] >= correlation("bpsk", 1000.0)[near]).all()


def test_open_sky_has_neither_edges_nor_mirrors():
    towards = some_directions()[2]
    view = view_of(scene_of(far_away()))
    assert edges_of(view, ANTENNA.position_m, towards).direct.all()
    assert len(mirrors_of(view, ANTENNA.position_m, towards).satellite) == 0
    assert Gnss().sense(view).edges.direct.all()
    assert FRAME.altitude_m == 520
