"""Receiver autonomous integrity: do the ranges of one epoch agree with each other, and which one does not?

The residual test: the sum of (residual / sigma)^2 is chi-squared distributed with as many degrees of freedom as there are
ranges more than unknowns (Kaplan and Hegarty, 7.5.3). Where it fails, the range whose removal helps most is left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.ephemeris.orbits import Orbits, SatelliteStates
from sensorium.positioning.least_squares import Solution, solve
from sensorium.positioning.ranges import Models, Ranges, transmitters


@dataclass(frozen=True, eq=False)
class Checked:
    """A solution and what the test says of it."""

    solution: Solution
    passed: bool | None
    """None: there are no more ranges than unknowns, so that nothing can be tested."""
    excluded: tuple[str, ...] = ()


def threshold(degrees: int, false_alarm: float) -> float:
    """Return what the test statistic exceeds with this probability though nothing is wrong."""
    from scipy.special import chdtri

    return float(chdtri(degrees, false_alarm))


def solve_checked(
    ranges: Ranges, orbits: Orbits, models: Models, start_m: NDArray[np.float64] | None = None, mask_rad: float = 0.0,
    false_alarm: float = 1e-3, most_excluded: int = 3,
) -> Checked | None:  # fmt: skip
    """Solve, test, and leave out at most some ranges until the rest agrees; None if there is no solution at all."""
    states = transmitters(ranges, orbits)
    solution = solve(ranges, orbits, models, start_m, mask_rad, states)
    if solution is None:
        return None
    excluded: list[str] = []
    best = solution
    while best.degrees_of_freedom > 0 and best.test_statistic > threshold(best.degrees_of_freedom, false_alarm):
        trial = (
            _without_worst(best, ranges, orbits, models, mask_rad, states) if len(excluded) < most_excluded else None
        )
        if trial is None:
            return Checked(solution, False)
        best, name = trial
        excluded.append(name)
    return Checked(best, True if best.degrees_of_freedom > 0 else None, tuple(excluded))


def _without_worst(
    best: Solution, ranges: Ranges, orbits: Orbits, models: Models, mask_rad: float, states: SatelliteStates
) -> tuple[Solution, str] | None:
    """Return the solution without the range with the largest normalised residual; one must be left to test it."""
    if best.degrees_of_freedom < 2:
        return None
    worst = best.ranges.names[int(np.argmax(np.abs(best.residual_m) / _residual_sigma(best)))]
    keep = np.array([name in best.ranges.names and name != worst for name in ranges.names])
    fewer = SatelliteStates(**{name: getattr(states, name)[keep] for name in vars(states)})
    found = solve(ranges.rows(keep), orbits, models, best.position_m, mask_rad, fewer)
    return None if found is None else (found, worst)


def _residual_sigma(solution: Solution) -> NDArray[np.float64]:
    """Return the standard deviations of the residuals: root of the diagonal of W^-1 - H (H^T W H)^-1 H^T."""
    azimuth, elevation = solution.azimuth_rad, solution.elevation_rad
    place = {system: number for number, system in enumerate(solution.ranges.systems)}
    columns = np.zeros((len(azimuth), 3 + len(place)))
    columns[:, 0] = -np.cos(elevation) * np.sin(azimuth)
    columns[:, 1] = -np.cos(elevation) * np.cos(azimuth)
    columns[:, 2] = -np.sin(elevation)
    columns[np.arange(len(azimuth)), [3 + place[name[0]] for name in solution.ranges.names]] = 1.0
    weighted = columns / solution.sigma_m[:, None]
    hat = np.einsum("ij,jk,ik->i", weighted, np.linalg.pinv(weighted.T @ weighted), weighted)
    return np.asarray(solution.sigma_m * np.sqrt(np.maximum(1 - hat, 1e-6)))
