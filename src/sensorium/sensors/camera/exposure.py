"""How long and with how much gain an image is taken: set by hand, or by the camera from the images before."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge, Gt, Le
from pydantic import Field, model_validator

from sensorium.core.configuration import configured
from sensorium.core.units import Fraction, NonNegativeNumber, PositiveSeconds


@dataclass(frozen=True)
class Setting:
    """What the electronics have set for one image."""

    exposure_s: float
    gain_db: float


@configured
class FixedExposure:
    """The same for every image."""

    type: Literal["fixed"] = "fixed"
    exposure_s: PositiveSeconds = 0.005
    gain_db: Annotated[NonNegativeNumber, Le(60)] = 0.0
    """Of the amplifier before the converter: 20 dB are a factor of ten."""

    @property
    def longest_s(self) -> float:
        """The longest exposure that may occur."""
        return self.exposure_s

    @property
    def pending(self) -> tuple[Setting, ...] | None:
        """Nothing is remembered."""
        return None

    def following(self, pending: tuple[Setting, ...] | None, level: float) -> tuple[Setting, ...] | None:
        """Return what is set next: the same."""
        return None


@configured
class AutoExposure:
    """Holds the mean of the image at a target; exposure first, gain when the exposure is at its limit.

    After each image: factor (target / mean)^speed, at most 4 either way. As in real cameras the exposure of the next image has
    already begun when an image is read, so that a change shows `lag_frames` images later.
    """

    type: Literal["auto"] = "auto"
    exposure_s: PositiveSeconds = 0.0003
    """Of the first images; about right for a sunny day at f/2.8."""
    gain_db: Annotated[NonNegativeNumber, Le(60)] = 0.0
    """Of the first images."""
    target: Annotated[Fraction, Gt(0), Le(0.9)] = 0.14
    """Mean of the raw image above black, as a share of its range."""
    shortest_s: PositiveSeconds = 20e-6
    longest_s: PositiveSeconds = 0.015
    most_gain_db: Annotated[NonNegativeNumber, Le(60)] = 24.0
    speed: Annotated[Fraction, Gt(0)] = 0.6
    """1 goes to the target at once."""
    lag_frames: Annotated[int, Ge(1), Le(16)] = 2

    @model_validator(mode="after")
    def _limits_in_order(self) -> AutoExposure:
        if self.shortest_s >= self.longest_s:
            raise ValueError(
                f"shortest_s ({self.shortest_s:g} s) must be smaller than longest_s ({self.longest_s:g} s)"
            )
        return self

    @property
    def pending(self) -> tuple[Setting, ...]:
        """What is set for the first images."""
        return (Setting(self.exposure_s, self.gain_db),) * self.lag_frames

    def following(self, pending: tuple[Setting, ...] | None, level: float) -> tuple[Setting, ...]:
        """Return what is set for the next images, given the mean level of this one; the first entry is for the next image."""
        now, waiting = Setting(self.exposure_s, self.gain_db), (pending or self.pending)[1:]
        factor = float(np.clip((self.target / max(level, 1e-4)) ** self.speed, 0.25, 4.0))
        wanted = now.exposure_s * 10 ** (now.gain_db / 20) * factor
        exposure = float(np.clip(wanted, self.shortest_s, self.longest_s))
        gain_db = float(np.clip(20 * np.log10(wanted / exposure), 0.0, self.most_gain_db))
        return (*waiting, Setting(exposure, gain_db))

    def set_to(self, setting: Setting) -> AutoExposure:
        """Return the control as it stands for one image."""
        return replace(self, exposure_s=setting.exposure_s, gain_db=setting.gain_db)


AnyExposure = Annotated[FixedExposure | AutoExposure, Field(discriminator="type")]
