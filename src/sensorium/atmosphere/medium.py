"""A uniform medium between sensor and scene, for near-infrared light.

Attenuation is exp(-alpha x) one way (Beer-Lambert). Returns from the air: with the probability m a beam yields an echo at the
distance x ~ Gamma(k, theta) behind the entry into the medium, unless a surface is nearer; f(x) = x^(k-1) exp(-x/theta) / (Gamma(k)
theta^k); or, in rain, single drops send back one by one (`drops`). Extinctions from the visibility V follow Koschmieder with Kim's
wavelength exponent q (I. Kim et al., SPIE 4214, 2001): alpha = 3.912 / V (lambda / 550 nm)^-q; fog scatters all near-infrared
wavelengths alike (q = 0 below 500 m).
"""

from __future__ import annotations

from functools import cache
from typing import Annotated

from pydantic import Field, model_validator

from sensorium.atmosphere.drops import RAIN_LIDAR_RATIO_SR, RainDrops
from sensorium.core.configuration import configured
from sensorium.core.errors import ConfigurationError, did_you_mean
from sensorium.core.units import Fraction, NonNegativeNumber, PositiveMetres, PositiveNumber

Source = Annotated[str, Field(min_length=1)]

REFERENCE_M = 905e-9


@configured
class Medium:
    """Air with what floats in it."""

    name: str = "custom"
    extinction_1_m: NonNegativeNumber
    """alpha, the extinction at 905 nm [1/m]."""
    wavelength_exponent: NonNegativeNumber = 0.0
    """q: the extinction falls as wavelength^-q."""
    return_probability: Fraction = 0.0
    """m, chance that a beam returns from the air."""
    shape: PositiveNumber = 2.0
    """k of the gamma distribution of distances."""
    scale_m: PositiveMetres = 5.0
    """theta of the gamma distribution of distances."""
    lidar_ratio_sr: PositiveNumber = 20.0
    """Extinction over backscatter [sr]; 18 to 20 for water droplets at 905 nm (E. O'Connor et al., JTECH 21, 2004)."""
    drops: RainDrops | None = None
    """Rain whose drops send back one by one, in place of the gamma distribution. They belong to the extinction."""
    source: Source = "assumed"

    @model_validator(mode="after")
    def _one_model_of_returns(self) -> Medium:
        if self.drops is None:
            return self
        if self.return_probability > 0:
            raise ValueError(
                "return_probability and drops are two models of the same returns; leave return_probability out, or drops"
            )
        if self.extinction_1_m < self.drops.extinction_1_m * (1 - 1e-9):
            raise ValueError(
                f"extinction_1_m is {self.extinction_1_m:.3g}/m, but the drops alone take out"
                f" {self.drops.extinction_1_m:.3g}/m at {self.drops.rate_mm_h:g} mm/h; it cannot be less"
            )
        return self

    def extinction_at(self, wavelength_m: float) -> float:
        """Return alpha [1/m] at a wavelength."""
        return float(self.extinction_1_m * (wavelength_m / REFERENCE_M) ** -self.wavelength_exponent)


def kim_exponent(visibility_m: float) -> float:
    """Return q of Kim's relation: 1.6 in very clear air down to 0 in fog."""
    km = visibility_m / 1000
    if km > 6:
        return 1.6 if km > 50 else 1.3
    if km > 1:
        return 0.16 * km + 0.34
    return max(0.0, km - 0.5)


def of_visibility(visibility_m: float, **settings: object) -> Medium:
    """Return the medium of a visibility: alpha = 3.912 / V (lambda / 550 nm)^-q."""
    q = kim_exponent(visibility_m)
    alpha = 3.912 / visibility_m * (REFERENCE_M / 550e-9) ** -q
    return Medium(extinction_1_m=alpha, wavelength_exponent=q, **settings)  # type: ignore[arg-type]


def rain_extinction(rate_mm_h: float) -> float:
    """Return alpha [1/m] from 1.076 R^0.67 dB/km (ITU-R P.1814, after Carbonneau); 10 log10(e) = 4.3429 dB per unit."""
    return float(1.076e-3 / 4.342944819 * rate_mm_h**0.67)


def rain(rate_mm_h: float, drops: bool = True) -> Medium:
    """Return rain of a rate with single drops, or with the attenuation of ITU-R P.1814 and no returns."""
    name = f"rain_{rate_mm_h:g}_mm_h"
    if not drops:
        return Medium(name=name, extinction_1_m=rain_extinction(rate_mm_h), source="ITU-R P.1814")
    fall = RainDrops(rate_mm_h=rate_mm_h)
    source = "drop sizes of Marshall and Palmer 1948, lidar ratio by geometrical optics"
    return Medium(
        name=name, extinction_1_m=fall.extinction_1_m, drops=fall, lidar_ratio_sr=RAIN_LIDAR_RATIO_SR, source=source
    )


CLEAR = of_visibility(23_000, name="clear", source="visibility 23 km, Koschmieder with Kim's exponent")


@cache
def _presets() -> dict[str, Medium]:
    def fog(name: str, visibility_m: float, probability: float, shape: float, scale_m: float) -> Medium:
        source = f"visibility {visibility_m:g} m, Koschmieder with Kim's exponent; gamma parameters assumed"
        return of_visibility(visibility_m, name=name, return_probability=probability, shape=shape, scale_m=scale_m,
                             source=source)  # fmt: skip

    def falling(
        name: str, extinction_1_m: float, probability: float, scale_m: float, ratio_sr: float, source: str
    ) -> Medium:
        return Medium(name=name, extinction_1_m=extinction_1_m, return_probability=probability, shape=1.5, scale_m=scale_m,
                      lidar_ratio_sr=ratio_sr, source=f"{source}; gamma parameters assumed")  # fmt: skip

    grey = "particles larger than the wavelength scatter all wavelengths alike"
    media = (
        CLEAR,
        fog("haze", 4000, 0.002, 2.0, 15.0),
        fog("light_fog", 500, 0.15, 2.5, 6.0),
        fog("dense_fog", 50, 0.9, 3.0, 2.0),
        falling("light_rain", rain_extinction(2.5), 0.005, 8.0, 20.0, "2.5 mm/h, ITU-R P.1814"),
        falling("heavy_rain", rain_extinction(25.0), 0.05, 6.0, 20.0, "25 mm/h, ITU-R P.1814"),
        falling("snow", 3.912 / 500, 0.25, 4.0, 15.0, f"visibility 500 m; {grey}"),
        falling("dust", 3.912 / 150, 0.6, 3.0, 40.0, f"visibility 150 m; {grey}; lidar ratio of mineral dust"),
    )
    return {entry.name: entry for entry in media}


def medium_names() -> tuple[str, ...]:
    """Return the names of the presets."""
    return tuple(_presets())


def medium(name: str) -> Medium:
    """Return a preset by its name."""
    if name not in _presets():
        raise ConfigurationError(f"there is no medium '{name}'.{did_you_mean(name, medium_names())}")
    return _presets()[name]
