"""Antennas that send and receive in turn, and the virtual array that they make together (TDM-MIMO)."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from sensorium.core.configuration import configured
from sensorium.core.units import Metres

Floats = NDArray[np.float64]
Place = tuple[Metres, Metres]
"""(y, z) of an antenna's phase centre in the sensor frame: to the left, up."""


@configured
class VirtualArray:
    """Channel (i, j) hears transmitter i with receiver j as one antenna at the sum of both places would.

    >>> VirtualArray.uniform(transmitters=2, receivers=4, spacing_m=1.95e-3)
    """

    transmitters_m: Annotated[tuple[Place, ...], Field(min_length=1)] = ((0.0, 0.0),)
    receivers_m: Annotated[tuple[Place, ...], Field(min_length=1)] = ((0.0, 0.0),)

    @model_validator(mode="after")
    def _places_differ(self) -> VirtualArray:
        places, names = self.places_m, self._names
        apart = np.linalg.norm(places[:, None] - places[None], axis=-1) + np.eye(len(places))
        close = np.argwhere(np.triu(apart < 1e-6))
        if len(close):
            one, other = close[0]
            raise ValueError(
                f"virtual elements coincide: {names[one]} and {names[other]} both lie at y = {places[one, 0] * 1e3:.4g} mm,"
                f" z = {places[one, 1] * 1e3:.4g} mm; move a transmitter or a receiver"
            )
        return self

    @classmethod
    def uniform(cls, transmitters: int, receivers: int, spacing_m: float) -> VirtualArray:
        """Return a row along y without gaps: receivers one spacing apart, transmitters a whole row of receivers."""
        sending = tuple((i * receivers * spacing_m, 0.0) for i in range(transmitters))
        return cls(transmitters_m=sending, receivers_m=tuple((j * spacing_m, 0.0) for j in range(receivers)))

    @property
    def _names(self) -> list[str]:
        sending, hearing = range(len(self.transmitters_m)), range(len(self.receivers_m))
        return [f"transmitter {i} with receiver {j}" for i in sending for j in hearing]

    @cached_property
    def places_m(self) -> Floats:
        """[channels, 2] of the virtual elements, transmitter by transmitter."""
        sending, hearing = np.array(self.transmitters_m, float), np.array(self.receivers_m, float)
        return np.asarray((sending[:, None] + hearing[None]).reshape(-1, 2))

    @property
    def channels(self) -> int:
        """Number of virtual elements."""
        return len(self.transmitters_m) * len(self.receivers_m)

    def turns(self, sent: Floats, heard: Floats, wavelength_m: float) -> Floats:
        """Return phases [paths, channels] in turns for unit directions [paths, 3] out and back, sensor frame.

        An antenna at p sends to and hears from the direction u ahead by p.u / lambda.
        """
        sending, hearing = np.array(self.transmitters_m, float), np.array(self.receivers_m, float)
        ahead = (sent[:, 1:] @ sending.T)[:, :, None] + (heard[:, 1:] @ hearing.T)[:, None, :]
        return np.asarray(ahead.reshape(len(sent), self.channels) / -wavelength_m)

    def steering(self, azimuth_rad: Floats, elevation_rad: Floats, wavelength_m: float) -> NDArray[np.complex128]:
        """Return what a far target sounds like on the channels [..., channels], as `turns` has it."""
        azimuth, elevation = np.broadcast_arrays(np.asarray(azimuth_rad, float), np.asarray(elevation_rad, float))
        direction = np.stack((np.sin(azimuth) * np.cos(elevation), np.sin(elevation)), -1)
        return np.asarray(np.exp(-2j * np.pi * (direction @ self.places_m.T) / wavelength_m))

    def spread_m(self, axis: int) -> float:
        """Return the root mean square distance of the elements from their middle along y (0) or z (1)."""
        return float(np.std(self.places_m[:, axis]))

    def aperture_m(self, axis: int) -> float:
        """Return the extent along y (0) or z (1)."""
        return float(np.ptp(self.places_m[:, axis]))
