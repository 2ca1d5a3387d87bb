"""The LiDAR: scan patterns, beams, echoes, detector."""

from sensorium.sensors.lidar.lidar import Lidar
from sensorium.sensors.lidar.patterns.spinning import Channel, Spinning

__all__ = ["Channel", "Lidar", "Spinning"]
