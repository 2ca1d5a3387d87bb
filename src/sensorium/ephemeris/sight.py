"""What a place on Earth sees of the satellites: ranges with light time and the Earth's rotation, directions, range rates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.core.earth import EARTH_RATE_RAD_S, SPEED_OF_LIGHT_M_S
from sensorium.ephemeris.orbits import Floats, Orbits, SatelliteStates

_FIRST_GUESS_S = 0.075
GRAVITATION_M3_S2 = 3.986004418e14


@dataclass(frozen=True, eq=False)
class Sight:
    """N satellites as seen from one place at one instant of reception."""

    range_m: Floats
    """[N] true distance of the way that the signal took."""
    range_rate_m_s: Floats
    """[N] how fast it grows."""
    towards: Floats
    """[N, 3] unit vectors to the satellites, ECEF at the instant of reception."""
    states: SatelliteStates
    """At the instants of transmission."""


def sight(orbits: Orbits, place_m: Floats, velocity_m_s: Floats, gps_ns: int) -> Sight:
    """Return what is seen from a place at an instant of GPS time; time, not pseudorange, is given: this is the truth.

    The transmission time solves t = t_r - |R_z(omega (t_r - t)) r_s(t) - r_r| / c.
    """
    first = orbits.states_at(np.full(len(orbits.names), gps_ns - round(_FIRST_GUESS_S * 1e9)))
    states = first
    for _ in range(3):
        range_m, towards = ranges_m(states.position_m, place_m)
        states = moved(first, _FIRST_GUESS_S - range_m / SPEED_OF_LIGHT_M_S)
    rate = range_rates_m_s(states, towards, range_m, place_m, velocity_m_s)
    return Sight(range_m, rate, towards, states)


def moved(states: SatelliteStates, step_s: Floats) -> SatelliteStates:
    """Return the states some hundredths of a second [N] later.

    The acceleration is that of a sphere in the turning frame, -mu r / r^3 - 2 omega x v - omega x (omega x r); what it lacks
    (J2, sun, moon: 1e-4 m/s^2) moves a satellite by less than 0.1 micrometres in 20 ms.
    """
    r, v = states.position_m, states.velocity_m_s
    r2 = (r * r).sum(-1, keepdims=True)
    turning = _carried(r)
    acceleration = -GRAVITATION_M3_S2 / (r2 * np.sqrt(r2)) * r - 2 * _carried(v) - _carried(turning)
    step = step_s[:, None]
    return SatelliteStates(
        r + step * (v + step / 2 * acceleration), v + step * acceleration, states.clock_s + step_s * states.clock_drift,
        states.clock_drift, states.group_delay_s, states.usable,
    )  # fmt: skip


def ranges_m(satellite_m: Floats, place_m: Floats) -> tuple[Floats, Floats]:
    """Return ranges [N] and directions [N, 3]; the Earth turns on by omega tau while the signal is under way (Sagnac)."""
    # to first order the way is longer by omega (x_s y_r - y_s x_r) / c, which leaves less than a millimetre for the light time
    spin = EARTH_RATE_RAD_S / SPEED_OF_LIGHT_M_S * (satellite_m[..., 0] * place_m[1] - satellite_m[..., 1] * place_m[0])
    between = satellite_m - place_m
    light_s = (np.sqrt((between * between).sum(-1)) + spin) / SPEED_OF_LIGHT_M_S
    between = turned(satellite_m, light_s) - place_m
    range_m = np.sqrt((between * between).sum(-1))
    return range_m, between / range_m[..., None]


def turned(vector: Floats, light_s: Floats) -> Floats:
    """Return vectors of the ECEF frame at transmission in that at reception: R_z(omega tau)."""
    angle = EARTH_RATE_RAD_S * light_s
    s, c = np.sin(angle), np.cos(angle)
    x, y = vector[..., 0], vector[..., 1]
    out = np.array(vector, np.float64)
    out[..., 0], out[..., 1] = c * x + s * y, c * y - s * x
    return out


def range_rates_m_s(
    states: SatelliteStates, towards: Floats, range_m: Floats, place_m: Floats, velocity_m_s: Floats
) -> Floats:
    """Return how fast the ranges grow per second of reception.

    In inertial axes rho' = e.(v_s (1 - rho'/c) - v_r), so rho' = e.(v_s - v_r) / (1 + e.v_s / c).
    """
    satellite = turned(states.velocity_m_s + _carried(states.position_m), range_m / SPEED_OF_LIGHT_M_S)
    receiver = velocity_m_s + _carried(place_m)
    closing = (towards * (satellite - receiver)).sum(-1)
    return np.asarray(closing / (1 + (towards * satellite).sum(-1) / SPEED_OF_LIGHT_M_S))


def _carried(position_m: Floats) -> Floats:
    """Return the velocity with which the Earth carries places [..., 3]: omega x r."""
    out = np.zeros_like(position_m)
    out[..., 0], out[..., 1] = -EARTH_RATE_RAD_S * position_m[..., 1], EARTH_RATE_RAD_S * position_m[..., 0]
    return out


def angles_rad(towards: Floats, axes: NDArray[np.float64]) -> tuple[Floats, Floats]:
    """Return azimuth (from north over east) and elevation [N] of directions in ECEF; `axes` are east, north, up."""
    local = towards @ axes.T
    east, north, up = local[..., 0], local[..., 1], local[..., 2]
    return np.mod(np.arctan2(east, north), 2 * np.pi), np.arcsin(np.clip(up, -1, 1))
