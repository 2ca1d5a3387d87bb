"""Detection in sampled waveforms against probability theory, the Cramer-Rao bound and the echo mode."""

import numpy as np
import pytest
from beams_by_hand import NOISE_W, beams_of, hear, listener
from scipy import stats

from sensorium.core.random import Draws
from sensorium.sensors.lidar import (
    Centroid,
    ConstantFraction,
    Everywhere,
    GaussianPulse,
    MatchedFilter,
    SkewedPulse,
    Threshold,
    Waveform,
)
from sensorium.sensors.lidar.receiver import Scale

RATE_HZ = 1e9
SAMPLE_M = 299_792_458.0 / 2 / RATE_HZ
WHOLE = np.arange(-60, 61)
PULSES = (GaussianPulse(), GaussianPulse(width_s="2 ns"), SkewedPulse())
DETECTIONS = (
    Threshold(),
    Threshold(timing=ConstantFraction(fraction=0.2)),
    Threshold(timing=Centroid()),
    MatchedFilter(),
)


def samples(pulse, place: float = 0.0):
    """Return an echo of power one at whole samples, `place` samples behind the middle one."""
    return pulse.shape((WHOLE - place) / RATE_HZ)


def fine_scale(power_w: float) -> Scale:
    """Return a scale on which intensities are powers in steps of power / 30000."""
    return Scale(type="power", bits=16, full_power_w=power_w * 65535 / 30000)


def within_five_sigma(count: int, p: float, tries: int) -> bool:
    """Whether a count fits a binomial distribution."""
    return abs(count - tries * p) < 5 * np.sqrt(tries * p * (1 - p)) + 1


# --- the chance of an echo -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("above", [-1.5, -0.5, 0.5, 1.5])
@pytest.mark.parametrize("place", [0.0, 0.3, 0.5])
@pytest.mark.parametrize("pulse", [GaussianPulse(width_s="1 ns"), *PULSES])
def test_every_sample_of_a_pulse_is_a_chance(pulse, place, above):
    """1 - prod Phi(k - s_i / sigma); k = 5, so that samples without light do not count."""
    k, tries = 5.0, 4000
    power = (k + above) * NOISE_W
    lidar = listener(receiver={"threshold_sigmas": k}, waveform=Waveform(pulse=pulse))
    cloud = hear(lidar, beams_of(lidar, np.full((tries, 1), (300 + place) * SAMPLE_M), power))
    p = 1 - np.prod(stats.norm.cdf(k - (k + above) * samples(pulse, place)))
    assert within_five_sigma(len(cloud), p, tries)


@pytest.mark.parametrize("above", [-1.0, 0.0, 1.0, 2.0])
def test_a_pulse_of_one_sample_is_detected_as_in_the_echo_mode(above):
    """On a sample the chance is Phi(P / sigma - k), in both modes; the faint samples beside it add 1e-3 at most."""
    k, tries, pulse = 5.0, 10_000, GaussianPulse(width_s="1 ns")
    p = stats.norm.cdf(above)
    assert 1 - np.prod(stats.norm.cdf(k - (k + above) * samples(pulse))) == pytest.approx(p, abs=1e-3)
    for waveform in (None, Waveform(pulse=pulse)):
        lidar = listener(receiver={"threshold_sigmas": k}, waveform=waveform)
        cloud = hear(lidar, beams_of(lidar, np.full((tries, 1), 300 * SAMPLE_M), (k + above) * NOISE_W))
        assert abs(len(cloud) - tries * p) < 5 * np.sqrt(tries * p * (1 - p)) + 1e-3 * tries


@pytest.mark.parametrize("pulse", PULSES)
@pytest.mark.parametrize("above", [-1.0, 1.0])
def test_matched_filter_hears_fainter_echoes_by_its_noise_gain(pulse, above):
    """At P sqrt(sum h^2) = (k + above) sigma the chance is that of filtered noise made another way, at least Phi(above)."""
    k, tries, h = 5.0, 10_000, samples(pulse)
    gain = np.sqrt(h @ h)
    power = (k + above) / gain
    lidar = listener(receiver={"threshold_sigmas": k}, waveform=Waveform(pulse=pulse, detection=MatchedFilter()))
    heard = len(hear(lidar, beams_of(lidar, np.full((tries, 1), 300 * SAMPLE_M), power * NOISE_W)))
    y = power * h + Draws(3).normal("y", tries * len(h)).reshape(tries, -1)
    spectrum = np.fft.rfft(y, 256) * np.conj(np.fft.rfft(h, 256))
    z = np.fft.irfft(spectrum, 256) / gain
    p = np.mean((z[:, :12].max(1) > k) | (z[:, -12:].max(1) > k))
    assert p > stats.norm.cdf(above) - 0.02
    assert abs(heard - tries * p) < 5 * np.sqrt(2 * tries * p * (1 - p))
    plain = listener(receiver={"threshold_sigmas": k}, waveform=Waveform(pulse=pulse))
    assert len(hear(plain, beams_of(plain, np.full((tries, 1), 300 * SAMPLE_M), power * NOISE_W))) < 0.7 * heard


# --- range and power -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pulse", PULSES)
@pytest.mark.parametrize("detection", DETECTIONS)
def test_range_and_power_are_unbiased_between_the_samples(pulse, detection):
    """A strong echo anywhere between two samples: range within 2 mm, power within half a percent, 5 sigma of noise apart."""
    count, snr = 500, 3e5
    rng = np.random.default_rng(1)
    distance = rng.uniform(20, 90, (count, 1))
    lidar = listener(waveform=Waveform(pulse=pulse, detection=detection), scale=fine_scale(snr * NOISE_W))
    cloud = hear(lidar, beams_of(lidar, distance, snr * NOISE_W))
    error = cloud.range_m - distance[:, 0]
    assert len(cloud) == count
    assert np.abs(error).max() < 0.002
    np.testing.assert_allclose(cloud.intensity / 30000, 1.0, atol=0.005)


@pytest.mark.parametrize("pulse", PULSES)
@pytest.mark.parametrize("detection", DETECTIONS)
def test_noise_moves_the_range_but_not_its_mean(pulse, detection):
    """At a signal-to-noise ratio of 100 the mean error is within 5 standard errors and 0.5 mm of zero, as in the echo mode."""
    count = 2500
    distance = np.random.default_rng(2).uniform(20, 90, (count, 1))
    lidar = listener(waveform=Waveform(pulse=pulse, detection=detection))
    error = hear(lidar, beams_of(lidar, distance, 100 * NOISE_W)).range_m - distance[:, 0]
    assert len(error) == count
    assert abs(error.mean()) < 5 * error.std() / np.sqrt(count) + 5e-4
    assert error.std() < 0.012


@pytest.mark.parametrize("pulse", PULSES)
@pytest.mark.parametrize("snr", [50, 1000])
def test_matched_filter_reaches_the_cramer_rao_bounds(pulse, snr):
    """sigma_t = sigma / (P sqrt(sum h'^2)) and sigma_P = sigma / sqrt(sum h^2), within 8 percent; no other timing is better."""
    count = 3000
    place = np.random.default_rng(4).uniform(0, 1, count)
    distance, step = (300 + place[:, None]) * SAMPLE_M, 1e-4
    slope = np.array([samples(pulse, p + step) - samples(pulse, p - step) for p in place]) / (2 * step)
    bound_m = SAMPLE_M / snr * np.sqrt(np.mean(1 / np.sum(slope**2, 1)))
    found = {}
    for detection in DETECTIONS:
        lidar = listener(waveform=Waveform(pulse=pulse, detection=detection), scale=fine_scale(snr * NOISE_W))
        cloud = hear(lidar, beams_of(lidar, distance, snr * NOISE_W))
        found[detection] = np.std(cloud.range_m.astype(float) - distance[:, 0])
    assert found[MatchedFilter()] == pytest.approx(bound_m, rel=0.08)
    assert min(found.values()) > 0.93 * bound_m
    h = samples(pulse)
    if snr == 50:
        power = cloud.intensity / 30000 * snr
        assert power.std() == pytest.approx(1 / np.sqrt(h @ h), rel=0.08)
        assert abs(power.mean() - snr) < 0.1


def test_noise_helps_the_highest_sample_to_be_the_highest():
    """Without a filter the power is too large, by less than a sigma, and spreads by less than one and a half."""
    lidar = listener(waveform=Waveform(), scale=fine_scale(30 * NOISE_W))
    distance = np.random.default_rng(6).uniform(20, 90, (3000, 1))
    power = hear(lidar, beams_of(lidar, distance, 30 * NOISE_W)).intensity / 1000
    assert 0 < power.mean() - 30 < 1
    assert power.std() < 1.5


# --- false alarms --------------------------------------------------------------------------------------------------


def alarms(detection, k: float, beams: int, rate_hz: float = RATE_HZ) -> tuple[int, float]:
    """Return the alarms in empty beams that listen over 30 m, and their number by `false_alarms`; two per beam at most."""
    waveform = Waveform(detection=detection, search=Everywhere(), sample_rate_hz=rate_hz)
    settings = {"range_min_m": 1.0, "range_max_m": 31.0}
    lidar = listener(mode="dual", receiver={"threshold_sigmas": k}, waveform=waveform, **settings)
    cloud = hear(lidar, beams_of(lidar, np.full((beams, 1), np.inf), 0.0))
    return len(cloud), waveform.false_alarms(lidar.receiver, 30.0) * beams


@pytest.mark.parametrize("k", [3.0, 3.5])
def test_false_alarms_of_the_threshold_follow_renewal_theory(k):
    """One alarm in 1 / Q(k) + 1 / Phi(k - h) samples: 5 sigma of Poisson and the one percent that the formula leaves out."""
    found, told = alarms(Threshold(), k, 12_000)
    span = 30.0 / SAMPLE_M
    expected = 12_000 * span / (1 / stats.norm.sf(k) + 1 / stats.norm.cdf(k - 4.0))
    assert told == pytest.approx(expected, rel=1e-9)
    assert abs(found - expected) < 5 * np.sqrt(expected) + 0.02 * expected


@pytest.mark.parametrize(("k", "rate_hz"), [(3.0, 1e9), (3.5, 1e9), (3.3, 0.5e9)])
def test_false_alarms_of_the_matched_filter_follow_the_crossings_of_correlated_noise(k, rate_hz):
    """One alarm per upward crossing: P(z_n <= k < z_(n+1)) of the bivariate normal distribution, up to 5 percent (hysteresis)."""
    found, told = alarms(MatchedFilter(), k, 12_000, rate_hz)
    h = GaussianPulse().shape(WHOLE / rate_hz)
    r = h[1:] @ h[:-1] / (h @ h)
    both = stats.multivariate_normal.cdf([k, k], cov=[[1, r], [r, 1]], abseps=1e-12, releps=1e-12)
    expected = 12_000 * 30.0 / (SAMPLE_M * RATE_HZ / rate_hz) * (stats.norm.cdf(k) - both)
    assert told == pytest.approx(expected, rel=1e-5)
    assert -5 * np.sqrt(expected) - 0.05 * expected < found - expected < 5 * np.sqrt(expected) + 0.01 * expected


def test_dense_samples_give_the_rate_of_rice():
    """sqrt(-R''(0) / R(0)) exp(-k^2 / 2) / (2 pi) for the autocorrelation of a Gaussian, 100 samples wide, within 1 percent."""
    h = GaussianPulse(width_s=100.0).shape(np.arange(-300.0, 301.0))
    deviation = 100 / np.sqrt(8 * np.log(2))  # R(t) ~ exp(-t^2 / 4 s^2)
    for k in (2.0, 4.0):
        rice = np.sqrt(1 / (2 * deviation**2)) * np.exp(-(k**2) / 2) / (2 * np.pi)
        assert MatchedFilter().alarms_per_sample(k, h) == pytest.approx(rice, rel=0.01)


@pytest.mark.parametrize("detection", [Threshold(), MatchedFilter()])
@pytest.mark.parametrize("wanted", [0.02, 0.3, 1.0])
def test_wanted_number_of_false_alarms(detection, wanted):
    """alarms_per_beam sets the threshold: the share of empty beams without an alarm is exp(-wanted), within 5 sigma + 2 %."""
    waveform, beams = Waveform(detection=detection, search=Everywhere(alarms_per_beam=wanted)), 3000
    lidar = listener(waveform=waveform)
    assert waveform.false_alarms(lidar.receiver, 99.5) == pytest.approx(wanted, rel=1e-9)
    silent = beams - len(hear(lidar, beams_of(lidar, np.full((beams, 1), np.inf), 0.0)))
    p = np.exp(-wanted)
    assert abs(silent - beams * p) < 5 * np.sqrt(beams * p * (1 - p)) + 0.02 * wanted * p * beams


def test_near_echoes_empty_beams_stay_empty():
    """Whatever the noise, nothing is reported where no light arrives; everywhere the same beams raise alarms."""
    reported = []
    for search in ({}, {"search": Everywhere()}):
        lidar = listener(waveform=Waveform(**search))
        reported.append(len(hear(lidar, beams_of(lidar, np.full((500, 1), np.inf), 0.0))))
    assert reported[0] == 0
    assert reported[1] > 200
    assert Waveform().false_alarms(lidar.receiver, 99.5) == 0
