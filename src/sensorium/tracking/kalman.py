"""Kalman filter for linear measurements, and what its nonlinear variants share with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.errors import ConfigurationError
from sensorium.tracking.batches import in_threads
from sensorium.tracking.gaussian import Floats, Gaussian, History
from sensorium.tracking.measurement_models import MODELS
from sensorium.tracking.measurements import Measurements
from sensorium.tracking.motion_models import AnyMotionModel, WienerAcceleration


class GaussianFilter:
    """A filter whose state is a batch of normal distributions; subclasses say how a measurement is made linear."""

    motion: AnyMotionModel
    linear_only: ClassVar[bool] = False

    @property
    def spread(self) -> float:
        """Spread of the sigma points; 0: linear at the mean."""
        return 0.0

    def init(self, time_ns: ArrayLike, mean: ArrayLike, covariance: ArrayLike) -> Gaussian:
        """Return the state before the first measurement; see `Gaussian.of`."""
        state = Gaussian.of(time_ns, mean, covariance)
        if state.order != self.motion.order:
            wanted = 3 * self.motion.order
            raise ConfigurationError(
                f"{type(self.motion).__name__} has states of {wanted} numbers, found {state.mean.shape[1]}"
            )
        return state

    def step(self, state: Gaussian, measurements: Measurements) -> Gaussian:
        """Return the state after the measurements [B, T] of the same targets."""
        return self._run(state, measurements, np.empty(0, np.int64), 1)[0]

    def run(
        self, state: Gaussian, measurements: Measurements, keep: Sequence[int] | None = None, threads: int | None = None
    ) -> tuple[Gaussian, History]:
        """Return the state after the measurements, and the beliefs after the steps to keep (default: all)."""
        rows = np.arange(measurements.steps) if keep is None else np.asarray(keep, np.int64)
        return self._run(state, measurements, rows, threads)

    def predicted(self, state: Gaussian, time_ns: ArrayLike) -> Gaussian:
        """Return the state at later times [B] if nothing is measured."""
        from sensorium.tracking.sequence_kernels import predict_all

        times = np.broadcast_to(np.asarray(time_ns, np.int64), (len(state),)).copy()
        new = Gaussian(state.time_ns.copy(), state.mean.copy(), state.covariance.copy())
        if not predict_all(self.motion.parameters(), state.order, new.time_ns, new.mean, new.covariance, times):
            raise ConfigurationError(_BACKWARDS)
        return new

    def distances(self, state: Gaussian, measurements: Measurements) -> tuple[Floats, Floats]:
        """Return the squared Mahalanobis distance and log det S [B, D] of states to D single measurements [D, 1]."""
        from sensorium.tracking.sequence_kernels import distances

        self._refuse_nonlinear(measurements)
        found = np.empty((2, len(state), len(measurements)))
        m = measurements
        distances(
            self.motion.parameters(), state.order, self.spread, state.time_ns, state.mean, state.covariance,
            np.ascontiguousarray(m.time_ns[:, 0]), np.ascontiguousarray(m.code[:, 0]),
            np.ascontiguousarray(m.value[:, 0]), np.ascontiguousarray(m.covariance[:, 0]),
            np.ascontiguousarray(m.origin_m[:, 0]), np.ascontiguousarray(m.velocity_m_s[:, 0]),
            np.ascontiguousarray(m.rotation[:, 0]), found[0], found[1],
        )  # fmt: skip
        return found[0], found[1]

    def _refuse_nonlinear(self, measurements: Measurements) -> None:
        if self.linear_only and not _all_linear(measurements.code):
            raise ConfigurationError(
                f"{type(self).__name__} takes linear measurements, found angles or speeds; use extended or unscented"
            )

    def _run(
        self, state: Gaussian, m: Measurements, keep: NDArray[np.int64], threads: int | None
    ) -> tuple[Gaussian, History]:
        from sensorium.tracking.sequence_kernels import run

        if len(m) != len(state):
            raise ConfigurationError(f"{len(state)} states need measurements of as many targets, found {len(m)}")
        self._refuse_nonlinear(m)
        count, size = state.mean.shape
        new = Gaussian(state.time_ns.copy(), state.mean.copy(), state.covariance.copy())
        kept = np.full(m.steps, -1, np.int64)
        kept[keep] = np.arange(len(keep))
        history = History(
            np.empty((count, len(keep), size)), np.empty((count, len(keep), size, size)), np.empty((count, m.steps))
        )
        parameters, order, spread = self.motion.parameters(), state.order, self.spread

        def work(start: int, stop: int) -> bool:
            return bool(
                run(start, stop, parameters, order, spread, new.time_ns, new.mean, new.covariance, m.time_ns, m.code,
                    m.value, m.covariance, m.valid, m.origin_m, m.velocity_m_s, m.rotation, kept, history.mean,
                    history.covariance, history.nis)
            )  # fmt: skip

        if not in_threads(work, count, m.steps, threads):
            raise ConfigurationError(_BACKWARDS)
        return new, history


_BACKWARDS = "a measurement is older than the state that it should update; sort measurements by time_ns"
_LINEAR = np.array([model.linear for model in MODELS])


def _all_linear(codes: NDArray[np.int64]) -> bool:
    return bool(_LINEAR[codes].all())


@configured
class Kalman(GaussianFilter):
    """The Kalman filter: optimal for linear motion, linear measurements and normal noise."""

    type: Literal["kalman"] = "kalman"
    motion: AnyMotionModel = Field(default_factory=WienerAcceleration)
    linear_only: ClassVar[bool] = True
