"""Detectors of thermal cameras: what a radiance becomes in counts, and how much it trembles.

Counts are linear in the radiance: n = (2^bits - 1) (L - L(low)) / (L(high) - L(low)), from a black body at `low` to one at
`high`. The temperature of a count is the exact inverse.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from sensorium.core.configuration import configured
from sensorium.core.units import Kelvin, NonNegativeSeconds
from sensorium.scene.temperature.temperature import BodyTemperature
from sensorium.sensors.camera.thermal.planck import RadianceTable
from sensorium.sensors.camera.thermal.response import AnyResponse, Band

Floats = NDArray[np.float64]

REFERENCE_K = 300.0
"""Temperature at which noise is stated."""
Noise = Annotated[Kelvin, Field(ge=0, le=10)]


class Detector(ABC):
    """What all detectors share. Implementations are frozen."""

    response: AnyResponse
    netd_k: Noise
    low_k: BodyTemperature
    high_k: BodyTemperature
    bits: int
    time_constant_s: NonNegativeSeconds

    @property
    @abstractmethod
    def photons(self) -> bool:
        """Whether it counts photons rather than power."""

    @property
    @abstractmethod
    def shot_share(self) -> float:
        """Part of the noise's variance at 300 K that grows with the signal."""

    @property
    def table(self) -> RadianceTable:
        """Radiance by temperature, in the unit that the detector answers to."""
        return self.response.table(self.photons)

    @property
    def limits(self) -> tuple[float, float]:
        """Radiances of the lowest and of the highest count."""
        low, high = self.radiance_of(np.array([self.low_k, self.high_k])).tolist()
        return low, high

    @property
    def counts(self) -> int:
        """The highest count."""
        return int(2**self.bits - 1)

    def radiance_of(self, temperature_k: Floats) -> Floats:
        """Return radiances of black bodies [...], from the table."""
        from sensorium.sensors.camera.thermal import planck_kernels

        return planck_kernels.radiances(self.table, np.asarray(temperature_k, np.float64))

    def slope_per_k(self, temperature_k: float = REFERENCE_K) -> float:
        """Return the change of a black body's radiance per kelvin."""
        left, right = self.radiance_of(np.array([temperature_k - 0.01, temperature_k + 0.01])).tolist()
        return float((right - left) / 0.02)

    def counts_of(self, radiance: Floats) -> Floats:
        """Return counts [...], not rounded and not cut off."""
        low, high = self.limits
        return np.asarray((np.asarray(radiance, np.float64) - low) * (self.counts / (high - low)))

    def kelvin_of(self, counts: Floats) -> Floats:
        """Return the temperature of a black body that gives these counts [...]."""
        from sensorium.sensors.camera.thermal import planck_kernels

        low, high = self.limits
        radiance = low + np.asarray(counts, np.float64) * ((high - low) / self.counts)
        return planck_kernels.temperatures(self.table, radiance)


def _ordered(detector: Detector) -> None:
    if detector.low_k >= detector.high_k:
        raise ValueError(f"low_k ({detector.low_k:g} K) must be below high_k ({detector.high_k:g} K)")


@configured
class Microbolometer(Detector):
    """Small plates that warm up: slow, and as noisy in front of a cold target as of a warm one."""

    type: Literal["microbolometer"] = "microbolometer"
    response: AnyResponse = Field(default_factory=Band)
    netd_k: Noise = 0.05
    """Standard deviation of a pixel from image to image before a black body at 300 K, behind this camera's lens, rounding
    to counts included."""
    low_k: BodyTemperature = 233.15
    """Black body that gives the lowest count."""
    high_k: BodyTemperature = 413.15
    """Black body that gives the highest count."""
    bits: Annotated[int, Field(ge=8, le=16)] = 14
    time_constant_s: NonNegativeSeconds = 0.010
    """Of the plates, which follow the light with exp(-t / tau)."""

    @model_validator(mode="after")
    def _limits(self) -> Microbolometer:
        _ordered(self)
        return self

    @property
    def photons(self) -> bool:
        """It answers to power."""
        return False

    @property
    def shot_share(self) -> float:
        """Its noise comes from the plate and its circuit."""
        return 0.0


@configured
class PhotonDetector(Detector):
    """A cooled detector that counts photons: fast, and limited by the photons' own noise."""

    type: Literal["photon_detector"] = "photon_detector"
    response: AnyResponse = Field(default_factory=lambda: Band(low_m=3e-6, high_m=5e-6))
    netd_k: Noise = 0.02
    """Standard deviation of a pixel from image to image before a black body at 300 K, behind this camera's lens, rounding
    to counts included."""
    low_k: BodyTemperature = 253.15
    """Black body that gives the lowest count."""
    high_k: BodyTemperature = 363.15
    """Black body that gives the highest count."""
    bits: Annotated[int, Field(ge=8, le=16)] = 14
    time_constant_s: NonNegativeSeconds = 0.0
    """Of the read-out; 0: each image stands for itself."""
    shot: Annotated[float, Field(ge=0, le=1)] = 0.9
    """Part of the noise's variance before 300 K that is shot noise: it grows with the number of photons."""

    @model_validator(mode="after")
    def _limits(self) -> PhotonDetector:
        _ordered(self)
        return self

    @property
    def photons(self) -> bool:
        """It counts them."""
        return True

    @property
    def shot_share(self) -> float:
        """The part that is shot noise."""
        return self.shot


AnyDetector = Annotated[Microbolometer | PhotonDetector, Field(discriminator="type")]
