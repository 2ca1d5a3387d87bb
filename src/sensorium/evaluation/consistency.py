"""Whether an estimator knows how wrong it is: normalised squared errors against their chi-squared bands.

Y. Bar-Shalom, X. R. Li, T. Kirubarajan, "Estimation with Applications to Tracking and Navigation", Wiley 2001, section 5.4.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sensorium.core.errors import ConfigurationError

Floats = NDArray[np.float64]


def nees(estimate: ArrayLike, covariance: ArrayLike, truth: ArrayLike) -> Floats:
    """Return the normalised estimation error squared e' P^-1 e [...] of states [..., n] with covariances [..., n, n]."""
    error = np.asarray(estimate, np.float64) - np.asarray(truth, np.float64)
    covariances = np.asarray(covariance, np.float64)
    if covariances.shape[-2:] != (error.shape[-1],) * 2:
        raise ConfigurationError(
            f"errors of {error.shape[-1]} numbers need square covariances, found {covariances.shape}"
        )
    return np.asarray(np.sum(error * np.linalg.solve(covariances, error[..., None])[..., 0], -1))


def band(degrees: int, runs: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return where the mean over independent runs of a chi-squared number lies: chi2(runs degrees) / runs, two-sided."""
    from scipy.stats import chi2

    if not (degrees > 0 and runs > 0 and 0 < confidence < 1):
        raise ConfigurationError(
            f"a band needs degrees and runs above 0 and a confidence in (0, 1), found {degrees}, {runs}, {confidence}"
        )
    tail = (1 - confidence) / 2
    low, high = chi2.ppf([tail, 1 - tail], degrees * runs) / runs
    return float(low), float(high)


def share_inside(values: ArrayLike, degrees: int, confidence: float = 0.95) -> float:
    """Return the part of the instants at which the mean over runs [B, T] lies in its band; NaN counts as no run."""
    table = np.atleast_2d(np.asarray(values, np.float64))
    counts = np.isfinite(table).sum(0)
    used = counts > 0
    if not used.any():
        raise ConfigurationError("there is no finite value to judge")
    bands = {count: band(degrees, int(count), confidence) for count in np.unique(counts[used])}
    low, high = np.array([bands[count] for count in counts[used]]).T
    mean = np.nanmean(table[:, used], 0)
    return float(np.mean((mean >= low) & (mean <= high)))
