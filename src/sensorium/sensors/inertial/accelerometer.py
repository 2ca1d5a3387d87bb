"""The accelerometer: specific force along its axes."""

from __future__ import annotations

from typing import ClassVar

from sensorium.core.configuration import configured
from sensorium.sensors.inertial.triaxial import Triaxial


@configured
class Accelerometer(Triaxial):
    """Measures u = F^-1 (a + dw/dt x r + w x (w x r) - g) at its own place r; at rest +9.81 m/s^2 upwards (REP 145)."""

    signal_unit: ClassVar[str] = "m/s^2"
