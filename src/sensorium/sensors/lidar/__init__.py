"""The LiDAR: scan patterns, beams, echoes, detector."""

from sensorium.sensors.lidar.lidar import Lidar
from sensorium.sensors.lidar.patterns import (
    AnyPattern,
    Channel,
    ColumnScan,
    CsvPattern,
    Flash,
    MemsLissajous,
    MemsRaster,
    PhasedArray,
    Rosette,
    Spinning,
)

__all__ = [
    "AnyPattern", "Channel", "ColumnScan", "CsvPattern", "Flash", "Lidar", "MemsLissajous", "MemsRaster", "PhasedArray",
    "Rosette", "Spinning",
]  # fmt: skip
