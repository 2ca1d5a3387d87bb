"""What a place on Earth sees of the satellites: ranges with light time and the Earth's rotation, directions, range rates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.core.earth import SPEED_OF_LIGHT_M_S
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
    from sensorium.ephemeris import sight_kernels

    r, v, clock = sight_kernels.moved(
        states.position_m, states.velocity_m_s, states.clock_s, states.clock_drift, step_s, GRAVITATION_M3_S2
    )
    return SatelliteStates(r, v, clock, states.clock_drift, states.group_delay_s, states.usable)


def ranges_m(satellite_m: Floats, place_m: Floats) -> tuple[Floats, Floats]:
    """Return ranges [N] and directions [N, 3]; the Earth turns on by omega tau while the signal is under way (Sagnac).

    To first order the way is longer by omega (x_s y_r - y_s x_r) / c, which leaves less than a millimetre for the light time;
    with that time the satellite is turned into the frame at reception, R_z(omega tau).
    """
    from sensorium.ephemeris import sight_kernels

    range_m, towards = sight_kernels.ranges(satellite_m, place_m)
    return range_m, towards


def range_rates_m_s(
    states: SatelliteStates, towards: Floats, range_m: Floats, place_m: Floats, velocity_m_s: Floats
) -> Floats:
    """Return how fast the ranges grow per second of reception.

    In inertial axes rho' = e.(v_s (1 - rho'/c) - v_r), so rho' = e.(v_s - v_r) / (1 + e.v_s / c).
    """
    from sensorium.ephemeris import sight_kernels

    return np.asarray(
        sight_kernels.range_rates(states.position_m, states.velocity_m_s, towards, range_m, place_m, velocity_m_s)
    )


def angles_rad(towards: Floats, axes: NDArray[np.float64]) -> tuple[Floats, Floats]:
    """Return azimuth (from north over east) and elevation [N] of directions in ECEF; `axes` are east, north, up."""
    local = towards @ axes.T
    east, north, up = local[..., 0], local[..., 1], local[..., 2]
    return np.mod(np.arctan2(east, north), 2 * np.pi), np.arcsin(np.clip(up, -1, 1))
