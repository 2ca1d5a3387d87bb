"""Tracking loops: noise of code, phase and Doppler from C/N0, lock and its loss, cycle slips.

With n = C/N0 as a ratio per second, T the integration time, B loop bandwidths (Kaplan and Hegarty, Understanding GPS,
2nd ed., 5.6): code sigma = chip sqrt(B d / (2 n) (1 + 2 / ((2 - d) T n))); phase sigma = lambda / 2 pi sqrt(B / n
(1 + 1 / (2 T n))); frequency sigma = lambda / (2 pi T) sqrt(4 B / n (1 + 1 / (T n))). Noise is correlated over exp(-4 B t).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.random import Draws
from sensorium.core.units import NonNegativeSeconds, Number, PositiveHertz, PositiveNumber, PositiveSeconds
from sensorium.sensors.gnss.channels import Channels

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class LoopState:
    """What the loops of C channels remember; arrays [C]."""

    locked: Flags
    lock_s: Floats
    """How long the phase has been tracked without a slip."""
    waited_s: Floats
    """How long a signal that is not tracked has been strong enough."""
    cycles: Floats
    """Whole cycles by which the phase is ambiguous; NaN where not yet set."""
    code_noise: Floats
    """In units of its standard deviation."""
    phase_noise: Floats
    code_error_m: Floats
    """Of several paths, as far as the loop has followed it."""

    @classmethod
    def idle(cls, count: int) -> LoopState:
        """Return the state of channels that have tracked nothing yet."""
        zero, none = np.zeros(count), np.full(count, np.nan)
        return cls(np.zeros(count, bool), zero, zero, none, none, none, none)


@dataclass(frozen=True, eq=False)
class LoopNoise:
    """Of C channels: standard deviations, and the errors of this epoch."""

    code_sigma_m: Floats
    phase_sigma_m: Floats
    rate_sigma_m_s: Floats
    code_m: Floats
    phase_m: Floats
    rate_m_s: Floats
    slipped: Flags


@dataclass(frozen=True, eq=False)
class Chance:
    """The draws of C channels: normal numbers for code, phase and rate, uniform ones for slips and their side."""

    code: Floats
    phase: Floats
    rate: Floats
    slip: Floats
    side: Floats

    @classmethod
    def of(cls, draws: Draws, count: int, chosen: NDArray[np.int64]) -> Chance:
        """Return the draws of some of all channels: element k belongs to channel k, whichever others are chosen."""
        normal = (draws.normal(stream, count)[chosen] for stream in ("code", "phase", "rate"))
        uniform = (draws.uniform(stream, count)[chosen] for stream in ("slip", "slip side"))
        return cls(*normal, *uniform)


@configured
class Loops:
    """Bandwidths and thresholds of the tracking loops."""

    code_bandwidth_hz: PositiveHertz = 0.5
    """Of the delay lock loop, aided by the carrier."""
    phase_bandwidth_hz: PositiveHertz = 15.0
    frequency_bandwidth_hz: PositiveHertz = 2.0
    integration_s: PositiveSeconds = 0.02
    spacing_chips: Annotated[PositiveNumber, Field(le=1)] = 0.1
    """Between early and late, in the upper band; a whole chip in the lower one, whose chips are ten times shorter."""
    acquire_db_hz: Number = 30.0
    """From this C/N0 on a signal is acquired."""
    lose_db_hz: Number = 25.0
    """Below it tracking is lost."""
    reacquire_s: NonNegativeSeconds = 1.0
    """How long a signal must be strong enough before it is tracked again."""
    oscillator_phase_rad: Annotated[Number, Field(ge=0)] = 0.03
    """Jitter of the carrier loop that does not come from the signal: oscillator and vibration."""

    def locks(self, state: LoopState, cn0_db_hz: Floats, step_s: float, first: bool) -> tuple[Flags, Floats]:
        """Return which channels are locked now, and how long the others have waited."""
        strong = cn0_db_hz >= self.acquire_db_hz
        kept = state.locked & (cn0_db_hz >= self.lose_db_hz)
        waited = np.where(strong & ~kept, state.waited_s + step_s, 0.0)
        gained = strong & ~kept & (first | (waited >= self.reacquire_s))
        return kept | gained, np.where(gained, 0.0, waited)

    def noise(
        self, state: LoopState, locked: Flags, channels: Channels, cn0_db_hz: Floats, step_s: float, chance: Chance
    ) -> LoopNoise:
        """Return the noise of this epoch, correlated with that of the last one where tracking has gone on."""
        n = 10 ** (np.clip(cn0_db_hz, 0, 60) / 10)
        t, d = self.integration_s, np.where(channels.band == 0, self.spacing_chips, 1.0)
        chip = channels.wavelength_m * channels.frequency_hz / channels.chip_rate_hz
        code = chip * np.sqrt(self.code_bandwidth_hz * d / (2 * n) * (1 + 2 / ((2 - d) * t * n)))
        angle = np.sqrt(self.phase_bandwidth_hz / n * (1 + 1 / (2 * t * n)) + self.oscillator_phase_rad**2)
        rate = (
            channels.wavelength_m / (2 * np.pi * t) * np.sqrt(4 * self.frequency_bandwidth_hz / n * (1 + 1 / (t * n)))
        )
        code_unit = _wandered(state.code_noise, self.code_bandwidth_hz, step_s, chance.code)
        phase_unit = _wandered(state.phase_noise, self.phase_bandwidth_hz, step_s, chance.phase)
        phase = channels.wavelength_m / (2 * np.pi) * angle
        slipped = locked & state.locked & (chance.slip < self.slip_probability(angle, step_s))
        return LoopNoise(code, phase, rate, code * code_unit, phase * phase_unit, rate * chance.rate, slipped)

    def slip_probability(self, sigma_rad: Floats, step_s: float) -> Floats:
        """Return the probability of a cycle slip within a step.

        The mean time between slips of a first-order loop is pi^2 r I_0(r)^2 / (2 B), r = 1 / sigma^2 (Viterbi 1966).
        """
        from scipy.special import i0e

        r = 1 / np.maximum(sigma_rad, 1e-3) ** 2
        log_time = np.log(np.pi**2 * r / (2 * self.phase_bandwidth_hz)) + 2 * (np.log(i0e(r)) + r)
        return np.asarray(-np.expm1(-step_s * np.exp(-np.minimum(log_time, 700.0))))

    def followed(self, state: LoopState, error_m: Floats, step_s: float) -> Floats:
        """Return the code error of several paths after the loop's low-pass; at once where it starts anew."""
        share = -np.expm1(-4 * self.code_bandwidth_hz * step_s)
        known = state.locked & np.isfinite(state.code_error_m)
        return np.where(known, state.code_error_m + share * (error_m - state.code_error_m), error_m)


def _wandered(before: Floats, bandwidth_hz: float, step_s: float, fresh: Floats) -> Floats:
    kept = np.exp(-4 * bandwidth_hz * step_s)
    return np.where(np.isfinite(before), kept * before + np.sqrt(1 - kept**2) * fresh, fresh)
