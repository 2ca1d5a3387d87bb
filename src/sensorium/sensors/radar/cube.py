"""Beats of paths as the samples of all chirps and channels: the ADC cube without noise."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from sensorium.sensors.radar.array import VirtualArray
from sensorium.sensors.radar.chirps import ChirpSequence
from sensorium.sensors.radar.paths import Paths

Floats = NDArray[np.float64]
Cube = NDArray[np.complex64]


@cache
def _tables(samples: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the spreading kernel, and what takes it away again, with the alternating sign of a shifted start."""
    from sensorium.sensors.radar import cube_kernels

    shifted = cube_kernels.correction(samples)
    return cube_kernels.spreading_table(), shifted.astype(np.float32)


def chirp_times_s(chirps: ChirpSequence, transmitters: int) -> Floats:
    """Return when chirps start [chirps, transmitters], from the middle of the frame."""
    number = np.arange(chirps.chirps * transmitters).reshape(chirps.chirps, transmitters)
    return np.asarray(number * chirps.period_s - chirps.frame_s(transmitters) / 2)


def beat_cube(
    paths: Paths, voltage: NDArray[np.complex128], strength: Floats, chirps: ChirpSequence, array: VirtualArray
) -> Cube:
    """Return the samples [chirps, channels, samples] of paths with these voltages [paths], square root of watts.

    phase = 2 pi (f_0 tau + (S tau + 2 f_0 v / c) t - S tau^2 / 2), tau = 2 R / c at the start of each chirp; positive beats are
    targets in front of the radar, and what recedes turns on from chirp to chirp. `strength` [paths, chirps or 1] multiplies.
    """
    from scipy import fft

    from sensorium.sensors.radar import cube_kernels

    table, correction = _tables(chirps.samples)
    turns = array.turns(paths.sent, paths.heard, chirps.wavelength_m)
    amplitude = (voltage[:, None] * np.exp(2j * np.pi * turns)).astype(np.complex64)
    motion = np.stack((paths.range_m, paths.speed_m_s, paths.acceleration_m_s2))
    times = chirp_times_s(chirps, len(array.transmitters_m))
    size = 2 * chirps.samples
    grid = np.empty((chirps.chirps, array.channels, size), np.complex64)
    cube_kernels.spread(
        motion, amplitude, np.ascontiguousarray(strength, np.float32), times, chirps.start_hz, chirps.slope_hz_s,
        chirps.sample_rate_hz, table, grid,
    )  # fmt: skip
    made = fft.ifft(grid, axis=-1, norm="forward", overwrite_x=True)
    half = chirps.samples // 2
    cube = np.concatenate((made[..., -half:], made[..., : chirps.samples - half]), -1)
    cube *= correction
    return cube


def plain_cube(
    paths: Paths, voltage: NDArray[np.complex128], strength: Floats, chirps: ChirpSequence, array: VirtualArray
) -> NDArray[np.complex128]:
    """Return the same in plain NumPy, path by path: the obvious twin for tests and benchmarks."""
    turns = array.turns(paths.sent, paths.heard, chirps.wavelength_m)
    times, number = chirp_times_s(chirps, len(array.transmitters_m)), np.arange(chirps.samples)
    hearing = len(array.receivers_m)
    cube = np.zeros((chirps.chirps, array.channels, chirps.samples), complex)
    for p in range(len(paths)):
        far = paths.range_m[p] + times * (paths.speed_m_s[p] + times * paths.acceleration_m_s2[p] / 2)
        delay = 2 * far / 299_792_458.0
        speed = paths.speed_m_s[p] + times * paths.acceleration_m_s2[p]
        beat = chirps.beat_hz(far, speed) / chirps.sample_rate_hz
        start = chirps.start_hz * delay - chirps.slope_hz_s * delay**2 / 2
        wave = np.exp(2j * np.pi * (start[..., None] + beat[..., None] * number))
        a = voltage[p] * np.exp(2j * np.pi * turns[p]) * strength[p].reshape(-1, 1)
        cube += a[..., None] * np.repeat(wave, hearing, axis=1)
    return cube
