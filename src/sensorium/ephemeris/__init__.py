"""Where navigation satellites are and what their clocks say: orbits, and the files that carry them."""

from sensorium.ephemeris.orbits import Orbits, SatelliteStates

__all__ = ["Orbits", "SatelliteStates"]
