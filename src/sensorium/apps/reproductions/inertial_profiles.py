"""Inertial devices of the catalogue at rest: what their data sheets make of the Allan deviation, and long records of them.

The expected curve is the sum of the variances of a profile's own noises, each by its closed form (IEEE Std 952-2020, annex
C): white N^2 / tau, bias instability as its Gauss-Markov process, rate random walk K^2 tau / 3, converter q^2 / (12 rate tau).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sensorium.core.pose import Pose
from sensorium.core.random import Draws
from sensorium.evaluation import allan_models
from sensorium.motion.fixed import Fixed
from sensorium.noise import BiasInstability, Fault, GaussMarkov, Quantisation, RandomWalk, SpectralNoise, WhiteNoise
from sensorium.samples import Stamp
from sensorium.scene.magnetic_field import UniformField
from sensorium.scene.scene import Scene
from sensorium.scene.view import View
from sensorium.sensors import Imu, device, device_names, sensor_of

Floats = NDArray[np.float64]

QUANTITIES = {"accelerometer": "specific_force", "gyroscope": "angular_velocity", "magnetometer": "flux_density"}
_WHITE = WhiteNoise, SpectralNoise, Quantisation
_BLOCK = 50_000


def profiles() -> list[tuple[str, str]]:
    """Return all pairs of device and instrument in the catalogue."""
    each = ((name, device(name).sensor) for name in device_names())
    return [(name, part) for name, sensor in each if sensor["type"] == "imu" for part in QUANTITIES if part in sensor]


def expected_deviation(imu: Imu, part: str, tau_s: Floats) -> Floats:
    """Return the Allan deviation [K, 3] of an instrument at rest."""
    return np.sqrt(sum((_variance(fault, imu.rate_hz, tau_s) for fault in getattr(imu, part).chain), np.zeros((1, 3))))


def expected_random_walk(imu: Imu, part: str) -> Floats:
    """Return N [3]: what falls as 1 / sqrt(tau), at one second."""
    white = (fault for fault in getattr(imu, part).chain if isinstance(fault, _WHITE))
    return np.sqrt(sum((_variance(fault, imu.rate_hz, np.ones(1))[0] for fault in white), np.zeros(3)))


def _variance(fault: Fault, rate_hz: float, tau_s: Floats) -> Floats:
    """Return the Allan variance [K, 3] of one fault; nothing for those that are constant at rest."""
    tau = tau_s[:, None]
    if isinstance(fault, SpectralNoise):
        return np.square(fault.density) * (fault.bandwidth_hz or rate_hz) / rate_hz / tau
    if isinstance(fault, WhiteNoise):
        return np.square(fault.sigma) / rate_hz / tau
    if isinstance(fault, Quantisation):
        return np.repeat(fault.quantum**2 / 12 / rate_hz / tau, 3, 1)
    if isinstance(fault, RandomWalk):
        return np.square(fault.walk) * tau / 3
    if isinstance(fault, BiasInstability | GaussMarkov):
        return np.square(fault.sigma) * np.square(allan_models.gauss_markov(1.0, fault.correlation_s, tau))
    return np.zeros((len(tau), 3))


def correlation_s(imu: Imu, part: str) -> float:
    """Return the longest memory among an instrument's faults; 100 s where none remembers."""
    chain = getattr(imu, part).chain
    return max(
        (fault.correlation_s for fault in chain if isinstance(fault, BiasInstability | GaussMarkov)), default=100.0
    )


def means_at_rest(
    name: str, part: str, duration_s: float, rate_hz: float = 4.0, seed: int = 11
) -> tuple[Floats, float]:
    """Return means [N, 3] of consecutive readings of a device at rest, about so many per second, and their exact rate.

    From one cluster on, the Allan deviation of means is that of the readings, and an hour of them fits into memory.
    """
    group = max(1, round(sensor_of(name).rate_hz / rate_hz))
    others: dict[str, Any] = {other: None for other in QUANTITIES if other != part}
    imu: Imu = sensor_of(name, readings=group * max(1, _BLOCK // group), **others)
    scene = Scene(magnetic_field=UniformField(b_t=(1e-6, 20e-6, -44e-6)))
    draws, mount, carrier, tracer = Draws(seed), Pose.identity(), Fixed(), _NO_TRACER
    state, means = imu.initial_state(draws.at(name, -1)), []
    for index in range(math.ceil(duration_s * imu.rate_hz / imu.readings)):
        window = imu.window(index)
        signal = imu.sense(View(scene, tracer, carrier, mount, window))
        stamp = Stamp(name, index, window.start_ns, window.end_ns)
        sample, state = imu.detect(signal, state, draws.at(name, index), stamp)
        means.append(getattr(sample, QUANTITIES[part]).values.reshape(-1, group, 3).mean(1))
    return np.concatenate(means), imu.rate_hz / group


_NO_TRACER: Any = None
"""Nobody casts a ray."""
