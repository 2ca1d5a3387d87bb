"""Raw measurements: pseudorange, carrier phase and Doppler shift of every channel that is locked.

P = rho + c (dt_r - dt_s) + T + I + errors + noise; the carrier phase has -I, its own errors, and whole cycles; the Doppler shift
is -(rho' + c (dt_r' - dt_s')) / lambda. rho, clocks and air are those of the true sky.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sensorium.core.earth import SPEED_OF_LIGHT_M_S
from sensorium.core.random import Draws
from sensorium.samples.gnss import GnssMeasurements
from sensorium.sensors.gnss.channels import Channels, channels_of
from sensorium.sensors.gnss.clock import ClockState
from sensorium.sensors.gnss.correlator import track
from sensorium.sensors.gnss.reception import Reception
from sensorium.sensors.gnss.signals import L1_HZ
from sensorium.sensors.gnss.strength import strength
from sensorium.sensors.gnss.tracking import Chance, LoopState

if TYPE_CHECKING:
    from sensorium.sensors.gnss.gnss import Gnss

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Measured:
    """What the channels of one epoch tell, and what is true of it."""

    raw: GnssMeasurements
    row: Ints
    """[M] of the satellite among those above the horizon."""
    code_error_m: Floats
    """[M] of several paths."""
    phase_error_m: Floats
    loops: LoopState
    """Of all channels of the orbits."""
    strongest_db_hz: Floats
    """[K] C/N0 of the strongest locked signal of each satellite above the horizon; 0: none."""


def measure(
    gnss: Gnss,
    reception: Reception,
    loops: LoopState | None,
    clock: ClockState,
    step_s: float,
    first: bool,
    draws: Draws,
) -> Measured:
    """Return the measurements of one epoch and the loops after it."""
    orbits = reception.orbits
    everything = channels_of(orbits, gnss.signals)
    before = loops if loops is not None and len(loops.locked) == len(everything) else LoopState.idle(len(everything))
    row_of = np.full(len(orbits.names), -1)
    row_of[reception.number] = np.arange(len(reception.number))
    above = np.flatnonzero(row_of[everything.number] >= 0)
    channels, rows = everything.rows(above), row_of[everything.number[above]]
    tracked = track(reception.paths, rows, channels, gnss.loops.spacing_chips, gnss.bandwidth_hz)
    strong = strength(reception, channels, rows, tracked, gnss.noise_figure_db, gnss.loss_db)
    part = LoopState(**{name: getattr(before, name)[above] for name in vars(before)})
    locked, waited = gnss.loops.locks(part, strong.cn0_db_hz, step_s, first)
    chance = Chance.of(draws, len(everything), above)
    noise = gnss.loops.noise(part, locked, channels, strong.cn0_db_hz, step_s, chance)
    ideal_m, iono_m, advance_m, rate = _true_ranges(gnss, reception, channels, rows, clock, strong.spoofed, draws)
    several = np.where(strong.spoofed, 0.0, tracked.code_m)
    code_error = gnss.loops.followed(part, several, step_s)
    phase_error = np.where(strong.spoofed, 0.0, tracked.phase_m)
    rate = rate + np.where(strong.spoofed, 0.0, tracked.rate_m_s)
    wavelength = channels.wavelength_m
    code = ideal_m + iono_m + code_error + noise.code_m
    phase = (ideal_m - advance_m + phase_error + noise.phase_m) / wavelength
    started = locked & ~(part.locked & np.isfinite(part.cycles))
    slip = np.where(chance.side < 0.5, -1.0, 1.0) * noise.slipped
    cycles = np.where(started, np.rint(code / wavelength - phase), part.cycles + slip)
    broken = started | noise.slipped
    after = LoopState(
        locked, np.where(locked & ~broken, part.lock_s + step_s, 0.0), waited, np.where(locked, cycles, np.nan),
        noise.code_m / noise.code_sigma_m, noise.phase_m / noise.phase_sigma_m, np.where(locked, code_error, np.nan),
    )  # fmt: skip
    told = np.flatnonzero(locked)
    raw = GnssMeasurements(
        gps_ns=reception.gps_ns + round(clock.bias_s * 1e9), names=tuple(channels.names[k] for k in told),
        codes=tuple(channels.signals[k].code for k in told), frequency_hz=channels.frequency_hz[told],
        pseudorange_m=code[told], carrier_cycles=(phase + cycles)[told], doppler_hz=(-(rate + noise.rate_m_s) / wavelength)[told],
        cn0_db_hz=strong.cn0_db_hz[told], lock_s=after.lock_s[told], slipped=(broken & ~(started & first))[told],
        pseudorange_sigma_m=noise.code_sigma_m[told], carrier_sigma_cycles=(noise.phase_sigma_m / wavelength)[told],
        doppler_sigma_hz=(noise.rate_sigma_m_s / wavelength)[told],
        glonass_channel=channels.glonass_channel[told].astype(np.int8),
    )  # fmt: skip
    strongest = np.zeros(len(reception.number))
    np.maximum.at(strongest, rows[told], strong.cn0_db_hz[told])
    return Measured(raw, rows[told], code_error[told], phase_error[told], _merged(everything, above, after), strongest)


def _true_ranges(
    gnss: Gnss, reception: Reception, channels: Channels, rows: Ints, clock: ClockState, spoofed: NDArray[np.bool_],
    draws: Draws,
) -> tuple[Floats, Floats, Floats, Floats]:  # fmt: skip
    """Return [C]: ranges with clocks and troposphere, the ionosphere's delay of code and its advance of phase, range rates."""
    seen, number, air = reception.sight, channels.number, reception.air
    scale = (L1_HZ / channels.frequency_hz) ** 2
    known = reception.orbits.names
    names = [known[k] for k in reception.number]
    error_m, iono_error_m = gnss.sky_errors.of(
        names, reception.elevation_rad, air.ionosphere_l1_m, reception.gps_ns, draws
    )
    range_m, rate = seen.range_m[number], seen.range_rate_m_s[number]
    if reception.false is not None:
        range_m = np.where(spoofed, reception.false.range_m[number], range_m)
        rate = np.where(spoofed, reception.false.range_rate_m_s[number], rate)
    satellite_s = seen.states.clock_s[number] - scale * seen.states.group_delay_s[number]
    range_m = range_m + SPEED_OF_LIGHT_M_S * (clock.bias_s - satellite_s) + air.troposphere_m[rows] + error_m[rows]
    iono_m, second_m = scale * (air.ionosphere_l1_m + iono_error_m)[rows], air.second_order_m[rows, channels.band]
    rate = rate + SPEED_OF_LIGHT_M_S * (clock.drift - seen.states.clock_drift[number])
    return range_m, iono_m + second_m, iono_m + second_m / 2, rate


def _merged(everything: Channels, above: Ints, part: LoopState) -> LoopState:
    """Return the state of all channels; those below the horizon are idle."""
    whole = LoopState.idle(len(everything))
    values = {}
    for name in vars(whole):
        column = getattr(whole, name).copy()
        column[above] = getattr(part, name)
        values[name] = column
    return LoopState(**values)
