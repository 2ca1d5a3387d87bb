"""The radar: scattering paths, radar equation, chirps, samples, detections."""

from sensorium.sensors.radar.angles import Capon, FftAngle, Music
from sensorium.sensors.radar.antenna import GaussianBeam, Isotropic
from sensorium.sensors.radar.array import VirtualArray
from sensorium.sensors.radar.cfar import CellAveraging, OrderedStatistics
from sensorium.sensors.radar.chirps import ChirpSequence
from sensorium.sensors.radar.detection_level import DetectionLevel
from sensorium.sensors.radar.fan import RayFan
from sensorium.sensors.radar.fluctuation import Swerling
from sensorium.sensors.radar.radar import Radar
from sensorium.sensors.radar.receiver import Interferer, Leakage, PhaseNoise, Receiver
from sensorium.sensors.radar.signal_level import SignalLevel

__all__ = [
    "Capon", "CellAveraging", "ChirpSequence", "DetectionLevel", "FftAngle", "GaussianBeam", "Interferer", "Isotropic",
    "Leakage", "Music", "OrderedStatistics", "PhaseNoise", "Radar", "RayFan", "Receiver", "SignalLevel", "Swerling",
    "VirtualArray",
]  # fmt: skip
