"""Samples of a satellite receiver as NMEA 0183 sentences (version 4.11).

Times are UTC, heights above the sea by the receiver's undulation, positions in degrees and minutes with seven decimals (0.2 mm).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import numpy as np

from sensorium.samples.gnss import FixType, GnssFix

TALKERS = {"G": "GP", "R": "GL", "E": "GA", "C": "GB"}
SYSTEM_ID = {"G": 1, "R": 2, "E": 3, "C": 4}
_PER_GSA, _PER_GSV = 12, 4
_FIRST_NUMBER = {"G": 0, "R": 64, "E": 0, "C": 0}
_MODES = {
    FixType.NONE: "N", FixType.SINGLE: "A", FixType.DIFFERENTIAL: "D", FixType.FIXED: "R", FixType.FLOAT: "F",
    FixType.PREDICTED: "E",
}  # fmt: skip


def sentence(*fields: str) -> str:
    """Return a sentence with its checksum, the exclusive or of all characters between $ and *."""
    body, check = ",".join(fields), 0
    for character in body:
        check ^= ord(character)
    return f"${body}*{check:02X}\r\n"


def nmea_sentences(sample: GnssFix) -> str:
    """Return RMC, VTG, GGA, GSA, GSV, GST and ZDA of one epoch, in the order of receivers."""
    return "".join((_rmc(sample), _vtg(sample), _gga(sample), *_gsa(sample), *_gsv(sample), _gst(sample), _zda(sample)))


def _has(sample: GnssFix) -> bool:
    return sample.fix != FixType.NONE


def _utc(sample: GnssFix) -> datetime:
    """Return UTC, rounded to the hundredth of a second that sentences carry."""
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=10 * round(sample.utc_ns / 10_000_000))


def _time(sample: GnssFix) -> str:
    at = _utc(sample)
    return f"{at:%H%M%S}.{at.microsecond // 10_000:02d}"


def _angle(value_rad: float, digits: int, positive: str, negative: str) -> tuple[str, str]:
    """Return degrees and minutes with the letter of the side; minutes never round up to 60."""
    units = round(abs(math.degrees(value_rad)) * 60e7)
    degrees, minutes = divmod(units, 600_000_000)
    whole, part = divmod(minutes, 10_000_000)
    return f"{degrees:0{digits}d}{whole:02d}.{part:07d}", positive if value_rad >= 0 else negative


def _place(sample: GnssFix) -> tuple[str, str, str, str]:
    if not _has(sample):
        return "", "", "", ""
    return (*_angle(sample.geodetic[0], 2, "N", "S"), *_angle(sample.geodetic[1], 3, "E", "W"))


def _speed_and_course(sample: GnssFix) -> tuple[float, float] | None:
    if not _has(sample) or not np.isfinite(sample.velocity_m_s).all():
        return None
    east, north, _ = sample.velocity_m_s
    return math.hypot(east, north), math.degrees(math.atan2(east, north)) % 360


def _course(degrees: float) -> str:
    """Return a course to the hundredth of a degree, of which 360 is 0."""
    return f"{round(degrees, 2) % 360:.2f}"


def _rmc(sample: GnssFix) -> str:
    moving = _speed_and_course(sample)
    speed, course = ("", "") if moving is None else (f"{moving[0] / 0.514444:.3f}", _course(moving[1]))
    status = "A" if _has(sample) else "V"
    return sentence("GNRMC", _time(sample), status, *_place(sample), speed, course, f"{_utc(sample):%d%m%y}", "", "",
                    _MODES[sample.fix], "V")  # fmt: skip


def _vtg(sample: GnssFix) -> str:
    moving = _speed_and_course(sample)
    if moving is None:
        return sentence("GNVTG", "", "T", "", "M", "", "N", "", "K", _MODES[sample.fix])
    course = _course(moving[1])
    return sentence("GNVTG", course, "T", "", "M", f"{moving[0] / 0.514444:.3f}", "N", f"{moving[0] * 3.6:.3f}", "K",
                    _MODES[sample.fix])  # fmt: skip


def _gga(sample: GnssFix) -> str:
    used, hdop = f"{min(sample.used_count, 99):02d}", _dop(sample.dilution[2])
    height = ("", "", "", "")
    if _has(sample):
        above_sea = sample.geodetic[2] - sample.undulation_m
        height = (f"{above_sea:.4f}", "M", f"{sample.undulation_m:.4f}", "M")
    corrected = sample.fix in (FixType.DIFFERENTIAL, FixType.FLOAT, FixType.FIXED)
    age = ("0.0", "0000") if corrected else ("", "")
    return sentence("GNGGA", _time(sample), *_place(sample), str(int(sample.fix)), used, hdop, *height, *age)


def _dop(value: float) -> str:
    return f"{value:.2f}" if math.isfinite(value) and value < 100 else "99.99"


def _number(name: str) -> str:
    return f"{_FIRST_NUMBER[name[0]] + int(name[1:]):02d}"


def _gsa(sample: GnssFix) -> Iterator[str]:
    used = [name for name, row in zip(sample.satellites.names, sample.satellites.used, strict=True) if row]
    dilution = [_dop(sample.dilution[k]) for k in (1, 2, 3)]
    systems = sorted({name[0] for name in sample.satellites.names} or {"G"}, key="GREC".index)
    for system in systems:
        numbers = [_number(name) for name in used if name[0] == system]
        for start in range(0, max(len(numbers), 1), _PER_GSA):
            part = numbers[start : start + _PER_GSA]
            padded = part + [""] * (_PER_GSA - len(part))
            mode = "3" if _has(sample) else "1"
            yield sentence("GNGSA", "A", mode, *padded, *dilution, str(SYSTEM_ID[system]))


def _gsv(sample: GnssFix) -> Iterator[str]:
    sky = sample.satellites
    for system in sorted({name[0] for name in sky.names}, key="GREC".index):
        rows = [k for k, name in enumerate(sky.names) if name[0] == system]
        parts = [rows[start : start + _PER_GSV] for start in range(0, len(rows), _PER_GSV)]
        for number, part in enumerate(parts, 1):
            fields: list[str] = []
            for k in part:
                strength = round(float(sky.cn0_db_hz[k]))
                fields += [
                    _number(sky.names[k]), f"{round(math.degrees(sky.elevation_rad[k])):02d}",
                    f"{round(math.degrees(sky.azimuth_rad[k])) % 360:03d}", f"{strength:02d}" if strength > 0 else "",
                ]  # fmt: skip
            signal = "7" if system == "E" else "1"
            yield sentence(f"{TALKERS[system]}GSV", str(len(parts)), str(number), f"{len(rows):02d}", *fields, signal)


def _gst(sample: GnssFix) -> str:
    if not _has(sample):
        return sentence("GNGST", _time(sample), "", "", "", "", "", "", "")
    east, north, up = np.sqrt(np.maximum(np.diag(sample.covariance_m2), 0)).tolist()
    values, vectors = np.linalg.eigh(sample.covariance_m2[:2, :2])
    major = vectors[:, 1]
    turn = math.degrees(math.atan2(major[0], major[1])) % 180
    small, large = np.sqrt(np.maximum(values, 0)).tolist()
    residual = (
        float(np.sqrt(np.nanmean(sample.satellites.residual_m[sample.satellites.used] ** 2)))
        if sample.used_count
        else 0.0
    )
    return sentence("GNGST", _time(sample), f"{residual:.3f}", f"{large:.4f}", f"{small:.4f}", f"{turn:.2f}", f"{north:.4f}",
                    f"{east:.4f}", f"{up:.4f}")  # fmt: skip


def _zda(sample: GnssFix) -> str:
    at = _utc(sample)
    return sentence("GNZDA", _time(sample), f"{at:%d}", f"{at:%m}", f"{at:%Y}", "00", "00")
