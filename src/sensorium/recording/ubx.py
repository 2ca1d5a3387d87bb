"""Samples of a satellite receiver as UBX messages, byte for byte as u-blox receivers send them.

u-blox F9 HPG 1.32 interface description (UBX-22008968): NAV-PVT, NAV-SAT and RXM-RAWX.
"""

from __future__ import annotations

import math
import struct

import numpy as np

from sensorium.core.time_scales import calendar_of_gps_ns, week_and_second
from sensorium.samples.gnss import FixType, GnssFix, GnssMeasurements

GNSS_ID = {"G": 0, "E": 2, "C": 3, "R": 6}
SIGNAL_ID = {("G", "1C"): 0, ("G", "5Q"): 7, ("E", "1C"): 0, ("E", "5Q"): 4, ("R", "1C"): 0, ("C", "2I"): 0}
_FIX_TYPE = {FixType.NONE: 0, FixType.PREDICTED: 3}
_CARRIER = {FixType.FLOAT: 1, FixType.FIXED: 2}
_NEVER = 0xFFFFFFFF


def ubx_messages(sample: GnssFix) -> bytes:
    """Return NAV-PVT, NAV-SAT and, if the sample has raw measurements, RXM-RAWX of one epoch, as on the wire."""
    raw = b"" if sample.raw is None else rxm_rawx(sample.raw, sample.leap_s)
    return nav_pvt(sample) + nav_sat(sample) + raw


def frame(class_: int, number: int, payload: bytes) -> bytes:
    """Return a message with its head and Fletcher checksum."""
    body = struct.pack("<BBH", class_, number, len(payload)) + payload
    first = second = 0
    for byte in body:
        first = (first + byte) & 0xFF
        second = (second + first) & 0xFF
    return b"\xb5\x62" + body + bytes((first, second))


def _itow_ms(gps_ns: int) -> int:
    return round(week_and_second(gps_ns)[1] * 1e3) % 604_800_000


def nav_pvt(sample: GnssFix) -> bytes:
    """Return position, velocity and time; heights above the sea by the receiver's undulation."""
    has = sample.fix != FixType.NONE
    # UTC to the nearest second with a signed fraction, as the receiver has it
    whole, rest = divmod(sample.utc_ns + 500_000_000, 1_000_000_000)
    year, month, day, hour, minute, second = calendar_of_gps_ns((whole - 315_964_800) * 1_000_000_000)
    head = struct.pack("<IHBBBBBBIi", _itow_ms(sample.gps_ns), year, month, day, hour, minute, int(second),
                       0b111 if has else 0, 50 if has else _NEVER, rest - 500_000_000)  # fmt: skip
    flags = (has << 0) | ((sample.fix in (FixType.DIFFERENTIAL, FixType.FLOAT, FixType.FIXED)) << 1)
    flags |= _CARRIER.get(sample.fix, 0) << 6
    kind = _FIX_TYPE.get(sample.fix, 3)
    state = struct.pack("<BBBB", kind, flags, 0b11100000 if has else 0, min(sample.used_count, 255))
    if not has:
        zero = struct.pack("<iiiiII", 0, 0, 0, 0, _NEVER, _NEVER)
        rest_of = struct.pack("<iiiiiIIHHIihH", 0, 0, 0, 0, 0, _NEVER, 18_000_000, 9999, 1, 0, 0, 0, 0)
        return frame(0x01, 0x07, head + state + zero + rest_of)
    latitude, longitude, altitude = sample.geodetic
    deviation = np.sqrt(np.maximum(np.diag(sample.covariance_m2), 0)) * 1e3
    place = struct.pack(
        "<iiiiII", round(math.degrees(longitude) * 1e7), round(math.degrees(latitude) * 1e7), round(altitude * 1e3),
        round((altitude - sample.undulation_m) * 1e3), _limited(np.hypot(deviation[0], deviation[1])), _limited(deviation[2]),
    )  # fmt: skip
    return frame(0x01, 0x07, head + state + place + _motion(sample))


def _motion(sample: GnssFix) -> bytes:
    east, north, up = np.nan_to_num(sample.velocity_m_s)
    speed = math.hypot(east, north)
    course = math.degrees(math.atan2(east, north)) % 360
    variance = np.nan_to_num(np.diag(sample.velocity_covariance_m2_s2), nan=1e6)
    accuracy = math.sqrt(max(float(variance.mean()), 0.0))
    course_accuracy = min(math.degrees(accuracy / max(speed, 1e-3)), 180.0)
    return struct.pack(
        "<iiiiiIIHHIihH", round(north * 1e3), round(east * 1e3), round(-up * 1e3), round(speed * 1e3), round(course * 1e5),
        _limited(accuracy * 1e3), round(course_accuracy * 1e5), _dop(sample.dilution[1]), 0, 0, 0, 0, 0,
    )  # fmt: skip


def _limited(value: float) -> int:
    return min(round(value), _NEVER) if math.isfinite(value) else _NEVER


def _dop(value: float) -> int:
    return min(round(value * 100), 9999) if math.isfinite(value) else 9999


def nav_sat(sample: GnssFix) -> bytes:
    """Return azimuth, elevation, C/N0 and use of the satellites above the horizon."""
    sky = sample.satellites
    rows = []
    for k, name in enumerate(sky.names):
        tracked = sky.cn0_db_hz[k] > 0
        flags = (7 if tracked else 1) | (int(sky.used[k]) << 3) | ((1 if sky.healthy[k] else 2) << 4)
        left = float(sky.residual_m[k])
        residual = 0 if math.isnan(left) else max(min(round(left * 10), 32767), -32768)
        rows.append(struct.pack(
            "<BBBbhhI", GNSS_ID[name[0]], int(name[1:]), round(max(float(sky.cn0_db_hz[k]), 0)),
            round(math.degrees(sky.elevation_rad[k])), round(math.degrees(sky.azimuth_rad[k])) % 360, residual, flags,
        ))  # fmt: skip
    head = struct.pack("<IBBH", _itow_ms(sample.gps_ns), 1, len(rows), 0)
    return frame(0x01, 0x35, head + b"".join(rows))


def rxm_rawx(raw: GnssMeasurements, leap_s: int) -> bytes:
    """Return the raw measurements at the receiver's own time."""
    week, second = week_and_second(raw.gps_ns)
    rows = [_raw_row(raw, k) for k in range(len(raw)) if (raw.names[k][0], raw.codes[k]) in SIGNAL_ID]
    state = 0b01 | (0b10 if raw.slipped.any() else 0)
    return frame(0x02, 0x15, struct.pack("<dHbBBBH", second, week, leap_s, len(rows), state, 1, 0) + b"".join(rows))


def _raw_row(raw: GnssMeasurements, k: int) -> bytes:
    name, phase = raw.names[k], float(raw.carrier_cycles[k])
    valid = 0b1 | (0 if math.isnan(phase) else 0b110)
    return struct.pack(
        "<ddfBBBBHBBBBBB", raw.pseudorange_m[k], 0.0 if math.isnan(phase) else phase, raw.doppler_hz[k], GNSS_ID[name[0]],
        int(name[1:]), SIGNAL_ID[name[0], raw.codes[k]], int(raw.glonass_channel[k]) + 7 if name[0] == "R" else 0,
        min(round(raw.lock_s[k] * 1e3), 64_500), round(max(float(raw.cn0_db_hz[k]), 0)),
        _power_of_two(raw.pseudorange_sigma_m[k], 0.01), min(round(raw.carrier_sigma_cycles[k] / 0.004), 15),
        _power_of_two(raw.doppler_sigma_hz[k], 0.002), valid, 0,
    )  # fmt: skip


def _power_of_two(value: float, unit: float) -> int:
    """Return n such that unit 2^n is nearest on a logarithmic scale, 0 to 15."""
    return int(np.clip(round(math.log2(max(value, 1e-9) / unit)), 0, 15))
