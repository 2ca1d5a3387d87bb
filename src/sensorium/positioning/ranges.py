"""What a fix is made of: one range per satellite, and the models that correct it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sensorium.atmosphere.ionosphere import L1_HZ, klobuchar_delay_m
from sensorium.atmosphere.troposphere import standard_air, troposphere_delay_m
from sensorium.core.earth import SPEED_OF_LIGHT_M_S
from sensorium.core.time_scales import calendar_of_gps_ns
from sensorium.ephemeris.orbits import Orbits, SatelliteStates
from sensorium.ephemeris.sight import moved

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Ranges:
    """N pseudoranges of one epoch, one per satellite."""

    gps_ns: int
    """GPS time of reception by the receiver's clock."""
    names: tuple[str, ...]
    pseudorange_m: Floats
    sigma_m: Floats
    """[N] standard deviation; np.ones if unknown, weights then follow the elevation alone."""
    frequency_hz: Floats
    """[N] to which the delays belong; infinite for combinations free of the ionosphere."""
    range_rate_m_s: Floats
    """[N] from the Doppler shift; NaN where missing."""
    rate_sigma_m_s: Floats

    def __len__(self) -> int:
        return len(self.names)

    def rows(self, chosen: NDArray[np.int64] | NDArray[np.bool_]) -> Ranges:
        """Return some of the ranges."""
        numbers = np.arange(len(self))[chosen]
        arrays = ("pseudorange_m", "sigma_m", "frequency_hz", "range_rate_m_s", "rate_sigma_m_s")
        names = tuple(self.names[number] for number in numbers)
        return replace(self, names=names, **{name: getattr(self, name)[numbers] for name in arrays})

    @property
    def systems(self) -> tuple[str, ...]:
        """Letters of the systems among the satellites, sorted with GPS first."""
        return tuple(sorted({name[0] for name in self.names}, key="GERC".index))


def transmitters(ranges: Ranges, orbits: Orbits) -> SatelliteStates:
    """Return the satellites [N] at the instants of transmission t_r - P / c - dt_s, which the pseudoranges tell."""
    numbers = _rows_of(orbits.names)
    rows = np.array([numbers.get(name, -1) for name in ranges.names], np.int64)
    sent_ns = np.full(len(orbits.names), ranges.gps_ns, np.int64)
    known = rows >= 0
    read_ns = ranges.gps_ns - np.rint(ranges.pseudorange_m / SPEED_OF_LIGHT_M_S * 1e9).astype(np.int64)
    sent_ns[rows[known]] = read_ns[known]
    states = orbits.states_at(sent_ns)
    picked = {name: getattr(states, name)[rows] for name in vars(states)}
    picked["usable"] = picked["usable"] & known
    there = SatelliteStates(**picked)
    return moved(there, np.where(np.isfinite(there.clock_s), -there.clock_s, 0.0))


@lru_cache(maxsize=8)
def _rows_of(names: tuple[str, ...]) -> dict[str, int]:
    return {name: row for row, name in enumerate(names)}


@dataclass(frozen=True)
class Models:
    """What a receiver assumes of the air."""

    klobuchar: Sequence[float] | None = None
    """None: no ionosphere."""
    troposphere: bool = True

    def delays_m(self, ranges: Ranges, geodetic: Floats, azimuth_rad: Floats, elevation_rad: Floats) -> Floats:
        """Return the delays [N] to take from the pseudoranges; none below the horizon or far from the ground."""
        latitude, longitude, altitude = (float(value) for value in geodetic)
        delay = np.zeros(len(ranges))
        if not -1_000 < altitude < 20_000:
            return delay
        above = np.maximum(elevation_rad, 0.05)
        date = calendar_of_gps_ns(ranges.gps_ns)
        if self.klobuchar is not None:
            second = date[3] * 3600 + date[4] * 60 + date[5]
            scale = (L1_HZ / ranges.frequency_hz) ** 2
            delay += scale * klobuchar_delay_m(self.klobuchar, latitude, longitude, azimuth_rad, above, second)
        if self.troposphere:
            day = (date[1] - 1) * 30.44 + date[2]
            delay += troposphere_delay_m(standard_air(altitude), latitude, altitude, above, day)
        return delay
