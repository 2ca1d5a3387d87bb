"""Link models: how much of the emitted power one echo brings back. Chosen by name; each is an object with its own figures.

x is the optical path length to the surface, alpha the extinction of the air [1/m], f cos t what the surface sends back per
solid angle (`materials.response.backscatter`). The formulas themselves are in `link_kernels`.
"""

from __future__ import annotations

import math
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.units import Fraction, NonNegativeMetres, PositiveMetres, Radians, Watts

PositiveWatts = Annotated[Watts, Field(gt=0)]

RADAR, OVERLAP, THREE_LOBE = range(3)
# columns of a link's parameters
CODE, POWER, APERTURE, DETECTOR_RADIUS, DETECTOR_OFFSET, EMITTER_RADIUS, TANGENT = range(7)


@configured
class Radar:
    """The LiDAR equation: P = P_peak eta f cos t A / x^2 exp(-2 alpha x) (document 001 of the project's sources; R. Richmond
    and S. Cain, "Direct-Detection LADAR Systems", 2010).

    Light that comes back as a beam (a mirror met head-on) spreads with the divergence instead and is collected by `overlap`.
    """  # noqa: D205

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

    def parameters(self) -> NDArray[np.float64]:
        """Return the figures for the kernels."""
        aperture = math.pi * self.aperture_radius_m**2
        return np.array([RADAR, self.peak_power_w * self.efficiency, aperture, self.aperture_radius_m, 0.0,
                         self.emitter_radius_m, math.tan(self.divergence_rad)])  # fmt: skip


@configured
class Overlap:
    """The spreading beam on the detector: P = P_peak eta f cos t g(x) exp(-2 alpha x) with
    g = (1 - exp(-2 R^2 / w^2)) exp(-2 r^2 / w^2) / (1 - exp(-2)), w = x tan Theta + E (document 004, equations 15 to 21).
    """  # noqa: D205

    type: Literal["overlap"] = "overlap"
    peak_power_w: PositiveWatts = 75.0
    efficiency: Annotated[Fraction, Field(gt=0)] = 0.5
    detector_radius_m: PositiveMetres = 0.005
    detector_offset_m: NonNegativeMetres = 0.0
    """Distance of the detector from the axis of the returning beam."""
    emitter_radius_m: PositiveMetres = 0.005
    divergence_rad: Radians = 1.5e-3
    """Half angle."""

    def parameters(self) -> NDArray[np.float64]:
        """Return the figures for the kernels."""
        return np.array([OVERLAP, self.peak_power_w * self.efficiency, math.pi * self.detector_radius_m**2,
                         self.detector_radius_m, self.detector_offset_m, self.emitter_radius_m,
                         math.tan(self.divergence_rad)])  # fmt: skip


@configured
class ThreeLobe:
    """The published three-lobe model: P = I P_peak eps exp(-2 alpha x), I from the material's lobes (document 001).

    It has no receiver: I is a number, and its diffuse part alone falls with distance. For comparison and for external engines.
    """

    type: Literal["three_lobe"] = "three_lobe"
    peak_power_w: PositiveWatts = 75.0
    efficiency: Annotated[Fraction, Field(gt=0)] = 0.5

    def parameters(self) -> NDArray[np.float64]:
        """Return the figures for the kernels."""
        return np.array([THREE_LOBE, self.peak_power_w * self.efficiency, 1.0, 0.005, 0.0, 0.005, math.tan(1e-3)])


AnyLink = Annotated[Radar | Overlap | ThreeLobe, Field(discriminator="type")]
