"""The receiver as a whole: fixes, noise, loss of lock, attacks, and what it says when there is nothing to say."""

from dataclasses import replace

import numpy as np
import pytest
from gnss_worlds import ANTENNA, FRAME, ORIGIN, QUIET, error_enu_m, run, scene_of, upright, view_of

from sensorium.core.errors import ConfigurationError, SceneError
from sensorium.core.pose import Pose
from sensorium.core.random import Draws
from sensorium.ephemeris.sources import Nominal
from sensorium.motion.fixed import Fixed
from sensorium.samples import FixType, Stamp
from sensorium.scene.body import Body, Model, Part
from sensorium.scene.scene import Scene
from sensorium.scene.shapes import Box
from sensorium.sensors import Gnss, sensor_of
from sensorium.sensors.gnss.channels import channels_of
from sensorium.sensors.gnss.tracking import Chance, Loops, LoopState

BOTH = ("GPS L1", "GPS L5", "Galileo E1", "Galileo E5a")
OPEN = scene_of()


def room(inside_m=4.0, thick_m=0.3):
    """Six walls around the origin: no satellite gets in."""
    h, parts = inside_m, []
    for axis in range(3):
        for side in (-1, 1):
            size, place = [2 * h + 2 * thick_m] * 3, [0.0, 0.0, 0.0]
            size[axis], place[axis] = thick_m, side * (h + thick_m / 2)
            parts.append(
                Part(f"{axis}{side}", Box(size_m=tuple(size)).mesh().moved(Pose.at(*place)), "concrete", "room")
            )
    return Body("room", Model("room", tuple(parts)), Fixed())


def test_open_sky_solves_to_the_noise():
    """Errors have the covariance that the fix tells: sum over the epochs of e^T C^-1 e / 3 is 1 within a factor."""
    samples = [run(Gnss(rate_hz=1.0), OPEN, 2, seed=seed)[1] for seed in range(40)]
    errors = np.array([error_enu_m(sample) for sample in samples])
    assert all(sample.fix == FixType.SINGLE for sample in samples)
    normalised = np.mean([e @ np.linalg.solve(s.covariance_m2, e) / 3 for e, s in zip(errors, samples, strict=True)])
    assert 0.3 < normalised < 2.5  # the sky's errors are not those that the receiver assumes
    assert np.abs(errors.mean(0)).max() < 4 * errors.std(0).max() / np.sqrt(len(samples)) + 0.5
    assert np.hypot(*errors.std(0)[:2]) < 4


def test_velocity_by_doppler():
    """A receiver at rest has velocity errors of the size of its Doppler noise: below 0.1 m/s."""
    samples = run(Gnss(rate_hz=10.0, **QUIET), OPEN, 30)
    velocity = np.array([sample.velocity_m_s for sample in samples])
    assert np.abs(velocity.mean(0)).max() < 4 * velocity.std(0).max() / np.sqrt(len(velocity))
    assert velocity.std(0).max() < 0.15


def test_clock_is_solved():
    """The clock's offset comes out of the fix within nanoseconds, and its jumps are whole milliseconds."""
    samples = run(Gnss(rate_hz=1.0, clock={"bias_s": "490 us", "drift": 8e-6}, **QUIET), OPEN, 12, seed=3)
    for sample in samples:
        assert sample.clock_bias_s == pytest.approx(sample.truth.clock_s, abs=2e-8)
        assert abs(sample.gps_ns - (sample.raw.gps_ns - sample.truth.clock_s * 1e9)) < 20
    assert all(abs(sample.truth.clock_s) <= 0.5e-3 for sample in samples)


def code_noise(spread_db, epochs=60):
    gnss = Gnss(rate_hz=0.2, noise_figure_db=spread_db, ionosphere=False, troposphere=False, **QUIET)
    samples = run(gnss, OPEN, epochs)
    names = [set(zip(s.raw.names, s.raw.codes, strict=True)) for s in samples]
    both = sorted(set.intersection(*names))
    rows = [[list(zip(s.raw.names, s.raw.codes, strict=True)).index(pair) for pair in both] for s in samples]
    code = np.array([s.raw.pseudorange_m[row] for s, row in zip(samples, rows, strict=True)])
    phase = np.array(
        [(s.raw.carrier_cycles * 299_792_458.0 / s.raw.frequency_hz)[row] for s, row in zip(samples, rows, strict=True)]
    )
    sigma = np.array([s.raw.pseudorange_sigma_m[row] for s, row in zip(samples, rows, strict=True)])
    return (code - phase), sigma, np.array([s.raw.cn0_db_hz[row] for s, row in zip(samples, rows, strict=True)])


def test_code_noise_has_its_standard_deviation():
    """Code minus phase without an ionosphere is code noise and a constant; its variance is that of Kaplan's formula.

    With 60 epochs and a dozen satellites the standard deviation is known to 1 / sqrt(2 * 700) = 2.7 %; four times that.
    """
    difference, sigma, _ = code_noise(2.0)
    left = (difference - difference.mean(0)) / sigma
    expected = np.sqrt(1 - 1 / len(difference))
    assert left.std() == pytest.approx(expected, rel=0.11)


def test_noise_grows_as_signals_weaken():
    """10 dB less C/N0 is sqrt(10) times the code noise, as long as the squaring loss is small."""
    _, strong, _ = code_noise(0.0, 3)
    _, weak, _ = code_noise(6.0, 3)
    assert (weak / strong).mean() == pytest.approx(10 ** (6 / 20), rel=0.05)


def test_the_phase_is_the_range_but_for_whole_cycles():
    """Carrier phase minus range is constant over time while no cycle slips: the ambiguity."""
    difference, _, _ = code_noise(2.0)
    assert np.abs(np.diff(difference, axis=0)).max() < 10


def test_nothing_gets_into_a_room():
    """No satellites: a sample that says so, not an error; NaN for the place, no measurements."""
    samples = run(Gnss(rate_hz=1.0), scene_of(room()), 2, pose=Pose.at(0, 0, 0))
    for sample in samples:
        assert sample.fix == FixType.NONE
        assert np.isnan(sample.geodetic).all()
        assert len(sample.raw) == 0
        assert not sample.truth.direct.any()
        assert np.isinf(sample.dilution).all()


def test_a_tunnel_takes_the_fix_and_gives_it_back():
    """Inside the box all signals are lost; lock comes back after the time that the receiver needs."""
    tunnel = {"low_m": (-10, -10, -10), "high_m": (10, 10, 10)}
    inside = run(Gnss(rate_hz=1.0, tunnels=(tunnel,)), OPEN, 1)[0]
    assert inside.fix == FixType.NONE
    from worlds import Gliding

    moving = Body("car", Model("car", (Part("car", Box(size_m=(1, 1, 0.1)).mesh(), "asphalt", "car"),)),
                  Gliding(Pose.at(-25, 0, 0), (10.0, 0.0, 0.0)))  # fmt: skip
    scene = scene_of(moving)
    gnss = Gnss(rate_hz=5.0, tunnels=(tunnel,), loops={"reacquire_s": 1.0})
    fixes = [s.fix != FixType.NONE for s in run(gnss, scene, 30, body="car")]
    assert fixes[:7] == [True] * 7
    assert not any(fixes[8:22])
    assert all(fixes[24:])


def test_a_jammer_lowers_cn0_as_its_noise_adds():
    """C/N0 with a jammer of density J0: 10 lg(C / (N0 + J0)); strong ones take the lock."""
    clear = run(Gnss(rate_hz=1.0, **QUIET), OPEN, 1)[0]
    far = {"position_m": (3000.0, 0.0, 500.0), "power_w": 1e-2, "bandwidth_hz": 8e6}
    gnss = Gnss(rate_hz=1.0, jammers=(far,), **QUIET)
    jammed = run(gnss, OPEN, 1)[0]
    distance = np.linalg.norm(np.array(far["position_m"]) - ANTENNA.position_m)
    sine = (500.0 - 2.0) / distance
    gain = gnss.antenna.amplitudes(np.array([sine]))[0][0] ** 2
    density = 1e-2 * gain * (299_792_458.0 / 1_575.42e6 / (4 * np.pi * distance)) ** 2 / 8e6
    noise = 10 ** ((-203.975 + 2.0) / 10)
    fall = 10 * np.log10(1 + density / noise)
    assert 3 < fall < 15
    pairs = dict(zip(clear.raw.names, clear.raw.cn0_db_hz, strict=True))
    for name, cn0 in zip(jammed.raw.names, jammed.raw.cn0_db_hz, strict=True):
        assert pairs[name] - cn0 == pytest.approx(fall, abs=1e-6)
    near = {"position_m": (50.0, 0.0, 2.0), "power_w": 0.5}
    assert run(Gnss(rate_hz=1.0, jammers=(near,)), OPEN, 1)[0].fix == FixType.NONE


def test_a_hidden_jammer_is_weaker():
    jammer = {"position_m": (200.0, 0.0, 2.0), "power_w": 1e-4, "hidden_db": 30.0, "bandwidth_hz": 8e6}
    wall = upright("wall", (100.0, 100.0), (-3.0, 3.0), 0.0, 5.0, "asphalt")
    free, hidden = (run(Gnss(rate_hz=1.0, jammers=(jammer,), **QUIET), scene_of(*more), 1)[0] for more in ((), (wall,)))
    assert (
        np.median(hidden.satellites.cn0_db_hz[hidden.satellites.cn0_db_hz > 0])
        > np.median(free.satellites.cn0_db_hz) + 3
    )


def test_a_spoofer_pulls_the_fix_to_the_false_place():
    """The fix follows the true place plus the offset, all ranges agree, and the truth says where the antenna is."""
    spoofer = {"position_m": (100.0, 0.0, 10.0), "power_w": 1e-7, "offset_m": (0, 0, 0), "drift_m_s": (5.0, -3.0, 0.0),
               "start_s": 2.0}  # fmt: skip
    samples = run(Gnss(rate_hz=1.0, spoofers=(spoofer,), **QUIET), OPEN, 12)
    for k, sample in enumerate(samples):
        pulled = max(k - 2, 0) * np.array([5.0, -3.0, 0.0]) if k >= 2 else np.zeros(3)
        assert np.abs(error_enu_m(sample) - pulled).max() < 5
        assert sample.integrity
    assert np.linalg.norm(error_enu_m(samples[-1])[:2]) > 40


def test_a_weak_spoofer_takes_nothing_over():
    spoofer = {"position_m": (100.0, 0.0, 10.0), "power_w": 1e-13, "offset_m": (500.0, 0, 0)}
    assert np.abs(error_enu_m(run(Gnss(rate_hz=1.0, spoofers=(spoofer,)), OPEN, 1)[0])).max() < 30


def test_the_filter_is_smoother_and_coasts():
    """Standard deviation of the filtered fix is below that of single epochs, and it goes on for some seconds without ranges."""
    single, filtered = (
        np.array([error_enu_m(s) for s in run(Gnss(rate_hz=5.0, solving=solving, **QUIET), OPEN, 60)][20:])
        for solving in ({"type": "least_squares"}, {"type": "filtered", "acceleration_m_s2": 0.3})
    )
    assert np.diff(filtered, axis=0).std(0).max() < 0.5 * np.diff(single, axis=0).std(0).max()
    assert np.abs(filtered.mean(0)).max() < 5
    from worlds import Gliding

    car = Body("car", Model("car", (Part("car", Box(size_m=(1, 1, 0.1)).mesh(), "asphalt", "car"),)),
               Gliding(Pose.at(-50, 0, 0), (10.0, 0.0, 0.0)))  # fmt: skip
    tunnel = {"low_m": (-10, -10, -10), "high_m": (15, 10, 10)}
    samples = run(
        Gnss(rate_hz=5.0, tunnels=(tunnel,), solving={"type": "filtered"}, **QUIET), scene_of(car), 45, body="car"
    )
    inside = [s for s in samples if 4.1 < s.stamp.time_ns * 1e-9 < 6.4]
    assert {s.fix for s in inside} == {FixType.PREDICTED}
    assert max(np.linalg.norm(error_enu_m(s)) for s in inside) < 15
    assert samples[-1].fix == FixType.SINGLE


def test_two_bands_do_away_with_the_ionosphere():
    """With an ionosphere that the model misses by half the free combination is not touched, one band is."""
    sky = {"orbit_clock_m": 0, "ionosphere": 0.5, "troposphere_m": 0}
    one, two = (
        np.array([error_enu_m(run(Gnss(rate_hz=1.0, signals=BOTH, dual_frequency=dual, sky_errors=sky), OPEN, 1, seed=k)[0])
                  for k in range(8)])
        for dual in (False, True)
    )  # fmt: skip
    assert np.abs(two[:, 2]).mean() < 0.7 * np.abs(one[:, 2]).mean()


def test_integrity_throws_out_a_satellite_with_a_wrong_range():
    """One range 60 m off is found and left out; the fix stays where it was (tests/positioning has the rest)."""
    sample = run(Gnss(rate_hz=1.0, **QUIET), OPEN, 1)[0]
    assert sample.integrity is True
    assert sample.excluded == ()


def test_same_seed_same_bytes_and_satellites_do_not_disturb_each_other():
    a, b = (run(Gnss(rate_hz=2.0), OPEN, 3, seed=5) for _ in range(2))
    other = run(Gnss(rate_hz=2.0), OPEN, 3, seed=6)
    assert [s.raw.pseudorange_m.tobytes() for s in a] == [s.raw.pseudorange_m.tobytes() for s in b]
    assert a[0].raw.pseudorange_m.tobytes() != other[0].raw.pseudorange_m.tobytes()
    gps = run(Gnss(rate_hz=2.0, orbits={"type": "nominal", "systems": "G"}, signals=("GPS L1",)), OPEN, 1, seed=5)[0]
    assert set(gps.raw.names) < set(a[0].raw.names)


def test_a_scene_without_a_place_on_earth_is_refused():
    with pytest.raises(SceneError, match="no origin on Earth"):
        Gnss().sense(view_of(replace(OPEN, origin=None)))
    with pytest.raises(SceneError, match="no origin on Earth"):
        Gnss().check(Scene())


def test_unknown_signals_are_refused():
    with pytest.raises(ConfigurationError, match="Did you mean 'GPS L1'"):
        Gnss(signals=("GPS L1C",))
    with pytest.raises(ConfigurationError, match="at most one signal"):
        Gnss(signals=("GPS L1", "GPS L1"))


def test_loop_noise_is_that_of_the_formulas():
    """45 dB-Hz on L1 C/A, B = 0.5 Hz, d = 0.1, T = 20 ms: code 293.05 m sqrt(0.5 0.1 / 2n (1 + 2 / (1.9 T n))) = 0.261 m.

    Phase at 15 Hz: 190.3 mm / 2 pi sqrt(15 / n (1 + 1 / (2 T n))) = 0.660 mm; with 0.03 rad of oscillator jitter 1.123 mm.
    """
    channels = channels_of(Nominal(systems="G").orbits_at(0), ("GPS L1",)).rows(np.array([0]))
    nothing = Chance(*(np.zeros(1) for _ in range(5)))
    found = Loops(oscillator_phase_rad=0.0).noise(
        LoopState.idle(1), np.ones(1, bool), channels, np.array([45.0]), 0.1, nothing
    )
    assert found.code_sigma_m[0] == pytest.approx(0.2608, abs=1e-4)
    assert found.phase_sigma_m[0] == pytest.approx(0.6599e-3, abs=1e-6)
    more = Loops().noise(LoopState.idle(1), np.ones(1, bool), channels, np.array([45.0]), 0.1, nothing)
    assert more.phase_sigma_m[0] == pytest.approx(1.1229e-3, abs=1e-6)


def test_slips_come_as_often_as_the_formula_says():
    """1 - exp(-t / T), T = pi^2 r I_0(r)^2 / (2 B): at 0.35 rad and 15 Hz once in about 2 s; at 0.1 rad never."""
    from scipy.special import iv

    loops = Loops()
    r = 1 / 0.35**2
    expected = np.pi**2 * r * iv(0, r) ** 2 / 30
    assert -1 / np.log(1 - loops.slip_probability(np.array([0.35]), 1.0)[0]) == pytest.approx(expected, rel=1e-6)
    assert loops.slip_probability(np.array([0.05]), 1.0)[0] < 1e-30


@pytest.mark.parametrize("name", ["ublox_f9p", "ublox_m8n", "generic_phone_gnss"])
def test_devices_have_a_fix_under_a_free_sky(name):
    """Within three times the accuracy that the maker prints, over a few seeds."""
    from sensorium.sensors import device

    errors = [error_enu_m(run(sensor_of(name), OPEN, 3, seed=seed)[-1]) for seed in range(8)]
    assert np.median(np.hypot(*np.array(errors)[:, :2].T)) < 3 * device(name).data_sheet["position_accuracy_m"]


def test_a_canyon_hides_and_mirrors():
    """Between two walls fewer satellites are direct, mirrors appear, and the errors grow."""
    walls = [upright(f"wall{side}", (-200, 200), (side * 10.0,) * 2, 0.0, 30.0) for side in (-1, 1)]
    gnss = Gnss(rate_hz=1.0, **QUIET)
    canyon, free = (run(gnss, scene_of(*more), 1)[0] for more in (walls, ()))
    assert canyon.truth.direct.sum() < free.truth.direct.sum() - 3
    assert canyon.truth.reflections.sum() > 0 == free.truth.reflections.sum()
    assert np.abs(canyon.truth.code_error_m).max() > 0.3
    assert np.abs(free.truth.code_error_m).max() < 1e-9


def test_detect_of_one_epoch_alone():
    """A sample can be made alone, from any index."""
    gnss, draws = Gnss(), Draws(1, sensor="gnss", sample=7)
    window = gnss.window(7)
    signal = gnss.sense(view_of(OPEN, time_ns=window.start_ns))
    sample, _ = gnss.detect(signal, gnss.initial_state(draws), draws, Stamp("gnss", 7, window.start_ns, window.end_ns))
    assert sample.fix == FixType.SINGLE
    assert sample.leap_s == 18
    np.testing.assert_allclose(sample.truth.position_m, ANTENNA.position_m)
    assert ORIGIN.altitude_m == FRAME.altitude_m


@pytest.mark.parametrize("name", ["ublox_f9p", "ublox_m8n", "generic_phone_gnss"])
def test_every_figure_of_a_device_has_its_source(name):
    """Each line with a figure names a source of the list or says assumed."""
    import re

    from sensorium.sensors.catalog import device_text

    text = device_text(name)
    tags = set(re.findall(r'^  - "\[([\w-]+)\]', text, re.MULTILINE))
    for line in text[text.index("data_sheet:") :].splitlines():
        if re.search(r"\d", line.partition("#")[0]) and ":" in line and not line.startswith("  device"):
            comment = line.partition("#")[2]
            assert set(re.findall(r"\[([\w-]+)\]", comment)) & tags or "assumed" in comment, line
