"""A MEMS mirror that swings about both axes at once: the beam draws a Lissajous figure."""

from __future__ import annotations

import math
from typing import Annotated, Literal

import numpy as np
from annotated_types import Gt, Le

from sensorium.core.configuration import configured
from sensorium.core.time import TimeWindow
from sensorium.core.units import PositiveHertz, Radians
from sensorium.sensors.lidar.beams import Beams
from sensorium.sensors.lidar.patterns.firing_loop import FiringLoop, PulseRate


@configured
class MemsLissajous:
    """Both axes swing for ever on the scenario's clock, so that the figure goes on from scan to scan:

        azimuth = A_h sin(2 pi f_h t + p_h),  elevation = A_v sin(2 pi f_v t + p_v)

    The figure closes after 1 / gcd(f_h, f_v). Angles are optical ones (twice the tilt of the mirror); the field of view
    is twice the amplitude.
    """

    type: Literal["mems_lissajous"] = "mems_lissajous"
    horizontal_rate_hz: PositiveHertz
    vertical_rate_hz: PositiveHertz
    horizontal_amplitude_rad: Annotated[Radians, Gt(0), Le(math.pi)]
    vertical_amplitude_rad: Annotated[Radians, Gt(0), Le(math.pi / 2)]
    horizontal_phase_rad: Radians = 0.0
    vertical_phase_rad: Radians = math.pi / 2
    laser_rate_hz: PulseRate

    def beams(self, window: TimeWindow) -> Beams:
        """Return the beams that fire in [start, end)."""
        from sensorium.sensors.lidar import pattern_kernels

        _, time_ns = FiringLoop.of([0.0], 1.0 / self.laser_rate_hz).shots(window)
        direction = pattern_kernels.lissajous(
            time_ns,
            np.array([self.horizontal_rate_hz, self.vertical_rate_hz]),
            np.array([self.horizontal_amplitude_rad, self.vertical_amplitude_rad]),
            np.array([self.horizontal_phase_rad, self.vertical_phase_rad]),
        )
        return Beams(time_ns, np.zeros((len(time_ns), 3)), direction, np.zeros(len(time_ns), np.uint16))

    def angular_step_rad(self, window: TimeWindow) -> float:
        """Return the horizontal angle between two shots in the middle of the field: 2 pi f_h A_h / laser rate."""
        return 2 * math.pi * self.horizontal_rate_hz * self.horizontal_amplitude_rad / self.laser_rate_hz
