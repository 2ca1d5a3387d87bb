"""Scan patterns: where the beams of a LiDAR go, and when. `AnyPattern` is what a scenario may choose by `type`."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sensorium.sensors.lidar.patterns.column_scan import ColumnScan, Row
from sensorium.sensors.lidar.patterns.csv_pattern import CsvPattern
from sensorium.sensors.lidar.patterns.flash import Flash
from sensorium.sensors.lidar.patterns.lens import FTheta, Pinhole
from sensorium.sensors.lidar.patterns.mems_lissajous import MemsLissajous
from sensorium.sensors.lidar.patterns.mems_raster import MemsRaster
from sensorium.sensors.lidar.patterns.mirror_sweep import BackAndForth, OneWay, Ramp, Resonant, Staircase
from sensorium.sensors.lidar.patterns.phased_array import PhasedArray
from sensorium.sensors.lidar.patterns.programme import ListedDirections, RasterDirections, RowByRow, Scattered
from sensorium.sensors.lidar.patterns.rosette import Emitter, Prism, Rosette
from sensorium.sensors.lidar.patterns.spinning import Channel, Spinning

AnyPattern = Annotated[
    Spinning | ColumnScan | MemsRaster | MemsLissajous | Flash | PhasedArray | Rosette | CsvPattern,
    Field(discriminator="type"),
]

__all__ = [
    "AnyPattern", "BackAndForth", "Channel", "ColumnScan", "CsvPattern", "Emitter", "FTheta", "Flash",
    "ListedDirections", "MemsLissajous", "MemsRaster", "OneWay", "PhasedArray", "Pinhole", "Prism", "Ramp",
    "RasterDirections", "Resonant", "Rosette", "Row", "RowByRow", "Scattered", "Spinning", "Staircase",
]  # fmt: skip
