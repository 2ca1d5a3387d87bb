"""From the chip's numbers to the image that leaves the camera."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from sensorium.atmosphere.sky import DAY_WHITE
from sensorium.core.configuration import configured
from sensorium.core.units import PositiveNumber
from sensorium.samples.image import Encoding
from sensorium.sensors.camera.imager import Imager

Raw = NDArray[np.uint16]


class Picture(NamedTuple):
    """Pixels and how to read them."""

    pixels: NDArray[np.uint8] | NDArray[np.uint16]
    encoding: Encoding


@configured
class RawOutput:
    """The numbers as they are, a mosaic if the chip has one; 8 bits if that is enough, else 16."""

    type: Literal["raw"] = "raw"

    def picture(self, raw: Raw, imager: Imager) -> Picture:
        """Return the numbers with their encoding."""
        wide = imager.bits > 8
        pixels = raw if wide else raw.astype(np.uint8)
        pattern = imager.filter.pattern
        if pattern is None:
            return Picture(pixels, "mono16" if wide else "mono8")
        return Picture(pixels, f"bayer_{pattern}{16 if wide else 8}")  # type: ignore[arg-type]


@configured
class Isp:
    """An image signal processor: black level, demosaicing, white balance, colour matrix, gain, gamma; 8 bits for each colour.

    Demosaicing is bilinear: a colour that a pixel lacks is the mean of its neighbours that have it. The colour matrix takes
    the overlap of the filters back, so that a white surface in daylight (ASTM G173) is white. Gamma is that of sRGB.
    """

    type: Literal["isp"] = "isp"
    white_balance: Literal["daylight", "grey_world"] = "grey_world"
    """grey_world: gains of red and blue, 0.5 to 2, that make the image's mean grey."""
    gain: PositiveNumber = 1.0
    """Digital, before gamma."""
    gamma: Literal["srgb", "linear"] = "srgb"

    def picture(self, raw: Raw, imager: Imager) -> Picture:
        """Return a colour image, or a grey one of a monochrome chip."""
        from sensorium.sensors.camera import processing_kernels as kernels

        black, span = imager.black_level, imager.highest - imager.black_level
        if imager.filter.pattern is None:
            grey = np.empty(raw.shape, np.uint8)
            kernels.grey(raw, black, self.gain / span, self.gamma == "srgb", grey)
            return Picture(grey, "mono8")
        linear = np.empty((*raw.shape, 3), np.float32)
        kernels.demosaic(raw, imager.filter.filters(), np.float32(black), np.float32(1 / span), linear)
        matrix = self._matrix(imager)
        if self.white_balance == "grey_world":
            usable = linear[(linear < 0.98).all(-1)] if linear.size else linear.reshape(0, 3)
            mean = (usable.mean(0, dtype=np.float64) if len(usable) else np.ones(3)) @ matrix.T
            gains = np.clip(mean[1] / np.maximum(mean, 1e-6), 0.5, 2.0)
            matrix = gains[:, None] * matrix
        pixels = np.empty((*raw.shape, 3), np.uint8)
        kernels.finish(linear, matrix * self.gain, self.gamma == "srgb", pixels)
        return Picture(pixels, "rgb8")

    @staticmethod
    def _matrix(imager: Imager) -> NDArray[np.float64]:
        """Return what takes filter signals to linear red, green, blue; a white surface keeps the signal of green."""
        response = imager.electrons_per_j_m2() * DAY_WHITE
        return np.linalg.inv(response / response[1].sum())


AnyProcessing = Annotated[RawOutput | Isp, Field(discriminator="type")]
