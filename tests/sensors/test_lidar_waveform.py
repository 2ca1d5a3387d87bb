"""The full-waveform mode beside the echo mode on the same beams; several echoes, determinism, refusals."""

from dataclasses import replace

import numba
import numpy as np
import pytest
from beams_by_hand import HALF_C_M_S, NO_AIR, NOISE_W, beams_of, hear, listener, one_range, over_a_mirror

from sensorium.core.errors import ConfigurationError
from sensorium.samples.causes import Cause, Missing
from sensorium.scene.street import ROOF_MOUNT, Street
from sensorium.sensors import sensor_of
from sensorium.sensors.lidar import (
    Digitiser,
    Everywhere,
    GaussianPulse,
    MatchedFilter,
    SkewedPulse,
    Threshold,
    Waveform,
)
from sensorium.sensors.lidar.cloud import Looked
from sensorium.sensors.lidar.echoes import Seen
from sensorium.sensors.lidar.receiver import Air, Crosstalk
from sensorium.simulation import observe

STRONG = 1000 * NOISE_W


# --- beside the echo mode ------------------------------------------------------------------------------------------

MODES = ("first", "last", "strongest", "second", "dual")


@pytest.mark.parametrize("detection", [Threshold(), MatchedFilter()])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("settings", [{}, {"receiver": {"pulse_rate_hz": 4e6}}, {"range_resolution_m": 0.25}])
def test_separate_echoes_are_reported_as_by_the_echo_mode(detection, mode, settings):
    """Echoes at 20.1, 40.1 and 60.1 m of any order of strength, one below the limits, one beyond: the same returns."""
    distance = np.array([0.3, 20.1, 40.1, 60.1, 130.0])
    powers = np.array([[9, 1, 3, 2, 9], [9, 3, 1, 2, 9], [9, 1, 2, 3, 9], [9, 0, 1, 0, 9], [9, 0, 0, 0, 9]]) * STRONG
    clouds = []
    for waveform in (None, Waveform(detection=detection)):
        lidar = listener(5, mode, waveform=waveform, range_min_m=5.0, **settings)
        clouds.append(hear(lidar, beams_of(lidar, distance[None], powers)))
    echo, wave = clouds
    assert wave.beam.tolist() == echo.beam.tolist()
    assert wave.return_index.tolist() == echo.return_index.tolist()
    np.testing.assert_allclose(wave.range_m, echo.range_m, atol=0.005)
    np.testing.assert_allclose(wave.intensity, echo.intensity, rtol=0.01, atol=1)


def named(signal):
    """Return the signal with a truth in which row k of the rays, then of the later echoes, is body k."""
    rays, echoes = len(signal.first.distance_m), len(signal.later.distance_m)
    number = np.arange(rays + echoes, dtype=np.int32)
    nought = np.zeros(rays + echoes, np.int32)
    seen = Seen(number[:rays], nought[:rays], np.ones(rays, np.float32))
    later = replace(
        signal.later, body=number[rays:], part=nought[rays:], cause=np.full(echoes, Cause.MIRROR_GHOST, np.int8)
    )
    looked = Looked(number, number, number, seen, later)
    return replace(signal, truth=looked)


@pytest.mark.parametrize("search", [{}, {"search": Everywhere(alarms_per_beam=1e-9)}])
def test_truth_is_that_of_the_echo_mode(search):
    """Nothing there, too near, too far, too faint, seen; what a return met is named, also over a mirror."""
    distance = np.array([np.inf, 0.2, 150.0, 50.0, 50.0])[:, None]
    power = np.array([0.0, 1.0, 1.0, 1e-9, 1.0])[:, None] * STRONG
    clouds = []
    for waveform in (None, Waveform(**search)):
        lidar = listener(mode="dual", waveform=waveform, receiver={"threshold_sigmas": 6.0})
        beams = over_a_mirror(beams_of(lidar, distance, power), 4, 70.0, 2 * STRONG)
        clouds.append(hear(lidar, named(beams)))
    for cloud in clouds:
        assert cloud.truth.missing.tolist() == [
            Missing.NO_HIT, Missing.TOO_NEAR, Missing.TOO_FAR, Missing.BELOW_THRESHOLD, Missing.DETECTED,
        ]  # fmt: skip
        assert cloud.truth.body.tolist() == [5, 4]
        assert cloud.truth.cause.tolist() == [Cause.MIRROR_GHOST, Cause.SURFACE]


def test_a_return_that_no_echo_made_is_called_noise():
    """Everywhere in empty beams: no body, cause NOISE."""
    lidar = listener(waveform=Waveform(search=Everywhere(alarms_per_beam=0.5)))
    cloud = hear(lidar, named(beams_of(lidar, np.full((50, 1), np.inf), 0.0)))
    assert len(cloud) > 5
    assert set(cloud.truth.body) == {-1}
    assert set(cloud.truth.cause) == {Cause.NOISE}


def test_crosstalk_arrives_as_in_the_echo_mode():
    """The same beams get the same foreign pulses; random returns from the air are left to the record."""
    clouds = []
    for waveform in (None, Waveform()):
        lidar = listener(waveform=waveform, crosstalk=Crosstalk(probability=0.2), receiver={"nep_w_sqrt_hz": 1e-15})
        air = NO_AIR if waveform is None else Air(1.0, 2.0, 5.0, 0.0, 0.01)
        clouds.append(hear(lidar, beams_of(lidar, np.full((2000, 1), np.inf), 0.0, air=air)))
    echo, wave = clouds
    assert len(echo) > 300
    assert wave.beam.tolist() == echo.beam.tolist()
    np.testing.assert_allclose(wave.range_m, echo.range_m, atol=0.002)


@pytest.mark.parametrize("device", ["velodyne_vlp16", "ouster_os1_64"])
@pytest.mark.parametrize(("detection", "share"), [("threshold", 0.94), ("matched_filter", 0.97)])
def test_a_device_in_the_street_sees_what_the_echo_mode_sees(device, detection, share):
    """Of the returns of the echo mode this share is there within 5 cm, almost all within 30 cm; hardly any beam sees more.

    What differs are faint echoes: the noise of the samples moves them, and a wider pulse has more chances than one.
    """
    quiet = {"range_noise_m": 0.0, "range_resolution_m": 0.0}
    scene = Street(length_m=60, parked_cars=4, moving_cars=2, pedestrians=2).build()
    waveform = {"detection": {"type": detection}}
    echo, wave = (
        one_range(observe(scene, sensor_of(device, waveform=used, **quiet), ROOF_MOUNT, body="ego", seed=1))
        for used in (None, waveform)
    )
    seen = np.isfinite(echo)
    error = np.abs(wave[seen] - echo[seen])
    assert seen.sum() > 10_000
    assert np.mean(error < 0.05) > share
    assert np.mean(error < 0.3) > 0.995
    assert np.mean(np.isfinite(wave) & ~seen) < 0.02
    assert abs(np.nanmedian(wave[seen] - echo[seen])) < 0.001


# --- several echoes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("detection", [Threshold(hysteresis_sigmas=20), MatchedFilter(hysteresis_sigmas=20)])
@pytest.mark.parametrize(("depth", "echoes"), [(32, 2), (10, 1)])
def test_echoes_are_told_apart_if_the_valley_is_as_deep_as_the_hysteresis(detection, depth, echoes):
    """Two equal Gaussians whose sum has a valley of 32 or of 10 sigma between them, with 20 asked for: two returns, or one."""
    lidar = listener(5, "dual", waveform=Waveform(pulse=GaussianPulse(width_s="8 ns"), detection=detection))
    t = np.arange(-120, 121) * 1e-9
    h = lidar.waveform.pulse.shape
    filtered = detection.template(h(t))
    gap_s = 13e-9  # whole samples from peak to peak
    seen = h(t - gap_s / 2 + 0.5e-9) + h(t + gap_s / 2 + 0.5e-9)
    sigma = NOISE_W
    if len(filtered):
        seen, sigma = np.correlate(seen, filtered, "same"), NOISE_W * np.sqrt(filtered @ filtered)
    middle = np.argmin(np.abs(t + 0.5e-9))
    valley = seen.max() - seen[middle - 3 : middle + 4].min()
    power = depth * sigma / valley
    distance = 30.0 + np.array([[0.0, gap_s * HALF_C_M_S]]) + np.zeros((200, 1))
    cloud = hear(lidar, beams_of(lidar, distance, power))
    assert np.bincount(cloud.beam, minlength=200).tolist() == [echoes] * 200
    if echoes == 2:
        near = cloud.range_m.reshape(200, 2).min(1) - 30.0
        assert abs(near.mean()) < 0.25


@pytest.mark.parametrize("detection", [Threshold(), MatchedFilter()])
@pytest.mark.parametrize(
    ("pulse", "strong"), [(SkewedPulse(), 1e5), (SkewedPulse(width_s="2 ns", decay_s="6 ns"), 3e3)]
)
@pytest.mark.parametrize("swapped", [False, True])
def test_the_flank_of_a_strong_echo_is_no_echo(detection, pulse, strong, swapped):
    """A dazzling echo beside a faint one, 1 to 9 m apart: every second return lies at the faint one, none on the flank."""
    gap = np.repeat(np.arange(1.0, 9.0, 0.5), 20)
    distance = 30.0 + np.stack((np.zeros_like(gap), gap), 1)
    power = np.array([[20.0, strong] if swapped else [strong, 20.0]]) * NOISE_W
    waveform = Waveform(pulse=pulse, detection=detection)
    lidar = listener(5, "second", receiver={"threshold_sigmas": 6.0}, waveform=waveform)
    cloud = hear(lidar, beams_of(lidar, distance, power))
    faint = distance[cloud.beam, 0 if swapped else 1]
    assert len(cloud) > 60
    assert np.isin(np.arange(300, 320), cloud.beam).all()
    assert np.abs(cloud.range_m - faint).max() < 0.6


@pytest.mark.parametrize("pulse", [GaussianPulse(), SkewedPulse(width_s="2 ns", decay_s="6 ns")])
def test_every_echo_above_the_noise_is_looked_for(pulse):
    """Random echoes of 1 to 10^5 sigma: each sample above the noise lies in a stretch; stretches are in order and apart."""
    from sensorium.sensors.lidar.waveform_kernels import windows

    rng, count = np.random.default_rng(8), 8
    acquisition = listener(waveform=Waveform(pulse=pulse))._acquisition
    gates = acquisition._gates(acquisition._lit(0.0, 0.0))
    sample = np.arange(gates.first, gates.last)
    for _ in range(200):
        places, powers = np.sort(rng.uniform(0, 750, count)), 10.0 ** rng.uniform(0, 5, count)
        starts, stops = np.empty((2, 65), np.int64)
        made = windows(count, places, powers, 1.0, gates, starts, stops)
        edges = np.stack((starts[:made], stops[:made]), 1).ravel()
        assert (np.diff(edges) > 0).all()
        assert edges[0] >= gates.first
        assert edges[-1] <= gates.last
        inside = np.searchsorted(edges, sample, side="right") % 2 == 1
        echo = powers[:, None] * pulse.shape((sample - places[:, None]) * 1e-9)
        bright = (echo > 1.001) & (echo > 1.01e-5 * powers[:, None])
        assert inside[bright.any(0)].all()
        assert inside.mean() < 0.9


@pytest.mark.parametrize("pulse", [GaussianPulse(), SkewedPulse()])
def test_range_hardly_walks_when_the_top_is_cut_off(pulse):
    """At 1 to 10000 times saturation the width of the pulse tells how early its edge is: within 4 cm, where it walks by 0.3 m
    and more."""
    rng = np.random.default_rng(3)
    excess = np.geomspace(1.05, 1e4, 600)[:, None]
    distance = rng.uniform(30, 70, (600, 1))
    lidar = listener(receiver={"saturation_w": STRONG}, waveform=Waveform(pulse=pulse), truth=True)
    cloud = hear(lidar, beams_of(lidar, distance, excess * STRONG))
    error = cloud.range_m - distance[:, 0]
    edge_m = [pulse.reach_s(0.5 / over)[0] * HALF_C_M_S for over in (1.0, 1e4)]
    assert edge_m[1] - edge_m[0] > 0.3
    assert len(cloud) == 600
    assert np.abs(error).max() < 0.04
    assert np.abs(error.reshape(6, 100).mean(1)).max() < 0.01


# --- determinism and records ---------------------------------------------------------------------------------------


def busy(keep: int, seed: int = 1):
    """Return what 900 beams with fog, noise, two echoes and crosstalk give."""
    rng = np.random.default_rng(2)
    waveform = Waveform(keep=keep, search=Everywhere(), digitiser=Digitiser())
    lidar = listener(5, "dual", waveform=waveform, range_max_m=60, crosstalk=Crosstalk(probability=0.1))
    distance, power = rng.uniform(2, 60, (900, 5)), rng.exponential(20 * NOISE_W, (900, 5))
    return hear(lidar, beams_of(lidar, distance, power, air=Air(0.0, 1.0, 1.0, 1e-7, 0.01)), seed)


def same(a, b) -> bool:
    """Whether two clouds agree to the bit."""
    columns = ("points_m", "range_m", "intensity", "beam", "return_index")
    return all(getattr(a, name).tobytes() == getattr(b, name).tobytes() for name in columns)


def test_same_seed_same_bytes_with_any_number_of_threads():
    """One thread and two give the same points and records; another seed gives others."""
    before = numba.get_num_threads()
    try:
        clouds = []
        for threads in (1, min(2, numba.config.NUMBA_NUM_THREADS)):
            numba.set_num_threads(threads)
            clouds.append(busy(keep=3))
    finally:
        numba.set_num_threads(before)
    assert same(*clouds)
    assert clouds[0].waveforms.counts.tobytes() == clouds[1].waveforms.counts.tobytes()
    other = busy(keep=3, seed=2)
    assert not same(clouds[0], other)
    assert (clouds[0].waveforms.counts != other.waveforms.counts).mean() > 0.5


def test_what_memory_held_before_does_not_matter():
    """The same points when the working space of the kernel is made of what was NaN a moment ago."""
    lidar = listener(5, "dual", waveform=Waveform(keep=2))
    beams = beams_of(lidar, np.random.default_rng(7).uniform(1, 99, (600, 5)), 20 * NOISE_W)
    clouds = []
    for _ in range(10):
        clouds.append(hear(lidar, beams))
        litter = [np.full(size, np.nan) for size in (6, 64, 65, lidar._acquisition.clock.samples) for _ in range(40)]
        del litter
    assert all(same(clouds[0], cloud) for cloud in clouds)
    assert len({cloud.waveforms.counts.tobytes() for cloud in clouds}) == 1


def test_records_depend_neither_on_each_other_nor_points_on_records():
    """keep: every third record is the one of every beam; points are the same with all records, some or none."""
    none, third, every = busy(0), busy(3), busy(1)
    assert none.waveforms is None
    assert same(none, third)
    assert same(none, every)
    assert third.waveforms.beam.tolist() == list(range(0, 900, 3))
    assert third.waveforms.counts.tobytes() == every.waveforms.counts[::3].tobytes()
    assert len(every.waveforms) == 900


def test_keep_true_keeps_every_record():
    """`keep: true` of a scenario file is 1; one beam and no beam are no exception."""
    lidar = listener(waveform={"keep": True})
    assert len(hear(lidar, beams_of(lidar, np.full((1, 1), 20.0), STRONG)).waveforms) == 1
    assert len(hear(lidar, beams_of(lidar, np.zeros((0, 1)), STRONG)).waveforms) == 0


# --- refusals ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("waveform", "message"),
    [
        ({"sample_rate_hz": "2.1 GHz"}, "twice the receiver's bandwidth_hz .*Sample at 2e.09 Hz at most"),
        ({"pulse": {"type": "gaussian", "width_s": "0.9 ns"}}, "0.9 samples wide .*choose another sample_rate_hz"),
        ({"pulse": {"type": "gaussian", "width_s": "2 us"}}, "2e.03 samples wide"),
        ({"crossover": {"start_m": 2, "full_m": 1}}, "start_m .*must be smaller than full_m"),
        (
            {"search": {"type": "everywhere", "alarms_per_beam": 9}},
            "alarms_per_beam is 9, but noise raises 7.* at most",
        ),
        ({"digitiser": {"bits": 17}}, "bits"),
        ({"digitiser": {"below_zero": 0.9}}, "below_zero"),
        ({"keep": -1}, "keep"),
        ({"detection": {"type": "matched"}}, "matched_filter"),
        ({"sample_rate": 1e9}, "Did you mean 'sample_rate_hz'"),
    ],
)
def test_impossible_settings_are_refused(waveform, message):
    """One message names the setting, what was found and what would be right."""
    with pytest.raises(ConfigurationError, match=message) as refusal:
        sensor_of("velodyne_vlp16", waveform=waveform)
    assert len(str(refusal.value).splitlines()) <= 2


@pytest.mark.parametrize("pulse", [{"type": "gaussian"}, {"type": "skewed", "width_s": "10 ns", "decay_s": "500 ns"}])
def test_a_record_that_is_too_long_is_refused(pulse):
    """More than 2^20 samples have no address for their noise: the limit counts what the record really holds."""
    settings = {"waveform": {"pulse": pulse, "sample_rate_hz": "2 GHz"}}
    allowed, refused = 60_000.0, 79_000.0
    for _ in range(10):
        middle = (allowed + refused) / 2
        try:
            listener(range_max_m=middle, **settings)
            allowed = middle
        except ConfigurationError:
            refused = middle
    with pytest.raises(ConfigurationError, match=r"samples at waveform.sample_rate_hz .*, but 1048576 at most"):
        listener(range_max_m=refused, **settings)
    assert 60_000 < allowed < refused < 78_600
    clock = listener(range_max_m=allowed, **settings)._acquisition.clock
    assert (1 << 20) - 3000 < clock.samples <= 1 << 20
