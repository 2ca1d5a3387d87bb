"""Interacting multiple models: several filters that share what they know, for targets that change how they move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, Self

import numpy as np
from annotated_types import Ge, MinLen
from numpy.typing import ArrayLike, NDArray
from pydantic import model_validator

from sensorium.core.configuration import configured
from sensorium.core.errors import ConfigurationError, Problem
from sensorium.core.units import Number, PositiveSeconds
from sensorium.tracking.batches import in_threads
from sensorium.tracking.gaussian import Floats, Gaussian, History
from sensorium.tracking.measurements import Measurements
from sensorium.tracking.motion_models import AnyMotionModel


@dataclass(frozen=True, eq=False)
class Mixture:
    """What each of M models believes of a batch of targets, and how probable it is."""

    time_ns: NDArray[np.int64]
    """[B]."""
    mean: Floats
    """[B, M, n]."""
    covariance: Floats
    """[B, M, n, n]."""
    probability: Floats
    """[B, M]."""


@configured
class InteractingModels:
    """H. Blom, Y. Bar-Shalom, IEEE Trans. Automatic Control 33, 1988; a bounce is a manoeuvre.

    A model is kept for `dwell_s` on average, whatever the times between measurements: it stays over a step t with
    exp(-t / dwell), and else goes over to the other models in equal parts.
    """

    type: Literal["interacting_models"] = "interacting_models"
    models: Annotated[tuple[AnyMotionModel, ...], MinLen(2)]
    dwell_s: tuple[PositiveSeconds, ...]
    """Mean time in each model."""
    point_spread: Annotated[Number, Ge(0)] = 0.0
    """0: measurements are made linear at the mean; else by sigma points, see `UnscentedKalman`."""

    @model_validator(mode="after")
    def _models_fit_together(self) -> Self:
        if len(self.dwell_s) != len(self.models):
            what = f"needs one time for each of the {len(self.models)} models, found {len(self.dwell_s)}"
            raise ConfigurationError([Problem("dwell_s", what)])
        if len({model.order for model in self.models}) > 1:
            what = (
                "must have states of the same size; take flight instead of constant_velocity beside wiener_acceleration"
            )
            raise ConfigurationError([Problem("models", what)])
        return self

    @property
    def order(self) -> int:
        """Numbers on each axis."""
        return self.models[0].order

    def init(
        self, time_ns: ArrayLike, mean: ArrayLike, covariance: ArrayLike, probability: ArrayLike | None = None
    ) -> Mixture:
        """Return the state before the first measurement; all models start alike, with equal chances unless given."""
        state, count = Gaussian.of(time_ns, mean, covariance), len(self.models)
        if state.order != self.order:
            raise ConfigurationError(f"the models have states of {3 * self.order} numbers, found {state.mean.shape[1]}")
        chance = np.full(count, 1 / count) if probability is None else np.asarray(probability, np.float64)
        return Mixture(
            state.time_ns,
            np.repeat(state.mean[:, None], count, 1),
            np.repeat(state.covariance[:, None], count, 1),
            np.broadcast_to(chance, (len(state), count)).copy(),
        )

    def step(self, state: Mixture, measurements: Measurements) -> Mixture:
        """Return the state after the measurements [B, T] of the same targets."""
        return self._run(state, measurements, np.empty(0, np.int64), 1)[0]

    def run(
        self, state: Mixture, measurements: Measurements, keep: Sequence[int] | None = None, threads: int | None = None
    ) -> tuple[Mixture, History]:
        """Return the state after the measurements, and the beliefs after the steps to keep (default: all)."""
        rows = np.arange(measurements.steps) if keep is None else np.asarray(keep, np.int64)
        return self._run(state, measurements, rows, threads)

    def estimate(self, state: Mixture) -> Gaussian:
        """Return mean and covariance over all models."""
        weights = state.probability[..., None]
        mean = (weights * state.mean).sum(1)
        off = state.mean - mean[:, None]
        spread = state.covariance + off[..., :, None] * off[..., None, :]
        return Gaussian(state.time_ns, mean, (weights[..., None] * spread).sum(1))

    def _run(
        self, state: Mixture, m: Measurements, keep: NDArray[np.int64], threads: int | None
    ) -> tuple[Mixture, History]:
        from sensorium.tracking.imm_kernels import run

        count, models, size = state.mean.shape
        if len(m) != count:
            raise ConfigurationError(f"{count} states need measurements of as many targets, found {len(m)}")
        new = Mixture(state.time_ns.copy(), state.mean.copy(), state.covariance.copy(), state.probability.copy())
        kept, rows = np.full(m.steps, -1, np.int64), len(keep)
        kept[keep] = np.arange(rows)
        probability = np.empty((count, rows, models))
        history = History(
            np.empty((count, rows, size)), np.empty((count, rows, size, size)), np.empty((count, m.steps)), probability
        )
        parameters = np.array([model.parameters() for model in self.models])
        into = (1 - np.eye(models)) / (models - 1)
        dwell = np.array(self.dwell_s)

        def work(start: int, stop: int) -> bool:
            return bool(
                run(start, stop, parameters, self.order, self.point_spread, dwell, into, new.time_ns, new.mean,
                    new.covariance, new.probability, m.time_ns, m.code, m.value, m.covariance, m.valid, m.origin_m,
                    m.velocity_m_s, m.rotation, kept, history.mean, history.covariance, probability, history.nis)
            )  # fmt: skip

        if not in_threads(work, count, m.steps, threads):
            raise ConfigurationError("a measurement is older than the state that it should update; sort by time_ns")
        return new, history
