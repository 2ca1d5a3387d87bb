"""What sensors hand out: plain frozen parcels."""

from sensorium.samples.point_cloud import PointCloud, PointTruth
from sensorium.samples.sample import Sample, Stamp
from sensorium.samples.truth import TruthSample
from sensorium.samples.waveforms import Waveforms

__all__ = ["PointCloud", "PointTruth", "Sample", "Stamp", "TruthSample", "Waveforms"]
