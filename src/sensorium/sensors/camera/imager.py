"""The chip: light to electrons to numbers, after the linear model of EMVA 1288 (release 4.0).

    photons    Q = E A t lambda / (h c) in each band,  mean electrons  m = sum of eta Q + I_dark t
    electrons  n ~ Poisson(m (1 + PRNU)), at most what a pixel holds
    number     y = K (n + read noise + DSNU) + black, rounded and cut to the bits

PRNU and DSNU are patterns of this chip: drawn from the camera's own address, the same in every image.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge, Le
from numpy.typing import NDArray
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.units import Fraction, Kelvin, NonNegativeNumber, PositiveMetres, PositiveNumber

Floats = NDArray[np.float64]

_PLANCK_J_S, _LIGHT_M_S = 6.62607015e-34, 299_792_458.0
BAND_M = (650e-9, 550e-9, 450e-9)
"""Middle of the red, green and blue band."""
Bands = tuple[Fraction, Fraction, Fraction]


@configured
class Monochrome:
    """No colour filter."""

    type: Literal["monochrome"] = "monochrome"
    efficiency: Bands
    """Electrons per photon in the red, green and blue band."""

    @property
    def pattern(self) -> None:
        """No mosaic."""
        return None

    def efficiencies(self) -> Floats:
        """Return electrons per photon [1, 3] of each filter in each band."""
        return np.array([self.efficiency])

    def filters(self) -> NDArray[np.int8]:
        """Return the filter of each pixel of a cell of 2 x 2."""
        return np.zeros((2, 2), np.int8)


@configured
class Bayer:
    """A mosaic of red, green and blue filters in cells of 2 x 2."""

    type: Literal["bayer"] = "bayer"
    pattern: Literal["rggb", "bggr", "gbrg", "grbg"] = "rggb"
    """The upper two and the lower two filters of the first cell."""
    red: Bands
    """Electrons per photon behind the red filter in the red, green and blue band."""
    green: Bands
    blue: Bands

    def efficiencies(self) -> Floats:
        """Return electrons per photon [3, 3] of each filter in each band."""
        return np.array([self.red, self.green, self.blue])

    def filters(self) -> NDArray[np.int8]:
        """Return the filter of each pixel of a cell of 2 x 2."""
        return np.array(["rgb".index(letter) for letter in self.pattern], np.int8).reshape(2, 2)


AnyFilter = Annotated[Monochrome | Bayer, Field(discriminator="type")]


@configured
class Defects:
    """Pixels that do not work; which ones belongs to the chip."""

    hot_share: Fraction = 0.0
    """Pixels with a dark current of their own."""
    hot_current_e_s: NonNegativeNumber = 20_000.0
    """Its mean over hot pixels, exponentially distributed."""
    dead_share: Fraction = 0.0
    """Pixels without response."""
    stuck_share: Fraction = 0.0
    """Pixels that always give the same number."""
    dead_columns: Annotated[int, Ge(0), Le(1000)] = 0
    """Columns without response."""


@configured
class Imager:
    """An image sensor by the figures of its EMVA 1288 report."""

    pixel_m: PositiveMetres = 3.45e-6
    """Pitch of the pixels."""
    filter: AnyFilter
    full_well_e: PositiveNumber = 10_000.0
    """Saturation capacity as EMVA 1288 measures it: the mean at which the temporal variance is largest."""
    read_noise_e: NonNegativeNumber = 2.5
    """Temporal dark noise without the converter's rounding."""
    dark_current_e_s: NonNegativeNumber = 1.0
    """At `dark_reference_k`."""
    dark_reference_k: Kelvin = 298.15
    dark_doubling_k: PositiveNumber = 7.0
    """Dark current doubles with every so many kelvins."""
    self_heating_k: NonNegativeNumber = 15.0
    """How much warmer than the air the chip is."""
    prnu: Fraction = 0.005
    """Standard deviation of the response from pixel to pixel."""
    dsnu_e: NonNegativeNumber = 0.5
    """Standard deviation of the dark signal from pixel to pixel."""
    bits: Annotated[int, Ge(8), Le(16)] = 12
    black_level: NonNegativeNumber = 64.0
    """Number for no light."""
    gain_dn_e: PositiveNumber | None = None
    """K, numbers per electron at 0 dB; default: the range ends with what a pixel holds."""
    defects: Defects = Field(default_factory=Defects)

    @property
    def highest(self) -> int:
        """The largest number."""
        return int(2**self.bits) - 1

    @cached_property
    def limit_e(self) -> float:
        """Where a pixel's charge is cut: z sigma above the saturation capacity m, with sigma = sqrt(m).

        The variance of a normal number cut at z sigma changes with z by 2 z (1 - Phi(z)) sigma^2; it stops growing with the mean
        where that is 1 / sqrt(m).
        """
        from scipy.optimize import brentq
        from scipy.stats import norm

        sigma = math.sqrt(self.full_well_e)
        z = brentq(lambda z: 2 * z * norm.sf(z) - min(0.3, 1 / sigma), 0.8, 10.0)
        return float(self.full_well_e + z * sigma)

    def gain(self, gain_db: float) -> float:
        """Return K at an amplification."""
        own = self.gain_dn_e or (self.highest - self.black_level) / self.limit_e
        return float(own * 10 ** (gain_db / 20))

    def electrons_per_j_m2(self) -> Floats:
        """Return mean electrons per exposure [J/m2] of each filter in each band [F, 3]."""
        photons = self.pixel_m**2 * np.array(BAND_M) / (_PLANCK_J_S * _LIGHT_M_S)
        return self.filter.efficiencies() * photons

    def dark_current_at(self, air_k: float) -> float:
        """Return the dark current [e/s] on a day of this air temperature."""
        warmer = air_k + self.self_heating_k - self.dark_reference_k
        return float(self.dark_current_e_s * 2 ** (warmer / self.dark_doubling_k))
