"""What sensors hand out: plain frozen parcels."""

from sensorium.samples.calibration import Calibration
from sensorium.samples.gnss import FixType, GnssFix, GnssMeasurements, GnssSatellites, GnssTruth
from sensorium.samples.image import Image, ImageBoxes, ImageTruth
from sensorium.samples.point_cloud import PointCloud, PointTruth
from sensorium.samples.sample import Sample, Stamp
from sensorium.samples.truth import TruthSample
from sensorium.samples.waveforms import Waveforms

__all__ = [
    "Calibration", "FixType", "GnssFix", "GnssMeasurements", "GnssSatellites", "GnssTruth", "Image", "ImageBoxes", "ImageTruth", "PointCloud", "PointTruth", "Sample", "Stamp", "TruthSample", "Waveforms",
]  # fmt: skip
