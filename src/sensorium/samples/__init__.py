"""What sensors hand out: plain frozen parcels."""

from sensorium.samples.calibration import Calibration
from sensorium.samples.image import Image, ImageBoxes, ImageTruth
from sensorium.samples.point_cloud import PointCloud, PointTruth
from sensorium.samples.radar import RadarCube, RadarMap, RadarScan, RadarTruth
from sensorium.samples.sample import Sample, Stamp
from sensorium.samples.truth import TruthSample
from sensorium.samples.waveforms import Waveforms

__all__ = [
    "Calibration", "Image", "ImageBoxes", "ImageTruth", "PointCloud", "PointTruth", "RadarCube", "RadarMap", "RadarScan",
    "RadarTruth", "Sample", "Stamp", "TruthSample", "Waveforms",
]  # fmt: skip
