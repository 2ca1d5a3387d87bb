"""Readings of encoders: binning, noise, wrap and clamp, speed, missed edges."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from joints import Accelerating, Swinging, readings

from sensorium.core.errors import ConfigurationError, SceneError
from sensorium.core.random import Draws
from sensorium.samples import Stamp
from sensorium.scene.scene import Scene
from sensorium.sensors.encoder import Encoder
from sensorium.sensors.encoder.counting import Absolute, FromEdges, FromReadings, Incremental
from sensorium.sensors.encoder.encoder import EncoderSignal, EncoderState
from sensorium.sensors.encoder.scales import Linear, Rotary

R = 2 * math.pi / 1000


def positions(samples):
    return np.array([sample.position[0] for sample in samples])


def speeds(samples):
    return np.array([sample.velocity[0] for sample in samples])


def times_of(samples):
    return np.array([sample.stamp.time_ns for sample in samples])


def test_bins():
    """u_res floor(u / u_res): the reading is below the angle by less than a count, for ever."""
    wheel = Accelerating(-3.0, 2.0, 40.0)
    samples = readings(Encoder(joint="joint", scale=Rotary(counts_per_turn=1000)), wheel, 2000)
    behind = wheel.kinematics_at(times_of(samples)).position - positions(samples)
    assert behind.min() >= -1e-9
    assert behind.max() < R + 1e-9


def test_counting_edges_is_binning():
    """The last count of the wires is the reading, sample by sample, forth and back."""
    made = Encoder(joint="joint", edges=True, scale=Rotary(counts_per_turn=1000))
    samples = readings(made, Swinging(4.0, 1.3), 500)
    last = 0
    for sample in samples:
        last = int(sample.edges.count[-1]) if len(sample.edges) else last
        assert round(sample.position[0] / R) == last


@given(st.floats(-1e4, 1e4), st.floats(-100, 100), st.floats(1e-2, 100))
def test_wrap_and_clamp(u, lower, span):
    """u - (upper - lower) floor((u - lower) / (upper - lower)) lies in [lower, upper); clamping in [lower, upper]."""
    upper = lower + span
    wrapped = Incremental().folded(u, (lower, upper))
    assert lower - 1e-9 <= wrapped < upper
    assert abs((u - wrapped) / span - round((u - wrapped) / span)) < 1e-6
    assert Absolute().folded(u, (lower, upper)) == min(max(u, lower), upper)
    assert Absolute(repeats=True).folded(u, (lower, upper)) == wrapped
    assert Incremental().folded(u, None) == Absolute().folded(u, None) == u


def test_range_of_the_sensor():
    """An incremental encoder of half a turn starts again, an absolute one stays at its end."""
    wheel = Accelerating(0.0, 5.0)
    scale = Rotary(counts_per_turn=1000, range_rad=(0.0, math.pi))
    wraps = positions(readings(Encoder(joint="joint", scale=scale), wheel, 200))
    stops = positions(readings(Encoder(joint="joint", scale=scale, counting=Absolute()), wheel, 200))
    u = np.floor(5.0 * np.arange(200) * 0.01 / R + 1e-12) * R
    np.testing.assert_allclose(wraps, u - math.pi * np.floor(u / math.pi + 1e-12), atol=R)
    assert wraps.max() < math.pi
    np.testing.assert_allclose(stops, np.minimum(u, math.pi), atol=R)


def test_noise():
    """With N readings of noise sigma and bins r the variance is sigma^2 + r^2 / 12, within 5 sigma^2 sqrt(2 / N)."""
    count, sigma = 4000, 0.02
    made = Encoder(joint="joint", rate_hz=1e4, scale=Rotary(counts_per_turn=1000, noise_rad=sigma))
    error = positions(readings(made, Accelerating(0.3), count)) - 0.3
    wanted = sigma**2 + R**2 / 12
    assert abs(error.var() - wanted) < 5 * wanted * math.sqrt(2 / count)
    assert abs(error.mean() + R / 2) < 5 * sigma / math.sqrt(count)


def test_two_encoders_share_no_noise():
    made = Encoder(joint="joint", scale=Rotary(counts_per_turn=1000, noise_rad=0.02))
    left, right = (positions(readings(made, Accelerating(0.3), 200, name=name)) for name in ("left", "right"))
    assert abs(np.corrcoef(left, right)[0, 1]) < 5 / math.sqrt(200)


def test_speed_from_readings():
    """Change of the reading over the time between changes: exact on average, off by at most r / T in one sample."""
    samples = readings(Encoder(joint="joint", scale=Rotary(counts_per_turn=1000)), Accelerating(0.0, 3.0), 400)
    got = speeds(samples)[2:]
    assert np.abs(got - 3.0).max() <= R / 0.01
    assert got.mean() == pytest.approx(3.0, abs=2 * R / (0.01 * 400))


def test_speed_of_a_wheel_that_stops():
    """After the last change the speed stays for the time-out, then it is zero."""
    made = Encoder(joint="joint", scale=Rotary(counts_per_turn=1000), speed=FromReadings(timeout_s=0.05))
    samples = readings(made, _Stops(), 40)
    moved = np.flatnonzero(np.diff(positions(samples)))[-1] + 1
    assert (speeds(samples)[moved : moved + 6] > 0).all()
    assert (speeds(samples)[moved + 6 :] == 0).all()


class _Stops(Accelerating):
    """4 rad/s until 0.2 s, then rest."""

    def kinematics_at(self, times_ns):
        return Accelerating(0.0, 4.0).kinematics_at(np.minimum(times_ns, 200_000_000))


def test_speed_from_edges():
    """Counts over the time between edges: on an even turn right to a tick of the clock over the time between edges."""
    made = Encoder(joint="joint", scale=Rotary(counts_per_turn=1000), speed=FromEdges(timeout_s=0.1, clock_hz=10e6))
    got = speeds(readings(made, Accelerating(0.001, 3.0), 300))[3:]
    assert np.abs(got / 3.0 - 1).max() < 2 * 1e-7 / (0.01 - R / 3)


def test_missed_edges():
    """N edges of which a part p is missed: the counter is short by N p, within 5 sqrt(N p (1 - p)); the index mends it."""
    wheel = Accelerating(0.0, 40.0)
    plain = {"joint": "joint", "scale": Rotary(counts_per_turn=1000, index=True), "missed_fraction": 0.01}
    samples = readings(Encoder(**plain, index_corrects=False), wheel, 300)
    edges = 40.0 * 2.99 / R
    short = edges - positions(samples)[-1] / R
    assert abs(short - edges * 0.01) < 5 * math.sqrt(edges * 0.01) + 1
    mended = positions(readings(Encoder(**plain), wheel, 300))
    off = 40.0 * np.arange(300) * 0.01 / R - mended / R
    assert off.max() < 1000 * 0.01 + 5 * math.sqrt(1000 * 0.01) + 1


def test_no_edge_is_told_twice():
    """A window looks back a little further than to the sample before; edges up to that one are known already."""
    made = Encoder(joint="joint", edges=True, scale=Rotary(counts_per_turn=1000))
    signal = EncoderSignal(3.5, np.array([5, 10]), np.array([2, 3]))
    stamp = Stamp("it", 1, 12, 12)
    sample, state = made.detect(signal, EncoderState(last_ns=5, count=2), Draws(1), stamp)
    assert sample.edges.time_ns.tolist() == [10]
    assert state.last_ns == 12


def test_same_seed_same_readings():
    made = Encoder(joint="joint", edges=True, missed_fraction=0.1, scale=Rotary(counts_per_turn=1000, noise_rad=0.01))
    one, two = (positions(readings(made, Accelerating(0.0, 9.0), 50, seed=seed)) for seed in (4, 4))
    assert one.tobytes() == two.tobytes()
    assert positions(readings(made, Accelerating(0.0, 9.0), 50, seed=5)).tobytes() != one.tobytes()


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"scale": {"type": "rotary", "counts_per_turn": 0}}, "counts_per_turn"),
        ({"scale": {"type": "rotary", "counts_per_turn": 10, "range_rad": [3, 1]}}, "lower bound 3 rad must lie below"),
        ({"scale": {"type": "linear", "resolution_m": 1e-6, "range_m": [1, 1]}}, "lower bound 1 m must lie below"),
        ({"scale": {"type": "rotary", "counts_per_turn": 10, "noise_rad": -1}}, "noise_rad"),
        ({"scale": {"type": "rotary", "counts_per_turn": 10, "eccentricity_m": 1}}, "below the disc's radius"),
        ({"scale": {"type": "rotary", "counts_per_turn": 10}, "missed_fraction": 2}, "missed_fraction"),
    ],
)
def test_wrong_settings(settings, told):
    from sensorium.core.configuration import build

    with pytest.raises(ConfigurationError, match=told):
        build(Encoder, {"joint": "joint", **settings})


def test_wrong_joints():
    """An unknown joint, and a ruler on a hinge."""
    made = Encoder(joint="jiont", scale=Rotary(counts_per_turn=10))
    with pytest.raises(SceneError, match=r"no joint 'jiont'.*Did you mean 'joint'"):
        made.check(Scene(joints={"joint": Accelerating()}))
    ruler = Encoder(joint="joint", scale=Linear(resolution_m=1e-6))
    with pytest.raises(SceneError, match="is revolute; an encoder on it needs a rotary scale, found linear"):
        ruler.check(Scene(joints={"joint": Accelerating()}))
