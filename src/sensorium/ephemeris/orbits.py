"""What everybody wants of orbits: position, velocity and clock of satellites at instants of GPS time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Instants = NDArray[np.int64]
"""GPS time [ns since 1980-01-06]."""

SYSTEMS = {"G": "GPS", "R": "GLONASS", "E": "Galileo", "C": "BeiDou"}
"""Letters of RINEX."""


@dataclass(frozen=True, eq=False)
class SatelliteStates:
    """N satellites, each at an instant of its own, in the ECEF frame of that instant."""

    position_m: Floats
    """[N, 3]; NaN where not usable."""
    velocity_m_s: Floats
    """[N, 3] in the turning frame."""
    clock_s: Floats
    """[N] satellite time minus system time, with the relativistic term of the eccentric orbit."""
    clock_drift: Floats
    """[N] s/s"""
    group_delay_s: Floats
    """[N] T_GD: a receiver of L1 (E1) alone takes it from the clock; of frequency f alone, (f_1 / f)^2 times of it."""
    usable: NDArray[np.bool_]
    """[N] healthy, and the data are young enough."""


class Orbits(ABC):
    """Orbits and clocks of some satellites; implementations never change."""

    names: tuple[str, ...]
    """Satellites by system and number, sorted: "E05", "G01"."""
    klobuchar: tuple[float, ...] | None = None
    """Eight coefficients alpha, beta of the broadcast ionosphere, if the source has them."""
    glonass_channel: NDArray[np.int64] | None = None
    """[N] frequency number of each GLONASS satellite; None: no GLONASS."""

    @abstractmethod
    def states_at(self, gps_ns: Instants) -> SatelliteStates:
        """Return the states of all satellites, in the order of `names`, each at its own instant [N]."""

    @abstractmethod
    def span_ns(self) -> tuple[int, int]:
        """Return the first and the last instant that the data serve."""
