"""What a filter believes: means and covariances of a batch of states at their times."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sensorium.core.errors import ConfigurationError

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Gaussian:
    """A batch of B normal distributions over states of n numbers, each at a time of its own.

    A state holds axis by axis what the motion model knows of it: (x vx ax y vy ay z vz az), or (x vx y vy z vz).
    """

    time_ns: Integers
    """[B]."""
    mean: Floats
    """[B, n]."""
    covariance: Floats
    """[B, n, n]."""

    @classmethod
    def of(cls, time_ns: ArrayLike, mean: ArrayLike, covariance: ArrayLike) -> Gaussian:
        """Return a checked batch; a mean [n] makes a batch of one, times and covariances are repeated as needed."""
        means = np.atleast_2d(np.asarray(mean, np.float64))
        count, size = means.shape
        if size not in (6, 9):
            raise ConfigurationError(f"a state has 6 or 9 numbers (2 or 3 on each axis), found a mean of {size}")
        try:
            times = np.broadcast_to(np.asarray(time_ns, np.int64), (count,)).copy()
            covariances = np.broadcast_to(np.asarray(covariance, np.float64), (count, size, size)).copy()
        except ValueError:
            raise ConfigurationError(
                f"{count} means of {size} numbers need times [{count}] and covariances [{count}, {size}, {size}], "
                f"found {np.shape(time_ns)} and {np.shape(covariance)}"
            ) from None
        if not (np.isfinite(means).all() and np.isfinite(covariances).all()):
            raise ConfigurationError("mean and covariance must be finite; found NaN or infinity")
        return cls(times, means.copy(), covariances)

    def __len__(self) -> int:
        return len(self.mean)

    def __getitem__(self, rows: NDArray[np.intp] | NDArray[np.bool_] | slice) -> Gaussian:
        """Return some rows of the batch."""
        return Gaussian(self.time_ns[rows], self.mean[rows], self.covariance[rows])

    @property
    def order(self) -> int:
        """Numbers on each axis: 2 (place, speed) or 3 (and acceleration)."""
        return int(self.mean.shape[-1]) // 3

    @property
    def position_m(self) -> Floats:
        """[B, 3]."""
        return self.mean[..., :: self.order]

    @property
    def velocity_m_s(self) -> Floats:
        """[B, 3]."""
        return self.mean[..., 1 :: self.order]

    @property
    def position_covariance_m2(self) -> Floats:
        """[B, 3, 3]."""
        return self.covariance[..., :: self.order, :: self.order]

    @property
    def velocity_covariance_m2_s2(self) -> Floats:
        """[B, 3, 3]."""
        return self.covariance[..., 1 :: self.order, 1 :: self.order]

    def joined(self, other: Gaussian) -> Gaussian:
        """Return the rows of both batches, these first."""
        return Gaussian(
            np.concatenate((self.time_ns, other.time_ns)),
            np.concatenate((self.mean, other.mean)),
            np.concatenate((self.covariance, other.covariance)),
        )


@dataclass(frozen=True, eq=False)
class History:
    """What a filter believed after some steps of a sequence."""

    mean: Floats
    """[B, K, n] after the steps that were kept."""
    covariance: Floats
    """[B, K, n, n]."""
    nis: Floats
    """[B, T] normalised innovation squared of every step; NaN where nothing was measured."""
    probability: Floats | None = None
    """[B, K, M] of each model, from filters that have several."""
