"""Latency: a sample leaves its sensor later than it was taken, and not always equally late."""

from __future__ import annotations

from typing import Literal

from sensorium.core.configuration import configured
from sensorium.core.random import Draws
from sensorium.core.time import nanoseconds
from sensorium.core.units import NonNegativeSeconds


@configured
class Latency:
    """A fixed delay, and on top of it a time drawn evenly between 0 and the jitter. For `Sensor.delay_ns`."""

    type: Literal["latency"] = "latency"
    delay_s: NonNegativeSeconds = 0.0
    jitter_s: NonNegativeSeconds = 0.0

    def delay_ns(self, draws: Draws) -> int:
        """Return the delay of one sample."""
        jitter_s = self.jitter_s * float(draws.uniform("latency", 1)[0]) if self.jitter_s else 0.0
        return nanoseconds(self.delay_s + jitter_s)
