"""Echoes of single rain drops against the integrals of their distribution."""

import math

import numpy as np
import pytest
from beams_by_hand import beams_of, hear, listener
from scipy import integrate, stats

from sensorium.atmosphere import Medium, RainDrops, medium, rain
from sensorium.atmosphere.medium import rain_extinction
from sensorium.core.errors import ConfigurationError
from sensorium.core.pose import Pose
from sensorium.core.random import Draws
from sensorium.core.time import TimeWindow
from sensorium.motion import Fixed
from sensorium.samples import PointCloud, Stamp
from sensorium.samples.causes import Cause
from sensorium.scene.scene import Scene
from sensorium.scene.view import View
from sensorium.sensors import Lidar, sensor_of
from sensorium.sensors.lidar.receiver import Air, Receiver
from sensorium.tracing import EmbreeTracer

RATE = 25.0
HEAVY = Medium(extinction_1_m=rain(RATE).extinction_1_m, drops=RainDrops(rate_mm_h=RATE), lidar_ratio_sr=20.0)
"""With the lidar ratio of cloud droplets, so that more drops than in real rain stand out."""
SLOPE_1_MM = 4.1 * RATE**-0.21
COUNT_1_M3 = 8000 / SLOPE_1_MM
NOISE_W = Receiver().noise_w
TO_1_M_W_M2 = 75.0 * 0.5 * math.pi * 0.02**2
"""P_peak eta A_rx of the default link."""


def area_m2(x):
    """Cross-section of the default beam: half angle 1 mrad, emitter radius 5 mm."""
    return math.pi * (0.005 + x * math.tan(1e-3)) ** 2


def power_w(diameter_mm, x, air: Medium = HEAVY):
    """The echo of one drop, written out."""
    per_sr = math.pi / (2 * 20.0) * (diameter_mm * 1e-3) ** 2
    return TO_1_M_W_M2 * per_sr / (area_m2(x) * x**2) * np.exp(-2 * air.extinction_1_m * x)


def density_1_m(x):
    """Mean number per metre of drops whose echo is above one sigma."""
    smallest_mm = np.sqrt(NOISE_W / power_w(1.0, x))
    return COUNT_1_M3 * np.exp(-SLOPE_1_MM * smallest_mm) * area_m2(x)


def air_of(lidar: Lidar, air: Medium = HEAVY) -> Air:
    scene = Scene((), air=air)
    window = TimeWindow(0, 1)
    return lidar.sense(View(scene, EmbreeTracer(scene), Fixed(), Pose.identity(), window)).air


def drops_alone(beams: int, near_m: float = 0.5, solid_m: float = np.inf, seed: int = 1):
    """Range [m] and power [W] of every drop in beams, number by number, straight from the generator of drops."""
    from sensorium.sensors.lidar import rain_kernels

    air, key = air_of(listener(range_min_m=near_m)), Draws(seed, sensor="lidar").key("air")
    found = []
    for k in range(beams):
        before = 0.0
        for i in range(rain_kernels.MOST_DROPS):
            before, x, power = rain_kernels.next_drop(air, key, k, i, before)
            if x >= solid_m:
                break
            found.append((k, x, power))
    return (np.array(column) for column in zip(*found, strict=True))


def test_mean_backscatter_is_the_continuous_one():
    """The integral of n(D) q D^2 is alpha / S, that of n(D) pi D^2 / 2 is alpha; Q_b = 2 pi / S in Q_b D^2 / 4."""
    for rate in (0.5, 2.5, 25.0, 100.0):
        air = rain(rate)

        def per_mm(diameter_mm, air=air):
            return 8000 * math.exp(-air.drops.slope_1_mm * diameter_mm) * (diameter_mm * 1e-3) ** 2

        squares = integrate.quad(per_mm, 0, 60)[0]
        assert air.extinction_1_m == pytest.approx(math.pi / 2 * squares, rel=1e-9)
        q = air.drops.backscatter_1_sr(air.lidar_ratio_sr)
        assert squares * q == pytest.approx(air.extinction_1_m / air.lidar_ratio_sr, rel=1e-9)


def test_lidar_ratio_of_rain_is_that_of_rays_along_the_axis_of_a_drop():
    """Rays close to the axis, followed through a sphere by Snell's law: what front and back send home per solid angle."""
    n, b = 1.328, np.array([0.9e-4, 1.1e-4])  # distance from the axis in radii
    inside, outside = np.arcsin(b / n), np.arcsin(b)
    reflected = ((n - 1) / (n + 1)) ** 2
    front, back = 2 * outside, 4 * inside - 2 * outside  # angle to the way home
    per_sr = [share * np.diff(b**2)[0] / np.diff(angle**2)[0]
              for share, angle in ((reflected, front), ((1 - reflected) ** 2 * reflected, back))]  # fmt: skip
    assert rain(RATE).lidar_ratio_sr == pytest.approx(2 * math.pi / sum(per_sr), rel=1e-6)


def test_mean_light_of_all_drops_is_that_of_the_lidar_equation():
    """Without a threshold the drops at a range send P A beta / x^2 exp(-2 alpha x) per metre, however wide the beam is."""
    for x in (2.0, 30.0):

        def light(diameter_mm, x=x):
            return 8000 * math.exp(-SLOPE_1_MM * diameter_mm) * area_m2(x) * power_w(diameter_mm, x)

        beta = HEAVY.extinction_1_m / 20.0
        expected = TO_1_M_W_M2 * beta / x**2 * math.exp(-2 * HEAVY.extinction_1_m * x)
        assert integrate.quad(light, 0, 60)[0] == pytest.approx(expected, rel=1e-9)


def test_extinction_of_drops_beside_the_formula_of_attenuation():
    """Marshall-Palmer takes out 1.2 to 1.5 times as much as ITU-R P.1814 says, from drizzle to a cloudburst."""
    for rate in (1.0, 2.5, 25.0, 100.0):
        assert 1.15 < RainDrops(rate_mm_h=rate).extinction_1_m / rain_extinction(rate) < 1.55


def test_numbers_are_poisson():
    """Drops per beam against the Poisson distribution of the integral's mean (chi-squared at the 1e-4 level)."""
    count = 20_000
    beam, _, _ = drops_alone(count)
    mean = integrate.quad(density_1_m, 0.5, 100.0, limit=200)[0]
    numbers = np.bincount(np.bincount(beam.astype(int), minlength=count), minlength=12)
    top = int(np.flatnonzero(stats.poisson.pmf(np.arange(12), mean) * count > 10)[-1])
    seen = np.append(numbers[:top], numbers[top:].sum())
    expected = count * np.append(stats.poisson.pmf(np.arange(top), mean), stats.poisson.sf(top - 1, mean))
    assert len(expected) >= 4
    assert stats.chisquare(seen, expected).pvalue > 1e-4


def test_ranges_and_powers_follow_their_densities():
    """Ranges follow the density; sqrt(P / sigma) - 1 times Lambda D_min(x) is exponential (Kolmogorov-Smirnov at 1e-4)."""
    _, x, power = drops_alone(20_000)
    grid = np.geomspace(0.5, 100, 20_000)
    below = integrate.cumulative_trapezoid(density_1_m(grid), grid, initial=0)
    assert stats.kstest(np.interp(x, grid, below / below[-1]), "uniform").pvalue > 1e-4
    smallest_mm = np.sqrt(NOISE_W / power_w(1.0, x))
    diameter_mm = np.sqrt(power / power_w(1.0, x))
    assert (diameter_mm > smallest_mm).all()
    assert stats.kstest(SLOPE_1_MM * (diameter_mm - smallest_mm), "expon").pvalue > 1e-4


def listen(count: int, seed: int = 1, solid_m: float = np.inf, **settings) -> PointCloud:
    lidar = listener(truth=False, **settings)
    power = 1e-3 if solid_m < np.inf else 0.0
    return hear(lidar, beams_of(lidar, np.full((count, 1), solid_m), power, air_of(lidar)), seed)


def test_detections_are_those_drops_that_pass_the_threshold():
    """Strongest returns of empty beams against the drops themselves with the noise of the receiver: 5 sigma of the count."""
    count = 20_000
    cloud = listen(count, range_min_m=3.0, receiver={"range_separation_m": 0.0})
    beam, _, power = drops_alone(count, near_m=3.0)
    passes = np.ones(count)
    np.multiply.at(passes, beam.astype(int), stats.norm.cdf(3.0 - power / NOISE_W))
    expected = (1 - passes).sum()
    assert len(cloud) > 300
    assert abs(len(cloud) - expected) < 5 * math.sqrt(np.sum(passes * (1 - passes))) + 1
    assert cloud.range_m.min() >= 3.0


def test_a_surface_hides_the_drops_behind_it_and_none_in_front():
    """With a wall at 4 m every return lies in front of it or on it; the drops in front are those of the open beam."""
    first = {"mode": "first", "range_min_m": 0.5}
    opened, closed = listen(4000, **first), listen(4000, solid_m=4.0, **first)
    assert closed.range_m.max() < 4.01
    assert opened.range_m.max() > 5.0
    near = closed.range_m < 3.7
    assert near.sum() > 50
    in_front = opened.range_m < 3.7
    np.testing.assert_array_equal(closed.range_m[near], opened.range_m[in_front])


def test_same_seed_same_bytes_with_one_thread_and_two():
    """Another seed gives other drops."""
    import numba

    made, before = [], numba.get_num_threads()
    try:
        for threads in (1, min(2, numba.config.NUMBA_NUM_THREADS)):
            numba.set_num_threads(threads)
            made.append(listen(5000).range_m.tobytes())
    finally:
        numba.set_num_threads(before)
    assert made[0] == made[1] != listen(5000, seed=2).range_m.tobytes()


def scan(air: Medium, **settings) -> PointCloud:
    lidar = sensor_of("velodyne_hdl64e", truth=True, **settings)
    scene = Scene((), air=air)
    signal = lidar.sense(View(scene, EmbreeTracer(scene), Fixed(), Pose.identity(), TimeWindow(0, 100_000_000)))
    return lidar.detect(signal, None, Draws(1, sensor="lidar"), Stamp("lidar", 0, 0, 100_000_000))[0]


def test_as_many_returns_as_the_gamma_preset_within_a_factor_of_ten():
    """An HDL-64E in 25 mm/h: the preset's probability is assumed, the drops follow from the link; both come from the near field."""
    physical, assumed = scan(rain(RATE)), scan(medium("heavy_rain"))
    assert (physical.truth.cause == Cause.AIR).all()
    assert 0.1 < len(physical) / len(assumed) < 10
    assert np.median(physical.range_m) < 20


def test_waveform_receivers_hear_the_same_drops():
    """The sampled receiver finds about as many drops as the echo mode."""
    echo, sampled = (len(scan(HEAVY, **more)) for more in ({}, {"waveform": {"type": "waveform"}}))
    assert sampled == pytest.approx(echo, rel=0.3)


def test_media_refuse_two_models_of_returns_and_too_little_extinction():
    """One message says what to do."""
    with pytest.raises(ConfigurationError, match="leave return_probability out"):
        Medium(extinction_1_m=0.1, return_probability=0.1, drops=RainDrops(rate_mm_h=5))
    with pytest.raises(ConfigurationError, match="the drops alone take out"):
        Medium(extinction_1_m=1e-5, drops=RainDrops(rate_mm_h=5))
