"""How a material meets radio waves: permittivity and conductivity over frequency, roughness, thickness.

ITU-R P.2040-3, section 3: eta' = a f^b and sigma = c f^d [S/m] with f in GHz; the complex relative permittivity is
eta' - j sigma / (2 pi f e_0) for fields that turn as exp(+j w t). Nothing is extrapolated out of the bands.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from sensorium.core.configuration import configured
from sensorium.core.units import (
    NonNegativeMetres,
    NonNegativeNumber,
    Number,
    PositiveHertz,
    PositiveMetres,
    PositiveNumber,
)

Source = Annotated[str, Field(min_length=1)]
"""A citation; or "assumed", perhaps with the reason; or "computed" from what."""

VACUUM_PERMITTIVITY_F_M = 8.8541878128e-12
SPEED_OF_LIGHT_M_S = 299_792_458.0


@configured
class RadioBand:
    """Permittivity and conductivity between two frequencies, the form of table 3 of ITU-R P.2040-3."""

    low_hz: PositiveHertz
    high_hz: PositiveHertz
    a: PositiveNumber
    """eta' at 1 GHz."""
    b: Number = 0.0
    c: NonNegativeNumber
    """sigma at 1 GHz [S/m]."""
    d: Number = 0.0
    source: Source

    @model_validator(mode="after")
    def _has_width(self) -> RadioBand:
        if self.high_hz <= self.low_hz:
            raise ValueError(
                f"the band must end above its start {self.low_hz / 1e9:g} GHz, found {self.high_hz / 1e9:g} GHz"
            )
        return self

    def permittivity(self, frequency_hz: float) -> complex:
        """Return a f^b - j c f^d / (2 pi f e_0)."""
        gigahertz = frequency_hz / 1e9
        loss = self.c * gigahertz**self.d / (2 * math.pi * frequency_hz * VACUUM_PERMITTIVITY_F_M)
        return complex(self.a * gigahertz**self.b, -loss)


@configured
class Radio:
    """Radio waves: what radars and receivers of satellites need."""

    bands: Annotated[tuple[RadioBand, ...], Field(min_length=1)]
    roughness_m: NonNegativeMetres
    """Root mean square height of the surface about its mean plane, what is finer than the mesh."""
    roughness_source: Source
    slope: NonNegativeNumber = 0.0
    """Root mean square slope of what is longer than a wavelength and not in the mesh: dents, curvature between corners, courses of
    bricks. 0: the surface is as even as its mesh."""
    slope_source: Source = "assumed: as even as the mesh"
    thickness_m: PositiveMetres | None = None
    """Of a plate with air behind it; None: so thick that nothing comes back from behind."""
    thickness_source: Source | None = None
    clutter_gamma: NonNegativeNumber
    """gamma of the constant-gamma law: radar cross section per area sigma_0 = gamma sin(grazing angle), at millimetre waves
    (M. I. Skolnik, "Introduction to Radar Systems", 3rd ed., 7.4)."""
    clutter_source: Source

    def permittivity(self, frequency_hz: float) -> complex:
        """Return the complex relative permittivity eta' - j eta''; ValueError outside the bands."""
        for band in self.bands:
            if band.low_hz <= frequency_hz <= band.high_hz:
                return band.permittivity(frequency_hz)
        known = ", ".join(f"{band.low_hz / 1e9:g} to {band.high_hz / 1e9:g} GHz" for band in self.bands)
        raise ValueError(f"its radio properties are known for {known}, not at {frequency_hz / 1e9:g} GHz")


@dataclass(frozen=True, eq=False)
class RadioTable:
    """Radio properties of all materials of a library at one frequency; rows without them hold nan."""

    frequency_hz: float
    permittivity: NDArray[np.complex128]
    """[materials] relative, eta' - j eta''."""
    roughness_m: NDArray[np.float64]
    """[materials]"""
    slope: NDArray[np.float64]
    """[materials]"""
    thickness_m: NDArray[np.float64]
    """[materials], infinite for a half space."""
    clutter_gamma: NDArray[np.float64]
    """[materials]"""
    problem: tuple[str, ...]
    """[materials] why a row holds nan; empty if it does not."""

    @classmethod
    def of(cls, materials: Sequence[Radio | None], frequency_hz: float) -> RadioTable:
        """Return the table of these materials."""
        permittivity = np.full(len(materials), np.nan + 0j)
        figures, problems = np.full((4, len(materials)), np.nan), [""] * len(materials)
        for row, radio in enumerate(materials):
            if radio is None:
                problems[row] = "it has no section 'radio', which radio waves need; add it"
                continue
            try:
                permittivity[row] = radio.permittivity(frequency_hz)
            except ValueError as error:
                problems[row] = str(error)
                continue
            plate_m = np.inf if radio.thickness_m is None else radio.thickness_m
            figures[:, row] = (radio.roughness_m, radio.slope, plate_m, radio.clutter_gamma)
        return cls(frequency_hz, permittivity, figures[0], figures[1], figures[2], figures[3], tuple(problems))


def reflection(
    permittivity: NDArray[np.complex128],
    thickness_m: NDArray[np.float64],
    cosine: NDArray[np.float64],
    frequency_hz: float,
) -> tuple[NDArray[np.complex128], NDArray[np.complex128]]:
    """Return complex reflection coefficients (TE, TM) of half spaces and of plates in air; arguments broadcast.

    ITU-R P.2040-3, eqs. 31 and 37: R_TE = (cos t - s) / (cos t + s), R_TM = (eta cos t - s) / (eta cos t + s),
    s = sqrt(eta - sin^2 t). A plate of thickness d has R (1 - e^-j2q) / (1 - R^2 e^-j2q), q = 2 pi d s / lambda.
    |R|^2 of a half space is `materials.reflectance.fresnel_sp` with the index sqrt(eta).
    """
    eta, cosine = np.asarray(permittivity, complex), np.asarray(cosine, float)
    s = np.sqrt(eta - (1 - cosine**2))  # the root with a negative imaginary part: waves die away inside
    te, tm = (cosine - s) / (cosine + s), (eta * cosine - s) / (eta * cosine + s)
    thick = np.isinf(np.asarray(thickness_m, float))
    depth = 2 * np.pi * np.where(thick, 0.0, thickness_m) * frequency_hz / SPEED_OF_LIGHT_M_S
    turn = np.where(thick, 0.0, np.exp(-2j * depth * s))
    return te * (1 - turn) / (1 - te**2 * turn), tm * (1 - turn) / (1 - tm**2 * turn)


def rough_factor(
    roughness_m: NDArray[np.float64], cosine: NDArray[np.float64], frequency_hz: float
) -> NDArray[np.float64]:
    """Return the part of the amplitude that stays in the mirror direction: exp(-g / 2), g = (4 pi h cos t / lambda)^2.

    W. S. Ament, "Toward a theory of reflection by a rough surface", Proc. IRE 41 (1953) 142.
    """
    g = (4 * np.pi * np.asarray(roughness_m) * cosine * frequency_hz / SPEED_OF_LIGHT_M_S) ** 2
    return np.exp(-0.5 * g)
