"""Pulse shapes against their definitions and against a convolution made step by step."""

import numpy as np
import pytest

from sensorium.core.errors import ConfigurationError
from sensorium.sensors.lidar import GaussianPulse, SkewedPulse

PULSES = (
    GaussianPulse(),
    GaussianPulse(width_s="0.7 ns"),
    SkewedPulse(),
    SkewedPulse(width_s="2 ns", decay_s="20 ns"),
    SkewedPulse(width_s="5 ns", decay_s="0.01 ns"),
)


@pytest.mark.parametrize("pulse", PULSES)
def test_every_pulse_peaks_at_time_zero_with_the_value_one(pulse):
    """1 at zero; nowhere more; it rises all the way to the peak and falls all the way after it."""
    before, after = pulse.reach_s(1e-5)
    rise, fall = pulse.shape(np.linspace(-before, 0, 4001)), pulse.shape(np.linspace(0, after, 4001))
    assert pulse.shape(np.zeros(1))[0] == pytest.approx(1.0, abs=1e-12)
    assert (np.diff(rise) > -1e-14).all()
    assert (np.diff(fall) < 1e-14).all()


@pytest.mark.parametrize("pulse", PULSES)
@pytest.mark.parametrize("share", [0.9, 0.5, 0.1, 1e-5])
def test_reach_is_where_the_pulse_has_fallen_to_the_share(pulse, share):
    """f(-before) = f(after) = share; at one half the two make the full width at half maximum."""
    before, after = pulse.reach_s(share)
    assert before > 0
    assert after > 0
    np.testing.assert_allclose(pulse.shape(np.array([-before, after])), share, rtol=1e-6)
    assert pulse.fwhm_s == sum(pulse.reach_s(0.5))


def test_width_of_the_gaussian_pulse():
    """exp(-4 ln 2 t^2 / w^2): w is the full width at half maximum; at one w from the peak 1/16 is left."""
    pulse = GaussianPulse(width_s="3 ns")
    assert pulse.fwhm_s == pytest.approx(3e-9, rel=1e-6)
    assert pulse.shape(np.array([3e-9]))[0] == pytest.approx(1 / 16, rel=1e-12)


@pytest.mark.parametrize(("width_ns", "decay_ns"), [(3.0, 2.0), (2.0, 20.0), (5.0, 0.5)])
def test_skewed_pulse_is_the_low_passed_gaussian(width_ns, decay_ns):
    """tau f' + f = g, filtered in steps of 0.2 ps with g linear within a step, has the shape of the closed form."""
    s, step = width_ns / np.sqrt(8 * np.log(2)), 2e-4
    t = np.arange(-6 * s, 8 * s + 6 * decay_ns, step)
    g = np.exp(-(t**2) / (2 * s**2))
    # f_(n+1) = a f_n + b g_n + c g_(n+1) with a = exp(-step / tau)
    a = np.exp(-step / decay_ns)
    late = 1 - decay_ns / step * (1 - a)
    from scipy.signal import lfilter

    f = lfilter([late, (1 - a) - late], [1, -a], g)
    top = t[np.argmax(f)]
    rows = slice(0, len(t), 500)
    closed = SkewedPulse(width_s=width_ns * 1e-9, decay_s=decay_ns * 1e-9).shape((t[rows] - top) * 1e-9)
    np.testing.assert_allclose(closed, f[rows] / f.max(), atol=2e-4)


def test_skewed_pulse_falls_with_its_time_constant_and_rises_fast():
    """Far behind the peak tau later is 1/e; the rise from 10 to 90 percent is shorter than the fall."""
    pulse = SkewedPulse(width_s="2 ns", decay_s="5 ns")
    late = pulse.shape(np.array([20e-9, 25e-9]))
    assert late[1] / late[0] == pytest.approx(np.exp(-1), rel=1e-6)
    low, high = pulse.reach_s(0.1), pulse.reach_s(0.9)
    assert 2 * (low[0] - high[0]) < low[1] - high[1]


def test_skewed_pulse_with_a_fast_detector_is_the_gaussian():
    """With a time constant of a five-hundredth of the width nothing but the Gaussian is left, within tau^2 / (2 s^2)."""
    t = np.linspace(-8e-9, 8e-9, 161)
    skewed = SkewedPulse(width_s="5 ns", decay_s="0.01 ns").shape(t)
    np.testing.assert_allclose(skewed, GaussianPulse(width_s="5 ns").shape(t), atol=1e-4)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: GaussianPulse(width_s=0), "width_s"),
        (lambda: SkewedPulse(decay_s="1 ms"), "decay_s"),
        (lambda: SkewedPulse(decay_s=0), "decay_s"),
        (lambda: SkewedPulse(decay="1 ns"), "Did you mean 'decay_s'"),
    ],
)
def test_impossible_pulses_are_refused(make, message):
    """The message names the setting."""
    with pytest.raises(ConfigurationError, match=message):
        make()
