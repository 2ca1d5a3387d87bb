"""Real-time kinematic: the receiver works on its carrier phases against those of a base station.

It says how good it is: fixed (whole cycles found, centimetres), float (not yet, decimetres), differential (code alone),
single (no base, metres).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from sensorium.atmosphere.troposphere import standard_air, troposphere_delay_m
from sensorium.core.configuration import configured
from sensorium.core.earth import SPEED_OF_LIGHT_M_S, enu_axes, geodetic_of_one
from sensorium.core.units import Fraction, NonNegativeSeconds, PositiveNumber
from sensorium.ephemeris.sight import angles_rad, ranges_m
from sensorium.positioning.carrier import Ambiguities, Baseline, Differences, code_baseline, fixed, phase_baseline
from sensorium.positioning.ranges import Ranges, transmitters
from sensorium.samples.gnss import FixType
from sensorium.sensors.gnss.reference_station import base_measurements
from sensorium.sensors.gnss.solutions import Answer, Epoch, Solving, answer_of, no_answer

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Memory:
    """What is remembered from one epoch to the next."""

    known: Ambiguities
    whole: dict[tuple[str, str], float]
    """Whole cycles of fixed signals, each against the reference of its group when they were fixed."""
    begun_ns: int
    """When the base was first heard."""


@configured
class Rtk(Solving):
    """Differences against the scenario's base station; without it, as by least squares."""

    type: Literal["rtk"] = "rtk"
    least_ratio: PositiveNumber = 3.0
    """Of the second best to the best set of whole numbers, below which they are not believed."""
    least_signals: Annotated[int, Field(ge=6)] = 8
    """With fewer the fix stays a float."""
    patience_s: NonNegativeSeconds = 2.0
    """How long the base must be heard before whole numbers are believed; assumed: receivers take some seconds."""
    false_alarm: Fraction = 1e-3

    def solve(self, epoch: Epoch, memory: Any) -> tuple[Answer, Any]:
        """Return the best answer that the epoch allows, and what is known of the cycles."""
        checked = epoch.checked(self.false_alarm)
        if checked is None:
            return no_answer(), None
        single = answer_of(checked, FixType.SINGLE)
        base = base_measurements(epoch.gnss, epoch.reception, epoch.draws)
        d = None if base is None else _differences(epoch, base, single.position_m)
        by_code = None if d is None else code_baseline(d)
        if d is None or by_code is None:
            return single, None
        slips = {key for key, slip in zip(zip(epoch.measured.raw.names, epoch.measured.raw.codes, strict=True),
                                          epoch.measured.raw.slipped, strict=True) if slip}  # fmt: skip
        before = Ambiguities() if memory is None else memory.known
        begun_ns = epoch.reception.gps_ns if memory is None else memory.begun_ns
        known = before.kept({key for key in before.keys if key not in slips}).learnt(d)
        floats = known.floats(d.group)
        if floats is None:
            return _moved(single, by_code, d, FixType.DIFFERENTIAL), _Memory(known, {}, begun_ns)
        rows, references, real, covariance = floats
        kept = {} if memory is None else {key: n for key, n in memory.whole.items() if key not in slips}
        patient = (epoch.reception.gps_ns - begun_ns) * 1e-9 >= self.patience_s
        whole = self._whole(d, rows, references, real, covariance, kept) if patient else None
        if whole is not None:
            by_phase = phase_baseline(d, rows, references, whole, np.zeros(len(rows)))
            if by_phase is not None and _agrees(by_phase, d):
                told = {d.keys[row]: n for row, n in zip(rows.tolist(), whole.tolist(), strict=True)}
                return _moved(single, by_phase, d, FixType.FIXED), _Memory(
                    known, {**told, **_zero(d, references)}, begun_ns
                )
        by_float = phase_baseline(d, rows, references, real, np.diag(covariance))
        if by_float is None:
            return _moved(single, by_code, d, FixType.DIFFERENTIAL), _Memory(known, {}, begun_ns)
        best = by_float if np.trace(by_float.covariance_m2) < np.trace(by_code.covariance_m2) else by_code
        return _moved(single, best, d, FixType.FLOAT), _Memory(known, {}, begun_ns)

    def _whole(
        self,
        d: Differences,
        rows: Any,
        references: Any,
        real: Floats,
        covariance: Floats,
        kept: dict[tuple[str, str], float],
    ) -> Floats | None:
        """Return the whole cycles: those that are held, or new ones if they can be believed."""
        keys = [d.keys[row] for row in rows]
        if all(key in kept for key in keys) and all(kept.get(d.keys[k]) == 0.0 for k in set(references.tolist())):
            return np.array([kept[key] for key in keys])
        if len(d.keys) < self.least_signals:
            return None
        found = fixed(real, covariance, self.least_ratio)
        return None if found is None else found[0]


def _zero(d: Differences, references: Any) -> dict[tuple[str, str], float]:
    return {d.keys[k]: 0.0 for k in references.tolist()}


def _agrees(by_phase: Baseline, d: Differences) -> bool:
    """Whether the phases agree with each other to five standard deviations: a wrong whole number is a wavelength off."""
    return bool((np.abs(by_phase.residual_m) < 5 * d.phase_sigma_m + 0.02).all())


def _differences(epoch: Epoch, base: dict[tuple[str, str], tuple[float, float]], place_m: Floats) -> Differences | None:
    """Return what remains of rover minus base minus the computed ranges, of signals above the mask that both track."""
    raw, reception = epoch.measured.raw, epoch.reception
    orbits = reception.orbits
    one = Ranges(raw.gps_ns, raw.names, raw.pseudorange_m, *(np.ones(len(raw)) for _ in range(4)))
    states = transmitters(one, orbits)
    range_m, towards = ranges_m(states.position_m, place_m)
    geodetic = geodetic_of_one(place_m)
    _, elevation = angles_rad(towards, enu_axes(geodetic[0], geodetic[1]))
    keys = list(zip(raw.names, raw.codes, strict=True))
    told = np.array(
        [key in base and not np.isnan(phase) for key, phase in zip(keys, raw.carrier_cycles, strict=True)], bool
    )
    rows = np.flatnonzero(told & (elevation >= max(epoch.gnss.mask_rad, 0.17)))
    if len(rows) < 5:
        return None
    # the highest satellite of each system and band comes first and becomes the reference
    rows = rows[np.argsort(-elevation[rows], kind="stable")]
    kept = [keys[row] for row in rows]
    groups = {group: k for k, group in enumerate(dict.fromkeys((key[0][0], key[1]) for key in kept))}
    assert reception.base is not None
    number = {name: k for k, name in enumerate(orbits.names)}
    base_sight = reception.base[0]
    base_range = base_sight.range_m[[number[key[0]] for key in kept]]
    wavelength = SPEED_OF_LIGHT_M_S / raw.frequency_hz[rows]
    air = _air_difference(epoch, geodetic, elevation[rows])
    # the satellite's clock between the two instants of transmission cancels to a picosecond; the rest is computed
    computed = range_m[rows] - base_range + air
    slant = 0.5 + 0.5 / np.sin(elevation[rows])
    code_sigma = np.hypot(raw.pseudorange_sigma_m[rows], 0.3) * slant
    phase_sigma = np.hypot(raw.carrier_sigma_cycles[rows] * wavelength, 0.005) * slant
    return Differences(
        tuple(kept), np.array([groups[key[0][0], key[1]] for key in kept], np.int64), towards[rows], wavelength,
        raw.pseudorange_m[rows] - np.array([base[key][0] for key in kept]) - computed,
        raw.carrier_cycles[rows] * wavelength - np.array([base[key][1] for key in kept]) - computed,
        code_sigma, phase_sigma,
    )  # fmt: skip


def _air_difference(epoch: Epoch, geodetic: Floats, elevation: Floats) -> Floats:
    """Return by how much the troposphere delays the rover more: it matters where the heights differ."""
    base = epoch.gnss.base_station
    assert base is not None
    ground = geodetic_of_one(epoch.reception.frame.to_ecef(np.array(base.position_m)))
    if not epoch.models.troposphere:
        return np.zeros(len(elevation))
    rover, there = (troposphere_delay_m(standard_air(float(h)), float(geodetic[0]), float(h), elevation, 180.0)
                    for h in (geodetic[2], ground[2]))  # fmt: skip
    return np.asarray(rover - there)


def _moved(single: Answer, baseline: Baseline, d: Differences, fix: FixType) -> Answer:
    """Return the answer at the corrected place."""
    position = single.position_m + baseline.step_m
    geodetic = geodetic_of_one(position)
    axes = enu_axes(geodetic[0], geodetic[1])
    residuals: dict[str, float] = {}
    for (name, _), left in zip(d.keys, baseline.residual_m.tolist(), strict=True):
        residuals.setdefault(name, left)
    found = {**vars(single), "fix": fix, "position_m": position, "geodetic": geodetic, "residuals": residuals}
    return Answer(**{**found, "covariance_m2": axes @ baseline.covariance_m2 @ axes.T})
