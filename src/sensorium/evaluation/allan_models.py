"""What the Allan deviation of known noises is (IEEE Std 952-2020, annex C), for readings at a rate.

N: random walk of the integral [u / sqrt(Hz)], B: bias instability [u], K: rate random walk [u / sqrt(s)].
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

FLICKER = math.sqrt(2 * math.log(2) / math.pi)
"""Flat part over B: 0.6643."""


def white(random_walk: float, tau_s: Floats) -> Floats:
    """Return N / sqrt(tau), the slope -1/2."""
    return np.asarray(random_walk / np.sqrt(tau_s))


def flat(bias_instability: float, tau_s: Floats) -> Floats:
    """Return 0.664 B, the slope 0."""
    return np.full(np.shape(tau_s), FLICKER * bias_instability)


def walk(rate_random_walk: float, tau_s: Floats) -> Floats:
    """Return K sqrt(tau / 3), the slope +1/2."""
    return np.asarray(rate_random_walk * np.sqrt(tau_s / 3))


def gauss_markov(sigma: float, correlation_s: float, tau_s: Floats) -> Floats:
    """Return the curve of a first-order Gauss-Markov process: a hill of 0.6174 sigma at 1.89 T.

    s^2 = (2 sigma^2 T / tau) (1 - T / (2 tau) (3 - 4 exp(-tau/T) + exp(-2 tau/T))); for tau << T, where this loses its
    digits, 2 sigma^2 tau / (3 T).
    """
    ratio = np.asarray(tau_s) / correlation_s
    safe = np.maximum(ratio, 1e-3)
    bracket = 1 - (3 - 4 * np.exp(-safe) + np.exp(-2 * safe)) / (2 * safe)
    variance = np.where(ratio < 1e-3, 2 * ratio / 3, 2 * bracket / safe)
    return np.asarray(sigma * np.sqrt(variance))
