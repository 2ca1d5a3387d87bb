"""Bootstrap particle filter: a cloud of guesses that are moved, weighed and drawn again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge
from numpy.typing import ArrayLike, NDArray
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.errors import ConfigurationError
from sensorium.core.random import Draws
from sensorium.core.units import Fraction
from sensorium.tracking.batches import in_threads
from sensorium.tracking.gaussian import Floats, Gaussian, History
from sensorium.tracking.measurements import Measurements
from sensorium.tracking.motion_models import AnyMotionModel, WienerAcceleration


@dataclass(frozen=True, eq=False)
class Cloud:
    """Particles of a batch of targets."""

    time_ns: NDArray[np.int64]
    """[B]."""
    particles: Floats
    """[B, N, n]."""
    weights: Floats
    """[B, N], of sum 1."""
    keys: NDArray[np.uint64]
    """[B] address of the chance of each target."""
    step: int
    """How many steps were done."""


@configured
class BootstrapParticles:
    """N. Gordon, D. Salmond, A. Smith, IEE Proc. F 140, 1993, with systematic resampling (G. Kitagawa, 1996).

    Takes every measurement model and no linearisation, but wants the more particles the sharper the measurements are.
    """

    type: Literal["bootstrap_particles"] = "bootstrap_particles"
    motion: AnyMotionModel = Field(default_factory=WienerAcceleration)
    particles: Annotated[int, Ge(10)] = 2000
    resampling_share: Fraction = 0.5
    """Draws again when the effective number of particles falls below this part of all."""

    def init(
        self, time_ns: ArrayLike, mean: ArrayLike, covariance: ArrayLike, draws: Draws | Sequence[Draws] | None = None
    ) -> Cloud:
        """Return particles drawn from normal distributions; the draws are those of each target, or of all."""
        from sensorium.tracking.particle_kernels import scatter

        start = Gaussian.of(time_ns, mean, covariance)
        if start.order != self.motion.order:
            found = start.mean.shape[1]
            raise ConfigurationError(
                f"{type(self.motion).__name__} has states of {3 * self.motion.order} numbers, found {found}"
            )
        count = len(start)
        every = (
            draws if isinstance(draws, Sequence) else [(draws or Draws(0)).at("particles", row) for row in range(count)]
        )
        keys = np.array([one.key("particles") for one in every], np.uint64)
        particles = np.empty((count, self.particles, start.mean.shape[1]))
        for row in range(count):
            if not scatter(keys[row], start.mean[row], start.covariance[row], particles[row]):
                raise ConfigurationError(f"the covariance of target {row} is not positive definite")
        weights = np.full((count, self.particles), 1 / self.particles)
        return Cloud(start.time_ns, particles, weights, keys, 0)

    def step(self, state: Cloud, measurements: Measurements) -> Cloud:
        """Return the particles after the measurements [B, T] of the same targets."""
        return self._run(state, measurements, np.empty(0, np.int64), 1)[0]

    def run(
        self, state: Cloud, measurements: Measurements, keep: Sequence[int] | None = None, threads: int | None = None
    ) -> tuple[Cloud, History]:
        """Return the particles after the measurements, and their moments after the steps to keep (default: all)."""
        rows = np.arange(measurements.steps) if keep is None else np.asarray(keep, np.int64)
        return self._run(state, measurements, rows, threads)

    def estimate(self, state: Cloud) -> Gaussian:
        """Return mean and covariance of the particles."""
        from sensorium.tracking.particle_kernels import moments

        count, _, size = state.particles.shape
        mean, covariance = np.empty((count, size)), np.empty((count, size, size))
        for row in range(count):
            moments(state.particles[row], state.weights[row], mean[row], covariance[row])
        return Gaussian(state.time_ns, mean, covariance)

    def _run(
        self, state: Cloud, m: Measurements, keep: NDArray[np.int64], threads: int | None
    ) -> tuple[Cloud, History]:
        from sensorium.tracking.particle_kernels import run

        count, _, size = state.particles.shape
        if len(m) != count:
            raise ConfigurationError(f"{count} targets need measurements of as many, found {len(m)}")
        new = Cloud(
            state.time_ns.copy(), state.particles.copy(), state.weights.copy(), state.keys, state.step + m.steps
        )
        kept = np.full(m.steps, -1, np.int64)
        kept[keep] = np.arange(len(keep))
        mean, covariance = np.empty((count, len(keep), size)), np.empty((count, len(keep), size, size))
        parameters = self.motion.parameters()

        def work(start: int, stop: int) -> bool:
            return bool(
                run(start, stop, parameters, self.motion.order, self.resampling_share, state.keys, state.step, new.time_ns,
                    new.particles, new.weights, m.time_ns, m.code, m.value, m.covariance, m.valid, m.origin_m,
                    m.velocity_m_s, m.rotation, kept, mean, covariance)
            )  # fmt: skip

        if not in_threads(work, count, m.steps * self.particles, threads):
            raise ConfigurationError("a measurement is older than the state that it should update; sort by time_ns")
        return new, History(mean, covariance, np.full((count, m.steps), np.nan))
