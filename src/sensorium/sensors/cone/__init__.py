"""The function-based cone sensor: the nearest point of each object, without tracing."""

from sensorium.sensors.cone.beams import Gaussian, Uniform
from sensorium.sensors.cone.cone import ConeSensor
from sensorium.sensors.cone.dropouts import Chance, Faintness
from sensorium.sensors.cone.fronts import Flat, Spherical
from sensorium.sensors.cone.methods import AdaptiveLines, Exact, Lines
from sensorium.sensors.cone.noise import Noise
from sensorium.sensors.cone.speeds import Difference, Doppler
from sensorium.sensors.cone.waves import Ideal, Radio, Sound

__all__ = [
    "AdaptiveLines", "Chance", "ConeSensor", "Difference", "Doppler", "Exact", "Faintness", "Flat", "Gaussian", "Ideal",
    "Lines", "Noise", "Radio", "Sound", "Spherical", "Uniform",
]  # fmt: skip
