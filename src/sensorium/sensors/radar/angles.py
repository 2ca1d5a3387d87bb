"""From which direction a target sounds: snapshots over the virtual array become azimuths and elevations.

Along y the longest row of evenly spaced elements at one height is used; u = sin(azimuth) cos(elevation) is what it sees. Elements
at another height tell the elevation by their phase.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.units import Number
from sensorium.sensors.radar.array import VirtualArray

Floats = NDArray[np.float64]
Complex = NDArray[np.complex128]

GRID = 512
"""Directions at which a spectrum is looked at, even in u = -1 .. 1 of a row with elements half a wavelength apart."""


@dataclass(frozen=True, eq=False)
class Row:
    """Evenly spaced elements at one height."""

    channels: NDArray[np.intp]
    """Their channels, from right to left."""
    spacing_m: float
    height_m: float

    @classmethod
    def longest(cls, array: VirtualArray) -> Row:
        """Return the row with most elements; ValueError if its elements are not evenly spaced."""
        places = array.places_m
        heights, which = np.unique(np.round(places[:, 1], 7), return_inverse=True)
        best = np.argmax(np.bincount(which.ravel()))
        channels = np.flatnonzero(which.ravel() == best)
        channels = channels[np.argsort(places[channels, 0])]
        gaps = np.diff(places[channels, 0])
        if len(gaps) and np.ptp(gaps) > 1e-3 * gaps.mean():
            raise ValueError(
                f"the elements of the longest row lie {gaps.min() * 1e3:.4g} to {gaps.max() * 1e3:.4g} mm apart; angles need"
                " even spacing"
            )
        return cls(channels, float(gaps.mean()) if len(gaps) else 0.0, float(heights[best]))

    def directions(self, wavelength_m: float) -> Floats:
        """Return u [GRID] of the spectrum's places."""
        turns = (np.arange(GRID) - GRID // 2) / GRID
        return np.asarray(-turns * wavelength_m / max(self.spacing_m, 1e-9))


class AngleEstimator(ABC):
    """Base of the estimators."""

    most: int

    @abstractmethod
    def spectrum(self, snapshots: Complex, noise: float) -> Floats:
        """Return power over direction [N, GRID] of snapshots [N, K, elements], K neighbouring cells, the cell itself first."""

    def peaks(self, snapshots: Complex, noise: float) -> tuple[NDArray[np.intp], Floats]:
        """Return the rows (snapshots) and places on the grid, with fractions, of the strongest peaks."""
        power = self.spectrum(snapshots, noise)
        left, right = np.roll(power, 1, 1), np.roll(power, -1, 1)
        height = np.where((power >= left) & (power > right), power, 0.0)
        order = np.argsort(-height, axis=1, kind="stable")[:, : self.most]
        rows = np.repeat(np.arange(len(power)), order.shape[1])
        found = order.ravel()
        keep = (height[rows, found] >= self.floor * power.max(1)[rows]) & (height[rows, found] > 0)
        rows, found = rows[keep], found[keep]
        a, b, c = (np.log(np.maximum(x[rows, found], 1e-300)) for x in (left, power, right))
        bend = a - 2 * b + c
        with np.errstate(invalid="ignore", divide="ignore"):
            part = np.where(bend < 0, 0.5 * (a - c) / bend, 0.0)
        return rows, np.asarray(found + np.clip(part, -0.5, 0.5))

    @property
    def floor(self) -> float:
        """Smallest peak beside the strongest, as a part of it."""
        return 0.05


@configured
class FftAngle(AngleEstimator):
    """The Fourier transform over the elements, padded with zeros: finds one target per cell, or several a beam width apart."""

    type: Literal["fft"] = "fft"
    most: Annotated[int, Field(ge=1, le=8)] = 1
    """Targets per cell."""

    @property
    def floor(self) -> float:
        """Above the side lobes of an even row, -13 dB."""
        return 0.08

    def spectrum(self, snapshots: Complex, noise: float) -> Floats:
        """Return |FFT|^2 of the cell itself."""
        spectrum = np.fft.fft(snapshots[:, 0], GRID, axis=-1)
        return np.asarray(np.abs(np.fft.fftshift(spectrum, axes=-1)) ** 2)


def smoothed_covariance(snapshots: Complex, length: int) -> Complex:
    """Return covariances [N, length, length] over all sub-rows, forwards and backwards.

    So that echoes in step can be told apart (S. Pillai, B. Kwon, IEEE Trans. ASSP 37, 1989).
    """
    starts = snapshots.shape[-1] - length + 1
    parts = np.stack([snapshots[..., k : k + length] for k in range(starts)], 2)
    forward = np.einsum("nksi,nksj->nij", parts, parts.conj()) / (parts.shape[1] * starts)
    return np.asarray((forward + forward[:, ::-1, ::-1].conj()) / 2)


def _steering(length: int) -> Complex:
    turns = (np.arange(GRID) - GRID // 2) / GRID
    return np.asarray(np.exp(2j * np.pi * np.outer(np.arange(length), turns)))


@configured
class Capon(AngleEstimator):
    """Minimum variance: P = 1 / (a^H R^-1 a) (J. Capon, Proc. IEEE 57, 1969), the diagonal of R loaded."""

    type: Literal["capon"] = "capon"
    most: Annotated[int, Field(ge=1, le=8)] = 2
    loading: Annotated[float, Field(gt=0, lt=1)] = 1e-3
    """Part of the mean power that is added to the diagonal."""

    def spectrum(self, snapshots: Complex, noise: float) -> Floats:
        """Return P over direction."""
        length = max(1, round(snapshots.shape[-1] * 2 / 3))
        covariance = smoothed_covariance(snapshots, length)
        mean = np.trace(covariance, axis1=1, axis2=2).real / length
        covariance = covariance + (self.loading * mean)[:, None, None] * np.eye(length)
        a = _steering(length)
        return np.asarray(1 / np.einsum("ig,nij,jg->ng", a.conj(), np.linalg.inv(covariance), a, optimize=True).real)


@configured
class Music(AngleEstimator):
    """Multiple signal classification: P = 1 / |E_n^H a|^2 (R. Schmidt, IEEE Trans. Antennas and Propagation 34, 1986)."""

    type: Literal["music"] = "music"
    most: Annotated[int, Field(ge=1, le=8)] = 2
    above_noise: Annotated[Number, Field(gt=1)] = 10.0
    """How far an eigenvalue must stand above the noise to count as a target."""

    def spectrum(self, snapshots: Complex, noise: float) -> Floats:
        """Return P over direction, times the power of the targets so that rows compare."""
        length = max(2, round(snapshots.shape[-1] * 2 / 3))
        values, vectors = np.linalg.eigh(smoothed_covariance(snapshots, length))
        targets = np.clip((values > self.above_noise * noise).sum(1), 1, min(self.most, length - 1))
        noisy = np.arange(length)[None] < (length - targets)[:, None]
        projected = np.abs(np.einsum("nij,ig->njg", vectors.conj(), _steering(length))) ** 2
        return np.asarray(1 / np.maximum((projected * noisy[..., None]).sum(1), 1e-9))


AnyAngle = Annotated[FftAngle | Capon | Music, Field(discriminator="type")]


@dataclass(frozen=True, eq=False)
class Directions:
    """An estimator on an array at a wavelength."""

    array: VirtualArray
    wavelength_m: float
    estimator: AngleEstimator

    @cached_property
    def row(self) -> Row:
        """The elements that tell azimuths."""
        return Row.longest(self.array)

    @cached_property
    def _other(self) -> tuple[float, NDArray[np.intp]]:
        """The height and channels of the elements that tell elevations: the nearest other height; none: an empty list."""
        z = self.array.places_m[:, 1] - self.row.height_m
        apart = np.abs(z)
        if not (apart > 1e-7).any():
            return 0.0, np.zeros(0, np.intp)
        height = z[apart > 1e-7][np.argmin(apart[apart > 1e-7])]
        return float(height), np.flatnonzero(np.abs(z - height) < 1e-7)

    def find(self, snapshots: Complex, noise: float) -> tuple[NDArray[np.intp], Floats, Floats]:
        """Return rows, azimuths and elevations [M] of what sounds in snapshots [N, K, channels]."""
        chosen = snapshots[..., self.row.channels]
        if len(self.row.channels) < 2:
            rows, u = np.arange(len(snapshots)), np.zeros(len(snapshots))
        else:
            rows, place = self.estimator.peaks(chosen, noise)
            turns = (place - GRID // 2) / GRID
            u = -turns * self.wavelength_m / self.row.spacing_m
        elevation = self._elevation(snapshots[rows, 0], u)
        return rows, np.arcsin(np.clip(u / np.maximum(np.cos(elevation), 0.1), -1, 1)), elevation

    def _elevation(self, snapshot: Complex, u: Floats) -> Floats:
        """Return asin of the phase between the rows, each turned to the direction u."""
        height, others = self._other
        if not len(others):
            return np.zeros(len(u))
        y = self.array.places_m[:, 0]
        turned = snapshot * np.exp(2j * np.pi * u[:, None] * y[None] / self.wavelength_m)
        between = turned[:, others].sum(1) * turned[:, self.row.channels].sum(1).conj()
        return np.asarray(np.arcsin(np.clip(-np.angle(between) * self.wavelength_m / (2 * np.pi * height), -1, 1)))
