"""How a receiver makes its fix of the measurements: by least squares, or by a filter that goes on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from sensorium.core.configuration import configured
from sensorium.core.earth import SPEED_OF_LIGHT_M_S, enu_axes, geodetic_of_one
from sensorium.core.random import Draws
from sensorium.core.units import Fraction, PositiveNumber, PositiveSeconds
from sensorium.positioning.dilution import Dilution, dilution
from sensorium.positioning.filter import MotionNoise, predicted, started, updated
from sensorium.positioning.integrity import Checked, solve_checked
from sensorium.positioning.least_squares import Solution
from sensorium.positioning.ranges import Models, Ranges
from sensorium.samples.gnss import FixType, GnssMeasurements
from sensorium.sensors.gnss.measuring import Measured
from sensorium.sensors.gnss.reception import Reception
from sensorium.sensors.gnss.signals import L1_HZ

if TYPE_CHECKING:
    from sensorium.sensors.gnss.gnss import Gnss

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Answer:
    """What a solution says of one epoch."""

    fix: FixType
    position_m: Floats
    """ECEF; NaN without a fix."""
    geodetic: Floats
    covariance_m2: Floats
    velocity_m_s: Floats
    velocity_covariance_m2_s2: Floats
    clock_m: float
    clock_drift_m_s: float
    dilution: Dilution
    integrity: bool | None
    excluded: tuple[str, ...]
    residuals: dict[str, float]
    """Of the satellites that were used, in metres."""


def no_answer() -> Answer:
    """Return the answer of a receiver that has none."""
    none, table = np.full(3, np.nan), np.full((3, 3), np.nan)
    return Answer(FixType.NONE, none, none, table, none, table, np.nan, np.nan, Dilution(), None, (), {})


@dataclass(frozen=True, eq=False)
class Epoch:
    """What a solution works on."""

    gnss: Gnss
    reception: Reception
    measured: Measured
    ranges: Ranges
    models: Models
    start_m: Floats | None
    """Position of the last fix."""
    jump_m: float
    """By how much the receiver has set its clock since the last epoch."""
    draws: Draws

    def checked(self, false_alarm: float) -> Checked | None:
        """Return the solution by least squares with the integrity test."""
        return solve_checked(
            self.ranges, self.reception.orbits, self.models, self.start_m, self.gnss.mask_rad, false_alarm
        )


class Solving(ABC):
    """A way to make a fix; implementations are `configured`."""

    @abstractmethod
    def solve(self, epoch: Epoch, memory: Any) -> tuple[Answer, Any]:
        """Return the answer of an epoch and what is remembered for the next one; None is remembered at the start."""


@configured
class LeastSquares(Solving):
    """Each epoch by itself, with the integrity test."""

    type: Literal["least_squares"] = "least_squares"
    false_alarm: Fraction = 1e-3
    """Probability that the test fails though nothing is wrong."""

    def solve(self, epoch: Epoch, memory: None) -> tuple[Answer, None]:
        """Return the answer of the epoch alone."""
        checked = epoch.checked(self.false_alarm)
        return (no_answer() if checked is None else answer_of(checked, FixType.SINGLE)), None


@configured
class Filtered(Solving):
    """An extended Kalman filter over pseudoranges and Doppler shifts; without enough ranges it goes on by prediction."""

    type: Literal["filtered"] = "filtered"
    acceleration_m_s2: PositiveNumber = 2.0
    gate: PositiveNumber = 4.0
    """Standard deviations beyond which a range is left out."""
    coast_s: PositiveSeconds = 5.0
    """How long it goes on without ranges before it says that it has no fix."""
    false_alarm: Fraction = 1e-3

    def solve(self, epoch: Epoch, memory: Any) -> tuple[Answer, Any]:
        """Predict, take the ranges in, and tell."""
        noise = MotionNoise(acceleration_m_s2=self.acceleration_m_s2, gate=self.gate)
        gps_ns = epoch.measured.raw.gps_ns
        state, last_ns = (None, 0) if memory is None else memory
        if state is None or (gps_ns - last_ns) * 1e-9 > noise.patience_s:
            return self._begun(epoch)
        state = predicted(state, gps_ns, noise, epoch.jump_m)
        ranges, orbits = epoch.ranges, epoch.reception.orbits
        state, used, innovation = updated(state, ranges, orbits, epoch.models, noise, epoch.gnss.mask_rad)
        enough = int(used.sum()) >= 4
        if not enough and (gps_ns - last_ns) * 1e-9 > self.coast_s:
            return no_answer(), (state, last_ns)
        names = [name for name, row in zip(ranges.names, used, strict=True) if row]
        excluded = tuple(
            n for n, row, left in zip(ranges.names, used, innovation, strict=True) if not row and np.isfinite(left)
        )
        if excluded and len(excluded) > len(names) and len(ranges) >= 5:
            return self._begun(epoch)  # most ranges contradict the filter: it has lost its way
        answer = _filtered_answer(epoch, state, FixType.SINGLE if enough else FixType.PREDICTED, names, excluded,
                                  dict(zip(names, innovation[used].tolist(), strict=True)))  # fmt: skip
        return answer, (state, gps_ns if enough else last_ns)

    def _begun(self, epoch: Epoch) -> tuple[Answer, Any]:
        checked = epoch.checked(self.false_alarm)
        if checked is None or checked.passed is False:
            return (no_answer() if checked is None else answer_of(checked, FixType.SINGLE)), None
        gps_ns = epoch.measured.raw.gps_ns
        return answer_of(checked, FixType.SINGLE), (started(checked.solution, gps_ns), gps_ns)


def _filtered_answer(
    epoch: Epoch, state: Any, fix: FixType, names: list[str], excluded: tuple[str, ...], residuals: dict[str, float]
) -> Answer:
    geodetic = geodetic_of_one(state.position_m)
    axes = enu_axes(geodetic[0], geodetic[1])
    reception = epoch.reception
    known = reception.orbits.names
    row = {known[number]: place for place, number in enumerate(reception.number)}
    rows = [row[name] for name in names if name in row]
    towards = reception.sight.towards[reception.number[rows]] @ axes.T
    systems = sorted({name[0] for name in names}, key="GERC".index)
    clock = np.array([systems.index(name[0]) for name in names], np.int64)
    first = 6 + "GERC".index(systems[0]) if systems else 6
    return Answer(
        fix, state.position_m, geodetic, axes @ state.covariance[:3, :3] @ axes.T, axes @ state.mean[3:6],
        axes @ state.covariance[3:6, 3:6] @ axes.T, float(state.mean[first]), float(state.mean[10]),
        dilution(towards, clock) if names else Dilution(), len(excluded) <= len(names) // 2 if names else None,
        excluded, residuals,
    )  # fmt: skip


def answer_of(checked: Checked, fix: FixType) -> Answer:
    """Return the answer that a solution by least squares gives."""
    s: Solution = checked.solution
    return Answer(
        fix, s.position_m, s.geodetic, s.covariance_m2, s.velocity_m_s, s.velocity_covariance_m2_s2, float(s.clock_m[0]),
        s.clock_drift_m_s, s.dilution, checked.passed, checked.excluded,
        dict(zip(s.ranges.names, s.residual_m.tolist(), strict=True)),
    )  # fmt: skip


def ranges_of(
    raw: GnssMeasurements, dual_frequency: bool, range_sigma_m: float, ionosphere_sigma_m: float = 1.5
) -> Ranges:
    """Return one range per satellite: the combination free of the ionosphere where two bands are there, else one band.

    P_IF = (f_1^2 P_1 - f_2^2 P_2) / (f_1^2 - f_2^2). `range_sigma_m` stands for what is not noise: orbits, clocks, air; on
    one band `ionosphere_sigma_m` (at L1) comes on top.
    """
    by_satellite: dict[str, list[int]] = {}
    for row in np.argsort(-raw.frequency_hz, kind="stable").tolist():
        if np.isfinite(raw.pseudorange_m[row]):
            by_satellite.setdefault(raw.names[row], []).append(row)
    names = tuple(sorted(by_satellite))
    first = np.array([by_satellite[name][0] for name in names], np.int64)
    last = np.array([by_satellite[name][-1] for name in names], np.int64)
    pseudorange, frequency = raw.pseudorange_m[first], raw.frequency_hz[first]
    variance = raw.pseudorange_sigma_m[first] ** 2
    wavelength = SPEED_OF_LIGHT_M_S / frequency
    if dual_frequency:
        both = np.flatnonzero(raw.frequency_hz[last] < frequency - 1e6)
        gamma = (frequency[both] / raw.frequency_hz[last[both]]) ** 2
        a, b = gamma / (gamma - 1), -1 / (gamma - 1)
        pseudorange[both] = a * pseudorange[both] + b * raw.pseudorange_m[last[both]]
        variance[both] = a**2 * variance[both] + b**2 * raw.pseudorange_sigma_m[last[both]] ** 2
        frequency[both] = np.inf
    variance += range_sigma_m**2 + (ionosphere_sigma_m * (L1_HZ / frequency) ** 2) ** 2
    return Ranges(
        raw.gps_ns, names, pseudorange, np.sqrt(variance), frequency,
        -raw.doppler_hz[first] * wavelength, np.hypot(raw.doppler_sigma_hz[first] * wavelength, 0.02),
    )  # fmt: skip
