"""What the samples hold besides echoes: thermal noise, phase noise, leakage, another radar."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sensorium.core.random import Draws
from sensorium.sensors.radar.chirps import C_M_S
from sensorium.sensors.radar.cube import Cube, beat_cube, chirp_times_s
from sensorium.sensors.radar.link import FrontEnd
from sensorium.sensors.radar.paths import Paths

Floats = NDArray[np.float64]

_LOUDEST = 6
"""Paths whose phase noise is followed one by one; that of all others lies below."""


def thermal_noise(shape: tuple[int, ...], noise_w: float, draws: Draws) -> Cube:
    """Return complex white noise of this mean power."""
    from sensorium.sensors.radar.noise_kernels import fill_complex

    out = np.empty(int(np.prod(shape)), np.complex64)
    fill_complex(draws.key("thermal"), np.sqrt(noise_w / 2), out)
    return out.reshape(shape)


def leakage(front: FrontEnd) -> tuple[Paths, NDArray[np.complex128]]:
    """Return the direct sound of the transmitters as a path and its voltage."""
    leak = front.receiver.leakage
    assert leak is not None
    path = Paths.points(leak.range_m)
    passed = front.receiver.filter_gain(front.chirps.beat_hz(path.range_m, path.speed_m_s), front.chirps.sample_rate_hz)
    return path, np.sqrt(front.receiver.power_w * 10 ** (-leak.isolation_db / 10) * passed) + 0j


def with_phase_noise(cube: Cube, paths: Paths, voltage: NDArray[np.complex128], front: FrontEnd, draws: Draws) -> None:
    """Add to the cube what the oscillator's noise makes of the loudest paths: each times j (phi(t) - phi(t - tau))."""
    noise, chirps = front.receiver.phase_noise, front.chirps
    assert noise is not None
    turns, samples = chirps.chirps * front.transmitters, chirps.samples
    frequency: Floats = np.asarray(np.fft.fftfreq(samples, 1 / chirps.sample_rate_hz), np.float64)
    drawn = draws.normal("phase noise", 2 * turns * samples).reshape(2, turns, samples)
    # double-sided density of the phase is L(f); real noise: take the real part of a complex one of twice the power
    spread = np.sqrt(noise.density_1_hz(frequency) * chirps.sample_rate_hz * samples)
    colour = (drawn[0] + 1j * drawn[1]) * spread
    hearing = len(front.array.receivers_m)
    for p in np.argsort(-np.abs(voltage), kind="stable")[:_LOUDEST]:
        tau = 2 * paths.range_m[p] / C_M_S
        phase = np.fft.ifft(colour * (1 - np.exp(-2j * np.pi * frequency * tau)), axis=-1).real
        alone = beat_cube(paths.taken([p]), voltage[[p]], np.ones((1, 1)), chirps, front.array)
        shaped = phase.reshape(chirps.chirps, front.transmitters, samples).repeat(hearing, axis=1)
        cube += (1j * alone * shaped).astype(np.complex64)


def interference(front: FrontEnd, draws: Draws) -> Cube:
    """Return what a second radar adds: its chirp sweeps through the band of the receiver and leaves a burst.

    Heard over one way, P_t G_t G_r lambda^2 / (4 pi R)^2 (H. Friis, Proc. IRE 34, 1946); mixed with our chirp of slope S its slope
    S' leaves the phase 2 pi (d t + (S' - S) t^2 / 2), heard while |frequency| stays below half the sample rate.
    """
    other, chirps, array = front.receiver.interferer, front.chirps, front.array
    assert other is not None
    direction = np.array([[np.cos(other.azimuth_rad), np.sin(other.azimuth_rad), 0.0]])
    gain = float(front.antenna.gain(direction)[0]) * 10 ** (other.gain_db / 10)
    power_w = other.power_w * gain * (chirps.wavelength_m / (4 * np.pi * other.range_m)) ** 2
    begin_s = draws.uniform("interferer", 1)[0] * other.period_s
    times = chirp_times_s(chirps, front.transmitters) + chirps.frame_s(front.transmitters) / 2
    instant = times[..., None] + np.arange(chirps.samples) / chirps.sample_rate_hz
    own_hz = chirps.start_hz + chirps.slope_hz_s * (instant - times[..., None])
    slope = other.bandwidth_hz / other.ramp_s
    since = (instant - begin_s) % other.period_s
    apart_hz = other.start_hz + slope * since - own_hz
    heard = (np.abs(apart_hz) < chirps.sample_rate_hz / 2) & (since < other.ramp_s)
    within = instant - times[..., None]
    phase = (other.start_hz * since + slope * since**2 / 2) - (
        chirps.start_hz * within + chirps.slope_hz_s * within**2 / 2
    )
    burst = np.where(heard, np.sqrt(power_w) * np.exp(-2j * np.pi * (phase % 1.0)), 0.0)
    hearing = len(array.receivers_m)
    receivers = np.array(array.receivers_m)[:, 0] * np.sin(other.azimuth_rad) / chirps.wavelength_m
    steering = np.exp(-2j * np.pi * receivers)
    cube = burst[:, :, None, :] * steering[None, None, :, None]
    return np.asarray(cube.reshape(chirps.chirps, front.transmitters * hearing, chirps.samples).astype(np.complex64))
