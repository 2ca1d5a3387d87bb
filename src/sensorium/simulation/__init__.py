"""The clock: a rig of sensors in a scene becomes one time-ordered stream of samples."""

from sensorium.simulation.rig import Mount
from sensorium.simulation.simulation import Simulation, observe

__all__ = ["Mount", "Simulation", "observe"]
