"""The sampled record of a full-waveform LiDAR against its formulas: pulses, lit air, noise, digitiser."""

import numpy as np
import pytest
from beams_by_hand import HALF_C_M_S, NOISE_W, SILENT, beams_of, hear, listener, over_a_mirror
from scipy import integrate, stats
from worlds import wall

from sensorium.atmosphere import medium
from sensorium.core.pose import Pose
from sensorium.motion import Fixed
from sensorium.samples.causes import Cause
from sensorium.scene.scene import Scene
from sensorium.scene.view import View
from sensorium.sensors.lidar import (
    Crossover,
    Digitiser,
    GaussianPulse,
    SkewedPulse,
    Waveform,
)
from sensorium.simulation import observe
from sensorium.tracing import EmbreeTracer


@pytest.mark.parametrize("pulse", [GaussianPulse(), GaussianPulse(width_s="1 ns"), SkewedPulse()])
def test_record_is_the_sum_of_pulses_at_twice_their_range_over_c(pulse):
    """y(t) = sum P_i h(t - 2 d_i / c), within 5e-5 of the powers (lines between tabulated pulses); also beyond the limits."""
    rng = np.random.default_rng(5)
    lidar = listener(5, receiver=SILENT, waveform=Waveform(pulse=pulse, keep=1))
    distance, power = rng.uniform(0.3, 103, (20, 5)), rng.uniform(0, 1e-5, (20, 5)).astype(np.float32)
    distance[0, 0], power[0, 0] = 102.7, 1e-5
    beams = over_a_mirror(beams_of(lidar, distance, power), 3, 40.0, 2e-5)
    record = hear(lidar, beams).waveforms
    expected = sum(
        power[:, i, None] * pulse.shape((record.range_m - distance[:, i, None]) / HALF_C_M_S) for i in range(5)
    )
    expected[3] += 2e-5 * pulse.shape((record.range_m - 40.0) / HALF_C_M_S)
    assert record.beam.tolist() == list(range(20))
    np.testing.assert_allclose(record.power_w, expected, atol=1e-9)
    assert record.range_m[0] < 0.5
    assert record.range_m[-1] > 100


def lit_air(lidar, air, range_m, ends_m=(np.inf,), weights=(1.0,)):
    """P_peak eta A beta integral xi(r) exp(-2 alpha r) / r^2 h(2 (x - r) / c) dr over the lit air, ray by ray."""
    alpha, link, w = air.extinction_at(lidar.wavelength_m), lidar.link.figures(), lidar.waveform
    r = (np.arange(30_000) + 0.5) * 1e-3
    sent = w.crossover.share(r) * np.exp(-2 * alpha * r) / r**2
    lit = sum(weight * np.clip(end - r + 5e-4, 0, 1e-3) / 1e-3 for weight, end in zip(weights, ends_m, strict=True))
    density = link.power_w * link.aperture_m2 * alpha / air.lidar_ratio_sr * sent * lit
    return np.array([density @ w.pulse.shape((x - r) / HALF_C_M_S) * 1e-3 for x in range_m])


def straight_ahead(lidar, scene):
    """Return the record of the beam along x, with its range and power."""
    signal = lidar.sense(View(scene, EmbreeTracer(scene), Fixed(), Pose.identity(), lidar.window(0)))
    k = int(np.argmax(signal.beams.direction[:, 0]))
    record = hear(lidar, signal).waveforms
    near = np.flatnonzero((record.range_m > -1) & (record.range_m < 20))
    return record.range_m[near], record.power_w[k, near], signal.first.distance_m[k], signal.first.power_w[k]


@pytest.mark.parametrize("pulse", [GaussianPulse(), GaussianPulse(width_s="1 ns"), SkewedPulse()])
@pytest.mark.parametrize("crossover", [Crossover(), Crossover(start_m=2.0, full_m=6.0)])
def test_air_is_backscatter_convolved_with_the_pulse(pulse, crossover):
    """Dense fog and nothing else: the numerical integral, within 5e-4 of its maximum."""
    lidar = listener(receiver=SILENT, waveform=Waveform(pulse=pulse, crossover=crossover, keep=1))
    fog = medium("dense_fog")
    x, got, _, _ = straight_ahead(lidar, Scene((), air=fog))
    expected = lit_air(lidar, fog, x)
    assert expected.max() > 1e-7
    np.testing.assert_allclose(got, expected, atol=5e-4 * expected.max())


def test_the_integral_of_the_tests_is_the_law():
    """One sample of it against adaptive quadrature of the published formula, light fog at 5 m."""
    lidar, air = listener(waveform=Waveform()), medium("light_fog")
    alpha, pulse, link = air.extinction_1_m, GaussianPulse(), lidar.link
    rim = np.pi * link.aperture_radius_m**2

    def power(time_s):  # (c / 2) P eta A beta exp(-2 alpha r) / r^2 at r = c t / 2, times the pulse
        r = HALF_C_M_S * time_s
        beta = alpha / air.lidar_ratio_sr
        return HALF_C_M_S * link.peak_power_w * link.efficiency * rim * beta * np.exp(-2 * alpha * r) / r**2

    at = 5.0 / HALF_C_M_S
    expected, _ = integrate.quad(
        lambda t: power(t) * pulse.shape(np.array([at - t]))[0], at - 10e-9, at + 10e-9, epsabs=0, epsrel=1e-9
    )
    assert lit_air(lidar, air, [5.0])[0] == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(("pulse", "share"), [(GaussianPulse(), 0.01), (GaussianPulse(width_s="1 ns"), 0.05)])
def test_air_ends_behind_a_surface(pulse, share):
    """In front of a wall in fog the air shines as before, behind it there is none: within a share of the air at the wall."""
    lidar = listener(receiver=SILENT, waveform=Waveform(pulse=pulse, keep=1))
    fog = medium("dense_fog")
    x, got, distance, power = straight_ahead(lidar, Scene((wall(8.0, 300.0),), air=fog))
    got -= power * pulse.shape((x - distance) / HALF_C_M_S)
    expected, open_air = lit_air(lidar, fog, x, [distance]), lit_air(lidar, fog, x)
    np.testing.assert_allclose(got, expected, atol=5e-4 * expected.max())
    beside = (x > 6) & (x < 10)
    np.testing.assert_allclose(got[beside], expected[beside], atol=share * open_air[np.argmin(np.abs(x - 8))])
    assert np.abs(got[x > 12]).max() < 1e-4 * power  # the table of the pulse, no more


def test_every_ray_of_a_bundle_lights_its_own_air():
    """One ray of five ends at 5 m, the others at 9 m: between the two the air shines with the weight of the others."""
    lidar = listener(5, receiver=SILENT, waveform=Waveform(keep=1))
    fog, ends = medium("dense_fog"), np.array([5.0, 9.0, 9.0, 9.0, 9.0])
    view = View(Scene((), air=fog), EmbreeTracer(Scene(())), Fixed(), Pose.identity(), lidar.window(0))
    beams = beams_of(lidar, ends[None], np.full((1, 5), 1e-30), air=lidar.sense(view).air)
    record = hear(lidar, beams).waveforms
    near = (record.range_m > 3) & (record.range_m < 12)
    expected = lit_air(lidar, fog, record.range_m[near], ends, lidar.bundle.weights)
    np.testing.assert_allclose(record.power_w[0, near], expected, atol=0.02 * expected.max())


def test_near_air_is_an_echo_of_the_air():
    """Dense fog in front of the receiver crosses the threshold; clear air does not."""
    lidar = listener(waveform=Waveform(), truth=True)
    cloud = observe(Scene((), air=medium("dense_fog")), lidar)
    assert len(cloud) == cloud.beam_count
    assert (cloud.truth.cause == Cause.AIR).all()
    assert (np.abs(cloud.range_m - 1.2) < 0.3).all()
    clear = observe(Scene((), air=medium("clear")), lidar)
    assert len(clear) < 0.02 * clear.beam_count


# --- noise and digitiser -------------------------------------------------------------------------------------------


def test_noise_is_white_and_normal():
    """N(0, NEP^2 B): Kolmogorov-Smirnov and chi-squared at 1e-4; samples apart by 1 to 4, and beams, are uncorrelated."""
    lidar = listener(waveform=Waveform(keep=1))
    y = hear(lidar, beams_of(lidar, np.full((300, 1), np.inf), 0.0)).waveforms.power_w / lidar.receiver.noise_w
    count = y.size
    assert count > 150_000
    assert stats.kstest(y.ravel(), "norm").pvalue > 1e-4
    assert 1e-4 < stats.chi2.cdf(np.sum(y**2), count) < 1 - 1e-4
    for lag in (1, 2, 3, 4):
        assert abs(np.mean(y[:, lag:] * y[:, :-lag])) < 4 / np.sqrt(count)
    assert abs(np.mean(y[1:] * y[:-1])) < 4 / np.sqrt(count)
    assert np.abs(y.mean(0)).max() < 6 / np.sqrt(len(y))


def test_noise_follows_the_light_of_each_beam():
    """Sunlit beams have the noise of `noise_in_light_w`: the variance of each record within 6 sigma of chi-squared."""
    lidar = listener(waveform=Waveform(keep=1))
    sigma = NOISE_W * np.array([1.0, 2.0, 5.0])
    y = hear(lidar, beams_of(lidar, np.full((3, 1), np.inf), 0.0, noise_w=sigma)).waveforms.power_w
    np.testing.assert_allclose(y.var(1) / sigma**2, 1.0, atol=6 * np.sqrt(2 / y.shape[1]))


def test_digitiser_rounds_and_clips():
    """The digitised record is the analogue one in whole steps, cut at count 0 and 2^bits - 1; counts are kept as such."""
    digitiser = Digitiser(bits=8, full_scale_w=100 * NOISE_W, below_zero=0.02)
    power = np.array([[50.0], [97.0], [500.0]]) * NOISE_W
    kept = []
    for used in (None, digitiser):
        lidar = listener(waveform=Waveform(keep=1, digitiser=used))
        kept.append(hear(lidar, beams_of(lidar, 30.0, power)).waveforms)
    analogue, digital = kept
    step, zero = 100 * NOISE_W / 255, 5
    expected = np.clip(np.floor(analogue.power_w / step + 0.5) + zero, 0, 255)
    assert digital.counts.dtype == np.uint16
    assert (digital.watts_per_count, digital.zero_count) == (pytest.approx(step), zero)
    assert (digital.counts != expected).mean() < 1e-3  # the analogue record is kept in 32 bits
    assert np.abs(digital.counts - expected).max() <= 1
    assert digital.counts.max() == 255
    assert digital.counts.min() >= 0
    heard = np.maximum(analogue.power_w[0], -zero * step)
    np.testing.assert_allclose(digital.power_w[0], heard, atol=0.501 * step)


def test_receiver_saturates_before_the_digitiser():
    """No sample is above the receiver's saturation, with and without a digitiser."""
    for digitiser in (None, Digitiser(full_scale_w=1e-3)):
        lidar = listener(receiver={"saturation_w": 1e-5}, waveform=Waveform(keep=1, digitiser=digitiser))
        record = hear(lidar, beams_of(lidar, 30.0, np.full((1, 1), 1e-4))).waveforms
        assert record.power_w.max() == pytest.approx(1e-5, abs=1e-3 / 4095)
