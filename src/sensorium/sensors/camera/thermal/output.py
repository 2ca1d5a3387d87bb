"""What a thermal camera hands out: counts, temperatures, or a picture for people."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.units import Fraction, PositiveNumber
from sensorium.samples.image import Encoding
from sensorium.scene.temperature.temperature import BodyTemperature
from sensorium.sensors.camera.thermal.detector import Detector

Floats = NDArray[np.float64]
Integers = NDArray[np.uint16]


class Output(ABC):
    """The last stage of the electronics. Implementations are frozen."""

    @property
    @abstractmethod
    def encoding(self) -> Encoding:
        """Of the image."""

    @abstractmethod
    def pixels(self, counts: Integers, detector: Detector) -> NDArray[Any]:
        """Return the image of counts [H, W]."""


@configured
class Counts(Output):
    """The detector's counts as they are."""

    type: Literal["counts"] = "counts"

    @property
    def encoding(self) -> Encoding:
        """Whole numbers."""
        return "mono16"

    def pixels(self, counts: Integers, detector: Detector) -> Integers:
        """Return the counts."""
        return counts


@configured
class Radiometric(Output):
    """Temperatures: of black bodies, or of surfaces with an emissivity before surroundings of one temperature.

    L = e B(T) + (1 - e) B(T_around), solved for T; the camera knows nothing of the air between.
    """

    type: Literal["radiometric"] = "radiometric"
    format: Literal["kelvin", "centikelvin"] = "kelvin"
    """Kelvin as 32-bit floating point, or hundredths of a kelvin as 16-bit whole numbers."""
    emissivity: Annotated[Fraction, Field(gt=0)] = 1.0
    """That the camera was told."""
    around_k: BodyTemperature = 295.15
    """Temperature of the surroundings that the camera was told."""

    @property
    def encoding(self) -> Encoding:
        """32-bit floating point, or 16-bit whole numbers."""
        return "32FC1" if self.format == "kelvin" else "16UC1"

    def kelvin(self, counts: NDArray[Any], detector: Detector) -> Floats:
        """Return temperatures of counts [...]."""
        low, high = detector.limits
        around = float(detector.radiance_of(np.array([self.around_k]))[0])
        seen = low + np.asarray(counts, np.float64) * ((high - low) / detector.counts)
        own = (seen - (1 - self.emissivity) * around) / self.emissivity
        return detector.kelvin_of(detector.counts_of(own))

    def pixels(self, counts: Integers, detector: Detector) -> NDArray[Any]:
        """Return temperatures; every count has one, so they are looked up."""
        kelvin = self.kelvin(np.arange(detector.counts + 1), detector)
        if self.format == "kelvin":
            return kelvin.astype(np.float32)[counts]
        return np.clip(np.rint(100 * kelvin), 0, 65535).astype(np.uint16)[counts]


@configured
class AutomaticGain(Output):
    """A grey picture whose contrast follows the scene: histogram equalisation with a plateau.

    Each count gets as much of the grey scale as pixels have it, but not more than the plateau, which keeps large flat areas
    from taking it all (V. Vickers, "Plateau equalization algorithm for real-time display of high-quality infrared imagery",
    Optical Engineering 35, 1996); a part of the scale is shared out evenly over the counts that occur.
    """

    type: Literal["automatic_gain"] = "automatic_gain"
    plateau: Annotated[Fraction, Field(gt=0)] = 0.001
    """Most pixels of one count that are counted, as a part of all."""
    linear: Fraction = 0.3
    """Part of the grey scale that is shared out evenly between the lowest and the highest count."""
    outliers: Annotated[Fraction, Field(lt=0.5)] = 0.0005
    """Part of the pixels that is cut off at each end."""
    greatest_gain: PositiveNumber = 1.0
    """Most grey levels per count, so that a flat scene does not show its noise alone."""

    @property
    def encoding(self) -> Encoding:
        """Grey."""
        return "mono8"

    def pixels(self, counts: Integers, detector: Detector) -> NDArray[np.uint8]:
        """Return the grey picture."""
        histogram = np.bincount(counts.ravel(), minlength=detector.counts + 1).astype(np.float64)
        below = np.cumsum(histogram) / counts.size
        low, high = np.searchsorted(below, [self.outliers, 1 - self.outliers])
        inside = slice(low, max(high, low) + 1)
        share = np.minimum(histogram[inside], self.plateau * counts.size)
        share = (1 - self.linear) * share / share.sum() + self.linear / len(share)
        step = np.minimum(255 * share, self.greatest_gain)
        levels = np.cumsum(step) - step / 2
        grey = np.empty(detector.counts + 1)
        grey[inside] = levels + (255 - step.sum()) / 2
        grey[:low], grey[inside.stop :] = grey[low], grey[inside.stop - 1]
        return np.rint(grey).astype(np.uint8)[counts]


AnyOutput = Annotated[Counts | Radiometric | AutomaticGain, Field(discriminator="type")]
