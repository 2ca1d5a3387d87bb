"""A place and the clocks from pseudoranges, a velocity from Doppler shifts: weighted least squares of one epoch.

P = rho(r) + b_system - c dt_s + T + I + noise, solved by Gauss and Newton (Kaplan and Hegarty, Understanding GPS, 7.3).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sensorium.atmosphere.ionosphere import L1_HZ
from sensorium.core.earth import SPEED_OF_LIGHT_M_S, enu_axes, geodetic_of_one
from sensorium.ephemeris.orbits import Orbits, SatelliteStates
from sensorium.ephemeris.sight import angles_rad, range_rates_m_s, ranges_m
from sensorium.positioning.dilution import Dilution, dilution, inverse
from sensorium.positioning.ranges import Models, Ranges, transmitters

Floats = NDArray[np.float64]

ITERATIONS = 12
CONVERGED_M = 1e-5
DELAYS_STAY_M = 0.02
"""A shorter step changes the delays of the air by less than 0.1 mm, at the horizon."""


@dataclass(frozen=True, eq=False)
class Solution:
    """What the ranges of one epoch say."""

    ranges: Ranges
    """Those that were used."""
    position_m: Floats
    """ECEF [3]."""
    geodetic: Floats
    """Latitude [rad], longitude [rad], altitude [m]."""
    clock_m: Floats
    """[systems] offset of the receiver's clock from each system's time."""
    covariance_m2: Floats
    """[3, 3] east, north, up."""
    dilution: Dilution
    residual_m: Floats
    """[N]"""
    sigma_m: Floats
    """[N] by which the ranges were weighted."""
    azimuth_rad: Floats
    elevation_rad: Floats
    velocity_m_s: Floats = field(default_factory=lambda: np.full(3, np.nan))
    """East, north, up; NaN without Doppler shifts."""
    velocity_covariance_m2_s2: Floats = field(default_factory=lambda: np.full((3, 3), np.nan))
    clock_drift_m_s: float = np.nan

    @property
    def degrees_of_freedom(self) -> int:
        """Ranges more than unknowns."""
        return len(self.ranges) - 3 - len(self.clock_m)

    @property
    def test_statistic(self) -> float:
        """Sum of (residual / sigma)^2, chi-squared distributed where the noise is as stated."""
        return float(((self.residual_m / self.sigma_m) ** 2).sum())


@dataclass(eq=False)
class _Epoch:
    """One epoch under way to its solution."""

    ranges: Ranges
    states: SatelliteStates
    models: Models
    clock: NDArray[np.int64]
    mask_rad: float
    measured_m: Floats = field(init=False)

    def __post_init__(self) -> None:
        delay = np.where(
            np.isfinite(self.ranges.frequency_hz),
            self.states.group_delay_s * (L1_HZ / self.ranges.frequency_hz) ** 2,
            0.0,
        )
        self.measured_m = self.ranges.pseudorange_m + SPEED_OF_LIGHT_M_S * (self.states.clock_s - delay)

    def rows(self, chosen: NDArray[np.bool_]) -> _Epoch:
        states = SatelliteStates(**{name: getattr(self.states, name)[chosen] for name in vars(self.states)})
        ranges = self.ranges.rows(chosen)
        return _Epoch(ranges, states, self.models, _clock_numbers(ranges), self.mask_rad)


def _clock_numbers(ranges: Ranges) -> NDArray[np.int64]:
    place = {system: number for number, system in enumerate(ranges.systems)}
    return np.array([place[name[0]] for name in ranges.names], np.int64)


def solve(
    ranges: Ranges, orbits: Orbits, models: Models, start_m: Floats | None = None, mask_rad: float = 0.0,
    states: SatelliteStates | None = None,
) -> Solution | None:  # fmt: skip
    """Return the solution of all ranges to usable satellites above the mask, or None if they do not suffice.

    Without a place to start from it starts at the Earth's centre. Weights are 1 / (sigma^2 (0.5 + 0.5 / sin E)^2).
    """
    states = transmitters(ranges, orbits) if states is None else states
    sound = states.usable & np.isfinite(ranges.pseudorange_m)
    epoch = _Epoch(ranges, states, models, _clock_numbers(ranges), mask_rad)
    if not sound.all():
        epoch = epoch.rows(sound)
    place = np.zeros(3) if start_m is None else np.array(start_m, np.float64)
    if start_m is None:
        rough = _iterate(epoch, place, Models(troposphere=False))
        if rough is None:
            return None
        place = rough.place
    towards = ranges_m(epoch.states.position_m, place)[1]
    high = angles_rad(towards, _axes(place))[1] >= mask_rad
    if not high.all():
        epoch = epoch.rows(high)
    found = _iterate(epoch, place, models)
    return None if found is None else _solution(epoch, found)


def _axes(place: Floats) -> Floats:
    latitude, longitude, _ = geodetic_of_one(place)
    return enu_axes(latitude, longitude)


def _weighting(epoch: _Epoch, place: Floats, towards: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return geodetic place, azimuth, elevation and sigma [N]; far from the ground all elevations count alike."""
    geodetic = geodetic_of_one(place) if np.linalg.norm(place) > 1e6 else np.array([0.0, 0.0, -6.4e6])
    azimuth, elevation = angles_rad(towards, enu_axes(geodetic[0], geodetic[1]))
    near = -1_000 < geodetic[2] < 20_000
    slant = 0.5 + 0.5 / np.sin(np.maximum(elevation, 0.05)) if near else np.ones(len(elevation))
    return geodetic, azimuth, elevation, epoch.ranges.sigma_m * slant


@dataclass(frozen=True, eq=False)
class _Converged:
    """Where the iteration has ended."""

    place: Floats
    bias: Floats
    covariance: Floats
    """[3 + clocks] in ECEF."""
    range_m: Floats
    towards: Floats
    geodetic: Floats
    azimuth: Floats
    elevation: Floats
    sigma: Floats
    residual: Floats


def _iterate(epoch: _Epoch, place: Floats, models: Models) -> _Converged | None:
    """Return where Gauss and Newton's steps end; None if they do not."""
    clocks = int(epoch.clock.max(initial=-1)) + 1
    if len(epoch.ranges) < 3 + clocks or not clocks:
        return None
    bias, moved = np.zeros(clocks), np.inf
    columns = np.zeros((len(epoch.ranges), 3 + clocks))
    columns[np.arange(len(epoch.ranges)), 3 + epoch.clock] = 1.0
    for _ in range(ITERATIONS):
        range_m, towards = ranges_m(epoch.states.position_m, place)
        if moved > DELAYS_STAY_M:
            geodetic, azimuth, elevation, sigma = _weighting(epoch, place, towards)
            delay = models.delays_m(epoch.ranges, geodetic, azimuth, elevation)
            columns[:, :3] = -towards  # a shorter step turns the lines of sight by 1e-9
            weighted = columns / sigma[:, None]
            inverted = inverse(weighted.T @ weighted)
            if inverted is None:
                return None
            covariance = inverted
        misclosure = epoch.measured_m - range_m - delay - bias[epoch.clock]
        step = covariance @ (weighted.T @ (misclosure / sigma))
        place, bias = place + step[:3], bias + step[3:]
        moved = float(np.abs(step[:3]).max())
        if moved < CONVERGED_M:
            residual = misclosure - columns @ step
            return _Converged(place, bias, covariance, range_m, towards, geodetic, azimuth, elevation, sigma, residual)
    return None


def _solution(epoch: _Epoch, end: _Converged) -> Solution:
    axes = enu_axes(end.geodetic[0], end.geodetic[1])
    found = Solution(
        epoch.ranges, end.place, end.geodetic, end.bias, axes @ end.covariance[:3, :3] @ axes.T,
        dilution(end.towards @ axes.T, epoch.clock), end.residual, end.sigma, end.azimuth, end.elevation,
    )  # fmt: skip
    return _with_velocity(found, epoch.states, end, axes)


def _with_velocity(solution: Solution, states: SatelliteStates, end: _Converged, axes: Floats) -> Solution:
    """Solve rho' + drift = measured rate for the velocity; the equation is linear but for 1e-6 of it."""
    ranges = solution.ranges
    known = np.isfinite(ranges.range_rate_m_s)
    if known.sum() < 4:
        return solution
    range_m, towards = end.range_m, end.towards
    measured = ranges.range_rate_m_s + SPEED_OF_LIGHT_M_S * states.clock_drift
    columns = np.concatenate((-towards @ axes.T, np.ones((len(ranges), 1))), 1)[known]
    velocity, drift = np.zeros(3), 0.0
    sigma = ranges.rate_sigma_m_s[known] * (0.5 + 0.5 / np.sin(np.maximum(solution.elevation_rad[known], 0.05)))
    weighted = columns / sigma[:, None]
    normal = weighted.T @ weighted
    covariance = inverse(normal)
    if covariance is None:
        return solution
    for _ in range(2):
        expected = range_rates_m_s(states, towards, range_m, solution.position_m, velocity @ axes) + drift
        step = covariance @ (weighted.T @ ((measured - expected)[known] / sigma))
        velocity, drift = velocity + step[:3], drift + float(step[3])
    found = {**vars(solution), "velocity_m_s": velocity, "velocity_covariance_m2_s2": covariance[:3, :3]}
    return Solution(**{**found, "clock_drift_m_s": drift})
