"""The LiDAR: scan patterns, beams, echoes, detector."""

from sensorium.sensors.lidar.blooming import Blooming
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
from sensorium.sensors.lidar.peak_detection import (
    Centroid,
    ConstantFraction,
    Everywhere,
    MatchedFilter,
    NearEchoes,
    Threshold,
)
from sensorium.sensors.lidar.pulses import GaussianPulse, SkewedPulse
from sensorium.sensors.lidar.waveform import Crossover, Digitiser, Waveform

__all__ = [
    "AnyPattern", "Blooming", "Centroid", "Channel", "ColumnScan", "ConstantFraction", "Crossover", "CsvPattern",
    "Digitiser", "Everywhere", "Flash", "GaussianPulse", "Lidar", "MatchedFilter", "MemsLissajous", "MemsRaster",
    "NearEchoes", "PhasedArray", "Rosette", "SkewedPulse", "Spinning", "Threshold", "Waveform",
]  # fmt: skip
