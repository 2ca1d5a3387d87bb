"""What a place on Earth sees of the satellites: ranges with light time and the Earth's rotation, directions, range rates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.core.earth import EARTH_RATE_RAD_S, SPEED_OF_LIGHT_M_S
from sensorium.ephemeris.orbits import Floats, Orbits, SatelliteStates

_FIRST_GUESS_S = 0.075


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
    light_s = np.full(len(orbits.names), _FIRST_GUESS_S)
    for _ in range(2):
        states = orbits.states_at(gps_ns - np.rint(np.nan_to_num(light_s, nan=0.075) * 1e9).astype(np.int64))
        range_m, towards = ranges_m(states.position_m, place_m)
        light_s, sent_s = range_m / SPEED_OF_LIGHT_M_S, light_s
    # what is left of the iteration: 1e-8 s and the rounding to nanoseconds
    left_s = np.rint(sent_s * 1e9) * 1e-9 - light_s
    moved = states.position_m + states.velocity_m_s * left_s[:, None]
    range_m, towards = ranges_m(moved, place_m)
    rate = range_rates_m_s(states, towards, range_m, place_m, velocity_m_s)
    return Sight(range_m, rate, towards, states)


def ranges_m(satellite_m: Floats, place_m: Floats) -> tuple[Floats, Floats]:
    """Return ranges [N] and directions [N, 3]; the Earth turns on by omega tau while the signal is under way (Sagnac)."""
    light_s = np.linalg.norm(satellite_m - place_m, axis=-1) / SPEED_OF_LIGHT_M_S
    for _ in range(2):
        between = turned(satellite_m, light_s) - place_m
        range_m = np.linalg.norm(between, axis=-1)
        light_s = range_m / SPEED_OF_LIGHT_M_S
    return range_m, between / range_m[..., None]


def turned(vector: Floats, light_s: Floats) -> Floats:
    """Return vectors of the ECEF frame at transmission in that at reception: R_z(omega tau)."""
    angle = EARTH_RATE_RAD_S * light_s
    s, c = np.sin(angle), np.cos(angle)
    x, y = vector[..., 0], vector[..., 1]
    return np.stack((c * x + s * y, c * y - s * x, vector[..., 2]), -1)


def range_rates_m_s(
    states: SatelliteStates, towards: Floats, range_m: Floats, place_m: Floats, velocity_m_s: Floats
) -> Floats:
    """Return how fast the ranges grow per second of reception.

    In inertial axes rho' = e.(v_s (1 - rho'/c) - v_r), so rho' = e.(v_s - v_r) / (1 + e.v_s / c).
    """
    spin = np.array([0.0, 0.0, EARTH_RATE_RAD_S])
    satellite = turned(states.velocity_m_s + np.cross(spin, states.position_m), range_m / SPEED_OF_LIGHT_M_S)
    receiver = velocity_m_s + np.cross(spin, place_m)
    closing = (towards * (satellite - receiver)).sum(-1)
    return np.asarray(closing / (1 + (towards * satellite).sum(-1) / SPEED_OF_LIGHT_M_S))


def angles_rad(towards: Floats, axes: NDArray[np.float64]) -> tuple[Floats, Floats]:
    """Return azimuth (from north over east) and elevation [N] of directions in ECEF; `axes` are east, north, up."""
    east, north, up = np.moveaxis(towards @ axes.T, -1, 0)
    return np.mod(np.arctan2(east, north), 2 * np.pi), np.arcsin(np.clip(up, -1, 1))
