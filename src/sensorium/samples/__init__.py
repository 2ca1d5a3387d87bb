"""What sensors hand out: plain frozen parcels."""

from sensorium.samples.calibration import Calibration
from sensorium.samples.encoder_reading import EncoderEdges, EncoderReading
from sensorium.samples.gnss import FixType, GnssFix, GnssMeasurements, GnssSatellites, GnssTruth
from sensorium.samples.image import Image, ImageBoxes, ImageTruth
from sensorium.samples.inertial import ImuSample, TriaxialReadings
from sensorium.samples.odometry import OdometerReading
from sensorium.samples.point_cloud import PointCloud, PointTruth
from sensorium.samples.radar import RadarCube, RadarMap, RadarScan, RadarTruth
from sensorium.samples.ranges import Ranges, RangeTruth
from sensorium.samples.sample import Sample, Stamp
from sensorium.samples.station import StationReading
from sensorium.samples.temperature import Temperature
from sensorium.samples.truth import TruthSample
from sensorium.samples.waveforms import Waveforms

__all__ = [
    "Calibration",
    "EncoderEdges",
    "EncoderReading",
    "FixType",
    "GnssFix",
    "GnssMeasurements",
    "GnssSatellites",
    "GnssTruth",
    "Image",
    "ImageBoxes",
    "ImageTruth",
    "ImuSample",
    "OdometerReading",
    "PointCloud",
    "PointTruth",
    "RadarCube",
    "RadarMap",
    "RadarScan",
    "RadarTruth",
    "RangeTruth",
    "Ranges",
    "Sample",
    "Stamp",
    "StationReading",
    "Temperature",
    "TriaxialReadings",
    "TruthSample",
    "Waveforms",
]
