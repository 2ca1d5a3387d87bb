"""What an encoder reads: the graduation of a disc or of a ruler, and how it is set against its joint."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Annotated, Literal, Self

import numpy as np
from annotated_types import Ge
from numpy.typing import NDArray
from pydantic import Field, model_validator

from sensorium.core.configuration import configured
from sensorium.core.units import (
    Kelvin,
    Metres,
    NonNegativeMetres,
    NonNegativeRadians,
    Number,
    PositiveMetres,
    PositiveNumber,
    Radians,
)

Floats = NDArray[np.float64]


class Scale(ABC):
    """A graduation; coordinates are radians or metres, as its joint has them."""

    kind: str
    """Of the joint: revolute or prismatic."""

    @property
    @abstractmethod
    def resolution(self) -> float:
        """Coordinate per count, of the joint."""

    @property
    @abstractmethod
    def bounds(self) -> tuple[float, float] | None:
        """Where readings wrap or stop; None: nowhere."""

    @property
    @abstractmethod
    def counts_per_index(self) -> int:
        """Counts from one index to the next; 0 without an index."""

    @property
    @abstractmethod
    def noise(self) -> float:
        """Standard deviation of a reading, in the joint's coordinate."""

    @property
    def step(self) -> float:
        """The same as the resolution, where the head is: behind a gear."""
        return self.resolution

    @abstractmethod
    def geometry(self, temperature_k: float) -> tuple[float, float, float]:
        """Return s, e, p of what the head sees of a coordinate u: m = s u + e sin(s u - p)."""

    def seen(self, coordinate: Floats, temperature_k: float) -> Floats:
        """Return m, what the head sees of a coordinate."""
        scale, swing, phase = self.geometry(temperature_k)
        return np.asarray(scale * coordinate + swing * np.sin(scale * coordinate - phase))


def _ordered(bounds: tuple[float, float] | None, unit: str) -> None:
    if bounds is not None and bounds[0] >= bounds[1]:
        raise ValueError(f"the lower bound {bounds[0]:g} {unit} must lie below the upper bound {bounds[1]:g} {unit}")


@configured
class Rotary(Scale):
    """A disc on a hinge, or on a shaft that the hinge turns through a gear."""

    type: Literal["rotary"] = "rotary"
    counts_per_turn: Annotated[int, Ge(1)]
    """Counts in a turn of the disc: four for each line when A and B are decoded fully."""
    gear: PositiveNumber = 1.0
    """Turns of the disc for one turn of the joint."""
    index: bool = False
    """Whether Z marks one count in each turn of the disc."""
    eccentricity_m: NonNegativeMetres = 0.0
    """Distance from the disc's centre to the axis."""
    disc_radius_m: PositiveMetres = 0.02
    """Of the track that the head sees."""
    eccentric_direction_rad: Radians = 0.0
    """Angle of the disc at which the head reads right and the error grows fastest."""
    noise_rad: NonNegativeRadians = 0.0
    """Standard deviation of a reading, at the joint."""
    heads: Literal[1, 2] = 1
    """Two heads on opposite sides cancel the error of an eccentric disc."""
    range_rad: tuple[Radians, Radians] | None = None
    """Lowest and highest angle of the joint that can be told; None: turns are counted without end."""

    @property
    def kind(self) -> str:  # type: ignore[override]
        """A hinge."""
        return "revolute"

    @model_validator(mode="after")
    def _makes_sense(self) -> Self:
        _ordered(self.range_rad, "rad")
        if self.eccentricity_m >= self.disc_radius_m:
            raise ValueError(
                f"the eccentricity {self.eccentricity_m:g} m must be below the disc's radius {self.disc_radius_m:g} m"
            )
        return self

    @property
    def resolution(self) -> float:
        """2 pi over the counts, at the joint."""
        return 2 * math.pi / (self.counts_per_turn * self.gear)

    @property
    def bounds(self) -> tuple[float, float] | None:
        """In radians of the joint."""
        return self.range_rad

    @property
    def counts_per_index(self) -> int:
        """A turn of the disc."""
        return self.counts_per_turn if self.index else 0

    @property
    def noise(self) -> float:
        """In radians of the joint."""
        return self.noise_rad

    @property
    def step(self) -> float:
        """2 pi over the counts, at the disc."""
        return 2 * math.pi / self.counts_per_turn

    def geometry(self, temperature_k: float) -> tuple[float, float, float]:
        """In radians of the disc: s is the gear, e the eccentricity over the radius."""
        swing = 0.0 if self.heads == 2 else self.eccentricity_m / self.disc_radius_m
        return self.gear, swing, self.eccentric_direction_rad


@configured
class Linear(Scale):
    """A ruler along a slide; it grows with the temperature of the air, so that a warm one reads too little."""

    type: Literal["linear"] = "linear"
    resolution_m: PositiveMetres
    """Length per count."""
    index_spacing_m: PositiveMetres | None = None
    """Distance of the reference marks; None: none."""
    expansion_per_k: Number = 0.0
    """Thermal expansion of the ruler less that of the machine."""
    reference_k: Annotated[Kelvin, Field(gt=0)] = 293.15
    """Temperature at which it is right (ISO 1)."""
    noise_m: NonNegativeMetres = 0.0
    """Standard deviation of a reading."""
    range_m: tuple[Metres, Metres] | None = None
    """Ends of the ruler; None: none."""

    @property
    def kind(self) -> str:  # type: ignore[override]
        """A slide."""
        return "prismatic"

    @model_validator(mode="after")
    def _makes_sense(self) -> Self:
        _ordered(self.range_m, "m")
        return self

    @property
    def resolution(self) -> float:
        """As given."""
        return self.resolution_m

    @property
    def bounds(self) -> tuple[float, float] | None:
        """In metres."""
        return self.range_m

    @property
    def counts_per_index(self) -> int:
        """The nearest number of counts."""
        return 0 if self.index_spacing_m is None else round(self.index_spacing_m / self.resolution_m)

    @property
    def noise(self) -> float:
        """In metres."""
        return self.noise_m

    def geometry(self, temperature_k: float) -> tuple[float, float, float]:
        """s = 1 / (1 + a (T - T_ref))."""
        return 1.0 / (1.0 + self.expansion_per_k * (temperature_k - self.reference_k)), 0.0, 0.0


AnyScale = Annotated[Rotary | Linear, Field(discriminator="type")]
