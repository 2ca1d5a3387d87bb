"""The radar as a sensor: refusals, chance, disturbances, the same bytes for any number of threads."""

import numpy as np
import pytest
from radars import CHIRPS, ROW, SPACING_M, plate, radar, scan_of, thing, view_of
from scipy import stats

from sensorium.core.errors import ConfigurationError
from sensorium.core.pose import Pose
from sensorium.core.random import Draws
from sensorium.motion import Spinning
from sensorium.samples import Stamp
from sensorium.scene.shapes import Sphere
from sensorium.sensors.radar import (
    ChirpSequence,
    DetectionLevel,
    Interferer,
    Leakage,
    PhaseNoise,
    RayFan,
    Receiver,
    SignalLevel,
    Swerling,
    VirtualArray,
)
from sensorium.sensors.radar.clustering import clustered
from sensorium.sensors.radar.merge_kernels import merge
from sensorium.sensors.radar.paths import Paths

QUIET = {"power_w": 0.016, "noise_figure_db": 14.0}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"sample_rate_hz": "5 MHz"}, "take 51.2 us, but a chirp lasts 30 us: 21.2 us too long"),
        ({"band_hz": ["76 GHz", "76.9 GHz"]}, "76.5 to 77 GHz, but band_hz is 76 to 76.9 GHz: 100 MHz too far"),
        ({"slope_max_hz_s": 1e13}, "slope is 19.53 MHz/us, but slope_max_hz_s allows 10 MHz/us: 1.95 times too steep"),
    ],
)
def test_impossible_chirps(change, told):
    """The message names the limit and by how much it is broken."""
    settings = {
        "start_hz": "76.5 GHz", "bandwidth_hz": "500 MHz", "samples": 256, "sample_rate_hz": "10 MHz", "period_s": "30 us",
    }  # fmt: skip
    with pytest.raises(ConfigurationError) as caught:
        ChirpSequence(**{**settings, **change})
    assert told in str(caught.value)


def test_range_beyond_the_samples():
    """range_max_m against the sample rate: the beat, the limit, how much too far."""
    with pytest.raises(ConfigurationError) as caught:
        radar(range_max_m=100.0)
    assert "beats at 13.03 MHz, but sample_rate_hz is 10 MHz, which reaches 76.75 m: 23.25 m too far" in str(
        caught.value
    )


def test_frames_that_do_not_fit():
    """Chirps of all transmitters must end before the next frame."""
    with pytest.raises(ConfigurationError, match=r"takes 7.68 ms, but rate_hz = 200 leaves 5 ms: 2.68 ms too long"):
        radar(rate_hz=200.0)


def test_coinciding_elements():
    """Two virtual elements at one place are named with their place."""
    with pytest.raises(ConfigurationError) as caught:
        VirtualArray(transmitters_m=((0, 0), ("2 mm", 0)), receivers_m=((0, 0), ("2 mm", 0)))
    told = "transmitter 0 with receiver 1 and transmitter 1 with receiver 0 both lie at y = 2 mm, z = 0 mm"
    assert told in str(caught.value)


def test_uneven_rows_and_other_bad_settings():
    """Angles need even spacing; a fan needs a width; cells to train on must lie beyond the guard."""
    with pytest.raises(ConfigurationError, match="lie 2 to 5 mm apart; angles need even spacing"):
        radar(array=VirtualArray(receivers_m=((0, 0), ("2 mm", 0), ("7 mm", 0))))
    with pytest.raises(ConfigurationError, match="azimuth_rad must go from low to high"):
        RayFan(azimuth_rad=(0.2, 0.1))
    with pytest.raises(ConfigurationError, match="make the steps larger"):
        RayFan(azimuth_step_rad=1e-4, elevation_step_rad=1e-4)
    with pytest.raises(ConfigurationError, match="must reach beyond guard"):
        radar(fidelity={"type": "signal", "cfar": {"type": "cell_averaging", "guard": [4, 4], "train": [2, 2]}})
    with pytest.raises(ConfigurationError, match="must be smaller than range_max_m"):
        radar(range_min_m=80.0)


@pytest.mark.parametrize("case", [1, 2, 3, 4])
def test_swerling_distributions(case):
    """Cross sections of cases 1 and 2 are exponential, of 3 and 4 chi-squared with four degrees: Kolmogorov-Smirnov, p > 0.001."""
    factors = Swerling(case=case).factors(Draws(11, sensor="radar"), 4000, 3)
    assert factors.shape == (4000, 3 if case in (2, 4) else 1)
    shape = 1 if case < 3 else 2
    assert stats.kstest(factors.ravel(), stats.gamma(shape, scale=1 / shape).cdf).pvalue > 1e-3
    if case in (2, 4):
        assert abs(np.corrcoef(factors[:, 0], factors[:, 1])[0, 1]) < 5 / np.sqrt(4000)
    assert (Swerling().factors(Draws(1), 5, 3) == 1).all()


@pytest.mark.parametrize("fidelity", ["signal", "detection"])
@pytest.mark.parametrize("case", [1, 3])
def test_fluctuating_targets_are_measured_so(fidelity, case):
    """The cross section of a strong target over many frames follows Swerling's distribution (KS, p > 0.001)."""
    device = radar(fidelity={"type": fidelity}, fluctuation=Swerling(case=case))
    frames = 30 if fidelity == "signal" else 300
    found = [
        scan_of(device, Paths.points(10.0, 2.0, cross_section_m2=100.0), k).cross_section_m2.max()
        for k in range(frames)
    ]
    shape = 1 if case == 1 else 2
    assert stats.kstest(np.array(found) / 100, stats.gamma(shape, scale=1 / shape).cdf).pvalue > 1e-3


def test_detection_probability():
    """The part of frames in which a faint target is found is Marcum's probability, within four standard deviations."""
    device = radar(truth=True)
    level, front = device.fidelity, device.front
    per_m2 = float(front.heard_w_m2(Paths.points(50.0), 0.0)[0])
    for snr in (6.0, 12.0, 20.0):
        section = snr / float(level.snr(np.array([per_m2]), front)[0])
        target = Paths.points(50.0, 0.0, cross_section_m2=section)
        hits = sum((scan_of(device, target, k).truth.bounces != 0).any() for k in range(300))
        expected = float(level.probability(np.array([snr]), 8)[0])
        assert hits / 300 == pytest.approx(expected, abs=4 * np.sqrt(expected * (1 - expected) / 300) + 1e-3)


def test_false_alarms_of_the_detection_level():
    """Nothing there: P_fa x cells detections per frame on average, within four standard deviations, anywhere in the view."""
    device = radar(fidelity=DetectionLevel(false_alarm_rate=1e-3))
    nothing = Paths.points(np.zeros(0))
    counts = [len(scan_of(device, nothing, k)) for k in range(200)]
    bins = (70 - 0.3) / CHIRPS.range_resolution_m * 128
    assert np.mean(counts) == pytest.approx(1e-3 * bins, abs=4 * np.sqrt(1e-3 * bins / 200))
    scan = scan_of(device, nothing, 0)
    assert (scan.truth.body == -1).all()
    assert (scan.truth.bounces == 0).all()


def _noise_floor_db(receiver: Receiver, paths: Paths, about: slice, sample: int = 0) -> float:
    device = radar(fidelity=SignalLevel(keep_map=True), receiver=receiver)
    return float(np.median(scan_of(device, paths, sample).map.power_db[about]))


@pytest.mark.parametrize("level_dbc_hz", [-75.0, -65.0])
def test_phase_noise_raises_the_floor_beside_a_strong_target(level_dbc_hz):
    """A cell f beside the target holds L(f) 4 sin^2(pi f tau) (fs / N) 1.5 (1 / M) 1.5 of its power, two Hann windows.

    The median of power that is common to the receivers of each of two transmitters is 0.84 of the mean.
    """
    strong, receiver = (
        Paths.points(30.0, cross_section_m2=3e4),
        Receiver(**QUIET, phase_noise=PhaseNoise(level_dbc_hz=level_dbc_hz)),
    )
    quiet, loud = (_noise_floor_db(each, strong, slice(158, 163)) for each in (Receiver(**QUIET), receiver))
    front, beat_hz = radar().front, (160 - 30.0 / CHIRPS.range_resolution_m) * 10e6 / 256
    density = 10 ** (level_dbc_hz / 10) * (1e6 / beat_hz) ** 2 * 4 * np.sin(np.pi * beat_hz * 60 / 299_792_458.0) ** 2
    peak = float(front.heard_w_m2(strong, 0.0)[0]) * 3e4 / (front.noise_w * 1.5 * 1.5 / (256 * 128))
    assert quiet == pytest.approx(0, abs=0.7)
    assert loud == pytest.approx(10 * np.log10(1 + 0.84 * peak * density * 10e6 / 256 * 1.5 / 128 * 1.5), abs=1.0)


def test_phase_noise_of_near_echoes_cancels():
    """Range correlation: the same power from 1 m instead of 30 m brings (1 / 30)^2 of the noise while f tau is small."""
    receiver = Receiver(**QUIET, phase_noise=PhaseNoise(level_dbc_hz=-65))
    near = Paths.points(1.0, cross_section_m2=3e4 / 30**4)
    far_db = _noise_floor_db(receiver, Paths.points(30.0, cross_section_m2=3e4), slice(5, 12))
    assert _noise_floor_db(receiver, near, slice(5, 12)) < far_db - 15


def test_leakage_is_the_nearest_peak():
    """A direct sound 40 dB below the transmitter stands in the first bins at speed zero."""
    device = radar(
        fidelity=SignalLevel(keep_map=True),
        receiver=Receiver(**QUIET, leakage=Leakage(isolation_db=40)),
        range_min_m=0.0,
    )
    told = scan_of(device, Paths.points(np.zeros(0))).map
    place = np.unravel_index(told.power_db.argmax(), told.power_db.shape)
    assert place[0] <= 1
    assert told.speed_m_s[place[1]] == 0
    expected = 10 * np.log10(0.016 * 1e-4 / device.front.noise_w * 256 * 128) - 3.52
    assert told.power_db[place] == pytest.approx(expected, abs=1)


def test_interference_fills_the_map():
    """A second radar leaves bursts in the samples: few samples are hit, the floor of the whole map rises."""
    other = Interferer(
        range_m=20.0,
        start_hz="76.4 GHz",
        bandwidth_hz="700 MHz",
        ramp_s="20 us",
        period_s="33.3 us",
        azimuth_rad="10 deg",
    )
    device = radar(fidelity=SignalLevel(keep_map=True, keep_cube=True), receiver=Receiver(**QUIET, interferer=other))
    scan = scan_of(device, Paths.points(np.zeros(0)))
    hit = np.abs(scan.cube.samples) ** 2 > 50 * device.front.noise_w
    assert 0.005 < hit.mean() < 0.5
    assert np.median(scan.map.power_db) > 3
    friis = 0.016 * 10 * 10 * (CHIRPS.wavelength_m / (4 * np.pi * 20)) ** 2
    assert np.median(np.abs(scan.cube.samples[hit]) ** 2) == pytest.approx(friis, rel=0.1)


def test_turning_wheel_spreads_over_the_speeds():
    """Through samples and spectrum: power between -w r and w r, none beyond; a wheel at rest stays at zero."""
    spread = []
    for spin in (0.0, 20.0):
        wheel = Spinning(pose=Pose.at(8.0, 0, 0), angular_velocity_rad_s=(0.0, spin, 0.0))
        view = view_of(thing(Sphere(radius_m=0.3, facet_m=1e-3).mesh(), wheel, material="tyre"), end_ns=7_680_000)
        fan = RayFan(
            azimuth_rad=(-0.04, 0.04),
            elevation_rad=(-0.04, 0.04),
            azimuth_step_rad=4e-4,
            elevation_step_rad=4e-4,
            bounces=1,
        )
        device = radar(fan=fan, fidelity=SignalLevel(keep_map=True, speed_window="blackman"))
        scan, _ = device.detect(device.sense(view), None, Draws(1, sensor="r"), Stamp("r", 0, 0, 0))
        loud = scan.map.power_db[24:29].max(0) > 6
        spread.append(np.abs(scan.map.speed_m_s[loud]).max())
    assert spread[0] < 1.0
    assert spread[1] == pytest.approx(20 * 0.3, rel=0.15)


def test_same_bytes_for_any_number_of_threads():
    """Map, samples and detections of one and of two threads are equal to the bit."""
    import numba

    view = view_of(
        thing(plate(3.0), Pose.at(20.0, 0, 0, 0.3)), thing(Sphere(radius_m=0.5).mesh(), Pose.at(9.0, 2, 0), "ball")
    )
    fan = {"azimuth_step_rad": 0.01, "elevation_step_rad": 0.01}
    device = radar(fan=fan, fidelity=SignalLevel(keep_map=True, keep_cube=True))
    before, scans = numba.get_num_threads(), []
    try:
        for threads in (1, min(2, before)):
            numba.set_num_threads(threads)
            scans.append(device.detect(device.sense(view), None, Draws(1, sensor="r"), Stamp("r", 0, 0, 0))[0])
    finally:
        numba.set_num_threads(before)
    one, two = scans
    assert one.cube.samples.tobytes() == two.cube.samples.tobytes()
    assert one.map.power_db.tobytes() == two.map.power_db.tobytes()
    assert one.points_m.tobytes() == two.points_m.tobytes()
    assert len(one) > 0


def test_clusters_keep_the_echo():
    """Adding up neighbours changes neither the voltage of the whole nor the diffuse power."""
    random = np.random.default_rng(5)
    paths = Paths.points(random.uniform(10, 11, 3000), random.normal(0, 0.1, 3000), random.uniform(-0.1, 0.1, 3000))
    fewer = clustered(paths, (0.075, 0.05, 0.05), CHIRPS.wavelength_m)
    assert len(fewer) < 600
    whole, less = (
        (each.amplitude_m * np.exp(-4j * np.pi * each.range_m / CHIRPS.wavelength_m)).sum() for each in (paths, fewer)
    )
    assert less == pytest.approx(whole, rel=1e-6)


def test_merging_against_plain_loops():
    """A target takes all paths within one cell of its strongest in every axis; speeds go round."""
    random = np.random.default_rng(0)
    for count in (1, 7, 300):
        place = random.uniform(0, 12, (count, 4))
        place[:, 2:] = random.uniform(0, 2, (count, 2))
        order, target = random.permutation(count), np.full(count, -1)
        found = merge(order, place, np.array([0.0, 12.0, 0.0, 0.0]), target)
        expected, number = np.full(count, -1), 0
        for p in order:
            if expected[p] < 0:
                apart = np.abs(place - place[p])
                apart[:, 1] = np.minimum(apart[:, 1] % 12, 12 - apart[:, 1] % 12)
                expected[(expected < 0) & (apart < 1).all(1)] = number
                number += 1
        assert found == number
        np.testing.assert_array_equal(target, expected)


def test_uniform_arrays_have_no_gaps():
    """Two transmitters and four receivers make eight elements, each half a wavelength from the next."""
    assert np.diff(np.sort(ROW.places_m[:, 0])) == pytest.approx(SPACING_M)


@pytest.mark.parametrize("angle", ["fft", "capon", "music"])
@pytest.mark.parametrize("unfold", [False, True])
def test_frames_without_detections(angle, unfold):
    """Noise below a high threshold: an empty sample with all its columns."""
    level = {"type": "signal", "unfold": unfold, "angle": {"type": angle}}
    device = radar(fidelity={**level, "cfar": {"type": "cell_averaging", "false_alarm_rate": 1e-14}})
    scan = scan_of(device, Paths.points(np.zeros(0)))
    assert len(scan) == 0
    assert scan.points_m.shape == (0, 3)
    assert scan.covariance.shape == (0, 4, 4)
    assert len(scan.truth.body) == 0


def test_nothing_in_view():
    """What stands behind the radar sends no path."""
    device = radar(fan={"azimuth_step_rad": 0.02, "elevation_step_rad": 0.02})
    assert len(device.sense(view_of(thing(plate(1.0), Pose.at(-20.0, 0, 0)))).paths) == 0


def test_one_antenna_knows_no_direction():
    """A single element reports range and speed, straight ahead, with the variance of its view."""
    for fidelity in ({"type": "signal"}, {"type": "detection"}):
        scan = scan_of(
            radar(array=VirtualArray(), fidelity=fidelity), Paths.points(20.0, 1.0, 0.3, cross_section_m2=30.0)
        )
        assert scan.azimuth_rad[0] == 0
        assert scan.covariance[0, 2, 2] == pytest.approx(0.09, rel=0.01)
        assert scan.range_m[0] == pytest.approx(20.0, abs=0.05)
