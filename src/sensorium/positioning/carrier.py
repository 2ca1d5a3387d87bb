"""A place to centimetres from the carrier phase against a base station: float ambiguities, then fixed ones.

Differences between the receivers take away satellites' clocks and the air: code c = -e.b + t, phase p = -e.b + t' + lambda N,
with the baseline's correction b, one clock per system and band, and N whole up to one number per system and band. Each
epoch's b and clocks are eliminated, so that what is learnt of the N adds up: Lambda += B^T W B - B^T W A (A^T W A)^-1 A^T W B.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.positioning.dilution import inverse
from sensorium.positioning.integers import nearest_integers

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Key = tuple[str, str]
"""Satellite and code."""


@dataclass(frozen=True, eq=False)
class Differences:
    """Of M signals: rover minus base minus what is computed for the approximate place."""

    keys: tuple[Key, ...]
    group: Ints
    """[M] number of system and band."""
    towards: Floats
    """[M, 3]"""
    wavelength_m: Floats
    code_m: Floats
    phase_m: Floats
    code_sigma_m: Floats
    phase_sigma_m: Floats

    @property
    def design(self) -> Floats:
        """[M, 3 + groups] of the baseline and the clocks."""
        columns = np.zeros((len(self.keys), 3 + int(self.group.max(initial=-1)) + 1))
        columns[:, :3] = -self.towards
        columns[np.arange(len(self.keys)), 3 + self.group] = 1.0
        return columns


@dataclass(frozen=True, eq=False)
class Ambiguities:
    """What is known of the whole cycles N: information matrix and vector."""

    keys: tuple[Key, ...] = ()
    information: Floats = None  # type: ignore[assignment]
    vector: Floats = None  # type: ignore[assignment]

    def kept(self, keys: set[Key]) -> Ambiguities:
        """Return what is known of these alone; the others, lost or slipped, are averaged over."""
        stay = np.array([k for k, key in enumerate(self.keys) if key in keys], np.int64)
        gone = np.array([k for k, key in enumerate(self.keys) if key not in keys], np.int64)
        if not len(gone):
            return self
        if not len(stay):
            return Ambiguities()
        cross = self.information[np.ix_(stay, gone)]
        weight = cross @ np.linalg.pinv(self.information[np.ix_(gone, gone)], rcond=1e-10)
        information = self.information[np.ix_(stay, stay)] - weight @ cross.T
        return Ambiguities(
            tuple(self.keys[k] for k in stay), information, self.vector[stay] - weight @ self.vector[gone]
        )

    def learnt(self, d: Differences) -> Ambiguities:
        """Return what is known after another epoch; only signals of this epoch are kept."""
        before = self.kept(set(d.keys))
        order = {key: k for k, key in enumerate(d.keys)}
        place = np.array([order[key] for key in before.keys], np.int64)
        count = len(d.keys)
        information, vector = np.zeros((count, count)), np.zeros(count)
        if len(place):
            information[np.ix_(place, place)], vector[place] = before.information, before.vector
        a, phase_clocks = d.design, d.design[:, 3:]
        whole = np.block([[a, np.zeros_like(phase_clocks)], [-d.towards, np.zeros_like(phase_clocks), phase_clocks]])
        weight = np.concatenate((1 / d.code_sigma_m**2, 1 / d.phase_sigma_m**2))
        cycles = np.concatenate((np.zeros((count, count)), np.diag(d.wavelength_m)))
        values = np.concatenate((d.code_m, d.phase_m))
        epoch = whole.T @ (weight[:, None] * whole)
        gain = (weight[:, None] * whole) @ np.linalg.pinv(epoch, rcond=1e-12)
        reduced = weight[:, None] * cycles - gain @ (whole.T @ (weight[:, None] * cycles))
        return Ambiguities(d.keys, information + cycles.T @ reduced, vector + reduced.T @ values)

    def floats(self, group: Ints) -> tuple[Ints, Ints, Floats, Floats] | None:
        """Return rows and reference rows [R], real values and covariance of N against the reference of its group."""
        reference = np.array([np.flatnonzero(group == g)[0] for g in range(int(group.max(initial=-1)) + 1)], np.int64)
        rows = np.setdiff1d(np.arange(len(self.keys)), reference)
        if not len(rows):
            return None
        covariance = inverse(self.information[np.ix_(rows, rows)])
        if covariance is None:
            return None
        return rows, reference[group[rows]], covariance @ self.vector[rows], (covariance + covariance.T) / 2


@dataclass(frozen=True, eq=False)
class Baseline:
    """Correction of the approximate place, ECEF."""

    step_m: Floats
    covariance_m2: Floats
    residual_m: Floats
    """[M]"""


def code_baseline(d: Differences) -> Baseline | None:
    """Return the correction by code alone."""
    return _baseline(d.design, d.code_m, d.code_sigma_m)


def phase_baseline(d: Differences, rows: Ints, references: Ints, cycles: Floats, variance: Floats) -> Baseline | None:
    """Return the correction by phase, with cycles against the references, whole or not; `variance` is theirs."""
    phase, sigma2 = d.phase_m.copy(), d.phase_sigma_m**2
    phase[rows] -= d.wavelength_m[rows] * cycles
    sigma2[rows] += d.wavelength_m[rows] ** 2 * variance
    return _baseline(d.design, phase, np.sqrt(sigma2))


def _baseline(design: Floats, values: Floats, sigma: Floats) -> Baseline | None:
    weighted = design / sigma[:, None]
    covariance = inverse(weighted.T @ weighted) if len(design) >= design.shape[1] else None
    if covariance is None:
        return None
    found = covariance @ (weighted.T @ (values / sigma))
    return Baseline(found[:3], covariance[:3, :3], values - design @ found)


def fixed(real: Floats, covariance: Floats, least_ratio: float) -> tuple[Floats, float] | None:
    """Return the whole numbers and the ratio of the second best distance to the best; None below the least ratio."""
    found = nearest_integers(real, covariance)
    if found is None:
        return None
    whole, distance = found
    ratio = float(distance[1] / max(distance[0], 1e-12))
    return (whole[0], ratio) if ratio >= least_ratio else None
