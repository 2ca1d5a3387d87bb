"""A waveform setting brought together with the other figures of its LiDAR: clock, tables and rules, ready for the kernels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sensorium.core.random import Draws
from sensorium.samples.waveforms import Waveforms
from sensorium.sensors.lidar.cloud import Detected
from sensorium.sensors.lidar.echoes import FirstEchoes, LaterEchoes
from sensorium.sensors.lidar.peak_detection import Everywhere
from sensorium.sensors.lidar.pulses import FAINT
from sensorium.sensors.lidar.receiver import Air, Other, Receiver, Rules
from sensorium.sensors.lidar.waveform import Waveform

Floats = NDArray[np.float64]

_PHASES = 128
"""Places between two samples at which the pulse is tabulated. The line between them errs by max |h''| / 8 / 128^2 at most: 4e-5 of
the peak for a Gaussian one sample wide."""
_SLICES = 16
"""Slices of the air of one sample, each of which sends back a pulse of its own."""


class Clock(NamedTuple):
    """Sample n of a record belongs to the range (n + first) / per_metre."""

    samples: int
    first: int
    per_metre: float


class PulseTable(NamedTuple):
    """Row j is the pulse of an echo j / K after a sample, whose column is `lead`."""

    table: Floats
    lead: int


class LitAir(NamedTuple):
    """Backscatter of the air: of all cells in each sample [S], of each cell alone [S + 2 T], and how rays share it.

    A cell is the air of one sample. Near surfaces it counts as evenly lit, and its echo is the pulse averaged over it.
    """

    light: Floats
    cells: Floats
    taps: Floats
    lead: int
    weights: Floats
    stop: int
    """Nothing is left from this sample on."""


class Digits(NamedTuple):
    """Step (0: none) and limits of what the digitiser writes."""

    step_w: float
    lowest_w: float
    highest_w: float


class Gates(NamedTuple):
    """Where echoes are looked for, in samples: between `first` and `last`; where the air is loud; round echoes.

    An echo has fallen to 10^(-1 - i / 2) of its peak `before[i]` samples before it and `after[i]` samples behind it.
    """

    everywhere: bool
    first: int
    last: int
    before: NDArray[np.int64]
    after: NDArray[np.int64]
    loud: int
    margin: int


class Finder(NamedTuple):
    """How peaks are found and their times read; see `peak_kernels`."""

    kind: int
    parameter: float
    threshold_sigmas: float
    swing_sigmas: float
    template: Floats
    lead: int
    noise: float
    """Noise behind the filter in front of the threshold over that of the samples."""
    before: int
    origin: float
    unbias: Floats
    crest: Floats
    """What is left at the highest sample of an echo that lies -1 .. 1 samples beside it."""
    lag: Floats
    """Time from edge to peak by the width of a pulse whose top is cut off."""
    lag_step: float
    ceiling_w: float


@dataclass(frozen=True, eq=False)
class Acquisition:
    """The sampled receiver of one LiDAR."""

    waveform: Waveform
    rules: Rules
    clock: Clock
    pulse: PulseTable
    slices: Floats
    """The pulse of an echo from each slice of a sample [C, T]."""
    reach: NDArray[np.int64]
    """`before` and `after` of the gates [2, 9]."""
    digits: Digits
    finder: Finder
    margin: int
    weights: Floats
    """Share of each ray of the bundle [R]."""
    dark_noise_w: float

    @classmethod
    def of(cls, waveform: Waveform, receiver: Receiver, rules: Rules, weights: Floats) -> Acquisition:
        """Make all tables."""
        pulse, margin = _pulse_table(waveform), waveform.margin
        kind, parameter = waveform.detection.figures(waveform.pulse.fwhm_s * waveform.sample_rate_hz)
        clock = _clock(waveform, rules, 2 * margin)
        digits = _digits(waveform, receiver)
        sigmas = waveform.threshold_sigmas(receiver, rules.farthest - rules.nearest)
        finder = _finder(waveform, pulse, kind, parameter, sigmas, digits.highest_w)
        slices, reach = _slices(waveform, pulse), _reach(pulse, finder.template)
        return cls(waveform, rules, clock, pulse, slices, reach, digits, finder, margin, weights, receiver.noise_w)

    def detect(
        self,
        first: FirstEchoes,
        later: LaterEchoes,
        noise_w: Floats,
        air: Air,
        cell_m: float,
        other: Other,
        draws: Draws,
    ) -> tuple[Detected, Waveforms | None]:
        """Return what is reported of all beams, and the records that are kept; the air's power belongs to cells of `cell_m`."""
        from sensorium.sensors.lidar import waveform_kernels as kernels

        beams, every = len(later.first) - 1, self.waveform.keep
        kept = np.empty((-(-beams // every) if every else 0, self.clock.samples), np.float32)
        detected = Detected(
            np.empty((beams, 2)), np.empty((beams, 2)), np.empty((beams, 2), np.int64), np.empty(beams, np.int8)
        )
        echoes = kernels.Echoes(
            len(self.weights), first.distance_m, first.power_w, later.first, later.distance_m, later.power_w, noise_w
        )
        keys = np.array([draws.key(stream) for stream in ("waveform", "air", "crosstalk", "clock")])
        slack_m = 3 * self.margin / self.clock.per_metre  # the record's two beyond the limits, and the reach of a pulse
        wide = self.rules._replace(nearest=self.rules.nearest - slack_m, farthest=self.rules.farthest + slack_m)
        lit = self._lit(air.extinction_1_m, air.power_at_1_m_w / cell_m)
        kernels.detect(
            echoes, self.rules, wide, self.clock, self.pulse, lit, air._replace(probability=0.0), other, self.digits,
            self._gates(lit), self.finder, keys, every,
            detected.range_m, detected.power_w, detected.source, detected.missing, kept,
        )  # fmt: skip
        return detected, self._records(kept, every) if every else None

    def _lit(self, extinction_1_m: float, backscatter_w_m: float) -> LitAir:
        """Return the air's backscatter, cell by cell and convolved with the pulse; `backscatter_w_m` is P eta A beta."""
        taps, lead = self.slices.mean(0), self.pulse.lead
        clock, length = self.clock, len(taps)
        steps = np.arange(-length * _SLICES, (clock.samples + length) * _SLICES)
        r = ((steps + 0.5) / _SLICES - 0.5 + clock.first) / clock.per_metre
        seen = np.flatnonzero((share := self.waveform.crossover.share(r)) > 0)
        fine = np.zeros(len(r))
        fine[seen] = share[seen] * np.exp(-2 * extinction_1_m * r[seen]) / r[seen] ** 2
        parts = backscatter_w_m / clock.per_metre / _SLICES * fine.reshape(-1, _SLICES).T
        whole = np.sum([np.convolve(part, pulse) for part, pulse in zip(parts, self.slices, strict=True)], axis=0)
        light, cells = whole[length + lead :][: clock.samples], parts.sum(0)
        heard = np.flatnonzero(light > 1e-3 * self.dark_noise_w)
        return LitAir(light, cells, taps, lead, self.weights, int(heard[-1]) + 1 if len(heard) else 0)

    def _gates(self, lit: LitAir) -> Gates:
        loud = np.flatnonzero(lit.light > self.dark_noise_w)
        first, last = 2 * self.margin - 2, self.clock.samples - 2 * self.margin + 2
        everywhere = isinstance(self.waveform.search, Everywhere)
        reach = self.reach
        return Gates(
            everywhere, first, last, reach[0], reach[1], min(last, int(loud[-1]) + 1) if len(loud) else 0, self.margin
        )

    def _records(self, kept: NDArray[np.float32], every: int) -> Waveforms:
        period_ns = 1e9 / self.waveform.sample_rate_hz
        beam, start_ns = np.arange(0, len(kept) * every, every, dtype=np.uint32), self.clock.first * period_ns
        digitiser = self.waveform.digitiser
        if digitiser is None:
            return Waveforms(beam=beam, start_ns=start_ns, period_ns=period_ns, counts=kept)
        counts = np.rint(kept / np.float32(digitiser.step_w) + np.float32(digitiser.zero_count)).astype(np.uint16)
        return Waveforms(beam=beam, start_ns=start_ns, period_ns=period_ns, counts=counts,
                         watts_per_count=digitiser.step_w, zero_count=digitiser.zero_count)  # fmt: skip


def _clock(waveform: Waveform, rules: Rules, margin: int) -> Clock:
    per_metre = waveform.samples_per_metre
    first = math.floor(rules.nearest * per_metre) - margin
    return Clock(math.ceil(rules.farthest * per_metre) + margin + 1 - first, first, per_metre)


def _pulse_table(waveform: Waveform) -> PulseTable:
    rate = waveform.sample_rate_hz
    before, after = waveform.pulse.reach_s(FAINT)
    lead, tail = int(before * rate) + 1, int(after * rate) + 2
    offset = np.arange(-lead, tail + 1) - np.arange(_PHASES + 1)[:, None] / _PHASES
    return PulseTable(waveform.pulse.shape(offset / rate), lead)


def _slices(waveform: Waveform, pulse: PulseTable) -> Floats:
    place = (np.arange(_SLICES) + 0.5) / _SLICES - 0.5
    sample = np.arange(pulse.table.shape[1]) - pulse.lead
    return waveform.pulse.shape((sample - place[:, None]) / waveform.sample_rate_hz)


def _reach(pulse: PulseTable, template: Floats) -> NDArray[np.int64]:
    """Return how many samples before and behind its peak the detector sees an echo fall to each share of the peak [2, 9]."""
    seen, lead = pulse.table[:: _PHASES // 8], pulse.lead
    if len(template):
        seen, lead = np.array([np.correlate(row, template, "full") for row in seen]), len(template) - 1
    above = [np.flatnonzero(seen.max(0) > share) - lead for share in 10.0 ** np.arange(-1, -5.1, -0.5)]
    return np.array([[1 - places[0] for places in above], [places[-1] + 1 for places in above]])


def _digits(waveform: Waveform, receiver: Receiver) -> Digits:
    """Return step and limits; the receiver's saturation cuts before the digitiser does."""
    saturation = math.inf if receiver.saturation_w is None else receiver.saturation_w
    digitiser = waveform.digitiser
    if digitiser is None:
        return Digits(0.0, -math.inf, saturation)
    step = digitiser.step_w
    top = 2**digitiser.bits - 1 - digitiser.zero_count
    highest = top * step if saturation > top * step else round(saturation / step) * step
    return Digits(step, -digitiser.zero_count * step, highest)


def _finder(
    waveform: Waveform, pulse: PulseTable, kind: int, parameter: float, sigmas: float, ceiling_w: float
) -> Finder:
    """Return the finder with the tables that take off the bias of its time marks, measured on clean pulses."""
    from sensorium.sensors.lidar import peak_kernels

    taps, rate = pulse.table[0], waveform.sample_rate_hz
    template = waveform.detection.template(taps)
    noise = float(np.sqrt(template @ template)) if len(template) else 1.0
    before = int(waveform.pulse.reach_s(0.05)[0] * rate) + 2
    lag, lag_step = _lags(waveform)
    finder = Finder(
        kind, parameter, sigmas, waveform.detection.hysteresis_sigmas, template, pulse.lead, noise, before, 0.0, np.zeros(2),
        _crest(waveform, pulse, template), lag, lag_step, ceiling_w,
    )  # fmt: skip
    marks = peak_kernels.time_marks(pulse.table, pulse.lead, finder)
    place, phase = np.maximum.accumulate(marks - marks[0]), np.arange(_PHASES + 1) / _PHASES
    unbias = np.interp(np.arange(_PHASES + 1) / _PHASES, place, phase)
    return finder._replace(origin=float(marks[0]), unbias=unbias)


def _crest(waveform: Waveform, pulse: PulseTable, template: Floats) -> Floats:
    """Return the value at a sample whose echo lies -1 .. 1 samples beside it, as a share of the echo's power."""
    beside = np.linspace(-1, 1, 2 * _PHASES + 1)
    if not len(template):
        return np.maximum(waveform.pulse.shape(-beside / waveform.sample_rate_hz), 0.25)
    times = np.arange(len(template)) - pulse.lead - beside[:, None]
    return np.asarray(waveform.pulse.shape(times / waveform.sample_rate_hz) @ template)


def _lags(waveform: Waveform) -> tuple[Floats, float]:
    """Return the time from the leading edge to the peak, in samples, by the width of the pulse at some level."""
    reach = np.array([waveform.pulse.reach_s(share) for share in np.geomspace(0.9, 1e-5, 60)]) * waveform.sample_rate_hz
    width = np.concatenate(([0.0], reach.sum(1)))
    grid = np.linspace(0.0, width[-1], 512)
    return np.interp(grid, width, np.concatenate(([0.0], reach[:, 0]))), float(grid[1])
