"""The broadcast orbit of GPS, Galileo and BeiDou: a Kepler ellipse with corrections.

IS-GPS-200 section 20.3.3.4.3 and tables 20-III and 20-IV (velocity: the derivative of the same equations);
Galileo OS SIS ICD 2.1 section 5.1.1; BDS-SIS-ICD-B1I section 5.2.4, which turns geostationary satellites by -5 degrees.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sensorium.core.earth import SPEED_OF_LIGHT_M_S
from sensorium.ephemeris.orbits import Floats, Instants

GRAVITATION_M3_S2 = {"G": 3.986005e14, "E": 3.986004418e14, "C": 3.986004418e14}
"""Earth's gravitational constant as each interface document has it."""
ROTATION_RAD_S = {"G": 7.2921151467e-5, "E": 7.2921151467e-5, "C": 7.2921150e-5}
_TILT = np.deg2rad(-5.0)


@dataclass(frozen=True, eq=False)
class KeplerRecords:
    """Broadcast records of M satellites, one entry per record in every array."""

    toe_ns: Instants
    """Time of ephemeris."""
    toc_ns: Instants
    """Time of clock."""
    week_second_s: Floats
    """Second of the system's own week of the time of ephemeris; the node's longitude is told at the week's start."""
    gravitation_m3_s2: Floats
    rotation_rad_s: Floats
    geostationary: NDArray[np.bool_]
    root_a_sqrt_m: Floats
    eccentricity: Floats
    inclination_rad: Floats
    inclination_rate_rad_s: Floats
    node_rad: Floats
    node_rate_rad_s: Floats
    perigee_rad: Floats
    anomaly_rad: Floats
    motion_correction_rad_s: Floats
    cuc_rad: Floats
    cus_rad: Floats
    cic_rad: Floats
    cis_rad: Floats
    crc_m: Floats
    crs_m: Floats
    clock_s: Floats
    clock_drift: Floats
    clock_drift_rate_1_s: Floats
    group_delay_s: Floats
    healthy: NDArray[np.bool_]
    life_ns: Instants
    """How far from the time of ephemeris the record serves."""

    @cached_property
    def table(self) -> Floats:
        """[M, 22] all that is told in real numbers, in the order above: for kernels."""
        columns = [getattr(self, field.name) for field in fields(self)]
        real = [column for column in columns if column.dtype == np.float64]
        return np.ascontiguousarray(np.stack(real, 1))

    def rows(self, chosen: NDArray[np.int64]) -> KeplerRecords:
        """Return the records of these rows."""
        return KeplerRecords(**{field.name: getattr(self, field.name)[chosen] for field in fields(self)})


def propagate(records: KeplerRecords, gps_ns: Instants) -> tuple[Floats, Floats, Floats, Floats]:
    """Return position and velocity [M, 3] in ECEF, clock offset [M] and its drift, each record at its own instant [M].

    The clock is af0 + af1 dt + af2 dt^2 + F e sqrt(A) sin E with F = -2 sqrt(mu) / c^2.
    """
    from sensorium.ephemeris import kepler_kernels

    r = records
    position, velocity, clock, drift = kepler_kernels.propagate(
        r.table, r.geostationary, r.toe_ns, r.toc_ns, gps_ns, SPEED_OF_LIGHT_M_S
    )
    if r.geostationary.any():
        position, velocity = _untilted(position, velocity, r, np.asarray((gps_ns - r.toe_ns) * 1e-9, np.float64))
    return position, velocity, clock, drift


def _untilted(position: Floats, velocity: Floats, r: KeplerRecords, t: Floats) -> tuple[Floats, Floats]:
    """Turn BeiDou's geostationary satellites: R_z(omega t) R_x(-5 deg), their table 5-11."""
    c5, s5 = np.cos(_TILT), np.sin(_TILT)
    about_x = np.array([[1, 0, 0], [0, c5, s5], [0, -s5, c5]])
    angle = r.rotation_rad_s * t
    s, c, zero, one = np.sin(angle), np.cos(angle), np.zeros_like(angle), np.ones_like(angle)
    about_z = np.stack((np.stack((c, s, zero), -1), np.stack((-s, c, zero), -1), np.stack((zero, zero, one), -1)), -2)
    turn = about_z @ about_x
    place = np.einsum("nij,nj->ni", turn, position)
    moving = np.einsum("nij,nj->ni", turn, velocity)
    moving += r.rotation_rad_s[:, None] * np.stack((place[:, 1], -place[:, 0], zero), -1)
    still = ~r.geostationary[:, None]
    return np.where(still, position, place), np.where(still, velocity, moving)
