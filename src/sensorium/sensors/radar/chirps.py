"""A sequence of linear chirps (FMCW), and what follows from it: resolution, ambiguity, limits.

All transmitters take turns (TDM): chirp m of transmitter i starts (m K + i) T after the frame, K transmitters, period T.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from sensorium.core.configuration import configured
from sensorium.core.units import PositiveHertz, PositiveSeconds
from sensorium.materials.radio import SPEED_OF_LIGHT_M_S

C_M_S = SPEED_OF_LIGHT_M_S


@configured
class ChirpSequence:
    """Chirps of rising frequency whose beat with the echo is sampled as I and Q."""

    start_hz: PositiveHertz
    """Frequency when sampling starts."""
    bandwidth_hz: PositiveHertz
    """Swept while the samples are taken."""
    samples: Annotated[int, Field(ge=8, le=8192)] = 256
    """Of one chirp."""
    sample_rate_hz: PositiveHertz
    """Complex samples per second."""
    chirps: Annotated[int, Field(ge=2, le=4096)] = 128
    """Of each transmitter in a frame."""
    period_s: PositiveSeconds
    """From the start of one chirp to the next, whoever sends it."""
    band_hz: tuple[PositiveHertz, PositiveHertz] | None = None
    """What the device may use; None: no limit."""
    slope_max_hz_s: Annotated[float, Field(gt=0)] | None = None
    """What the synthesiser can follow; None: no limit."""

    @model_validator(mode="after")
    def _can_be_sent(self) -> ChirpSequence:
        if self.sampling_s > self.period_s:
            raise ValueError(
                f"{self.samples} samples at {self.sample_rate_hz / 1e6:g} MHz take {self.sampling_s * 1e6:.4g} us, but a chirp"
                f" lasts {self.period_s * 1e6:.4g} us: {(self.sampling_s - self.period_s) * 1e6:.4g} us too long;"
                " take fewer samples, or make period_s longer"
            )
        end_hz = self.start_hz + self.bandwidth_hz
        if self.band_hz and not self.band_hz[0] <= self.start_hz < end_hz <= self.band_hz[1]:
            low, high = self.band_hz
            over = max(low - self.start_hz, end_hz - high)
            raise ValueError(
                f"the chirp sweeps {self.start_hz / 1e9:.5g} to {end_hz / 1e9:.5g} GHz, but band_hz is {low / 1e9:g} to"
                f" {high / 1e9:g} GHz: {over / 1e6:.4g} MHz too far; change start_hz or bandwidth_hz"
            )
        if self.slope_max_hz_s and self.slope_hz_s > self.slope_max_hz_s:
            raise ValueError(
                f"the slope is {self.slope_hz_s / 1e12:.4g} MHz/us, but slope_max_hz_s allows {self.slope_max_hz_s / 1e12:.4g}"
                f" MHz/us: {self.slope_hz_s / self.slope_max_hz_s:.3g} times too steep; sweep less, or sample longer"
            )
        return self

    @property
    def sampling_s(self) -> float:
        """How long the samples of one chirp take."""
        return self.samples / self.sample_rate_hz

    @property
    def slope_hz_s(self) -> float:
        """S = B / T_s."""
        return self.bandwidth_hz / self.sampling_s

    @property
    def centre_hz(self) -> float:
        """The frequency in the middle of the samples, which sets the Doppler shift."""
        return self.start_hz + self.bandwidth_hz / 2

    @property
    def wavelength_m(self) -> float:
        """At the middle of the samples."""
        return C_M_S / self.centre_hz

    @property
    def range_resolution_m(self) -> float:
        """c / (2 B), the width of a range bin."""
        return C_M_S / (2 * self.bandwidth_hz)

    @property
    def range_max_m(self) -> float:
        """Where the beat 2 S R / c reaches the sample rate: f_s c / (2 S) = N c / (2 B)."""
        return self.samples * self.range_resolution_m

    def frame_s(self, transmitters: int) -> float:
        """Return how long a frame takes: M K T."""
        return self.chirps * transmitters * self.period_s

    def speed_resolution_m_s(self, transmitters: int) -> float:
        """Return lambda / (2 T_frame), the width of a speed bin."""
        return self.wavelength_m / (2 * self.frame_s(transmitters))

    def speed_max_m_s(self, transmitters: int) -> float:
        """Return lambda / (4 K T): speeds from -v_max to v_max are told apart."""
        return self.wavelength_m / (4 * transmitters * self.period_s)

    def beat_hz(self, range_m: NDArray[np.float64], speed_m_s: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return 2 S R / c + 2 f_0 v / c: range and Doppler of what recedes add up."""
        return np.asarray(2 * (self.slope_hz_s * np.asarray(range_m) + self.start_hz * np.asarray(speed_m_s)) / C_M_S)

    def refuse_beyond(self, range_max_m: float) -> None:
        """ValueError if something at this range beats faster than the samples can tell."""
        if range_max_m > self.range_max_m * (1 + 1e-9):
            beat_hz = 2 * self.slope_hz_s * range_max_m / C_M_S
            raise ValueError(
                f"range_max_m = {range_max_m:g} m beats at {beat_hz / 1e6:.4g} MHz, but sample_rate_hz is"
                f" {self.sample_rate_hz / 1e6:.4g} MHz, which reaches {self.range_max_m:.4g} m:"
                f" {range_max_m - self.range_max_m:.4g} m too far; sample faster, or sweep less bandwidth"
            )
