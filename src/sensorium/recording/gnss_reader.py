"""Fix, time, velocity and raw bytes of a recording become samples of a satellite receiver again."""

from __future__ import annotations

from typing import Any

import numpy as np

from sensorium.core.time_scales import gps_of_unix_ns, leap_seconds
from sensorium.recording.received import Received
from sensorium.recording.ros_conventions import nanoseconds_of
from sensorium.recording.ros_gnss import FIX_TYPE, TIME_TYPE, UBX_TYPE, VELOCITY_TYPE
from sensorium.recording.ros_types import deserialise
from sensorium.recording.ubx_reader import messages_in, read_raw, read_satellites, read_solution
from sensorium.samples import Stamp
from sensorium.samples.gnss import FixType, GnssFix, GnssMeasurements, GnssSatellites

_PVT, _SAT, _RAW = (0x01, 0x07), (0x01, 0x35), (0x02, 0x15)


class GnssReader:
    """Joins the messages of one epoch; the fix comes last. What only the UBX bytes tell has their resolution."""

    def __init__(self) -> None:
        self._parts: dict[tuple[str, int], dict[str, Any]] = {}

    def take(self, received: Received) -> GnssFix | None:
        """Return the sample that a fix completes."""
        key, kind = (received.topic.sensor, received.index), received.topic.type_name
        if kind != FIX_TYPE:
            self._parts.setdefault(key, {})[kind] = deserialise(received.cdr, kind)
            return None
        fix = deserialise(received.cdr, FIX_TYPE)
        return _sample(fix, self._parts.pop(key, {}), received)


def _sample(fix: Any, parts: dict[str, Any], received: Received) -> GnssFix:
    stamp_ns = nanoseconds_of(fix.header.stamp)
    time, velocity, ubx = (parts.get(kind) for kind in (TIME_TYPE, VELOCITY_TYPE, UBX_TYPE))
    utc_ns = nanoseconds_of(time.time_ref) if time is not None else stamp_ns
    told: dict[str, Any] = {"kind": 0 if fix.status.status < 0 else 3, "flags": 0, "undulation_m": 0.0,
                            "position_dilution": np.nan}  # fmt: skip
    satellites, raw = _no_satellites(), None
    for class_, number, payload in messages_in(bytes(ubx.data.tobytes())) if ubx is not None else ():
        if (class_, number) == _PVT:
            told = read_solution(payload)
        elif (class_, number) == _SAT:
            satellites = read_satellites(payload)
        elif (class_, number) == _RAW:
            raw, _ = read_raw(payload)
    return _joined(fix, told, velocity, satellites, raw, utc_ns, Stamp(
        received.topic.sensor, received.index, stamp_ns - received.epoch_ns, received.ready_ns
    ))  # fmt: skip


def _joined(
    fix: Any, told: dict[str, Any], velocity: Any, satellites: GnssSatellites, raw: GnssMeasurements | None, utc_ns: int,
    stamp: Stamp,
) -> GnssFix:  # fmt: skip
    dilution = np.full(7, np.nan)
    dilution[1] = told["position_dilution"]
    speed, spread = np.full(3, np.nan), np.full((3, 3), np.nan)
    if velocity is not None:
        linear = velocity.twist.twist.linear
        speed = np.array([linear.x, linear.y, linear.z])
        spread = np.array(velocity.twist.covariance, np.float64).reshape(6, 6)[:3, :3]
    kind = _fix_type(fix.status.status, told)
    return GnssFix(
        stamp=stamp, utc_ns=utc_ns, gps_ns=gps_of_unix_ns(utc_ns), leap_s=leap_seconds(utc_ns), fix=kind,
        geodetic=np.array([np.radians(fix.latitude), np.radians(fix.longitude), fix.altitude]),
        covariance_m2=np.array(fix.position_covariance, np.float64).reshape(3, 3), velocity_m_s=speed,
        velocity_covariance_m2_s2=spread, undulation_m=told["undulation_m"], clock_bias_s=np.nan, clock_drift=np.nan,
        dilution=dilution, integrity=None, excluded=(), satellites=satellites, raw=raw,
    )  # fmt: skip


def _fix_type(status: int, told: dict[str, Any]) -> FixType:
    if status < 0 or told["kind"] == 0:
        return FixType.NONE
    carrier = told["flags"] >> 6
    if carrier:
        return FixType.FIXED if carrier == 2 else FixType.FLOAT
    return FixType.DIFFERENTIAL if told["flags"] & 0b10 else FixType.SINGLE


def _no_satellites() -> GnssSatellites:
    none, no = np.zeros(0, np.float32), np.zeros(0, bool)
    return GnssSatellites(
        names=(), azimuth_rad=none, elevation_rad=none, cn0_db_hz=none, used=no, residual_m=none, healthy=no
    )
