"""The first belief about a target: what one measurement says of it, and how fast things may be."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from annotated_types import Gt
from numpy.typing import NDArray

from sensorium.core.configuration import configured
from sensorium.core.units import Number, PositiveMetres
from sensorium.tracking.gaussian import Gaussian
from sensorium.tracking.measurement_models import (
    Angles,
    CrossPosition,
    Position,
    RangeAngles,
    RangeAngleSpeed,
    RangeAnglesSpeed,
)
from sensorium.tracking.measurements import Measurements

Floats = NDArray[np.float64]


@configured
class SinglePoint:
    """Starts where the measurement says, at rest, with an open mind about speed and acceleration.

    A measurement of angles alone starts at `range_m` along its line of sight; the uncertainty lies along that line, so
    that a filter that linearises does not take a wrong range for a wrong angle. A radial speed is believed at once.
    """

    type: Literal["single_point"] = "single_point"
    range_m: PositiveMetres = 20.0
    """Guess where only angles are measured."""
    range_noise_m: PositiveMetres = 8.0
    speed_noise_m_s: Annotated[Number, Gt(0)] = 5.0
    acceleration_noise_m_s2: Annotated[Number, Gt(0)] = 10.0
    elevation_noise_rad: Annotated[Number, Gt(0)] = 0.1
    """About the sensor's own plane, where no elevation is measured."""

    def state(self, measurements: Measurements, order: int) -> Gaussian:
        """Return a belief [B] for single measurements [B, 1]."""
        m = measurements
        count = len(m)
        place, spread = np.empty((count, 3)), np.empty((count, 3, 3))
        for row in range(count):
            place[row], spread[row] = self._place(int(m.code[row, 0]), m.value[row, 0], m.covariance[row, 0])
        rotation = m.rotation[:, 0]
        mean, covariance = np.zeros((count, 3 * order)), np.zeros((count, 3 * order, 3 * order))
        mean[:, ::order] = np.einsum("bij,bj->bi", rotation, place) + m.origin_m[:, 0]
        covariance[:, ::order, ::order] = rotation @ spread @ np.swapaxes(rotation, 1, 2)
        for axis in range(3):
            covariance[:, axis * order + 1, axis * order + 1] = self.speed_noise_m_s**2
            if order == 3:
                covariance[:, axis * 3 + 2, axis * 3 + 2] = self.acceleration_noise_m_s2**2
        for row in np.flatnonzero(np.isin(m.code[:, 0], (RangeAnglesSpeed.code, RangeAngleSpeed.code))).tolist():
            line = mean[row, ::order] - m.origin_m[row, 0]
            line /= np.linalg.norm(line)
            last = 3 if m.code[row, 0] == RangeAnglesSpeed.code else 2
            speed = m.value[row, 0, last] + line @ m.velocity_m_s[row, 0]
            gain = self.speed_noise_m_s**2 / (self.speed_noise_m_s**2 + m.covariance[row, 0, last, last])
            mean[row, 1::order] = gain * speed * line
            covariance[row, 1::order, 1::order] -= gain * self.speed_noise_m_s**2 * np.outer(line, line)
        return Gaussian(m.time_ns[:, 0].copy(), mean, covariance)

    def _place(self, code: int, value: Floats, noise: Floats) -> tuple[Floats, Floats]:
        """Return place [3] and covariance [3, 3] in the sensor's frame."""
        if code == Position.code:
            return value[:3], noise[:3, :3]
        full = np.zeros((3, 3))
        full[0, 0] = self.range_noise_m**2
        if code == CrossPosition.code:
            full[1:, 1:] = noise[:2, :2]
            return np.array([self.range_m, value[0], value[1]]), full
        if code in (RangeAngles.code, RangeAnglesSpeed.code):
            (distance, azimuth, elevation), full = value[:3], noise[:3, :3]
        elif code == RangeAngleSpeed.code:
            (distance, azimuth), elevation = value[:2], 0.0
            full[:2, :2], full[2, 2] = noise[:2, :2], self.elevation_noise_rad**2
        else:
            assert code == Angles.code
            (azimuth, elevation), distance = value[:2], self.range_m
            full[1:, 1:] = noise[:2, :2]
        return cartesian(distance, azimuth, elevation, full)


def cartesian(distance: float, azimuth: float, elevation: float, covariance: Floats) -> tuple[Floats, Floats]:
    """Return place [3] and covariance [3, 3] of a range and two angles with their covariance: P = J R J'."""
    ca, sa, ce, se = np.cos(azimuth), np.sin(azimuth), np.cos(elevation), np.sin(elevation)
    along = np.array([ce * ca, ce * sa, se])
    j = np.stack(
        (along, distance * np.array([-ce * sa, ce * ca, 0.0]), distance * np.array([-se * ca, -se * sa, ce])), 1
    )
    return distance * along, j @ covariance @ j.T
