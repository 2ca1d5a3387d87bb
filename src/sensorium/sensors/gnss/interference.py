"""What disturbs reception besides houses: jammers, spoofers, and tunnels that the scene does not hold as geometry."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from sensorium.core.configuration import configured
from sensorium.core.earth import SPEED_OF_LIGHT_M_S
from sensorium.core.units import Metres, NonNegativeNumber, PositiveHertz, Seconds, Vector3, Velocity3, Watts
from sensorium.sensors.gnss.signals import L1_HZ

Floats = NDArray[np.float64]


@configured
class Jammer:
    """A transmitter of noise. Its wave spreads freely: P_r = P (lambda / 4 pi d)^2 (Friis), less behind what hides it."""

    position_m: Vector3
    """In the world."""
    power_w: Annotated[Watts, Field(gt=0)]
    """Equivalent isotropically radiated."""
    frequency_hz: PositiveHertz = L1_HZ
    """Middle of its band."""
    bandwidth_hz: PositiveHertz = 20e6
    """Its power is spread evenly over this."""
    start_s: Seconds = 0.0
    end_s: Seconds = float(10**9)
    hidden_db: NonNegativeNumber = 25.0
    """Loss behind what stands in between; assumed."""

    def received(
        self, place_m: Floats, hidden: bool, time_s: float, frequency_hz: float, width_hz: float
    ) -> tuple[float, float]:
        """Return the power [W] that an isotropic antenna hands to a receiver with this band, and the width [Hz] it fills."""
        if not self.start_s <= time_s < self.end_s:
            return 0.0, 1.0
        distance = max(float(np.linalg.norm(np.array(self.position_m) - place_m)), 1.0)
        spread = (SPEED_OF_LIGHT_M_S / self.frequency_hz / (4 * np.pi * distance)) ** 2
        low = max(self.frequency_hz - self.bandwidth_hz / 2, frequency_hz - width_hz / 2)
        high = min(self.frequency_hz + self.bandwidth_hz / 2, frequency_hz + width_hz / 2)
        inside = max(high - low, 0.0)
        power = self.power_w * spread * inside / self.bandwidth_hz * (10 ** (-self.hidden_db / 10) if hidden else 1.0)
        return float(power), max(inside, 1.0)


@configured
class Spoofer:
    """A transmitter of false signals of all satellites, as they would be at a place that is not the antenna's.

    It takes over a signal when it arrives stronger by `advantage_db`; the receiver then measures what belongs to the false
    place: the true antenna moved by the offset, which grows at the drift's speed.
    """

    position_m: Vector3
    """Of its antenna, in the world."""
    power_w: Annotated[Watts, Field(gt=0)]
    """Equivalent isotropically radiated, of each signal."""
    offset_m: Vector3 = (0.0, 0.0, 0.0)
    """East, north, up of the false place from the true one, when it starts."""
    drift_m_s: Velocity3 = (0.0, 0.0, 0.0)
    """How the offset grows: a pull that begins at nothing is not noticed."""
    start_s: Seconds = 0.0
    end_s: Seconds = float(10**9)
    advantage_db: NonNegativeNumber = 3.0

    def received_dbw(self, place_m: Floats, frequency_hz: float) -> float:
        """Return the power [dBW] of one signal at an isotropic antenna."""
        distance = max(float(np.linalg.norm(np.array(self.position_m) - place_m)), 1.0)
        wavelength = SPEED_OF_LIGHT_M_S / frequency_hz
        return float(10 * np.log10(self.power_w) + 20 * np.log10(wavelength / (4 * np.pi * distance)))

    def offset_at_m(self, time_s: float) -> Floats | None:
        """Return the false place minus the true one; None while it is off."""
        if not self.start_s <= time_s < self.end_s:
            return None
        return np.array(self.offset_m) + (time_s - self.start_s) * np.array(self.drift_m_s)


@configured
class Tunnel:
    """A box of the world into which no satellite reaches, for tunnels and garages without geometry."""

    low_m: Vector3
    high_m: Vector3
    loss_db: NonNegativeNumber = 60.0

    @model_validator(mode="after")
    def _has_room(self) -> Tunnel:
        if any(low >= high for low, high in zip(self.low_m, self.high_m, strict=True)):
            raise ValueError(f"low_m {self.low_m} must lie below high_m {self.high_m} in all three coordinates")
        return self

    def loss_at_db(self, place_m: Floats) -> float:
        """Return the loss of all signals at a place."""
        inside = bool(np.all(place_m >= self.low_m) and np.all(place_m <= self.high_m))
        return float(self.loss_db) if inside else 0.0


@configured
class BaseStation:
    """A reference receiver at a known place, whose measurements reach the receiver over a link at once."""

    position_m: Vector3 = (0.0, 0.0, 20.0)
    """Of its antenna in the world; it has a free sky."""
    start_s: Seconds = 0.0
    end_s: Seconds = float(10**9)
    """The link works between these times."""
    code_noise_m: Metres = 0.2
    phase_noise_m: Metres = 0.002
