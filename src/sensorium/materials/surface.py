"""Kinds of surface: how the infrared reflectance of a material is spread over directions.

How much a surface reflects comes from the material's optical section; a surface adds what direction needs: refractive indices,
roughness, thickness, each with its source. A material without a surface is matt. The formulas are in `materials.reflectance`.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.units import NonNegativeMetres, NonNegativeNumber, PositiveNumber, Radians
from sensorium.materials import optical_table as columns
from sensorium.materials.normal_incidence import BRIGHTEST, HeadOn, coat_passage, coat_reflectance

Index = tuple[Annotated[PositiveNumber, Field(le=10)], Annotated[NonNegativeNumber, Field(le=50)]]
"""Complex refractive index: eta up to 10, kappa up to 50."""
ClearIndex = Annotated[PositiveNumber, Field(ge=1, le=4)]
"""Refractive index of what is clear, relative to air: 1 to 4."""
FacetAngle = Annotated[Radians, Field(ge=0, le=1)]
"""Standard deviation of the angles of facets, 0 to 1 rad; 0 is Lambert's surface."""
Source = Annotated[str, Field(min_length=1)]
"""A citation; or "assumed", perhaps with the reason; or "computed" from what."""


class Diffuse(NamedTuple):
    """The diffuse part of a surface met head-on."""

    base: float
    """Reflectance C of the base, as the model of Oren and Nayar takes it."""
    albedo: float
    """What leaves the surface diffusely."""


_SPLIT_M = 1.2e-6
"""Below this wavelength the figures for 905 nm hold, above it those for 1550 nm."""


@configured
class Matt:
    """Oren-Nayar: a rough diffuse surface; sigma 0 is Lambert's."""

    type: Literal["matt"] = "matt"
    sigma_rad: FacetAngle = 0.0
    """Standard deviation of the angles of its facets."""
    sigma_source: Source = "assumed"

    def diffuse(self, reflectance: float, mirrored: float, wavelength_m: float) -> Diffuse:
        """Return the diffuse part, given the material's figures; ValueError if no base is bright enough."""
        whole = HeadOn(sigma_rad=self.sigma_rad, brightest=BRIGHTEST if self.sigma_rad > 0 else 1.0)
        rest = reflectance * (1 - mirrored)
        return Diffuse(whole.base(rest), rest)

    def fill(self, row: NDArray[np.float64], wavelength_m: float) -> int:
        """Write the figures into a row of the optical table and return the kind."""
        row[columns.SIGMA] = self.sigma_rad
        return columns.MATT


@configured
class Coated:
    """Two layers: a rough clear coat or skin over a rough diffuse base. With the index of a metal: its rough face."""

    type: Literal["coated"] = "coated"
    index_905nm: Index
    index_1550nm: Index
    index_source: Source = "assumed"
    roughness: Annotated[PositiveNumber, Field(ge=1e-3, le=1)]
    """GGX roughness of the coat: rms slope of its facets."""
    roughness_source: Source = "assumed"
    sigma_rad: FacetAngle = 0.0
    """Standard deviation of the facet angles of the base."""
    sigma_source: Source = "assumed"
    coat: Literal["in_and_out", "half_vector"] = "in_and_out"
    """Where the transmission of the coat is taken: `half_vector` is kept for comparison, it gains energy at grazing angles."""

    def _index(self, wavelength_m: float) -> tuple[float, float]:
        return self.index_905nm if wavelength_m < _SPLIT_M else self.index_1550nm

    def diffuse(self, reflectance: float, mirrored: float, wavelength_m: float) -> Diffuse:
        """Return the diffuse part, given the material's figures; ValueError if no base fits under the coat.

        What is mirrored follows from the coat alone.
        """
        eta, kappa = self._index(wavelength_m)
        coat, passage = _layers(eta, kappa, self.roughness, self.coat == "in_and_out")
        return Diffuse(HeadOn(coat, passage, self.sigma_rad).base(reflectance), reflectance - coat)

    def fill(self, row: NDArray[np.float64], wavelength_m: float) -> int:
        """Write the figures into a row of the optical table and return the kind."""
        row[columns.ETA], row[columns.KAPPA] = self._index(wavelength_m)
        row[columns.ROUGHNESS], row[columns.SIGMA] = self.roughness, self.sigma_rad
        return columns.COATED if self.coat == "in_and_out" else columns.COATED_HALF_VECTOR


@cache
def _layers(eta: float, kappa: float, roughness: float, in_and_out: bool) -> tuple[float, float]:
    return coat_reflectance(eta, kappa, roughness), coat_passage(eta, kappa, in_and_out)


@configured
class Mirror:
    """Polished metal: reflects as its index says; what is not mirrored is the dust on it."""

    type: Literal["mirror"] = "mirror"
    index_905nm: Index
    index_1550nm: Index
    index_source: Source = "assumed"

    def diffuse(self, reflectance: float, mirrored: float, wavelength_m: float) -> Diffuse:
        """Return the dust, given the material's figures."""
        dust = reflectance * (1 - mirrored)
        return Diffuse(dust, dust)

    def fill(self, row: NDArray[np.float64], wavelength_m: float) -> int:
        """Write the figures into a row of the optical table and return the kind."""
        row[columns.ETA], row[columns.KAPPA] = self.index_905nm if wavelength_m < _SPLIT_M else self.index_1550nm
        return columns.MIRROR


@configured
class Pane:
    """A sheet of glass modelled as a single surface: both faces at once, displaced light behind it; dust on it."""

    type: Literal["pane"] = "pane"
    eta_905nm: ClearIndex = 1.515
    eta_1550nm: ClearIndex = 1.507
    eta_source: Source = "Rubin 1985, doi:10.1016/0165-1633(85)90052-8: clear soda-lime glass"
    thickness_m: NonNegativeMetres = 0.004
    thickness_source: Source = "assumed"
    absorption_905nm_1_m: NonNegativeNumber = 0.0
    absorption_1550nm_1_m: NonNegativeNumber = 0.0
    absorption_source: Source = "assumed"

    def diffuse(self, reflectance: float, mirrored: float, wavelength_m: float) -> Diffuse:
        """Return the dust, given the material's figures."""
        dust = reflectance * (1 - mirrored)
        return Diffuse(dust, dust)

    def fill(self, row: NDArray[np.float64], wavelength_m: float) -> int:
        """Write the figures into a row of the optical table and return the kind."""
        short = wavelength_m < _SPLIT_M
        row[columns.ETA] = self.eta_905nm if short else self.eta_1550nm
        row[columns.ABSORPTION] = self.absorption_905nm_1_m if short else self.absorption_1550nm_1_m
        row[columns.THICKNESS] = self.thickness_m
        return columns.PANE


@configured
class Glass:
    """A solid of glass, ice or water: light refracts where it enters and where it leaves; normals point outwards."""

    type: Literal["glass"] = "glass"
    eta_905nm: ClearIndex = 1.515
    eta_1550nm: ClearIndex = 1.507
    eta_source: Source = "Rubin 1985, doi:10.1016/0165-1633(85)90052-8: clear soda-lime glass"
    absorption_905nm_1_m: NonNegativeNumber = 0.0
    absorption_1550nm_1_m: NonNegativeNumber = 0.0
    absorption_source: Source = "assumed"

    def diffuse(self, reflectance: float, mirrored: float, wavelength_m: float) -> Diffuse:
        """Return the dust, given the material's figures."""
        dust = reflectance * (1 - mirrored)
        return Diffuse(dust, dust)

    def fill(self, row: NDArray[np.float64], wavelength_m: float) -> int:
        """Write the figures into a row of the optical table and return the kind."""
        short = wavelength_m < _SPLIT_M
        row[columns.ETA] = self.eta_905nm if short else self.eta_1550nm
        row[columns.ABSORPTION] = self.absorption_905nm_1_m if short else self.absorption_1550nm_1_m
        return columns.GLASS


AnySurface = Annotated[Matt | Coated | Mirror | Pane | Glass, Field(discriminator="type")]
