"""An inertial measurement unit's parcel: the readings of its accelerometer, gyroscope and magnetometer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.samples.sample import Sample

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, kw_only=True)
class TriaxialReadings:
    """N readings along the three axes of one instrument, in its own frame."""

    time_ns: NDArray[np.int64]
    """[N] instant of each reading."""
    values: Floats
    """[N, 3]; NaN on an axis that the instrument does not have, and where a reading was lost."""
    covariance: Floats
    """[3, 3] of one reading's error as configured, over many runs; infinite on an axis that is not there."""

    def __len__(self) -> int:
        return len(self.values)


@dataclass(frozen=True, eq=False, kw_only=True)
class ImuSample(Sample):
    """What leaves an IMU at once: one reading of each instrument, or a whole FIFO of them.

    Each instrument has its own rate, so that the counts may differ; None: the unit does not have it.
    """

    specific_force: TriaxialReadings | None = None
    """m/s^2; +9.81 upwards at rest (REP 145)."""
    angular_velocity: TriaxialReadings | None = None
    """rad/s."""
    flux_density: TriaxialReadings | None = None
    """Tesla."""

    @property
    def specific_force_m_s2(self) -> Floats:
        """Readings of the accelerometer [N, 3]; none without one."""
        return _values(self.specific_force)

    @property
    def angular_velocity_rad_s(self) -> Floats:
        """Readings of the gyroscope [N, 3]; none without one."""
        return _values(self.angular_velocity)

    @property
    def flux_density_t(self) -> Floats:
        """Readings of the magnetometer [N, 3]; none without one."""
        return _values(self.flux_density)


def _values(readings: TriaxialReadings | None) -> Floats:
    return np.zeros((0, 3)) if readings is None else readings.values
