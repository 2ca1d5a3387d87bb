"""The Allan deviation of every IMU and magnetometer of the catalogue, at rest, against the curve of its data sheet.

The expected curve is the sum of the variances of the profile's own noises, each by its closed form (IEEE Std 952):
white N^2 / tau, bias instability as its Gauss-Markov process, rate random walk K^2 tau / 3, converter q^2 / (12 rate tau).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from inertial_records import record

from sensorium.core.random import Draws
from sensorium.evaluation import allan_models
from sensorium.evaluation.allan import allan_curve, noise_parameters
from sensorium.noise import BiasInstability, Fault, Quantisation, RandomWalk, SpectralNoise, WhiteNoise
from sensorium.samples import Stamp
from sensorium.scene.view import View
from sensorium.sensors import Imu, device, device_names, sensor_of

PROFILES = [name for name in device_names() if device(name).sensor["type"] == "imu"]
QUANTITIES = {"accelerometer": "specific_force", "gyroscope": "angular_velocity", "magnetometer": "flux_density"}
CASES = [(name, part) for name in PROFILES for part in QUANTITIES if part in device(name).sensor]


def variance(fault: Fault, rate_hz: float, tau: np.ndarray) -> np.ndarray:
    """Allan variance [K, 3] of one fault of a profile; nothing for those that are constant at rest."""
    if isinstance(fault, SpectralNoise):
        random_walk = np.array(fault.density) * np.sqrt((fault.bandwidth_hz or rate_hz) / rate_hz)
        return random_walk**2 / tau[:, None]
    if isinstance(fault, WhiteNoise):
        return np.square(fault.sigma) / rate_hz / tau[:, None]
    if isinstance(fault, Quantisation):
        return np.repeat(fault.quantum**2 / 12 / rate_hz / tau[:, None], 3, 1)
    if isinstance(fault, RandomWalk):
        return np.square(fault.walk) * tau[:, None] / 3
    if isinstance(fault, BiasInstability):
        unit = allan_models.gauss_markov(1.0, fault.correlation_s, tau)
        return np.square(fault.sigma) * unit[:, None] ** 2
    return np.zeros((len(tau), 3))


def expected(imu: Imu, part: str, tau: np.ndarray) -> np.ndarray:
    return np.sqrt(sum(variance(fault, imu.rate_hz, tau) for fault in getattr(imu, part).chain))


def random_walk(imu: Imu, part: str) -> np.ndarray:
    """N of the profile: what falls as 1 / tau."""
    white = (SpectralNoise, WhiteNoise, Quantisation)
    each = [
        variance(fault, imu.rate_hz, np.ones(1))[0] for fault in getattr(imu, part).chain if isinstance(fault, white)
    ]
    return np.sqrt(sum(each))


@pytest.mark.parametrize(("name", "part"), CASES)
def test_short_record_of_a_profile(name, part) -> None:
    """80,000 readings: the curve lies in its band at all cluster times, and N is that of the sheet within 4.5 of its errors.

    The band is one of 1 - 1e-5: 3 axes and some 40 cluster times of 12 instruments are looked at.
    """
    imu = sensor_of(name, readings=20_000)
    values = np.concatenate([getattr(each, QUANTITIES[part]).values for each in record(imu, 4, seed=3, name=name)])
    curve = allan_curve(values, imu.rate_hz, confidence=1 - 1e-5)
    truth = expected(imu, part, curve.tau_s)
    assert ((curve.low < truth) & (truth < curve.high)).all()
    found, stated = noise_parameters(curve), random_walk(imu, part)
    assert (np.abs(found.random_walk - stated) < 4.5 * found.random_walk_error + 1e-3 * stated).all()


def averages(imu: Imu, part: str, seconds: float, rate_hz: float) -> Iterator[np.ndarray]:
    """Means of a long record at rest, so many per second; the Allan deviation of clusters of means is that of the readings."""
    from inertial_records import WORLD

    from sensorium.core.pose import Pose
    from sensorium.motion.fixed import Fixed

    draws, mount, carrier = Draws(11), Pose.identity(), Fixed()
    state, group = imu.initial_state(draws.at("long", -1)), round(imu.rate_hz / rate_hz)
    for index in range(int(seconds * imu.rate_hz / imu.readings)):
        window = imu.window(index)
        signal = imu.sense(View(WORLD, None, carrier, mount, window))  # type: ignore[arg-type]
        stamp = Stamp("long", index, window.start_ns, window.end_ns)
        sample, state = imu.detect(signal, state, draws.at("long", index), stamp)
        yield getattr(sample, QUANTITIES[part]).values.reshape(-1, group, 3).mean(1)


@pytest.mark.study
@pytest.mark.parametrize(("name", "part"), CASES)
def test_long_record_of_a_profile(name, part) -> None:
    """Forty correlation times: hill of the instability and slope +1/2 lie in the band too.

    N, B and K read from the record are those read from the exact curve of the profile. (They are not the profile's own B and
    K: left of its hill a Gauss-Markov bias rises with the slope of a random walk.)
    """
    whole = sensor_of(name)
    chain = getattr(whole, part).chain
    times = [fault.correlation_s for fault in chain if isinstance(fault, BiasInstability)]
    group = max(1, round(whole.rate_hz / 4))
    only = {other: None for other in QUANTITIES if other != part}
    imu = sensor_of(name, readings=group * (50_000 // group), **only)
    rate_hz = imu.rate_hz / group
    values = np.concatenate([*averages(imu, part, 40 * max(times, default=25.0), rate_hz)])
    curve = allan_curve(values, rate_hz, confidence=1 - 1e-5)
    truth = expected(imu, part, curve.tau_s)
    assert ((curve.low < truth) & (truth < curve.high)).all()
    found, stated = noise_parameters(curve), noise_parameters(replace(curve, deviation=truth, low=truth))
    for what, within in (("random_walk", 0.01), ("bias_instability", 0.25), ("rate_random_walk", 0.5)):
        read, exact = getattr(found, what), getattr(stated, what)
        both = ~np.isnan(read) & ~np.isnan(exact)
        assert read[both] == pytest.approx(exact[both], rel=within), what
    assert found.random_walk == pytest.approx(random_walk(imu, part), rel=0.02)
