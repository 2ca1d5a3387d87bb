"""The full-waveform mode: the receiver samples every beam and looks for echoes in the record.

The signal of a beam is y(t) = sum P_i h(t - 2 d_i / c) over all its echoes (rays of the bundle, mirrors and glass, another
LiDAR) with the pulse h, plus the backscatter of the air in front of the surfaces,

    P(r) = P_peak eta A beta (c / 2) xi(r) exp(-2 alpha r) / r^2, convolved with h,

beta being extinction over lidar ratio and xi the crossover (R. Rasshofer et al., Advances in Radio Science 9, 2011). Air behind the
first surface of a ray stays dark, also behind glass.

The input is AC-coupled: of steady background light its shot noise is left; that of the echoes themselves is left out, as in the
echo mode. Noise is white, sigma^2 = NEP^2 B (plus shot noise) per sample, whatever the sample rate f, since what lies beyond f / 2
folds back in full. Behind an ideal low-pass of bandwidth B neighbouring samples correlate by sin(x) / x with x = 2 pi B / f: not
at all at f = 2 B / n, by 0.22 at most in between, which is neglected. Rates above 2 B are refused.
"""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from sensorium.core.configuration import configured
from sensorium.core.units import Fraction, NonNegativeMetres, PositiveHertz, PositiveMetres, Watts
from sensorium.sensors.lidar.peak_detection import AnyDetection, AnySearch, Everywhere, NearEchoes, Threshold
from sensorium.sensors.lidar.pulses import FAINT, AnyPulse, GaussianPulse
from sensorium.sensors.lidar.receiver import SPEED_OF_LIGHT_M_S, Receiver

Floats = NDArray[np.float64]

LONGEST_RECORD = 1 << 20
"""Samples per beam that have an address for their noise."""


@configured
class Digitiser:
    """Rounds the received power to counts 0 .. 2^bits - 1 and clips what lies outside.

    A step is full scale over the number of steps; rounding adds step^2 / 12 to the variance of the noise. Keep the step below
    the noise: the threshold does not know of it.
    """

    bits: Annotated[int, Field(ge=1, le=16)] = 12
    full_scale_w: Annotated[Watts, Field(gt=0)] = 1e-4
    """Power from the lowest to the highest count."""
    below_zero: Annotated[Fraction, Field(le=0.5)] = 1 / 16
    """Share of the scale that lies below zero power, so that noise is not cut off."""

    @property
    def step_w(self) -> float:
        """Power of one count."""
        return float(self.full_scale_w / (2**self.bits - 1))

    @property
    def zero_count(self) -> int:
        """Count that stands for no power."""
        return int(round(self.below_zero * (2**self.bits - 1)))


@configured
class Crossover:
    """Where the receiver's field of view takes in the beam: xi rises from 0 to 1 between two ranges. It matters for near air
    alone: surfaces keep the power that the link gives them.

    The defaults are those of M. Hahner et al., ICCV 2021, after Rasshofer.
    """

    start_m: NonNegativeMetres = 0.9
    full_m: PositiveMetres = 1.0

    @model_validator(mode="after")
    def _in_order(self) -> Crossover:
        if self.start_m >= self.full_m:
            raise ValueError(f"start_m ({self.start_m} m) must be smaller than full_m ({self.full_m} m)")
        return self

    def share(self, range_m: Floats) -> Floats:
        """Return xi at these ranges."""
        return np.clip((range_m - self.start_m) / (self.full_m - self.start_m), 0.0, 1.0)


@configured
class Waveform:
    """Pulse, sampling and detection of a full-waveform receiver.

    It takes the place of the echo mode's merging (`range_separation_m`) and of its random returns from the air. Power, noise,
    `threshold_sigmas`, return modes, limits and the reading of the range are those of the echo mode; `range_noise_m` comes on
    top of what the noise of the samples does to the time. Beams may keep their records for the point cloud.
    """

    pulse: AnyPulse = Field(default_factory=GaussianPulse)
    sample_rate_hz: PositiveHertz = 1e9
    detection: AnyDetection = Field(default_factory=Threshold)
    search: AnySearch = Field(default_factory=NearEchoes)
    digitiser: Digitiser | None = None
    crossover: Crossover = Field(default_factory=Crossover)
    keep: Annotated[int, Field(ge=0)] = 0
    """Every `keep`-th beam leaves its record in the point cloud, four bytes per sample: 1 (or true) every beam, 0 none."""

    type: Literal["waveform"] = "waveform"

    @model_validator(mode="after")
    def _samples_cover_the_pulse(self) -> Waveform:
        samples = self.pulse.fwhm_s * self.sample_rate_hz
        if not 0.999 <= samples <= 1000:
            raise ValueError(
                f"the pulse is {samples:.3g} samples wide at half maximum ({self.pulse.fwhm_s:.3g} s at"
                f" {self.sample_rate_hz:g} Hz), but it must be 1 to 1000; choose another sample_rate_hz"
            )
        return self

    def refuse_beyond(self, receiver: Receiver, range_min_m: float, range_max_m: float) -> None:
        """ValueError if noise is not white at this sample rate, the record too long, or noise too quiet for the wanted alarms."""
        if self.sample_rate_hz > 2 * receiver.bandwidth_hz:
            raise ValueError(
                f"waveform.sample_rate_hz ({self.sample_rate_hz:g} Hz) is more than twice the receiver's bandwidth_hz"
                f" ({receiver.bandwidth_hz:g} Hz): noise of neighbouring samples would be correlated, which is not modelled."
                f" Sample at {2 * receiver.bandwidth_hz:g} Hz at most, or raise bandwidth_hz"
            )
        samples = (range_max_m - range_min_m) * self.samples_per_metre + 4 * self.margin + 3
        if samples > LONGEST_RECORD:
            raise ValueError(
                f"a record up to range_max_m ({range_max_m:g} m) has {samples:.0f} samples at waveform.sample_rate_hz"
                f" ({self.sample_rate_hz:g} Hz), but {LONGEST_RECORD} at most; lower one of them"
            )
        self.threshold_sigmas(receiver, range_max_m - range_min_m)

    @property
    def samples_per_metre(self) -> float:
        """Samples per metre of range: 2 f / c."""
        return 2 * self.sample_rate_hz / SPEED_OF_LIGHT_M_S

    @property
    def taps(self) -> Floats:
        """The pulse at whole samples, as long as it is above a hundred-thousandth of its peak."""
        before, after = self.pulse.reach_s(FAINT)
        rate = self.sample_rate_hz
        return self.pulse.shape(np.arange(-int(before * rate) - 1, int(after * rate) + 2) / rate)

    @property
    def margin(self) -> int:
        """Samples on either side on which a peak may depend: the pulse, and what the reading of the time looks at."""
        _, parameter = self.detection.figures(self.pulse.fwhm_s * self.sample_rate_hz)
        return len(self.taps) + 4 + int(parameter)

    def threshold_sigmas(self, receiver: Receiver, span_m: float) -> float:
        """Return k: the receiver's, or what gives the wanted number of false alarms in a beam that listens over a span.

        It lies above half the hysteresis h: below, alarms become fewer again, since they hardly end.
        """
        from scipy.optimize import brentq

        wanted = self.search.alarms_per_beam if isinstance(self.search, Everywhere) else None
        if wanted is None:
            return receiver.threshold_sigmas
        rate, taps = wanted / (span_m * self.samples_per_metre), self.taps

        def excess(sigmas: float) -> float:
            return self.detection.alarms_per_sample(sigmas, taps) - rate

        lowest = max(0.5, self.detection.hysteresis_sigmas / 2)
        if excess(lowest) < 0:
            most = (excess(lowest) + rate) * span_m * self.samples_per_metre
            raise ValueError(
                f"waveform.search.alarms_per_beam is {wanted:g}, but noise raises {most:.2g} false alarms at most over"
                f" {span_m:g} m with a hysteresis of {self.detection.hysteresis_sigmas:g} sigma; lower one of them"
            )
        return float(brentq(excess, lowest, 30.0))

    def false_alarms(self, receiver: Receiver, span_m: float) -> float:
        """Return the expected number of alarms in an empty beam that listens over a span: rate per sample times samples.

        Zero if it looks near echoes only.
        """
        if isinstance(self.search, NearEchoes):
            return 0.0
        rate = self.detection.alarms_per_sample(self.threshold_sigmas(receiver, span_m), self.taps)
        return rate * span_m * self.samples_per_metre
