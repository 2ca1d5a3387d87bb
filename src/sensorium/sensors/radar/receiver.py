"""The front end of a radar: power, noise, and what disturbs it."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.units import (
    Hertz,
    Kelvin,
    NonNegativeNumber,
    Number,
    PositiveHertz,
    PositiveMetres,
    PositiveSeconds,
    Radians,
    Watts,
)

BOLTZMANN_J_K = 1.380649e-23
Floats = NDArray[np.float64]


@configured
class PhaseNoise:
    """Noise of the oscillator's phase: L(f) = level (offset / f)^2 + floor, single sideband.

    The echo is mixed with the oscillator that made it, so that near echoes lose most of it:
    S(f) = 2 L(f) 4 sin^2(pi f tau) (M. Budge, M. Burt, "Range correlation effects in radars", IEEE National Radar Conf. 1993).
    """

    level_dbc_hz: Annotated[Number, Field(lt=0)]
    offset_hz: PositiveHertz = 1e6
    floor_dbc_hz: Annotated[Number, Field(lt=0)] = -160.0

    def density_1_hz(self, frequency_hz: Floats) -> Floats:
        """Return L(f) [1/Hz]; at zero frequency that of the lowest other one."""
        lowest = np.abs(frequency_hz)[np.abs(frequency_hz) > 0].min()
        f = np.maximum(np.abs(frequency_hz), lowest)
        return np.asarray(10 ** (self.level_dbc_hz / 10) * (self.offset_hz / f) ** 2 + 10 ** (self.floor_dbc_hz / 10))


@configured
class Leakage:
    """What the receivers hear of the transmitters directly, through the circuit and the cover."""

    isolation_db: NonNegativeNumber
    range_m: PositiveMetres = 0.05
    """Half of the detour."""


@configured
class Interferer:
    """A second chirp radar that looks this way; its chirps are not synchronised with ours."""

    range_m: PositiveMetres
    azimuth_rad: Radians = 0.0
    power_w: Annotated[Watts, Field(gt=0)] = 0.016
    gain_db: Number = 10.0
    start_hz: PositiveHertz
    bandwidth_hz: PositiveHertz
    ramp_s: PositiveSeconds
    period_s: PositiveSeconds
    """From the start of one of its chirps to the next."""


@configured
class Receiver:
    """Power of the transmitter and noise of the receivers."""

    power_w: Annotated[Watts, Field(gt=0)]
    """Of one transmitter, at its antenna."""
    noise_figure_db: NonNegativeNumber
    temperature_k: Annotated[Kelvin, Field(gt=0)] = 290.0
    """Reference temperature of the noise figure."""
    losses_db: NonNegativeNumber = 0.0
    """Cover, circuits and all that is not said elsewhere, out and back."""
    corner: Annotated[float, Field(gt=0, le=1)] = 0.9
    """Where the anti-alias filter starts to take, as a part of the sample rate."""
    order: Annotated[int, Field(ge=1, le=20)] = 8
    """Of that filter, a Butterworth low pass."""
    high_pass_hz: Annotated[Hertz, Field(ge=0)] = 0.0
    """Beats below this are held back, by a Butterworth high pass of second order: leakage and the nearest echoes."""
    phase_noise: PhaseNoise | None = None
    leakage: Leakage | None = None
    interferer: Interferer | None = None

    def noise_w(self, bandwidth_hz: float) -> float:
        """Return k T B F, the noise of one receiver referred to its antenna."""
        return BOLTZMANN_J_K * self.temperature_k * bandwidth_hz * float(10 ** (self.noise_figure_db / 10))

    def filter_gain(self, beat_hz: Floats, sample_rate_hz: float) -> Floats:
        """Return the power gain of both filters at beats [N]: what is faster than the samples folds back, weakened."""
        over = np.abs(beat_hz) / (self.corner * sample_rate_hz)
        below = (self.high_pass_hz / np.maximum(np.abs(beat_hz), 1.0)) ** 4
        return np.asarray(1 / ((1 + over ** (2 * self.order)) * (1 + below)))
