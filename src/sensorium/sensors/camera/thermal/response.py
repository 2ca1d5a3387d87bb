"""To which wavelengths a thermal camera answers: a band, or a curve."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cache
from typing import Annotated, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pydantic import Field, model_validator

from sensorium.core.configuration import configured
from sensorium.core.units import Fraction, PositiveMetres
from sensorium.sensors.camera.thermal.planck import RadianceTable, radiance_table, weighted_radiance

Floats = NDArray[np.float64]

_LIMITS_M = (2e-6, 20e-6)


class SpectralResponse(ABC):
    """Relative response by wavelength. Implementations are frozen and linear between nodes."""

    @abstractmethod
    def nodes(self) -> tuple[Floats, Floats]:
        """Return wavelengths [N] in metres, rising, and responses [N]; the response is zero outside."""

    def radiance_w_m2_sr(self, temperature_k: ArrayLike) -> Floats:
        """Return the radiance of a black body, weighted with the response."""
        return weighted_radiance(temperature_k, *self.nodes())

    def photon_radiance_1_s_m2_sr(self, temperature_k: ArrayLike) -> Floats:
        """Return the photon radiance of a black body, weighted with the response."""
        return weighted_radiance(temperature_k, *self.nodes(), photons=True)

    def table(self, photons: bool = False) -> RadianceTable:
        """Return the radiance by temperature, for kernels."""
        return _table(self, photons)

    @property
    def limits_m(self) -> tuple[float, float]:
        """Shortest and longest wavelength."""
        wavelength_m, _ = self.nodes()
        return float(wavelength_m[0]), float(wavelength_m[-1])

    @property
    def is_short(self) -> bool:
        """Whether the band belongs to the window from 3 to 5 micrometres rather than to that from 8 to 14."""
        return sum(self.limits_m) / 2 < 6.5e-6


@cache
def _table(response: SpectralResponse, photons: bool) -> RadianceTable:
    return radiance_table(*response.nodes(), photons)


@configured
class Band(SpectralResponse):
    """The same response to all wavelengths between two limits."""

    type: Literal["band"] = "band"
    low_m: Annotated[PositiveMetres, Field(ge=_LIMITS_M[0], le=_LIMITS_M[1])] = 8e-6
    high_m: Annotated[PositiveMetres, Field(ge=_LIMITS_M[0], le=_LIMITS_M[1])] = 14e-6

    @model_validator(mode="after")
    def _in_order(self) -> Band:
        if self.low_m >= self.high_m:
            raise ValueError(f"low_m ({self.low_m:g} m) must be smaller than high_m ({self.high_m:g} m)")
        return self

    def nodes(self) -> tuple[Floats, Floats]:
        """Return the two limits with a response of one."""
        return np.array([self.low_m, self.high_m]), np.ones(2)


@configured
class ResponseCurve(SpectralResponse):
    """A response that is linear between nodes."""

    type: Literal["curve"] = "curve"
    wavelength_m: Annotated[tuple[PositiveMetres, ...], Field(min_length=2)]
    response: tuple[Fraction, ...]

    @model_validator(mode="after")
    def _fits(self) -> ResponseCurve:
        if len(self.response) != len(self.wavelength_m):
            raise ValueError(f"{len(self.wavelength_m)} wavelengths need as many responses, found {len(self.response)}")
        if (np.diff(self.wavelength_m) <= 0).any():
            raise ValueError("wavelength_m must rise from node to node")
        if not (_LIMITS_M[0] <= self.wavelength_m[0] and self.wavelength_m[-1] <= _LIMITS_M[1]):
            raise ValueError("wavelength_m must lie between 2 um and 20 um, where thermal cameras look")
        if max(self.response) == 0:
            raise ValueError("response is zero everywhere; a camera needs some")
        return self

    def nodes(self) -> tuple[Floats, Floats]:
        """Return the nodes."""
        return np.array(self.wavelength_m), np.array(self.response)


AnyResponse = Annotated[Band | ResponseCurve, Field(discriminator="type")]
