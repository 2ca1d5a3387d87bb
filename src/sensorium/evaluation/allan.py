"""Overlapping Allan deviation of a record, with the noise parameters that it shows and their confidence.

For readings u at a rate, theta the sum of u / rate and n readings in a cluster of tau = n / rate:
    s^2(tau) = < (theta[k + 2n] - 2 theta[k + n] + theta[k])^2 > / (2 tau^2)
(IEEE Std 952-2020, annex C; NIST SP 1065, eq. 14).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sensorium.core.errors import RecordingError
from sensorium.evaluation.allan_models import FLICKER

Floats = NDArray[np.float64]

_PER_DECADE = 12
_FEWEST, _CLUSTERS = 100, 5
_SEEN = 3.0
_ROUNDS = 5


@dataclass(frozen=True, eq=False)
class AllanCurve:
    """Allan deviation of C channels at K cluster times."""

    tau_s: Floats
    """[K]"""
    deviation: Floats
    """[K, C] in the unit of the readings."""
    low: Floats
    high: Floats
    """[K, C] the band in which the true deviation lies with the stated confidence."""
    freedom: Floats
    """[K] equivalent degrees of freedom."""
    confidence: float
    rate_hz: float
    count: int
    """Readings in the record."""


@dataclass(frozen=True, eq=False)
class NoiseParameters:
    """What a curve shows of its noise, per channel [C], each with its standard error; NaN where a noise is not seen."""

    random_walk: Floats
    """N [u / sqrt(Hz)]: on the slope -1/2 at 1 s."""
    bias_instability: Floats
    """B [u]: the lowest deviation over 0.664, if the curve is flat there."""
    rate_random_walk: Floats
    """K [u / sqrt(s)]: on the slope +1/2 at 3 s."""
    random_walk_error: Floats
    bias_instability_error: Floats
    rate_random_walk_error: Floats
    lowest_at_s: Floats
    """Cluster time of the lowest deviation."""


def allan_curve(
    values: ArrayLike, rate_hz: float, *, confidence: float = 0.95, tau_s: ArrayLike | None = None
) -> AllanCurve:
    """Return the curve of readings [N] or [N, C] at an even rate, by default at 12 cluster times per decade.

    The longest cluster is a fifth of the record. Whole cluster times are taken as near as possible to those asked for.
    """
    from scipy.stats import chi2

    readings = np.atleast_2d(np.asarray(values, np.float64).T).T
    count = len(readings)
    if count < _FEWEST or not np.isfinite(readings).all():
        flaw = f"{count} readings" if count < _FEWEST else "readings that are not numbers"
        raise RecordingError(f"an Allan deviation needs at least {_FEWEST} readings without gaps, found {flaw}")
    clusters = _clusters(count, rate_hz, tau_s)
    angle = np.zeros((count + 1, readings.shape[1]))
    np.cumsum(readings - readings.mean(0), axis=0, out=angle[1:])
    deviation = np.array([_deviation(angle, n) for n in clusters])
    freedom = np.array([degrees_of_freedom(count, n) for n in clusters])
    tail = (1 - confidence) / 2
    low, high = (np.sqrt(freedom / chi2.ppf(share, freedom))[:, None] * deviation for share in (1 - tail, tail))
    return AllanCurve(clusters / rate_hz, deviation, low, high, freedom, confidence, rate_hz, count)


def _clusters(count: int, rate_hz: float, tau_s: ArrayLike | None) -> NDArray[np.int64]:
    longest = count // _CLUSTERS
    if tau_s is not None:
        wanted = np.rint(np.asarray(tau_s, np.float64) * rate_hz)
        return np.unique(wanted[(wanted >= 1) & (wanted <= longest)].astype(np.int64))
    steps = int(np.log10(longest) * _PER_DECADE) + 1
    return np.unique(np.rint(np.geomspace(1, longest, steps)).astype(np.int64))


def _deviation(angle: Floats, n: int) -> Floats:
    """Return the deviation [C] for clusters of n readings; the angle is a plain sum, so that tau is n here."""
    second = angle[2 * n :] - 2 * angle[n:-n] + angle[: -2 * n]
    return np.asarray(np.sqrt(np.mean(second * second, axis=0) / 2) / n)


def degrees_of_freedom(count: int, n: int) -> float:
    """Return the least of those for white, flicker and walking readings (NIST SP 1065, table 5)."""
    m, total = float(n), float(count)
    white = (3 * (total - 1) / (2 * m) - 2 * (total - 2) / total) * 4 * m * m / (4 * m * m + 5)
    flicker = 5 * total * total / (4 * m * (total + 3 * m)) if n > 1 else 2 * (total - 2) ** 2 / (2.3 * total - 4.9)
    walking = (total - 2) / m * ((total - 1) ** 2 - 3 * m * (total - 1) + 4 * m * m) / (total - 3) ** 2
    return max(1.0, min(white, flicker, walking))


def noise_parameters(curve: AllanCurve) -> NoiseParameters:
    """Return N, B and K of each channel.

    N and K come from s^2 = N^2 / tau + (0.664 B)^2 + K^2 tau / 3 by least squares with non-negative terms over octaves of tau,
    weighted with the spread of s^2, 2 s^4 / freedom. A term less than three standard errors high is not seen. B is read
    at the lowest point of the curve, as makers do; it is not seen where the record ends before the curve turns flat.
    """
    from scipy.optimize import nnls

    rows = _octaves(curve.tau_s)
    tau, freedom = curve.tau_s[rows], curve.freedom[rows]
    terms = np.stack((1 / tau, np.full(len(tau), FLICKER**2), tau / 3), 1)
    found, errors = [], []
    for deviation in curve.deviation[rows].T:
        model = deviation**2
        for _ in range(
            _ROUNDS
        ):  # weights by the fit: those by the measured points would favour the points that lie low
            weight = np.sqrt(freedom / 2) / model
            squares, _ = nnls(terms * weight[:, None], deviation**2 * weight)
            model = terms @ squares
        spread = np.sqrt(np.diag(np.linalg.pinv((terms * weight[:, None]).T @ (terms * weight[:, None]))))
        squares = np.where(squares > _SEEN * spread, squares, np.nan)
        found.append(np.sqrt(squares))
        errors.append(spread / (2 * np.sqrt(squares)))
    roots, root_errors = np.array(found).T, np.array(errors).T
    level, level_error, at_s = _lowest(curve)
    return NoiseParameters(roots[0], level, roots[2], root_errors[0], level_error, root_errors[2], at_s)


def _octaves(tau_s: Floats) -> NDArray[np.int64]:
    wanted = tau_s[0] * 2.0 ** np.arange(int(np.log2(tau_s[-1] / tau_s[0])) + 1)
    return np.unique(np.abs(np.log(tau_s[:, None] / wanted)).argmin(0))


def _lowest(curve: AllanCurve) -> tuple[Floats, Floats, Floats]:
    """Return B [C] from the lowest point of each channel, its error, and where it is."""
    row = curve.deviation.argmin(0)
    channel = np.arange(curve.deviation.shape[1])
    lowest = curve.deviation[row, channel]
    turned = curve.low[-1] > lowest  # the curve has risen again, beyond doubt
    level = np.where(turned, lowest / FLICKER, np.nan)
    return level, level / np.sqrt(2 * curve.freedom[row]), curve.tau_s[row]
