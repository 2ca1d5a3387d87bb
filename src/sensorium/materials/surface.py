"""Kinds of surface: how the infrared reflectance of a material is spread over directions.

The reflectance of the diffuse part comes from the material's optical section; a surface adds what direction needs: refractive
indices, roughness, thickness. A material without a surface is matt. The formulas are in `materials.reflectance`.
"""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.units import NonNegativeMetres, NonNegativeNumber, NonNegativeRadians, PositiveNumber
from sensorium.materials import optical_table as columns

Index = tuple[PositiveNumber, NonNegativeNumber]
"""Complex refractive index: eta, kappa."""
Source = Annotated[str, Field(min_length=1)]

_SPLIT_M = 1.2e-6
"""Below this wavelength the figures for 905 nm hold, above it those for 1550 nm."""


@configured
class Matt:
    """Oren-Nayar: a rough diffuse surface; sigma 0 is Lambert's."""

    type: Literal["matt"] = "matt"
    sigma_rad: NonNegativeRadians = 0.0
    """Standard deviation of the angles of its facets."""
    source: Source = "assumed"

    def fill(self, row: NDArray[np.float64], wavelength_m: float) -> int:
        """Write the figures into a row of the optical table and return the kind."""
        row[columns.SIGMA] = self.sigma_rad
        return columns.MATT


@configured
class Coated:
    """Two layers: a rough clear coat or skin over a rough diffuse base."""

    type: Literal["coated"] = "coated"
    index_905nm: Index
    index_1550nm: Index
    roughness: Annotated[PositiveNumber, Field(ge=1e-3, le=1)]
    """GGX roughness of the coat: rms slope of its facets."""
    sigma_rad: NonNegativeRadians = 0.0
    """Standard deviation of the facet angles of the base."""
    coat: Literal["in_and_out", "half_vector"] = "in_and_out"
    """Where the transmission of the coat is taken: `half_vector` is kept for comparison, it gains energy at grazing angles."""
    source: Source = "assumed"

    def fill(self, row: NDArray[np.float64], wavelength_m: float) -> int:
        """Write the figures into a row of the optical table and return the kind."""
        row[columns.ETA], row[columns.KAPPA] = self.index_905nm if wavelength_m < _SPLIT_M else self.index_1550nm
        row[columns.ROUGHNESS], row[columns.SIGMA] = self.roughness, self.sigma_rad
        return columns.COATED if self.coat == "in_and_out" else columns.COATED_HALF_VECTOR


@configured
class Mirror:
    """Polished metal: reflects as its index says; the diffuse reflectance is the dust on it."""

    type: Literal["mirror"] = "mirror"
    index_905nm: Index
    index_1550nm: Index
    source: Source = "assumed"

    def fill(self, row: NDArray[np.float64], wavelength_m: float) -> int:
        """Write the figures into a row of the optical table and return the kind."""
        row[columns.ETA], row[columns.KAPPA] = self.index_905nm if wavelength_m < _SPLIT_M else self.index_1550nm
        return columns.MIRROR


@configured
class Pane:
    """A sheet of clear glass modelled as a single surface: both faces at once, displaced light behind it."""

    type: Literal["pane"] = "pane"
    eta_905nm: PositiveNumber = 1.51
    eta_1550nm: PositiveNumber = 1.50
    thickness_m: NonNegativeMetres = 0.004
    absorption_1_m: NonNegativeNumber = 0.0
    source: Source = "assumed"

    def fill(self, row: NDArray[np.float64], wavelength_m: float) -> int:
        """Write the figures into a row of the optical table and return the kind."""
        row[columns.ETA] = self.eta_905nm if wavelength_m < _SPLIT_M else self.eta_1550nm
        row[columns.THICKNESS], row[columns.ABSORPTION] = self.thickness_m, self.absorption_1_m
        return columns.PANE


@configured
class Glass:
    """A solid of clear glass or water: light refracts where it enters and where it leaves; normals point outwards."""

    type: Literal["glass"] = "glass"
    eta_905nm: PositiveNumber = 1.51
    eta_1550nm: PositiveNumber = 1.50
    absorption_1_m: NonNegativeNumber = 0.0
    source: Source = "assumed"

    def fill(self, row: NDArray[np.float64], wavelength_m: float) -> int:
        """Write the figures into a row of the optical table and return the kind."""
        row[columns.ETA] = self.eta_905nm if wavelength_m < _SPLIT_M else self.eta_1550nm
        row[columns.ABSORPTION] = self.absorption_1_m
        return columns.GLASS


AnySurface = Annotated[Matt | Coated | Mirror | Pane | Glass, Field(discriminator="type")]
