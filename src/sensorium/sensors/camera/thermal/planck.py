"""Planck's law in a band: exact integrals by series, and tables of them for kernels.

With x = c2 / (lambda T), c2 = h c / k, the part of the spectrum below a wavelength is a multiple of

    I_s(x) = integral from x of t^s / (e^t - 1) dt = sum over n of e^(-n x) sum over k of s! / (s - k)! x^(s-k) / n^(k+1)

(s = 3: power, s = 2: photons; a factor lambda in the response lowers s by one). For x < 1 the series converges slowly and
Gamma(s+1) zeta(s+1) - sum over k of B_k x^(s+k) / (k! (s + k)) takes its place, B_k Bernoulli's numbers.
Constants: CODATA 2018, exact by definition of the SI.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sensorium.core.errors import ConfigurationError

Floats = NDArray[np.float64]

PLANCK_J_S = 6.62607015e-34
LIGHT_M_S = 299_792_458.0
BOLTZMANN_J_K = 1.380649e-23
STEFAN_BOLTZMANN_W_M2_K4 = 2 * math.pi**5 * BOLTZMANN_J_K**4 / (15 * PLANCK_J_S**3 * LIGHT_M_S**2)
SECOND_RADIATION_M_K = PLANCK_J_S * LIGHT_M_S / BOLTZMANN_J_K

COLDEST_K, HOTTEST_K = 50.0, 2000.0
"""Limits of the tables; a surface outside is refused."""
_STEP_K = 1.0

_TOTAL = (math.nan, math.pi**2 / 6, 2 * 1.2020569031595942, math.pi**4 / 15)
_BERNOULLI = (1.0, -1 / 2, 1 / 6, 0.0, -1 / 30, 0.0, 1 / 42, 0.0, -1 / 30, 0.0, 5 / 66, 0.0, -691 / 2730, 0.0, 7 / 6, 0.0,
              -3617 / 510, 0.0, 43867 / 798, 0.0, -174611 / 330)  # fmt: skip
_TERMS = 42


class RadianceTable(NamedTuple):
    """Radiance of a black body by temperature, for kernels: node values and slopes of cubic pieces (Hermite).

    A piece of width h errs by at most h^4 / 384 times the fourth derivative: below 1e-7 of the value above 100 K in the
    bands of thermal cameras, because B''''/B is about (x / T)^4.
    """

    first_k: float
    step_k: float
    value: Floats
    slope: Floats


def tail(s: int, x: ArrayLike) -> Floats:
    """Return I_s(x) for s = 1, 2, 3 and x >= 0 (infinity gives 0)."""
    x = np.asarray(x, np.float64)
    out = np.zeros(x.shape)
    small, large = x < 1.0, (x >= 1.0) & (x < 700.0)
    if small.any():
        t, body = x[small], np.zeros(int(small.sum()))
        for k, number in enumerate(_BERNOULLI):
            body += number * t ** (s + k) / (math.factorial(k) * (s + k))
        out[small] = _TOTAL[s] - body
    if large.any():
        t = x[large]
        n = np.arange(1, _TERMS, dtype=np.float64).reshape((-1,) + (1,) * t.ndim)
        inner = sum(
            math.factorial(s) / math.factorial(s - k) * t ** (s - k) / n ** (k + 1) for k in range(s + 1)
        )  # fmt: skip
        out[large] = (np.exp(-n * t) * inner).sum(0)
    return out


def weighted_radiance(
    temperature_k: ArrayLike, wavelength_m: Floats, response: Floats, photons: bool = False
) -> Floats:
    """Return the integral of response times spectral radiance: W/(m2 sr), or photons/(s m2 sr).

    The response is linear between its nodes, which makes the integral exact: on a piece a + b lambda it is a multiple of
    a T^(s+1) [I_s(x_2) - I_s(x_1)] + b c2 T^s [I_(s-1)(x_2) - I_(s-1)(x_1)].
    """
    t_k = positive_kelvin(temperature_k)[..., None]
    s = 2 if photons else 3
    front = 2 * LIGHT_M_S if photons else 2 * PLANCK_J_S * LIGHT_M_S**2
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = np.diff(response) / np.diff(wavelength_m)
        slope = np.where(np.isfinite(slope), slope, 0.0)
        x = np.where(wavelength_m > 0, SECOND_RADIATION_M_K / (wavelength_m * t_k), np.inf)
    start = np.where(slope == 0, response[:-1], response[:-1] - slope * wavelength_m[:-1])
    scale = t_k / SECOND_RADIATION_M_K
    whole = start * scale ** (s + 1) * np.diff(tail(s, x), axis=-1)
    tilt = slope * scale**s * np.diff(tail(s - 1, x), axis=-1)
    return np.asarray(front * (whole + tilt).sum(-1))


def positive_kelvin(temperature_k: ArrayLike) -> Floats:
    """Return temperatures as an array; refuse those that are not above absolute zero."""
    t_k = np.asarray(temperature_k, np.float64)
    bad = ~(t_k > 0) | ~np.isfinite(t_k)
    if bad.any():
        found = float(t_k[bad].flat[0])
        raise ConfigurationError(
            f"a temperature must be above 0 K and finite, found {found:g} K; write degrees as a text: '20 degC'"
        )
    return t_k


def radiance_table(wavelength_m: Floats, response: Floats, photons: bool = False) -> RadianceTable:
    """Return the table of a response from 50 to 2000 K; slopes are centred differences of the exact integral."""
    t_k = np.arange(COLDEST_K, HOTTEST_K + _STEP_K / 2, _STEP_K)
    value = weighted_radiance(t_k, wavelength_m, response, photons)
    h = 1e-3 * t_k
    beside = [weighted_radiance(t_k + d * h, wavelength_m, response, photons) for d in (-2, -1, 1, 2)]
    slope = (beside[0] - 8 * beside[1] + 8 * beside[2] - beside[3]) / (12 * h)
    return RadianceTable(COLDEST_K, _STEP_K, value, slope)
