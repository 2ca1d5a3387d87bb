"""A record of one quantity of an IMU: all readings of a recording in one table, at an even rate."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.core.errors import RecordingError
from sensorium.samples import ImuSample, Sample

QUANTITIES = {
    "angular_velocity": ("gyroscope", "rad/s"),
    "specific_force": ("accelerometer", "m/s^2"),
    "flux_density": ("magnetometer", "T"),
}
"""Quantity -> instrument and unit."""
_MOST_LOST = 0.01


@dataclass(frozen=True, eq=False)
class InertialRecord:
    """N readings of one instrument at an even rate."""

    sensor: str
    quantity: str
    start_ns: int
    rate_hz: float
    values: NDArray[np.float64]
    """[N, C] of the axes that the instrument has."""
    axes: tuple[str, ...]
    filled: int
    """Lost readings that hold the value before."""

    @property
    def unit(self) -> str:
        """SI unit of the values."""
        return QUANTITIES[self.quantity][1]

    @property
    def instrument(self) -> str:
        """What made the readings."""
        return QUANTITIES[self.quantity][0]


def inertial_records(samples: Iterable[Sample]) -> list[InertialRecord]:
    """Return a record for each IMU and instrument, in the order in which they first appear."""
    found: dict[tuple[str, str], list[tuple[NDArray[np.int64], NDArray[np.float64]]]] = {}
    for sample in samples:
        if isinstance(sample, ImuSample):
            for quantity in QUANTITIES:
                readings = getattr(sample, quantity)
                if readings is not None and len(readings):
                    pieces = found.setdefault((sample.stamp.sensor, quantity), [])
                    pieces.append((readings.time_ns, readings.values))
    return [_record(sensor, quantity, pieces) for (sensor, quantity), pieces in found.items()]


def _record(sensor: str, quantity: str, pieces: list[tuple[NDArray[np.int64], NDArray[np.float64]]]) -> InertialRecord:
    times, values = np.concatenate([each for each, _ in pieces]), np.concatenate([each for _, each in pieces])
    there = ~np.isnan(values).all(0)
    axes = tuple(axis for axis, has in zip("xyz", there, strict=True) if has)
    whole = ~np.isnan(values[:, there]).any(1)
    times, values = times[whole], values[whole][:, there]
    if len(times) < 2:
        return InertialRecord(sensor, quantity, int(times[0]) if len(times) else 0, 1.0, values, axes, 0)
    period_ns = float(np.median(np.diff(times)))
    places = np.rint((times - times[0]) / period_ns).astype(np.int64)
    count = int(places[-1]) + 1
    if (np.diff(places) < 1).any():
        raise RecordingError(f"the readings of {sensor} are not in the order of their times")
    if count - len(places) > _MOST_LOST * count:
        raise RecordingError(
            f"{count - len(places)} of {count} readings of {sensor} are missing; an even record is needed, with at most "
            f"{_MOST_LOST:.0%} lost"
        )
    rate_hz = (count - 1) * 1e9 / float(times[-1] - times[0])
    held = np.searchsorted(places, np.arange(count), side="right") - 1
    return InertialRecord(sensor, quantity, int(times[0]), rate_hz, values[held], axes, count - len(places))
