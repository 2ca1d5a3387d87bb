"""Inertial measurement units: accelerometer, gyroscope and magnetometer in any combination."""

from sensorium.sensors.inertial.accelerations import TrueDerivatives, VelocityDifferences
from sensorium.sensors.inertial.accelerometer import Accelerometer
from sensorium.sensors.inertial.gyroscope import Gyroscope
from sensorium.sensors.inertial.imu import Imu
from sensorium.sensors.inertial.linear_acceleration import LinearAccelerationEffect
from sensorium.sensors.inertial.magnetometer import Magnetometer

__all__ = [
    "Accelerometer", "Gyroscope", "Imu", "LinearAccelerationEffect", "Magnetometer", "TrueDerivatives", "VelocityDifferences",
]  # fmt: skip
