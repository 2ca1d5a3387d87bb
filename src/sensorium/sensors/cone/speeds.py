"""How speed is measured: by the difference of two readings of the same body, or by the Doppler effect.

Which detections are the same body is taken from the truth: association is no part of this instrument.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.random import Draws
from sensorium.core.time import NANOSECONDS_PER_SECOND, nanoseconds
from sensorium.core.units import MetresPerSecond, PositiveSeconds

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Reading:
    """Where a body was last seen, as reported."""

    time_ns: int
    range_m: float
    point_m: Floats
    """[3]; NaN without angles."""


Memory = Mapping[int, Reading]
"""The last reading of each body by its number."""


class Speed(ABC):
    """A way to measure speed."""

    doppler = False
    """Whether the true radial speed is asked for."""

    @abstractmethod
    def measured(
        self, body: NDArray[np.int64], readings: list[Reading], before: Memory, doppler_m_s: Floats, draws: Draws
    ) -> tuple[Floats, Floats]:
        """Return radial and total speed [N] of these readings, each of a body; NaN where they are not known."""

    def remembered(self, body: NDArray[np.int64], readings: list[Reading], before: Memory, time_ns: int) -> Memory:
        """Return what is kept for the next readings."""
        return {}


@configured
class Difference(Speed):
    """|q_i - q_(i+1)| / dt and (r_(i+1) - r_i) / dt, dt the true time between the two readings of the same body."""

    type: Literal["difference"] = "difference"
    memory_s: PositiveSeconds = 1.0
    """A body that was not seen for longer begins anew."""

    def measured(
        self, body: NDArray[np.int64], readings: list[Reading], before: Memory, doppler_m_s: Floats, draws: Draws
    ) -> tuple[Floats, Floats]:
        """Divide the change by the time since the last reading, however long that was."""
        radial, total = np.full(len(body), np.nan), np.full(len(body), np.nan)
        for row, (number, now) in enumerate(zip(body.tolist(), readings, strict=True)):
            last = before.get(number)
            if last is not None and now.time_ns > last.time_ns:
                passed_s = (now.time_ns - last.time_ns) / NANOSECONDS_PER_SECOND
                radial[row] = (now.range_m - last.range_m) / passed_s
                total[row] = math.dist(now.point_m, last.point_m) / passed_s
        return radial, total

    def remembered(self, body: NDArray[np.int64], readings: list[Reading], before: Memory, time_ns: int) -> Memory:
        """Keep the newest reading of every body that is not too old."""
        oldest_ns = time_ns - nanoseconds(self.memory_s)
        kept = {number: reading for number, reading in before.items() if reading.time_ns >= oldest_ns}
        return kept | dict(zip(body.tolist(), readings, strict=True))


@configured
class Doppler(Speed):
    """Radial speed of the very point of the surface, relative to the sensor; total speed is not known."""

    type: Literal["doppler"] = "doppler"
    noise_m_s: Annotated[MetresPerSecond, Field(ge=0)] = 0.0
    """Standard deviation."""
    doppler = True

    def measured(
        self, body: NDArray[np.int64], readings: list[Reading], before: Memory, doppler_m_s: Floats, draws: Draws
    ) -> tuple[Floats, Floats]:
        """Add the noise."""
        noise = self.noise_m_s * draws.normal("speed", len(body)) if self.noise_m_s else 0.0
        return doppler_m_s + noise, np.full(len(body), np.nan)


AnySpeed = Annotated[Difference | Doppler, Field(discriminator="type")]
