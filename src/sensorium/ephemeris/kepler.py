"""The broadcast orbit of GPS, Galileo and BeiDou: a Kepler ellipse with corrections.

IS-GPS-200 section 20.3.3.4.3 and tables 20-III and 20-IV (velocity: the derivative of the same equations);
Galileo OS SIS ICD 2.1 section 5.1.1; BDS-SIS-ICD-B1I section 5.2.4, which turns geostationary satellites by -5 degrees.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

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

    def rows(self, chosen: NDArray[np.int64]) -> KeplerRecords:
        """Return the records of these rows."""
        return KeplerRecords(**{field.name: getattr(self, field.name)[chosen] for field in fields(self)})


def eccentric_anomaly_rad(mean_rad: Floats, eccentricity: Floats) -> Floats:
    """Solve Kepler's equation M = E - e sin E by Newton's method."""
    anomaly = mean_rad + eccentricity * np.sin(mean_rad)
    for _ in range(6):
        step = (anomaly - eccentricity * np.sin(anomaly) - mean_rad) / (1 - eccentricity * np.cos(anomaly))
        anomaly = anomaly - step
        if np.abs(step).max(initial=0.0) < 1e-15:
            break
    return anomaly


def propagate(records: KeplerRecords, gps_ns: Instants) -> tuple[Floats, Floats, Floats, Floats]:
    """Return position and velocity [M, 3] in ECEF, clock offset [M] and its drift, each record at its own instant [M].

    The clock is af0 + af1 dt + af2 dt^2 + F e sqrt(A) sin E with F = -2 sqrt(mu) / c^2.
    """
    r = records
    t = np.asarray((gps_ns - records.toe_ns) * 1e-9, np.float64)
    motion: Floats = np.sqrt(r.gravitation_m3_s2) / r.root_a_sqrt_m**3 + r.motion_correction_rad_s
    anomaly = eccentric_anomaly_rad(r.anomaly_rad + motion * t, r.eccentricity)
    sine, cosine = np.sin(anomaly), np.cos(anomaly)
    anomaly_rate = motion / (1 - r.eccentricity * cosine)
    place, moving, tilt, tilt_rate = _in_plane(r, t, sine, cosine, np.asarray(anomaly_rate, np.float64))
    position, velocity = _turned(place, moving, tilt, tilt_rate, r, t)
    relativity = -2 * np.sqrt(r.gravitation_m3_s2) / SPEED_OF_LIGHT_M_S**2 * r.eccentricity * r.root_a_sqrt_m
    since = (gps_ns - r.toc_ns) * 1e-9
    clock = r.clock_s + since * (r.clock_drift + since * r.clock_drift_rate_1_s) + relativity * sine
    drift = r.clock_drift + 2 * since * r.clock_drift_rate_1_s + relativity * cosine * anomaly_rate
    return position, velocity, clock, drift


def _in_plane(r: KeplerRecords, t: Floats, sine: Floats, cosine: Floats, rate: Floats) -> tuple[Floats, ...]:
    """Return place and velocity in the orbit's plane (x to the node) and the inclination with its rate."""
    root = np.sqrt(1 - r.eccentricity**2)
    argument = np.arctan2(root * sine, cosine - r.eccentricity) + r.perigee_rad
    argument_rate = root * rate / (1 - r.eccentricity * cosine)
    s2, c2 = np.sin(2 * argument), np.cos(2 * argument)
    latitude = argument + r.cus_rad * s2 + r.cuc_rad * c2
    latitude_rate = argument_rate * (1 + 2 * (r.cus_rad * c2 - r.cuc_rad * s2))
    a = r.root_a_sqrt_m**2
    radius = a * (1 - r.eccentricity * cosine) + r.crs_m * s2 + r.crc_m * c2
    radius_rate = a * r.eccentricity * sine * rate + 2 * argument_rate * (r.crs_m * c2 - r.crc_m * s2)
    tilt = r.inclination_rad + r.inclination_rate_rad_s * t + r.cis_rad * s2 + r.cic_rad * c2
    tilt_rate = r.inclination_rate_rad_s + 2 * argument_rate * (r.cis_rad * c2 - r.cic_rad * s2)
    su, cu = np.sin(latitude), np.cos(latitude)
    place = np.stack((radius * cu, radius * su), -1)
    motion = np.stack(
        (radius_rate * cu - radius * latitude_rate * su, radius_rate * su + radius * latitude_rate * cu), -1
    )
    return place, motion, tilt, tilt_rate


def _turned(
    place: Floats, motion: Floats, tilt: Floats, tilt_rate: Floats, r: KeplerRecords, t: Floats
) -> tuple[Floats, Floats]:
    """Turn the orbit's plane by inclination and node into ECEF."""
    node_rate = r.node_rate_rad_s - np.where(r.geostationary, 0.0, r.rotation_rad_s)
    node = r.node_rad + node_rate * t - r.rotation_rad_s * r.week_second_s
    sn, cn, si, ci = np.sin(node), np.cos(node), np.sin(tilt), np.cos(tilt)
    (x, y), (vx, vy) = place.T, motion.T
    position = np.stack((x * cn - y * ci * sn, x * sn + y * ci * cn, y * si), -1)
    across_rate = vy * ci - y * si * tilt_rate
    velocity = np.stack((
        vx * cn - across_rate * sn - node_rate * position[:, 1],
        vx * sn + across_rate * cn + node_rate * position[:, 0],
        vy * si + y * ci * tilt_rate,
    ), -1)  # fmt: skip
    if r.geostationary.any():
        return _untilted(position, velocity, r, t)
    return position, velocity


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
