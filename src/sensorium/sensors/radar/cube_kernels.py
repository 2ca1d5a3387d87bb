"""The beat of many paths with a chirp sequence. Import this lazily: it loads Numba.

x[n] = sum_p c_p exp(2 pi j nu_p n) for every chirp and channel is a discrete Fourier transform of points that lie between its
frequencies: each path is spread over W neighbouring frequencies of a grid twice as fine, one inverse FFT makes the samples, and a
division by the transform of the spreading kernel corrects them (A. Barnett, J. Magland, L. af Klinteberg, "A parallel nonuniform
fast Fourier transform library based on an exponential of semicircle kernel", SIAM J. Sci. Comput. 41, 2019). It costs W = 8
products per path, chirp and channel in place of one per sample, and lets the beat change from chirp to chirp (range migration).
"""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from sensorium.core.arithmetic_kernels import cos_of_turns, sin_of_turns

TAPS = 8
BETA = 2.30 * TAPS
STEPS = 512
"""Places between two frequencies at which the kernel is tabulated; linear between them, error below 1e-6."""


def spreading_table() -> np.ndarray:
    """Return weights [STEPS + 1, TAPS]: exp(beta (sqrt(1 - (2 x / W)^2) - 1)) at x = tap - 3 - step / STEPS."""
    x = np.arange(TAPS)[None] - (TAPS // 2 - 1) - np.arange(STEPS + 1)[:, None] / STEPS
    inside = np.maximum(0.0, 1 - (2 * x / TAPS) ** 2)
    return np.where(np.abs(x) <= TAPS / 2, np.exp(BETA * (np.sqrt(inside) - 1)), 0.0).astype(np.float32)


def correction(samples: int) -> np.ndarray:
    """Return 1 / transform of the kernel at the samples n - N/2 [samples], grid 2 N."""
    x, weight = np.polynomial.legendre.leggauss(200)
    kernel = np.exp(BETA * (np.sqrt(1 - x**2) - 1)) * weight * TAPS / 2
    turns = np.outer(np.arange(samples) - samples // 2, x * TAPS / 2) / (2 * samples)
    return 1.0 / (np.cos(2 * np.pi * turns) @ kernel)


@nb.njit(cache=True, parallel=True, nogil=True, error_model="numpy")
def spread(motion, amplitude, strength, times, start, slope, rate, table, grid):  # type: ignore[no-untyped-def]
    """Spread paths over the grid [chirps, channels, 2 N] of complex64; a chirp is written by one thread.

    motion [3, P]: range, speed, acceleration. amplitude [P, channels]. strength [P, chirps] or [P, 1]: change of the amplitude
    from chirp to chirp. times [chirps, transmitters] seconds from the middle of the frame. start, slope, rate: of the chirp.
    """
    chirps, channels, size = grid.shape
    paths, sending = motion.shape[1], times.shape[1]
    hearing = channels // sending
    half = TAPS // 2
    samples = size // 2
    two_c = 2.0 / 299_792_458.0
    for m in nb.prange(chirps):
        real, imaginary = np.zeros((channels, size + TAPS), np.float32), np.zeros((channels, size + TAPS), np.float32)
        weight = np.empty(TAPS, np.float32)
        for i in range(sending):
            t = times[m, i]
            for p in range(paths):
                far = motion[0, p] + t * (motion[1, p] + 0.5 * t * motion[2, p])
                speed = motion[1, p] + t * motion[2, p]
                delay = far * two_c
                turns = start * delay - 0.5 * slope * delay * delay
                beat = (slope * delay + start * speed * two_c) / rate
                turns += beat * (samples // 2)
                turns -= math.floor(turns)
                c, s = np.float32(cos_of_turns(turns)), np.float32(sin_of_turns(turns))
                place = (beat - math.floor(beat)) * size
                whole = int(place)
                step = (place - whole) * STEPS
                row = int(step)
                share = np.float32(step - row)
                for k in range(TAPS):
                    weight[k] = table[row, k] + share * (table[row + 1, k] - table[row, k])
                change = strength[p, m % strength.shape[1]]
                for j in range(hearing):
                    a = amplitude[p, i * hearing + j] * change
                    x, y = a.real * c - a.imag * s, a.real * s + a.imag * c
                    line_x, line_y = real[i * hearing + j], imaginary[i * hearing + j]
                    for k in range(TAPS):
                        line_x[whole + k] += x * weight[k]
                        line_y[whole + k] += y * weight[k]
        for channel in range(channels):
            for g in range(size):
                grid[m, channel, g] = 0.0
            for k in range(size + TAPS):
                g = (k - half + 1) % size
                grid[m, channel, g] += np.complex64(complex(real[channel, k], imaginary[channel, k]))
