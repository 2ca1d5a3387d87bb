"""A fix that goes on: an extended Kalman filter over pseudoranges and Doppler shifts, as in phones and cars.

State: position and velocity in ECEF, the clock against each system, and its drift. The vehicle accelerates at random (white
acceleration); each range must lie within some standard deviations of what the filter expects, or it is left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.atmosphere.ionosphere import L1_HZ
from sensorium.core.earth import SPEED_OF_LIGHT_M_S, enu_axes, geodetic_of_one
from sensorium.ephemeris.orbits import Orbits, SatelliteStates
from sensorium.ephemeris.sight import angles_rad, range_rates_m_s, ranges_m
from sensorium.positioning.least_squares import Solution
from sensorium.positioning.ranges import Models, Ranges, transmitters

Floats = NDArray[np.float64]

SYSTEMS = "GERC"
_FIRST_CLOCK, _DRIFT = 6, 6 + len(SYSTEMS)
SIZE = _DRIFT + 1
_UNKNOWN_CLOCK_M2 = 1e12


@dataclass(frozen=True, eq=False)
class FilterState:
    """Mean and covariance at an instant of GPS time."""

    gps_ns: int
    mean: Floats
    """[11] position [m], velocity [m/s], clocks of GPS, Galileo, GLONASS, BeiDou [m], drift [m/s]."""
    covariance: Floats
    """[11, 11]"""

    @property
    def position_m(self) -> Floats:
        """ECEF [3]."""
        return self.mean[:3]


@dataclass(frozen=True)
class MotionNoise:
    """How a vehicle may move between epochs."""

    acceleration_m_s2: float = 2.0
    """Root of the power spectral density per axis, in m/s^2 over a second."""
    clock_drift_m_s2: float = 0.3
    gate: float = 4.0
    """Standard deviations beyond which a range is left out."""
    patience_s: float = 30.0
    """After so long without any range the filter starts anew."""


def started(solution: Solution, gps_ns: int) -> FilterState:
    """Return the state after a solution by least squares."""
    axes = enu_axes(solution.geodetic[0], solution.geodetic[1])
    mean, covariance = np.zeros(SIZE), np.diag([0.0] * 6 + [_UNKNOWN_CLOCK_M2] * len(SYSTEMS) + [1e4])
    mean[:3], mean[3:6] = solution.position_m, np.nan_to_num(solution.velocity_m_s) @ axes
    covariance[:3, :3] = axes.T @ solution.covariance_m2 @ axes
    velocity = solution.velocity_covariance_m2_s2
    covariance[3:6, 3:6] = axes.T @ (velocity if np.isfinite(velocity).all() else 100 * np.eye(3)) @ axes
    for system, bias in zip(solution.ranges.systems, solution.clock_m, strict=True):
        mean[_FIRST_CLOCK + SYSTEMS.index(system)] = bias
        covariance[_FIRST_CLOCK + SYSTEMS.index(system), _FIRST_CLOCK + SYSTEMS.index(system)] = 100.0
    if np.isfinite(solution.clock_drift_m_s):
        mean[_DRIFT], covariance[_DRIFT, _DRIFT] = solution.clock_drift_m_s, 1.0
    return FilterState(gps_ns, mean, covariance)


def predicted(state: FilterState, gps_ns: int, noise: MotionNoise, jump_m: float = 0.0) -> FilterState:
    """Return the state at a later instant; `jump_m` is by how much the receiver has set its clock."""
    t = (gps_ns - state.gps_ns) * 1e-9
    move = np.eye(SIZE)
    move[:3, 3:6] = t * np.eye(3)
    move[_FIRST_CLOCK:_DRIFT, _DRIFT] = t
    q = np.zeros((SIZE, SIZE))
    a, c = noise.acceleration_m_s2**2, noise.clock_drift_m_s2**2
    for axis in range(3):
        q[np.ix_((axis, 3 + axis), (axis, 3 + axis))] = a * np.array([[t**3 / 3, t**2 / 2], [t**2 / 2, t]])
    q[_FIRST_CLOCK:_DRIFT, _FIRST_CLOCK:_DRIFT] = c * t**3 / 3 + 1e-4 * t * np.eye(len(SYSTEMS))
    q[_FIRST_CLOCK:_DRIFT, _DRIFT] = q[_DRIFT, _FIRST_CLOCK:_DRIFT] = c * t**2 / 2
    q[_DRIFT, _DRIFT] = c * t
    mean = move @ state.mean
    mean[_FIRST_CLOCK:_DRIFT] += jump_m
    return FilterState(gps_ns, mean, move @ state.covariance @ move.T + q)


def updated(
    state: FilterState, ranges: Ranges, orbits: Orbits, models: Models, noise: MotionNoise, mask_rad: float
) -> tuple[FilterState, NDArray[np.bool_], Floats]:
    """Return the state with the ranges in it, which of them were used [N], and their innovations [N] in metres."""
    states = transmitters(ranges, orbits)
    place = state.position_m
    range_m, towards = ranges_m(states.position_m, place)
    latitude, longitude, _ = geodetic = geodetic_of_one(place)
    azimuth, elevation = angles_rad(towards, enu_axes(latitude, longitude))
    slant = 0.5 + 0.5 / np.sin(np.maximum(elevation, 0.05))
    measured = ranges.pseudorange_m + SPEED_OF_LIGHT_M_S * (states.clock_s - _group_delay_s(ranges, states))
    expected = range_m + models.delays_m(ranges, geodetic, azimuth, elevation)
    clock = np.array([_FIRST_CLOCK + SYSTEMS.index(name[0]) for name in ranges.names], np.int64)
    sound = states.usable & (elevation >= mask_rad) & np.isfinite(measured)
    mean, covariance, used, innovation = (
        state.mean.copy(),
        state.covariance.copy(),
        sound.copy(),
        np.full(len(sound), np.nan),
    )
    rate = ranges.range_rate_m_s + SPEED_OF_LIGHT_M_S * states.clock_drift
    rate_expected = range_rates_m_s(states, towards, range_m, place, state.mean[3:6])
    for row in np.flatnonzero(sound):
        h = np.zeros(SIZE)
        h[:3], h[clock[row]] = -towards[row], 1.0
        moved = h[:3] @ (mean[:3] - place)
        innovation[row] = measured[row] - expected[row] - moved - mean[clock[row]]
        used[row] = _take(mean, covariance, h, innovation[row], (ranges.sigma_m[row] * slant[row]) ** 2, noise.gate)
        if used[row] and np.isfinite(rate[row]):
            h = np.zeros(SIZE)
            h[3:6], h[_DRIFT] = -towards[row], 1.0
            left = rate[row] - rate_expected[row] - h[3:6] @ (mean[3:6] - state.mean[3:6]) - mean[_DRIFT]
            _take(mean, covariance, h, left, (ranges.rate_sigma_m_s[row] * slant[row]) ** 2, noise.gate)
    return FilterState(state.gps_ns, mean, covariance), used, innovation


def _group_delay_s(ranges: Ranges, states: SatelliteStates) -> Floats:
    finite = np.isfinite(ranges.frequency_hz)
    return np.where(finite, states.group_delay_s * (L1_HZ / ranges.frequency_hz) ** 2, 0.0)


def _take(mean: Floats, covariance: Floats, h: Floats, innovation: float, variance: float, gate: float) -> bool:
    """Let one number in, in place (Joseph's form is not needed for scalars this far from singular); False: outside the gate."""
    ph = covariance @ h
    spread = float(h @ ph) + variance
    if innovation**2 > gate**2 * spread:
        return False
    gain = ph / spread
    mean += gain * innovation
    covariance -= np.outer(gain, ph)
    return True
