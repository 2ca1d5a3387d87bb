"""The detector against probability theory and its own rules, on signals made by hand."""

import numpy as np
import pytest
from scipy import stats

from sensorium.core.random import Draws
from sensorium.core.time import TimeWindow
from sensorium.samples import Stamp
from sensorium.samples.causes import Missing
from sensorium.sensors import Lidar
from sensorium.sensors.lidar import Channel, Spinning
from sensorium.sensors.lidar.beams import Beams
from sensorium.sensors.lidar.bundle import Bundle
from sensorium.sensors.lidar.echoes import FirstEchoes, LaterEchoes
from sensorium.sensors.lidar.lidar import LidarSignal
from sensorium.sensors.lidar.links import Radar
from sensorium.sensors.lidar.receiver import Air, Crosstalk, Other, Receiver, ReturnMode, Scale

PATTERN = Spinning(firing_cycle_s=1e-4, channels=(Channel(ring=0, elevation_rad=0.0),))
WINDOW = TimeWindow(0, 100_000_000)
NO_AIR = Air(0.0, 1.0, 1.0, 0.0, 0.0)
STRONG = 1e-3


def lidar(**settings) -> Lidar:
    receiver = {"range_separation_m": 0.2} | settings.pop("receiver", {})
    rays = settings.pop("rays", 1)
    return Lidar(pattern=PATTERN, bundle=Bundle(rays=rays), receiver=Receiver(**receiver), range_max_m=200, **settings)


def signal(distance, power, instrument: Lidar, air=NO_AIR, later=None, noise_w=None) -> LidarSignal:
    """Beams along x; rows of distance and power [N, R] are the rays' echoes."""
    distance = np.asarray(distance, float)
    beams = len(distance)
    made = Beams(
        np.arange(beams) * 10, np.zeros((beams, 3)), np.tile([1.0, 0, 0], (beams, 1)), np.zeros(beams, np.uint16)
    )
    noise = np.array([instrument.receiver.noise_w if noise_w is None else noise_w])
    first = FirstEchoes(distance.ravel(), np.asarray(power, np.float32).ravel())
    return LidarSignal(WINDOW, made, first, later or LaterEchoes.none(beams), noise, air, None)


def detect(instrument: Lidar, echoes: LidarSignal, seed: int = 1):
    return instrument.detect(echoes, None, Draws(seed, sensor="lidar"), Stamp("lidar", 0, 0, 100_000_000))[0]


def test_noise_power_oracle():
    """NEP 6.6 pW/sqrt(Hz) and 1 GHz: 0.2087 uW."""
    assert Receiver().noise_w == pytest.approx(0.2087e-6, abs=1e-10)


@pytest.mark.parametrize("above", [-1.0, 0.0, 1.0, 2.5])
def test_detection_probability_of_the_threshold(above):
    """An echo of (3 + above) P_n is detected with the probability Phi(above); 5 sigma of the binomial count."""
    instrument, count = lidar(), 40_000
    power = (3 + above) * instrument.receiver.noise_w
    cloud = detect(instrument, signal(np.full((count, 1), 50.0), np.full((count, 1), power), instrument))
    p = stats.norm.cdf(above)
    assert abs(len(cloud) - count * p) < 5 * np.sqrt(count * p * (1 - p)) + 1


def test_false_alarm_of_an_echo_without_light():
    """Noise alone in a cell with hardly any light crosses 3 P_n with the probability 0.00135."""
    instrument, count = lidar(), 400_000
    cloud = detect(instrument, signal(np.full((count, 1), 50.0), np.full((count, 1), 1e-30), instrument))
    p = stats.norm.sf(3)
    assert abs(len(cloud) - count * p) < 5 * np.sqrt(count * p)


def test_range_noise_is_normal_and_grows():
    """N(0, (s_base + s_slope x)^2): Kolmogorov-Smirnov at the 1e-4 level."""
    instrument = lidar(range_noise_m=0.01, receiver={"range_noise_slope": 2e-4})
    cloud = detect(instrument, signal(np.full((20_000, 1), 100.0), np.full((20_000, 1), STRONG), instrument))
    assert stats.kstest((cloud.range_m.astype(float) - 100.0) / 0.03, "norm").pvalue > 1e-4


def test_close_echoes_merge_with_the_power_weighted_range():
    """Two echoes closer than dR are one with the sum of the powers; farther apart they stay two."""
    instrument = lidar(rays=5, returns=ReturnMode(type="dual"))
    distance = np.array([[50.0, 50.1, np.inf, np.inf, np.inf], [50.0, 50.3, np.inf, np.inf, np.inf]])
    power = np.array([[3.0, 1.0, 0, 0, 0], [3.0, 1.0, 0, 0, 0]]) * STRONG
    cloud = detect(instrument, signal(distance, power, instrument))
    assert cloud.beam.tolist() == [0, 1, 1]
    np.testing.assert_allclose(cloud.range_m, [50.025, 50.0, 50.3], atol=1e-5)
    assert cloud.return_index.tolist() == [0, 0, 1]


@pytest.mark.parametrize(
    ("mode", "expected"),
    [("first", [20.0]), ("last", [60.0]), ("strongest", [40.0]), ("second", [60.0]), ("dual", [40.0, 60.0])],
)
def test_return_modes(mode, expected):
    """Echoes at 20, 40 and 60 m with powers 1, 3 and 2."""
    instrument = lidar(rays=5, returns=ReturnMode(type=mode))
    distance = [[40.0, 20.0, 60.0, np.inf, np.inf]]
    cloud = detect(instrument, signal(distance, np.array([[3.0, 1.0, 2.0, 0, 0]]) * STRONG, instrument))
    np.testing.assert_allclose(cloud.range_m, expected, atol=1e-4)


def test_dual_gives_the_second_strongest_if_the_strongest_is_the_last():
    """Echoes at 20 and 60 m with powers 1 and 3: the strongest is the last, so the other one takes its place."""
    instrument = lidar(rays=5, returns=ReturnMode(type="dual"))
    distance = [[20.0, 60.0, np.inf, np.inf, np.inf]]
    cloud = detect(instrument, signal(distance, np.array([[1.0, 3.0, 0, 0, 0]]) * STRONG, instrument))
    np.testing.assert_allclose(cloud.range_m, [60.0, 20.0], atol=1e-4)


def test_reasons_of_missing_returns():
    """No hit, too near, too far, below the threshold."""
    instrument = lidar(range_min_m=1.0)
    distance, power = [[np.inf], [0.5], [250.0], [50.0], [50.0]], [[0.0], [STRONG], [STRONG], [1e-12], [STRONG]]
    made = signal(distance, power, instrument)
    measured, received = np.empty((5, 2)), np.empty((5, 2))
    source, missing = np.empty((5, 2), np.int64), np.empty(5, np.int8)
    from sensorium.sensors.lidar import detect_kernels

    detect_kernels.detect(
        1, made.first.distance_m, made.first.power_w, made.later.first, made.later.distance_m, made.later.power_w,
        made.noise_w, instrument._rules._replace(threshold_sigmas=5.0), NO_AIR, Other(0.0, 1.0),
        np.arange(3, dtype=np.uint64), measured, received, source, missing,
    )  # fmt: skip
    assert missing.tolist() == [
        Missing.NO_HIT,
        Missing.TOO_NEAR,
        Missing.TOO_FAR,
        Missing.BELOW_THRESHOLD,
        Missing.DETECTED,
    ]


def test_ambiguity_folds_far_ranges():
    """At 1 MHz everything beyond c / 2 PRF = 149.896 m belongs to the next pulse."""
    instrument = lidar(receiver={"pulse_rate_hz": 1e6})
    cloud = detect(instrument, signal([[160.0]], [[STRONG]], instrument))
    assert cloud.range_m[0] == pytest.approx(160.0 - 149.896229, abs=1e-4)


def test_atmospheric_returns_follow_the_gamma_distribution():
    """x ~ Gamma(k, theta) with the probability m, where no surface is nearer (Kolmogorov-Smirnov at the 1e-4 level)."""
    for shape in (0.7, 2.5):
        instrument = lidar(range_min_m=0.0)
        air = Air(0.4, shape, 6.0, 1e-9, 0.01)
        count = 30_000
        cloud = detect(instrument, signal(np.full((count, 1), np.inf), np.zeros((count, 1)), instrument, air))
        assert stats.kstest(cloud.range_m.astype(float), "gamma", args=(shape, 0, 6.0)).pvalue > 1e-4
        assert abs(len(cloud) - 0.4 * count) < 5 * np.sqrt(count * 0.24) + 0.025 * count  # a weak one may stay below


def test_a_surface_in_front_wins_over_the_air():
    """If x lies behind the surface, the surface is reported alone."""
    instrument = lidar(range_min_m=0.0, returns=ReturnMode(type="last"))
    air = Air(1.0, 2.5, 6.0, 1e-9, 0.01)
    cloud = detect(instrument, signal(np.full((5000, 1), 3.0), np.full((5000, 1), STRONG), instrument, air))
    assert (np.abs(cloud.range_m - 3.0) < 0.21).all()


def test_crosstalk_has_its_rate():
    """A share of the beams without a target reports a foreign pulse, uniformly over the range."""
    instrument = lidar(crosstalk=Crosstalk(probability=0.2), range_min_m=0.0, link=Radar(peak_power_w=7500))
    count = 20_000
    cloud = detect(instrument, signal(np.full((count, 1), np.inf), np.zeros((count, 1)), instrument))
    assert abs(len(cloud) - 0.2 * count) < 5 * np.sqrt(count * 0.16)
    assert stats.kstest(cloud.range_m.astype(float) / 200.0, "uniform").pvalue > 1e-4


def test_sunlight_raises_the_noise_by_its_shot_noise():
    """sqrt(P_n^2 + 2 h nu P_b B); without light the noise is P_n."""
    receiver = Receiver()
    background = 1e-7
    photon = 6.62607015e-34 * 299792458.0 / 905e-9
    expected = np.sqrt(receiver.noise_w**2 + 2 * photon * background * 1e9)
    assert receiver.noise_in_light_w(np.array([background]), 905e-9)[0] == pytest.approx(expected)
    assert receiver.noise_in_light_w(np.zeros(1), 905e-9)[0] == pytest.approx(receiver.noise_w)


def test_reflectivity_scale():
    """A matt surface of reflectance rho head-on reads 100 rho of 255, whatever the distance; brighter ones read above 100."""
    scale, white = Scale(), 1e-3
    distance = np.array([5.0, 50.0, 50.0, 50.0])
    reflectance = np.array([0.4, 0.4, 1.0, 1000.0])
    brightness = scale.brightness(white * reflectance / distance**2, distance, white, None)
    assert brightness.tolist() == [40, 40, 100, 255]
    saturated = scale.brightness(np.array([1.0]), np.array([10.0]), white, 1e-6)
    assert saturated[0] < scale.brightness(np.array([1.0]), np.array([10.0]), white, None)[0]
    assert Scale(type="power", bits=16, full_power_w=1e-5).brightness(
        np.array([5e-6, 1.0]), distance[:2], white, None
    ).tolist() == [32768, 65535]
