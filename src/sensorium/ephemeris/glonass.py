"""The broadcast orbit of GLONASS: the equations of motion, integrated from position, velocity and acceleration.

GLONASS ICD 5.1 (2008), appendix A.3.1.2: a fourth-order Runge-Kutta method in the turning frame PZ-90 with the oblateness J2
and the luni-solar acceleration held constant.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from sensorium.ephemeris.orbits import Floats, Instants

GRAVITATION_M3_S2 = 3.9860044e14
RADIUS_M = 6_378_136.0
J2 = 1_082_625.75e-9
ROTATION_RAD_S = 7.292115e-5
STEP_S = 60.0
LIFE_NS = 1_800 * 1_000_000_000
"""Records come every half hour and serve a quarter of an hour each way; the double is still within metres."""


@dataclass(frozen=True, eq=False)
class GlonassRecords:
    """Broadcast records of M satellites, one entry per record in every array."""

    toe_ns: Instants
    position_m: Floats
    """[M, 3]"""
    velocity_m_s: Floats
    acceleration_m_s2: Floats
    """[M, 3] of sun and moon."""
    clock_s: Floats
    """-tau_n"""
    clock_drift: Floats
    """gamma_n"""
    channel: NDArray[np.int64]
    healthy: NDArray[np.bool_]

    def rows(self, chosen: NDArray[np.int64]) -> GlonassRecords:
        """Return the records of these rows."""
        return GlonassRecords(**{field.name: getattr(self, field.name)[chosen] for field in fields(self)})


def propagate(records: GlonassRecords, gps_ns: Instants) -> tuple[Floats, Floats, Floats, Floats]:
    """Return position and velocity [M, 3], clock offset [M] and its drift, each record at its own instant [M].

    The broadcast clock holds the relativistic effect already.
    """
    span = (gps_ns - records.toe_ns) * 1e-9
    steps = max(1, int(np.ceil(np.abs(span).max(initial=0.0) / STEP_S)))
    state = np.concatenate((records.position_m, records.velocity_m_s), -1)
    h = (span / steps)[:, None]
    for _ in range(steps):
        k1 = _derivative(state, records.acceleration_m_s2)
        k2 = _derivative(state + h / 2 * k1, records.acceleration_m_s2)
        k3 = _derivative(state + h / 2 * k2, records.acceleration_m_s2)
        k4 = _derivative(state + h * k3, records.acceleration_m_s2)
        state = state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    clock = records.clock_s + records.clock_drift * span
    return state[:, :3], state[:, 3:], clock, records.clock_drift.copy()


def _derivative(state: Floats, luni_solar_m_s2: Floats) -> Floats:
    place, velocity = state[:, :3], state[:, 3:]
    r2 = (place**2).sum(-1, keepdims=True)
    pull = GRAVITATION_M3_S2 / (r2 * np.sqrt(r2))
    oblate = 1.5 * J2 * GRAVITATION_M3_S2 * RADIUS_M**2 / (r2**2 * np.sqrt(r2))
    z2 = 5 * place[:, 2:] ** 2 / r2
    factor = np.concatenate((1 - z2, 1 - z2, 3 - z2), -1)
    acceleration = -pull * place - oblate * place * factor + luni_solar_m_s2
    acceleration[:, 0] += ROTATION_RAD_S**2 * place[:, 0] + 2 * ROTATION_RAD_S * velocity[:, 1]
    acceleration[:, 1] += ROTATION_RAD_S**2 * place[:, 1] - 2 * ROTATION_RAD_S * velocity[:, 0]
    return np.concatenate((velocity, acceleration), -1)
