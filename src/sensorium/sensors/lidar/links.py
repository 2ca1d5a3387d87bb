"""Link models: how much of the emitted power one echo brings back. Chosen by name; each is an object with its own figures.

x is the optical path length to the surface, alpha the extinction of the air [1/m], f cos t what the surface sends back per
solid angle (`materials.response.backscatter`). The formulas themselves are in `link_kernels`.
"""

from __future__ import annotations

import math
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.units import Fraction, NonNegativeMetres, PositiveMetres, Radians, Watts

PositiveWatts = Annotated[Watts, Field(gt=0)]

RADAR, OVERLAP, THREE_LOBE = range(3)


class LinkFigures(NamedTuple):
    """A link model in the form that kernels read."""

    model: int
    power_w: float
    """Peak power times efficiency."""
    aperture_m2: float
    detector_radius_m: float
    detector_offset_m: float
    emitter_radius_m: float
    tangent: float
    """Of the half angle of divergence."""


@configured
class Radar:
    """The LiDAR equation: P = P_peak eta f cos t A / x^2 exp(-2 alpha x) (document 001 of the project's sources; R. Richmond
    and S. Cain, "Direct-Detection LADAR Systems", 2010).

    Light that comes back as a beam (a mirror met head-on) spreads with the divergence instead and is collected by `overlap`.
    """

    type: Literal["radar"] = "radar"
    peak_power_w: PositiveWatts = 75.0
    """Optical power of the pulse."""
    efficiency: Annotated[Fraction, Field(gt=0)] = 0.5
    """Optics and detector together."""
    aperture_radius_m: PositiveMetres = 0.02
    """Radius of the receiver."""
    emitter_radius_m: PositiveMetres = 0.005
    divergence_rad: Radians = 1e-3
    """Half angle."""

    def figures(self) -> LinkFigures:
        """Return the figures for the kernels."""
        aperture = math.pi * self.aperture_radius_m**2
        power, tangent = self.peak_power_w * self.efficiency, math.tan(self.divergence_rad)
        return LinkFigures(RADAR, power, aperture, self.aperture_radius_m, 0.0, self.emitter_radius_m, tangent)


@configured
class Overlap:
    """The spreading beam on the detector: P = P_peak eta f cos t g(x) exp(-2 alpha x) with
    g = (1 - exp(-2 R^2 / w^2)) exp(-2 r^2 / w^2) / (1 - exp(-2)), w = x tan Theta + E (document 004, equations 15 to 21).
    """

    type: Literal["overlap"] = "overlap"
    peak_power_w: PositiveWatts = 75.0
    efficiency: Annotated[Fraction, Field(gt=0)] = 0.5
    detector_radius_m: PositiveMetres = 0.005
    detector_offset_m: NonNegativeMetres = 0.0
    """Distance of the detector from the axis of the returning beam."""
    emitter_radius_m: PositiveMetres = 0.005
    divergence_rad: Radians = 1.5e-3
    """Half angle."""

    def figures(self) -> LinkFigures:
        """Return the figures for the kernels."""
        power, tangent = self.peak_power_w * self.efficiency, math.tan(self.divergence_rad)
        aperture, offset = math.pi * self.detector_radius_m**2, self.detector_offset_m
        return LinkFigures(OVERLAP, power, aperture, self.detector_radius_m, offset, self.emitter_radius_m, tangent)


@configured
class ThreeLobe:
    """The published three-lobe model: P = I P_peak eps exp(-2 alpha x), I from the material's lobes (document 001).

    It has no receiver: I is a number, and its diffuse part alone falls with distance. For comparison and for external engines.
    """

    type: Literal["three_lobe"] = "three_lobe"
    peak_power_w: PositiveWatts = 75.0
    efficiency: Annotated[Fraction, Field(gt=0)] = 0.5

    def figures(self) -> LinkFigures:
        """Return the figures for the kernels."""
        return LinkFigures(THREE_LOBE, self.peak_power_w * self.efficiency, 1.0, 0.005, 0.0, 0.005, math.tan(1e-3))


AnyLink = Annotated[Radar | Overlap | ThreeLobe, Field(discriminator="type")]
