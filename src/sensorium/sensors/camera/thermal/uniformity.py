"""Pixels are not alike: gain and offset, what correction leaves of them, the shutter, and pixels that are broken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from sensorium.core.configuration import configured
from sensorium.core.random import Draws
from sensorium.core.units import Fraction, Kelvin, NonNegativeNumber, PositiveSeconds

Floats = NDArray[np.float64]

GOOD, DEAD, SATURATED = range(3)
"""Kinds of pixels: those that work, those that give the lowest count, those that give the highest."""
_FACTORY = -1
"""Sample number of the chance that was cast when the camera was made."""

Small = Annotated[Kelvin, Field(ge=0, le=100)]


@configured
class Shutter:
    """A flag of one temperature that falls before the chip now and then; the image stands still while it does."""

    interval_s: PositiveSeconds = 180.0
    """From one event to the next; the first has just passed when the scenario starts."""
    duration_s: PositiveSeconds = 0.5
    """How long the last image stands still."""
    frames: Annotated[int, Field(ge=1)] = 8
    """Images of the flag whose mean becomes the new correction; their noise stays in it."""

    @model_validator(mode="after")
    def _opens_again(self) -> Shutter:
        if self.duration_s >= self.interval_s:
            raise ValueError(
                f"duration_s ({self.duration_s:g} s) must be shorter than interval_s ({self.interval_s:g} s)"
            )
        return self

    def event(self, time_s: float) -> int:
        """Return the number of the last event that began by a time."""
        return max(0, int(time_s // self.interval_s))

    def is_closed(self, time_s: float) -> bool:
        """Return whether the flag is before the chip."""
        event = self.event(time_s)
        return event > 0 and time_s - event * self.interval_s < self.duration_s


@configured
class Uniformity:
    """How pixels differ, as standard deviations over the chip; offsets as temperatures of a target at 300 K."""

    corrected: bool = True
    """Whether the camera corrects: two-point gain from the factory, one-point offset from the shutter."""
    gain: Fraction = 0.02
    """Of the raw pixels' gains."""
    offset_k: Small = 2.0
    """Of the raw pixels' offsets."""
    gain_residue: Fraction = 0.002
    """What correction leaves of the gains: an error that grows with the distance from the shutter's temperature."""
    drift_k_min: NonNegativeNumber = 0.01
    """Growth of the offsets since the last shutter event, in kelvin per minute."""
    shutter: Shutter | None = Field(default_factory=Shutter)
    """None: the correction of the start must do."""
    dead: Fraction = 1e-4
    """Part of the pixels that give the lowest count."""
    saturated: Fraction = 5e-5
    """Part of the pixels that give the highest count."""
    replaced: bool = True
    """Whether the camera fills broken pixels from their neighbours."""


@dataclass(frozen=True, eq=False)
class Chip:
    """One made camera: its pixels [H, W] as chance made them."""

    gain: Floats
    """Raw error of the gain, standard normal."""
    residue: Floats
    """Error of the gain that correction leaves, standard normal."""
    offset: Floats
    """Raw offset, standard normal."""
    drift: Floats
    """Direction in which the offset drifts, standard normal."""
    kind: NDArray[np.int8]
    """What works."""

    @classmethod
    def made(cls, uniformity: Uniformity, height: int, width: int, draws: Draws) -> Chip:
        """Return the chip of a camera: it depends on the seed and on the sensor's name, not on the sample."""
        factory, size = factory_draws(draws), f"{width}x{height}"

        def pattern(what: str) -> Floats:
            return factory.normal(f"{what} {size}", height * width).reshape(height, width)

        luck = factory.uniform(f"broken {size}", height * width).reshape(height, width)
        kind = np.full((height, width), GOOD, np.int8)
        kind[luck < uniformity.dead + uniformity.saturated] = SATURATED
        kind[luck < uniformity.dead] = DEAD
        return cls(pattern("gain"), pattern("residue"), pattern("offset"), pattern("drift"), kind)


def factory_draws(draws: Draws) -> Draws:
    """Return the chance that made a camera: that of its seed and its name, the same in every run and for every sample."""
    return Draws(draws.seed, 0, draws.sensor, _FACTORY)


def correction_residue(event: int, shape: tuple[int, int], draws: Draws) -> Floats:
    """Return what is left in the offsets [H, W] after a shutter event of this run, standard normal."""
    own = draws.at(draws.sensor, _FACTORY)
    return own.normal(f"shutter {event} {shape[1]}x{shape[0]}", shape[0] * shape[1]).reshape(shape)
