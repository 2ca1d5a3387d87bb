"""`sensorium reproduce inertial`: data sheets of inertial devices found again in their records, and closed forms.

A record at rest lasts forty times the memory of the slowest noise of the instrument. `theirs` is what the data sheet says (or
what the catalogue assumes, marked there), `ours` what the Allan deviation of the record shows.
"""

from __future__ import annotations

import math
from datetime import UTC, datetime

import numpy as np

from sensorium.apps.benchmarks.rows import Row
from sensorium.apps.reproductions import inertial_profiles as profiles
from sensorium.apps.reproductions.verdicts import near, within
from sensorium.core.pose import Pose
from sensorium.core.units import STANDARD_GRAVITY_M_S2
from sensorium.motion.spinning import Spinning
from sensorium.samples import ImuSample
from sensorium.scene.body import Body
from sensorium.scene.build import body, part
from sensorium.scene.magnetism import EarthField
from sensorium.scene.origin import Origin
from sensorium.scene.scene import Scene
from sensorium.scene.shapes import Box
from sensorium.sensors import Imu, sensor_of
from sensorium.simulation import observe
from sensorium.tracing import ReferenceTracer

MEMORIES = 40
CONFIDENCE = 1 - 1e-5
_SURE = 15.0
"""Degrees of freedom from which one point of a curve is worth a row."""
_ON_PAPER = {
    "gyroscope": ("deg/sqrt(h)", 60 * 180 / math.pi, "deg/h", 3600 * 180 / math.pi),
    "accelerometer": ("m/s/sqrt(h)", 60.0, "ug", 1e6 / STANDARD_GRAVITY_M_S2),
    "magnetometer": ("nT/sqrt(Hz)", 1e9, "nT", 1e9),
}
WMM_2025 = ((80.0, 0.0, 6521.6, 145.9, 54791.5), (0.0, 120.0, 39677.8, -109.6, -10580.2))
"""Test values of the WMM 2025 report for 2025.0 and 0 km: latitude, longitude [deg], north, east, down [nT]."""


def inertial_rows(memories: float = MEMORIES) -> list[Row]:
    """Compute everything again; takes about a minute."""
    rows = [*_mechanics_rows(), *_earth_rows()]
    for name, instrument in profiles.profiles():
        rows += _profile_rows(name, instrument, memories)
    return rows


def _mechanics_rows() -> list[Row]:
    """What a body at rest and a turning one read at an offset, without noise."""
    imu = Imu(rate_hz=100.0, accelerometer={"pose": Pose.at(0.5, 0, 0)}, gyroscope={})  # type: ignore[arg-type]
    rest = _reading(Scene((_table(0.0),)), imu)
    turning = _reading(Scene((_table(3.0),)), imu)
    return [
        within("at rest: specific force upwards (REP 145)", STANDARD_GRAVITY_M_S2, rest[0, 2], "m/s^2", 1e-9),
        within("turning at 3 rad/s, 0.5 m off the axis: -w^2 r", -4.5, turning[0, 0], "m/s^2", 1e-9),
    ]


def _table(rate_rad_s: float) -> Body:
    turning = Spinning(angular_velocity_rad_s=(0.0, 0.0, rate_rad_s))
    return body("table", part("top", Box(size_m=(1.0, 1.0, 0.04)), "wood"), motion=turning)


def _reading(scene: Scene, imu: Imu) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    sample = observe(scene, imu, body="table", tracer=ReferenceTracer(scene))
    assert isinstance(sample, ImuSample)
    return sample.specific_force_m_s2


def _earth_rows() -> list[Row]:
    rows = []
    for latitude, longitude, *theirs in WMM_2025:
        start = datetime(2025, 1, 1, tzinfo=UTC)
        origin = Origin(latitude_rad=math.radians(latitude), longitude_rad=math.radians(longitude), start_utc=start)
        scene = Scene(origin=origin, magnetic_field=EarthField())
        east, north, up = scene.flux_density_t(np.zeros(3), np.zeros((), np.int64)) * 1e9
        for what, printed, ours in zip(("north", "east", "down"), theirs, (north, east, -up), strict=True):
            case = f"Earth's field {what} at {latitude:g} N {longitude:g} E, 2025.0 (WMM 2025 report)"
            rows.append(within(case, printed, ours, "nT", 0.06))
    return rows


def _profile_rows(name: str, instrument: str, memories: float) -> list[Row]:
    """Random walk, deviation at the bottom of the exact curve, and the whole curve against its band."""
    from sensorium.evaluation.allan import allan_curve, noise_parameters

    imu: Imu = sensor_of(name)
    duration_s = memories * profiles.correlation_s(imu, instrument)
    means, rate_hz = profiles.means_at_rest(name, instrument, duration_s)
    curve = allan_curve(means, rate_hz, confidence=CONFIDENCE)
    exact = profiles.expected_deviation(imu, instrument, curve.tau_s)
    outside = int(np.count_nonzero((exact <= curve.low) | (exact >= curve.high)))
    sure = int(np.count_nonzero(curve.freedom > _SURE))
    bottom = int(exact[:sure, 0].argmin())
    theirs, ours = (float(np.sqrt(np.mean(np.square(each[bottom])))) for each in (exact, curve.deviation))
    walk, walk_scale, level, level_scale = _ON_PAPER[instrument]
    spread = 4 / math.sqrt(2 * 3 * curve.freedom[bottom])  # three axes; 4 sigma
    stated, found = profiles.expected_random_walk(imu, instrument).mean(), noise_parameters(curve).random_walk.mean()
    case = f"{name}, {instrument}"
    return [
        near(f"{case}: random walk N", stated * walk_scale, found * walk_scale, walk, 0.02),
        near(f"{case}: Allan deviation at {curve.tau_s[bottom]:.3g} s", theirs * level_scale, ours * level_scale, level, spread),
        Row(f"{case}: points of {exact.size} outside the band of {CONFIDENCE:.3%}", None, outside, "points", "none",
            outside == 0),
    ]  # fmt: skip
