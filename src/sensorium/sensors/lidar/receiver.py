"""The electronics behind the aperture: noise, threshold, merging, return modes, scale."""

from __future__ import annotations

import math
from typing import Annotated, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.units import (
    NonNegativeMetres,
    NonNegativeNumber,
    PositiveHertz,
    PositiveNumber,
    Watts,
)

SPEED_OF_LIGHT_M_S = 299_792_458.0
PLANCK_J_S = 6.626_070_15e-34

# return modes, in the order of the kernels
FIRST, LAST, STRONGEST, SECOND, DUAL = range(5)


class Rules(NamedTuple):
    """What the detector does with a beam's echoes, for the kernels."""

    threshold_sigmas: float
    separation_m: float
    mode: int
    nearest: float
    farthest: float
    ambiguity_m: float
    range_noise_m: float
    range_noise_slope: float
    resolution_m: float


class Air(NamedTuple):
    """What the air may send back to a beam, for the kernels; `rain` says what the figures of drops mean."""

    probability: float
    shape: float
    scale_m: float
    power_at_1_m_w: float
    extinction_1_m: float
    drop_range_m: NDArray[np.float64] = np.zeros(0)
    """Rising ranges [T], none without drops."""
    drops_before: NDArray[np.float64] = np.zeros(0)
    """Mean number of drops up to there [T]."""
    faintest_w: float = 0.0
    """Power of the smallest drop that counts."""
    least_per_m2: float = 0.0
    """Lambda D_min over x sqrt(A_b(x)) exp(alpha x) [1/m2]."""
    emitter_radius_m: float = 0.0
    tangent: float = 0.0
    """Of the half angle of divergence, horizontally,"""
    tangent_vertical: float = 0.0
    """and vertically."""


class Other(NamedTuple):
    """What another LiDAR may send into a beam, for the kernels."""

    probability: float
    white_at_1_m_w: float


@configured
class ReturnMode:
    """Which of a beam's echoes are reported.

    `dual` reports the strongest and the last echo; where these are the same one, the second strongest takes its place.
    """

    type: Literal["first", "last", "strongest", "second", "dual"] = "strongest"

    @property
    def code(self) -> int:
        """Number of the mode for the kernels."""
        return {"first": FIRST, "last": LAST, "strongest": STRONGEST, "second": SECOND, "dual": DUAL}[self.type]


@configured
class Receiver:
    """Detector and clock.

    Noise power P_n = NEP sqrt(B). Each echo gets N(0, P_n) added and is detected if above `threshold_sigmas` P_n. Echoes
    closer than `range_separation_m` merge beforehand: they are one pulse in time, with the sum of the powers and their
    power-weighted range.
    """

    nep_w_sqrt_hz: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 6.6e-12
    """Noise-equivalent power [W/sqrt(Hz)]."""
    bandwidth_hz: PositiveHertz = 1e9
    threshold_sigmas: PositiveNumber = 3.0
    range_separation_m: NonNegativeMetres = 0.2
    """dR = c dt / 2 for the temporal resolution dt."""
    range_noise_slope: NonNegativeNumber = 0.0
    """Growth of the range noise with range [m/m]."""
    saturation_w: Annotated[Watts, Field(gt=0)] | None = None
    """Power at which the detector saturates; intensities stay there."""
    pulse_rate_hz: PositiveHertz | None = None
    """Repetition rate of the laser: ranges beyond c / (2 PRF) fold back; None: no ambiguity."""
    field_of_view_sr: PositiveNumber = 1e-6
    """Solid angle from which one detector collects light: what lets the sun in."""
    filter_width_nm: PositiveNumber = 10.0
    """Width of the optical filter."""

    @property
    def noise_w(self) -> float:
        """Standard deviation of the noise power."""
        return self.nep_w_sqrt_hz * math.sqrt(self.bandwidth_hz)

    @property
    def ambiguity_m(self) -> float:
        """Range beyond which echoes belong to the next pulse."""
        return SPEED_OF_LIGHT_M_S / (2 * self.pulse_rate_hz) if self.pulse_rate_hz else math.inf

    def noise_in_light_w(self, background_w: NDArray[np.float64], wavelength_m: float) -> NDArray[np.float64]:
        """Return the noise power with background light: the shot noise 2 h nu P B of it adds to the square."""
        photon_j = PLANCK_J_S * SPEED_OF_LIGHT_M_S / wavelength_m
        return np.sqrt(self.noise_w**2 + 2 * photon_j * background_w * self.bandwidth_hz)


@configured
class Scale:
    """How a power becomes the intensity of a point, 0 .. 2^bits - 1.

    `power`: linear in the received power, full scale at `full_power_w`. `reflectivity`: calibrated for distance, as Velodyne
    does it: 0..100 is the reflectance in percent of a matt target met head-on, 101..255 is brighter than any matt target
    (retro-reflectors), logarithmic up to `brightest` times white.
    """

    type: Literal["power", "reflectivity"] = "reflectivity"
    bits: Literal[8, 16] = 8
    full_power_w: Annotated[Watts, Field(gt=0)] = 1e-5
    brightest: PositiveNumber = 1000.0

    def brightness(
        self, power_w: NDArray[np.float64], range_m: NDArray[np.float64], white_w: float, saturation_w: float | None
    ) -> NDArray[np.float64]:
        """Return intensities [N] of returns; `white_w` is the power from a white matt surface met head-on at one metre."""
        top = 2**self.bits - 1
        power = np.maximum(power_w, 0.0) if saturation_w is None else np.clip(power_w, 0.0, saturation_w)
        if self.type == "power":
            return np.asarray(np.rint(np.minimum(power / self.full_power_w, 1.0) * top))
        reflectance = power * range_m**2 / white_w
        level = 100.0 / 255.0 * reflectance
        bright = np.flatnonzero(reflectance > 1.0)
        level[bright] = 100.0 / 255.0 + 155.0 / 255.0 * np.log(reflectance[bright]) / np.log(self.brightest)
        return np.asarray(np.rint(np.minimum(level, 1.0) * top))


@configured
class Crosstalk:
    """Another LiDAR of the same kind nearby: with this chance per beam, one of its pulses arrives in the listening time.

    Its time is uniform over the range up to the maximum; its power is that of a white matt surface at a uniform distance of
    10 m to the maximum, a stand-in for the unknown geometry (assumed).
    """

    probability: Annotated[NonNegativeNumber, Field(le=1)] = 1e-4
