"""Antennas of satellite receivers: gain for right- and left-handed circular waves over the angle from the boresight."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.units import NonNegativeNumber, Number

Floats = NDArray[np.float64]


class Antenna(ABC):
    """An antenna whose boresight is the sensor's z axis; implementations are `configured`."""

    @abstractmethod
    def amplitudes(self, sine: Floats) -> tuple[Floats, Floats]:
        """Return amplitude gains for right- and left-handed waves from directions with this sine above the antenna's plane."""


@configured
class Patch(Antenna):
    """A patch on a ground plane: gain that falls smoothly from the boresight to the horizon and further below it.

    The amplitude is ((1 + sin e) / 2)^p with p from the fall to the horizon. Left-handed waves are weaker by a ratio that
    falls linearly in dB from the boresight to the horizon, where a patch hardly tells the hands apart.
    """

    type: Literal["patch"] = "patch"
    gain_dbi: Number = 5.0
    """Right-handed, at the boresight."""
    horizon_fall_db: NonNegativeNumber = 9.0
    """From the boresight to the horizon."""
    cross_polar_db: NonNegativeNumber = 18.0
    """By how much left-handed waves are weaker at the boresight."""
    cross_polar_horizon_db: NonNegativeNumber = 5.0

    def amplitudes(self, sine: Floats) -> tuple[Floats, Floats]:
        """Return the amplitude gains."""
        power = self.horizon_fall_db / (20 * np.log10(2.0))
        right = 10 ** (self.gain_dbi / 20) * np.maximum((1 + sine) / 2, 1e-3) ** power
        share = np.arcsin(np.clip(sine, 0, 1)) / (np.pi / 2)
        ratio_db = self.cross_polar_horizon_db + share * (self.cross_polar_db - self.cross_polar_horizon_db)
        return right, right * 10 ** (-ratio_db / 20)


@configured
class Linear(Antenna):
    """The linear antenna of a phone: it takes both hands alike, with little gain and hardly a direction."""

    type: Literal["linear"] = "linear"
    gain_dbi: Number = -4.0

    def amplitudes(self, sine: Floats) -> tuple[Floats, Floats]:
        """Return the amplitude gains."""
        right = np.full(np.shape(sine), 10 ** (self.gain_dbi / 20))
        return right, right.copy()


AnyAntenna = Annotated[Patch | Linear, Field(discriminator="type")]
