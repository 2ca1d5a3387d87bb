"""Every fault against its formula, and chains against their promises."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from sensorium.core.configuration import build, to_document
from sensorium.core.errors import ConfigurationError
from sensorium.core.random import Draws
from sensorium.noise import (
    AnyFault,
    Bias,
    BiasInstability,
    Chain,
    CrossAxis,
    Dropout,
    Fault,
    GaussMarkov,
    Misalignment,
    Quantisation,
    RandomWalk,
    Saturation,
    ScaleFactor,
    SpectralNoise,
    TemperatureDrift,
    TurnOnBias,
    Vibration,
    WhiteNoise,
)  # fmt: skip

RATE_HZ = 100.0
TILTED = ((1.0, 0.02, -0.01), (0.03, 0.98, 0.0), (0.0, -0.02, 1.01))
EVERYTHING: tuple[Fault, ...] = (
    Saturation(lower=-50, upper=50),
    Bias(offset=(0.1, 0.2, 0.3)),
    CrossAxis(matrix=TILTED),
    WhiteNoise(sigma=(0.1, 0.2, 0.3)),
    SpectralNoise(density=0.02),
    GaussMarkov(sigma=(0.3, 0.2, 0.1), correlation_s=1.0),
    BiasInstability(level=0.05, correlation_s=5.0),
    RandomWalk(walk=0.01),
    TurnOnBias(sigma=0.2),
    ScaleFactor(error="1 %", spread="2 %"),
    Misalignment(rpy_rad=(0.01, 0.02, -0.03)),
    TemperatureDrift(bias=0.001, scale="0.1 %/K", self_heating_k=8, warm_up_s=3),
    Vibration(amplitude=0.2, frequency_hz=13.7),
    Dropout(probability=0.1, instead="last"),
    Quantisation(step=0.001, bits=20),
)


def made(*faults: Fault, readings: int, seed: int = 0, sensor: str = "it", signal=0.0, **more):
    """What a chain makes of a constant signal."""
    chain = Chain.of(faults, RATE_HZ)
    values = np.zeros((readings, 3)) + signal
    return chain.run(values, chain.begin(Draws(seed, sensor=sensor)), 0, **more)[0]


def variance_is(values, sigma) -> None:
    """Chi-squared test: n s^2 / sigma^2 of independent N(0, sigma^2) has n degrees of freedom; refused at 1e-4 a side."""
    statistic = np.sum(values**2, 0) / np.square(sigma)
    low, high = stats.chi2.ppf([1e-4, 1 - 1e-4], len(values))
    assert ((low < statistic) & (statistic < high)).all(), statistic / len(values)


@pytest.mark.parametrize(
    ("fault", "sigma"),
    [
        (WhiteNoise(sigma=(0.1, 2.0, 3e-6)), (0.1, 2.0, 3e-6)),
        (SpectralNoise(density=(0.1, 0.2, 0.3)), (1.0, 2.0, 3.0)),
        (SpectralNoise(density=0.1, bandwidth_hz=25), (0.5, 0.5, 0.5)),
    ],
)
def test_white_noises_have_their_variance(fault, sigma) -> None:
    """sigma^2, or (density sqrt(bandwidth))^2 with the rate as bandwidth; independent in time and between axes."""
    values = made(fault, readings=20_000)
    variance_is(values, sigma)
    unit = values / sigma
    assert np.abs(np.corrcoef(unit.T) - np.eye(3)).max() < 4.5 / np.sqrt(20_000)
    assert np.abs(np.mean(unit[1:] * unit[:-1], 0)).max() < 4.5 / np.sqrt(20_000)
    assert stats.kstest(unit.ravel(), "norm").pvalue > 1e-4


@pytest.mark.parametrize(
    ("fault", "sigma"),
    [
        (GaussMarkov(sigma=(0.1, 1.0, 2.0), correlation_s=0.3), (0.1, 1.0, 2.0)),
        (BiasInstability(level=0.06174, correlation_s=10.0), (0.1, 0.1, 0.1)),
        (TurnOnBias(sigma=(0.1, 1.0, 2.0)), (0.1, 1.0, 2.0)),
    ],
)
def test_first_reading_is_as_wide_as_all_others(fault, sigma) -> None:
    """Over 3000 runs reading 0 has the variance of the process, and so has reading 40: stationary from the first sample."""
    runs = np.array([made(fault, readings=41, seed=seed) for seed in range(3000)])
    variance_is(runs[:, 0], sigma)
    variance_is(runs[:, 40], sigma)


def test_gauss_markov_forgets_exponentially() -> None:
    """Autocorrelation exp(-tau/T). Over 3000 runs a correlation r is known to (1 - r^2)/sqrt(3000)."""
    runs = np.array([made(GaussMarkov(sigma=1.0, correlation_s=0.25), readings=101, seed=seed) for seed in range(3000)])
    for lag in (1, 5, 25, 50, 100):
        expected = np.exp(-lag / RATE_HZ / 0.25)
        found = np.mean(runs[:, 0] * runs[:, lag], 0)
        assert np.abs(found - expected).max() < 4.5 * np.sqrt((1 + expected**2) / 3000)
    drive = runs[:, 1:] - np.exp(-1 / RATE_HZ / 0.25) * runs[:, :-1]
    variance_is(drive.reshape(-1, 3), np.sqrt(1 - np.exp(-2 / RATE_HZ / 0.25)))


def test_random_walk_grows_with_the_root_of_time() -> None:
    """x(0) = 0, increments N(0, K^2 / rate), so that after one second the deviation is K."""
    walk = RandomWalk(walk=(0.1, 0.2, 0.3))
    values = made(walk, readings=20_001)
    assert (values[0] == 0).all()
    variance_is(np.diff(values, axis=0), np.array((0.1, 0.2, 0.3)) / np.sqrt(RATE_HZ))
    variance_is(np.array([made(walk, readings=101, seed=seed)[100] for seed in range(1000)]), (0.1, 0.2, 0.3))


def test_scale_factor_varies_from_run_to_run() -> None:
    """u' = (1 + error) u (1 + spread n)."""
    scale = ScaleFactor(error="2 %", spread="1 %")
    found = np.array([made(scale, readings=1, seed=seed, signal=10.0)[0] for seed in range(2000)])
    variance_is(found / 10.2 - 1, 0.01)


def test_deterministic_faults() -> None:
    """Bias, matrix, rotation, clamp: by hand."""
    u = np.array((1.0, -2.0, 3.0))
    np.testing.assert_allclose(made(Bias(offset=(1, 2, 3)), readings=1, signal=u)[0], (2, 0, 6))
    np.testing.assert_allclose(made(CrossAxis(matrix=TILTED), readings=1, signal=u)[0], np.array(TILTED) @ u)
    turned = made(Misalignment(rpy_rad=(0, 0, np.pi / 2)), readings=1, signal=u)[0]
    np.testing.assert_allclose(turned, (-2, -1, 3), atol=1e-12)  # the triad's x looks along the housing's y
    clamp = Saturation(lower=(-5, -1, 0), upper=(0.5, 1, 2))
    np.testing.assert_allclose(made(clamp, readings=1, signal=u)[0], (0.5, -1, 2))


def test_converter() -> None:
    """Steps of q, at most 2^(bits-1) - 1 of them upwards and 2^(bits-1) downwards; error q^2/12 where noise spreads it."""
    converter = Quantisation(sensitivity=4.0, bits=8)
    assert made(converter, readings=1, signal=(0.3, 100.0, -100.0))[0].tolist() == [0.25, 127 / 4, -32.0]
    noisy = made(WhiteNoise(sigma=1.0), readings=50_000)
    error = made(WhiteNoise(sigma=1.0), Quantisation(step=0.5), readings=50_000) - noisy
    assert error.var() == pytest.approx(0.5**2 / 12, rel=0.02)


def test_temperature() -> None:
    """(b + c u)(T - T0) with the device's own heat dT (1 - exp(-t/tau)) from the first reading on."""
    drift = TemperatureDrift(bias=0.1, scale="1 %/K", reference_k=300, self_heating_k=10, warm_up_s=2)
    values = made(drift, readings=1000, signal=5.0, temperature_k=290.0)
    above = -10 + 10 * (1 - np.exp(-np.arange(1000) / RATE_HZ / 2))
    np.testing.assert_allclose(values[:, 0], 5 + (0.1 + 0.05) * above)


def test_vibration() -> None:
    """A sine of the amplitude and frequency; a fit of sine and cosine leaves nothing."""
    values, t = made(Vibration(amplitude=2.0, frequency_hz=7.3), readings=1000)[:, 1], np.arange(1000) / RATE_HZ
    basis = np.stack((np.sin(2 * np.pi * 7.3 * t), np.cos(2 * np.pi * 7.3 * t)), 1)
    fit, rest, *_ = np.linalg.lstsq(basis, values)
    assert np.hypot(*fit) == pytest.approx(2.0)
    assert rest[0] < 1e-18


def test_dropout() -> None:
    """Readings are lost as often as said, to 4.5 sqrt(p q / n), all axes at once; or the last one is held."""
    lost = np.isnan(made(Dropout(probability=0.2), readings=10_000))
    assert (lost.any(1) == lost.all(1)).all()
    assert lost[:, 0].mean() == pytest.approx(0.2, abs=4.5 * np.sqrt(0.16 / 10_000))
    noisy = made(WhiteNoise(sigma=1.0), readings=10_000)
    held = made(WhiteNoise(sigma=1.0), Dropout(probability=0.2, instead="last"), readings=10_000)
    same = held == noisy
    assert same[:, 0].mean() == pytest.approx(0.8, abs=0.02)
    repeats = np.flatnonzero(~same[1:, 0]) + 1
    assert (held[repeats] == held[repeats - 1]).all()


def test_order_of_the_chain_counts() -> None:
    """Noise in front of the matrix is mixed by it, noise behind is not."""
    matrix, noise = CrossAxis(matrix=((1, 0.5, 0), (0, 1, 0), (0, 0, 1))), WhiteNoise(sigma=1.0)
    before, after = made(noise, matrix, readings=20_000), made(matrix, noise, readings=20_000)
    assert before[:, 0].var() == pytest.approx(1.25, rel=0.05)
    assert after[:, 0].var() == pytest.approx(1.0, rel=0.05)


@pytest.mark.parametrize("block", [1, 7, 100])
def test_blocks_give_the_same_bytes(block) -> None:
    """Every fault at once: readings one by one, by seven, by a hundred, or all at once are the same, bit for bit."""
    chain, draws = Chain.of(EVERYTHING, RATE_HZ), Draws(3, sensor="it")
    signal = np.random.default_rng(1).normal(size=(700, 3)) * 20
    state, pieces = chain.begin(draws), []
    for first in range(0, 700, block):
        piece, state = chain.run(signal[first : first + block], state, first, temperature_k=280.0)
        pieces.append(piece)
    whole, _ = chain.run(signal, chain.begin(draws), 0, temperature_k=280.0)
    assert np.concatenate(pieces).tobytes() == whole.tobytes()


def test_no_two_share_a_stream() -> None:
    """Sensors, instruments and places in the chain draw from streams of their own: all correlations vanish."""
    chain = (WhiteNoise(sigma=1.0), WhiteNoise(sigma=1.0))
    streams = [name for part in ("accelerometer", "gyroscope") for name in Chain.of(chain, RATE_HZ, part).streams]
    assert len(set(streams)) == 4
    keys = {
        int(key)
        for sensor in ("left", "right")
        for part in ("accelerometer", "gyroscope")
        for seed in (0, 1)
        for key in Chain.of(chain, RATE_HZ, part).begin(Draws(seed, sensor=sensor)).keys
    }
    assert len(keys) == 16
    left, right = (made(*chain[:1], readings=10_000, sensor=name) for name in ("left", "right"))
    assert np.abs(np.mean(left * right, 0)).max() < 4.5 / 100
    both = made(*chain, readings=10_000)
    assert both.var() == pytest.approx(2.0, rel=0.05)  # and not 4, as one stream twice would give


def test_inputs_and_states_are_not_written() -> None:
    chain = Chain.of(EVERYTHING, RATE_HZ)
    signal, state = np.ones((5, 3)), chain.begin(Draws(1))
    chain.run(signal, state, 0)
    assert (signal == 1).all()
    assert np.isnan(state.memory).all()


def test_stated_covariance_is_the_measured_one() -> None:
    """Over 4000 runs the covariance of reading 0 is the chain's, entry by entry to 4.5 sqrt((c_ii c_jj + c_ij^2)/4000)."""
    faults = (
        WhiteNoise(sigma=(0.1, 0.2, 0.3)), GaussMarkov(sigma=0.2, correlation_s=1.0), CrossAxis(matrix=TILTED),
        BiasInstability(level=0.05, correlation_s=5.0), SpectralNoise(density=0.02), TurnOnBias(sigma=0.1),
        Vibration(amplitude=0.2, frequency_hz=13.7), ScaleFactor(error="10 %"), Misalignment(rpy_rad=(0, 0, 0.5)),
        Quantisation(step=0.6),
    )  # fmt: skip
    runs, stated = (
        np.array([made(*faults, readings=1, seed=seed)[0] for seed in range(4000)]),
        Chain.of(faults, RATE_HZ).covariance,
    )
    spread = np.sqrt((np.outer(np.diag(stated), np.diag(stated)) + stated**2) / 4000)
    assert (np.abs(runs.T @ runs / 4000 - stated) < 4.5 * spread).all()


@pytest.mark.parametrize("fault", EVERYTHING, ids=lambda fault: fault.type)
def test_documents_make_the_same_fault(fault) -> None:
    """Each fault is chosen by its type, and its document makes it again."""
    assert build(AnyFault, to_document(fault)) == fault


@pytest.mark.parametrize(
    ("document", "says"),
    [
        ({"type": "white_noise", "sigma": -1}, "sigma: must be at least 0, found -1"),
        ({"type": "white_noise", "sigma": [1, 2]}, "one figure for all axes or three for x, y, z, found 2"),
        ({"type": "white_noise", "sigma": "5"}, "there is no unit in '5'"),
        ({"type": "white_noise", "sigma": "5 mgg"}, "'mgg' is not a known unit. Did you mean 'mg'"),
        ({"type": "white_nose", "sigma": 1}, "'white_nose' is not known. Did you mean 'white_noise'"),
        ({"type": "saturation", "lower": 2, "upper": [3, 1, 3]}, "lower must lie below upper, found 2 to 1 on axis y"),
        ({"type": "cross_axis", "matrix": [[1, 1, 0], [1, 1, 0], [0, 0, 1]]}, "matrix cannot be inverted"),
        ({"type": "quantisation"}, "give either step or sensitivity"),
        ({"type": "quantisation", "step": 0}, "step: must be greater than 0, found 0"),
        ({"type": "gauss_markov", "sigma": 1, "correlation_s": 0}, "correlation_s: must be greater than 0 s"),
    ],
)
def test_bad_faults_are_refused(document, says) -> None:
    """Where, what was found, what is right."""
    with pytest.raises(ConfigurationError) as caught:
        build(AnyFault, document)
    assert says in str(caught.value)
