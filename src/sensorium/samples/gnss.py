"""A satellite receiver's parcel: the fix, the sky, the raw measurements, and what is true of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from sensorium.samples.sample import Sample

Floats = NDArray[np.float64]


class FixType(IntEnum):
    """What kind of fix it is; the numbers are those of the quality field of NMEA GGA."""

    NONE = 0
    SINGLE = 1
    DIFFERENTIAL = 2
    FIXED = 4
    FLOAT = 5
    PREDICTED = 6


@dataclass(frozen=True, eq=False, kw_only=True)
class GnssSatellites:
    """The satellites above the horizon, as the receiver sees them."""

    names: tuple[str, ...]
    """[N] letter of the system and number, as in RINEX: "G07"."""
    azimuth_rad: NDArray[np.float32]
    """[N] from north over east."""
    elevation_rad: NDArray[np.float32]
    cn0_db_hz: NDArray[np.float32]
    """[N] of the strongest signal; 0 if none is tracked."""
    used: NDArray[np.bool_]
    """[N] whether the fix rests on it."""
    residual_m: NDArray[np.float32]
    """[N] of the pseudorange; NaN if not used."""
    healthy: NDArray[np.bool_]


@dataclass(frozen=True, eq=False, kw_only=True)
class GnssMeasurements:
    """Raw measurements, one row per tracked signal, at the receiver's own time."""

    gps_ns: int
    """GPS time of reception by the receiver's clock; its offset is part of every pseudorange."""
    names: tuple[str, ...]
    """[M] satellite: "G07"."""
    codes: tuple[str, ...]
    """[M] band and attribute of RINEX 3: "1C", "5Q"."""
    frequency_hz: Floats
    pseudorange_m: Floats
    carrier_cycles: Floats
    """[M] carrier phase; grows with the range; NaN where the phase is not tracked."""
    doppler_hz: Floats
    """[M] positive for an approaching satellite."""
    cn0_db_hz: Floats
    lock_s: Floats
    """[M] how long the phase has been tracked without a known slip."""
    slipped: NDArray[np.bool_]
    """[M] whether the receiver says that cycles were lost since its last epoch."""
    pseudorange_sigma_m: Floats
    carrier_sigma_cycles: Floats
    doppler_sigma_hz: Floats
    glonass_channel: NDArray[np.int8]
    """[M] frequency number; 0 for other systems."""

    def __len__(self) -> int:
        return len(self.names)


@dataclass(frozen=True, eq=False, kw_only=True)
class GnssTruth:
    """What was true at the antenna."""

    position_m: Floats
    """[3] in the world frame."""
    geodetic: Floats
    """[3] latitude [rad], longitude [rad], altitude [m]."""
    velocity_m_s: Floats
    """[3] east, north, up at the antenna."""
    clock_s: float
    """Receiver's clock minus GPS time."""
    names: tuple[str, ...]
    """[N] all satellites above the horizon."""
    direct: NDArray[np.bool_]
    """[N] whether nothing stands on the line of sight."""
    reflections: NDArray[np.int16]
    """[N] mirror paths that reach the antenna."""
    diffraction_db: NDArray[np.float32]
    """[N] loss of the direct signal at edges; infinite behind what no signal passes."""
    code_error_m: NDArray[np.float32]
    """[M] of each measurement: what paths over walls and ground do to the pseudorange."""
    phase_error_m: NDArray[np.float32]
    """[M] likewise of the carrier phase."""


@dataclass(frozen=True, eq=False, kw_only=True)
class GnssFix(Sample):
    """A receiver's answer at one epoch; `time_ns` is the instant at which it measured."""

    utc_ns: int
    """Unix time of the fix by the receiver."""
    gps_ns: int
    """GPS time of the fix by the receiver, its clock's offset taken off; the true one where it has no fix."""
    leap_s: int
    """GPS time minus UTC."""
    fix: FixType
    geodetic: Floats
    """[3] latitude [rad], longitude [rad], altitude above the ellipsoid [m]; NaN without a fix."""
    covariance_m2: Floats
    """[3, 3] east, north, up."""
    velocity_m_s: Floats
    """[3] east, north, up; NaN without one."""
    velocity_covariance_m2_s2: Floats
    """[3, 3]"""
    undulation_m: float
    """Height of the geoid above the ellipsoid that the receiver assumes."""
    clock_bias_s: float
    clock_drift: float
    dilution: Floats
    """[7] geometric, position, horizontal, vertical, time, north, east DOP."""
    integrity: bool | None
    """Whether the ranges agree with each other; None: not enough of them to tell."""
    excluded: tuple[str, ...]
    """Satellites that the integrity test threw out."""
    satellites: GnssSatellites
    raw: GnssMeasurements | None = None
    """For receivers that tell it."""
    truth: GnssTruth | None = None

    @property
    def used_count(self) -> int:
        """Number of satellites in the fix."""
        return int(self.satellites.used.sum())
