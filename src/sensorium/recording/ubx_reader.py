"""UBX messages are read back: what NAV-PVT, NAV-SAT and RXM-RAWX tell."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

import numpy as np

from sensorium.core.errors import RecordingError
from sensorium.core.time_scales import WEEK_NS
from sensorium.recording.rinex_observation import frequency_hz
from sensorium.recording.ubx import GNSS_ID, SIGNAL_ID, frame
from sensorium.samples.gnss import GnssMeasurements, GnssSatellites

_SYSTEMS = {number: letter for letter, number in GNSS_ID.items()}
_CODES = {(system, number): code for (system, code), number in SIGNAL_ID.items()}


def messages_in(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield class, number and payload of each message; RecordingError for one whose checksum is wrong."""
    place = 0
    while place + 8 <= len(data):
        if data[place : place + 2] != b"\xb5\x62":
            place += 1
            continue
        class_, number, length = struct.unpack_from("<BBH", data, place + 2)
        payload = data[place + 6 : place + 6 + length]
        if frame(class_, number, payload) != data[place : place + 8 + length]:
            raise RecordingError(f"the UBX message at byte {place} is damaged: its checksum is wrong")
        yield class_, number, payload
        place += 8 + length


def read_raw(payload: bytes) -> tuple[GnssMeasurements, int]:
    """Return the measurements of RXM-RAWX, and the leap seconds; sums of squares are told in steps of powers of two."""
    second, week, leap_s, count = struct.unpack_from("<dHbB", payload)
    rows = [struct.unpack_from("<ddfBBBBHBBBBB", payload, 16 + 32 * k) for k in range(count)]
    columns = list(zip(*rows, strict=True)) if rows else [()] * 13
    systems = [_SYSTEMS[number] for number in columns[3]]
    codes = [_CODES[system, signal] for system, signal in zip(systems, columns[5], strict=True)]
    channels = np.array([f - 7 if s == "R" else 0 for s, f in zip(systems, columns[6], strict=True)], np.int8)
    frequency = [frequency_hz(s, c[0], int(f)) for s, c, f in zip(systems, codes, channels, strict=True)]
    lock = np.array(columns[7], np.float64) * 1e-3
    phase = np.where(np.array(columns[12], np.int64) & 0b10, np.array(columns[1], np.float64), np.nan)
    return GnssMeasurements(
        gps_ns=week * WEEK_NS + round(second * 1e9), codes=tuple(codes), frequency_hz=np.array(frequency, np.float64),
        names=tuple(f"{s}{n:02d}" for s, n in zip(systems, columns[4], strict=True)),
        pseudorange_m=np.array(columns[0], np.float64), carrier_cycles=phase,
        doppler_hz=np.array(columns[2], np.float64), cn0_db_hz=np.array(columns[8], np.float64), lock_s=lock, slipped=lock == 0,
        pseudorange_sigma_m=0.01 * 2.0 ** np.array(columns[9], np.float64),
        carrier_sigma_cycles=0.004 * np.array(columns[10], np.float64),
        doppler_sigma_hz=0.002 * 2.0 ** np.array(columns[11], np.float64), glonass_channel=channels,
    ), leap_s  # fmt: skip


def read_satellites(payload: bytes) -> GnssSatellites:
    """Return the sky of NAV-SAT, in whole degrees and decibels."""
    count = payload[5]
    rows = [struct.unpack_from("<BBBbhhI", payload, 8 + 12 * k) for k in range(count)]
    flags = np.array([row[6] for row in rows], np.int64)
    used = (flags >> 3 & 1).astype(bool)
    return GnssSatellites(
        names=tuple(f"{_SYSTEMS[row[0]]}{row[1]:02d}" for row in rows),
        azimuth_rad=np.radians([row[4] for row in rows]).astype(np.float32),
        elevation_rad=np.radians([row[3] for row in rows]).astype(np.float32),
        cn0_db_hz=np.array([row[2] for row in rows], np.float32), used=used,
        residual_m=np.where(used, np.array([row[5] for row in rows]) * 0.1, np.nan).astype(np.float32),
        healthy=(flags >> 4 & 3) == 1,
    )  # fmt: skip


def read_solution(payload: bytes) -> dict[str, Any]:
    """Return what NAV-PVT tells beyond NavSatFix: kind of fix, dilution, undulation."""
    kind, flags = payload[20], payload[21]
    height, sea = struct.unpack_from("<ii", payload, 32)
    (dop,) = struct.unpack_from("<H", payload, 76)
    return {"kind": kind, "flags": flags, "undulation_m": (height - sea) * 1e-3, "position_dilution": dop * 0.01}
