"""The optics of a thermal camera: how a point becomes a spot."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sensorium.core.configuration import configured
from sensorium.core.units import NonNegativeMetres, PositiveMetres, PositiveNumber

_AIRY_SIGMA = 0.42
"""Width of the Gaussian nearest to an Airy disc, in wavelengths times f-number (B. Zhang et al., Applied Optics 46, 2007)."""
_REACH_SIGMAS = 4.0


@configured
class Optics:
    """Diffraction and aberrations as one Gaussian on the chip: sigma^2 = (0.42 lambda F)^2 + aberration^2."""

    f_number: PositiveNumber = 1.0
    pitch_m: PositiveMetres = 12e-6
    """From pixel to pixel."""
    aberration_m: NonNegativeMetres = 3e-6
    """Standard deviation of what aberrations and defocus add."""

    def sigma_px(self, wavelength_m: float) -> float:
        """Return the standard deviation of the spot in pixels."""
        return math.hypot(_AIRY_SIGMA * wavelength_m * self.f_number, self.aberration_m) / self.pitch_m

    def blurred(self, image: NDArray[np.float64], wavelength_m: float) -> NDArray[np.float64]:
        """Return the image [H, W] behind the optics; what lies outside is taken as at the nearest edge."""
        from sensorium.sensors.camera.thermal import optics_kernels

        sigma = self.sigma_px(wavelength_m)
        reach = math.ceil(_REACH_SIGMAS * sigma)
        edges = np.arange(-reach - 0.5, reach + 1) / (sigma * math.sqrt(2))
        weights = np.diff([math.erf(edge) for edge in edges]) / 2  # of a Gaussian over the width of each pixel
        out: NDArray[np.float64] = optics_kernels.blur(image, weights / weights.sum())
        return out
