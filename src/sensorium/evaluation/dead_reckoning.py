"""Where a vehicle believes to be: from wheels and a gyroscope, or from inertial readings alone, against the truth.

Both start at the true place, heading and velocity, and know nothing of the truth afterwards. Where an odometer shows
that the vehicle stands at first, its instruments are zeroed during that time, as every navigation unit does.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.core.errors import RecordingError, did_you_mean
from sensorium.core.pose import Pose
from sensorium.core.time import Times, seconds
from sensorium.core.units import STANDARD_GRAVITY_M_S2
from sensorium.samples import ImuSample, OdometerReading, Sample, TruthSample

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Track:
    """Places [N, 3] at rising times [N]."""

    name: str
    times_ns: Times
    position_m: Floats

    @property
    def way_m(self) -> Floats:
        """Length of the way since the start [N]."""
        steps = np.linalg.norm(np.diff(self.position_m, axis=0), axis=1)
        return np.concatenate(([0.0], np.cumsum(steps)))

    def at(self, times_ns: Times) -> Floats:
        """Return places [M, 3] at times, on straight lines between the known ones."""
        return np.stack([np.interp(times_ns, self.times_ns, axis) for axis in self.position_m.T], -1)

    def errors_m(self, truth: Track) -> Floats:
        """Return the level distance from the truth at each instant [N]."""
        return np.asarray(np.linalg.norm((self.position_m - truth.at(self.times_ns))[:, :2], axis=1))


@dataclass(frozen=True, eq=False)
class Drift:
    """How far a track is from the truth in the end."""

    track: Track
    error_m: Floats
    """[N] level distance from the truth."""
    way_m: float
    """Length of the true way."""

    @property
    def final_m(self) -> float:
        """Error at the end."""
        return float(self.error_m[-1])

    @property
    def share(self) -> float:
        """Error at the end over the way; not a number without a way."""
        return self.final_m / self.way_m if self.way_m > 0 else float("nan")


@dataclass(frozen=True, eq=False)
class Readings:
    """What a recording holds for dead reckoning."""

    truth: Track
    start: Pose
    """T_world_body at the start."""
    start_velocity_m_s: Floats
    """[3] of the body, in the world frame."""
    start_rate_rad_s: Floats
    """[3] of the body, in the world frame."""
    way: tuple[Times, Floats] | None
    """Times [N] and mean distance of all odometers [N]."""
    rates: tuple[Times, Floats] | None
    """Times [N] and angular velocity [N, 3] in the frame of the IMU."""
    forces: tuple[Times, Floats] | None
    """Times [N] and specific force [N, 3] in the frame of the IMU."""
    rest_ns: int
    """Until when the vehicle stands, as far as the odometers tell."""


def readings_of(
    samples: Iterable[Sample], body: str, imu: str | None = None, odometers: tuple[str, ...] = ()
) -> Readings:
    """Collect what a recording tells of a body; by default of the first IMU and of all odometers."""
    truths: list[TruthSample] = []
    ways: dict[str, list[OdometerReading]] = {}
    units: dict[str, list[ImuSample]] = {}
    for sample in samples:
        if isinstance(sample, TruthSample):
            truths.append(sample)
        elif isinstance(sample, OdometerReading):
            ways.setdefault(sample.stamp.sensor, []).append(sample)
        elif isinstance(sample, ImuSample):
            units.setdefault(sample.stamp.sensor, []).append(sample)
    truth, start, velocity, rate = _truth(truths, body)
    chosen = units.get(_known(imu, units, "IMU") or next(iter(units), ""), [])
    for name in odometers:
        _known(name, ways, "odometer")
    return Readings(
        truth, start, velocity, rate,
        way=_mean_way([ways[name] for name in (odometers or ways)]),
        rest_ns=max((_rest_ns(ways[name]) for name in (odometers or ways)), default=0),
        rates=_series(chosen, "angular_velocity"),
        forces=_series(chosen, "specific_force"),
    )  # fmt: skip


def _known(name: str | None, found: Iterable[str], what: str) -> str | None:
    names = list(found)
    if name is not None and name not in names:
        raise RecordingError(f"the recording has no {what} '{name}'.{did_you_mean(name, names)}")
    return name


def _truth(truths: list[TruthSample], body: str) -> tuple[Track, Pose, Floats, Floats]:
    bodies = {name for sample in truths for name in sample.names}
    if body not in bodies:
        raise RecordingError(f"the recording has no truth of a body '{body}'.{did_you_mean(body, bodies)}")
    rows = [(sample, sample.names.index(body)) for sample in truths if body in sample.names]
    times = np.array([sample.stamp.time_ns for sample, _ in rows], np.int64)
    first, row = rows[0]
    track = Track("truth", times, np.array([sample.pose.position_m[row] for sample, row in rows]))
    return track, first.pose[row], first.velocity_m_s[row], first.angular_velocity_rad_s[row]


def _mean_way(ways: list[list[OdometerReading]]) -> tuple[Times, Floats] | None:
    """Return the mean distance at the instants of the first odometer; those of the others are put on straight lines."""
    if not ways:
        return None
    times = [np.array([one.stamp.time_ns for one in way], np.int64) for way in ways]
    distances = [np.array([one.distance_m[0] for one in way]) for way in ways]
    each = [np.interp(times[0], time, distance) for time, distance in zip(times, distances, strict=True)]
    return times[0], np.mean(each, 0)


def _rest_ns(way: list[OdometerReading]) -> int:
    """Return when a distance leaves its first value by more than five standard deviations and a millimetre."""
    distances = np.array([one.distance_m[0] for one in way])
    margin = 1e-3 + 5 * way[0].distance_variance_m2 ** 0.5
    moved = np.flatnonzero(np.abs(distances - distances[0]) > margin)
    return way[max(0, int(moved[0]) - 2) if len(moved) else -1].stamp.time_ns


def _at_rest(readings: Readings, series: tuple[Times, Floats], expected: Floats) -> Floats:
    """Return what an instrument shows besides the expected during the rest [3]; nothing below 0.2 s of rest."""
    times, values = series
    still = (times >= readings.truth.times_ns[0]) & (times < readings.rest_ns)
    if not still.any() or times[still][-1] - times[still][0] < 200_000_000:
        return np.zeros(3)
    return np.asarray(values[still].mean(0) - expected)


def _series(samples: list[ImuSample], quantity: str) -> tuple[Times, Floats] | None:
    pieces = [getattr(sample, quantity) for sample in samples]
    pieces = [piece for piece in pieces if piece is not None and len(piece)]
    if not pieces:
        return None
    times, values = (
        np.concatenate([piece.time_ns for piece in pieces]),
        np.concatenate([piece.values for piece in pieces]),
    )
    whole = ~np.isnan(values).any(1)
    return times[whole], values[whole]


def wheel_track(readings: Readings, T_body_imu: Pose) -> Track:  # noqa: N803
    """Return the way by wheels and gyroscope, on level ground.

    psi grows by the trapezoid of the rate about the body's z; a piece of way d between two readings, along which the
    heading grows by p, is an arc with the chord d sin(p/2) / (p/2) in the direction of its middle.
    """
    if readings.way is None or readings.rates is None:
        missing = "an odometer" if readings.way is None else "a gyroscope"
        raise RecordingError(f"dead reckoning by wheels needs {missing} in the recording")
    times, way = readings.way
    inside = times >= readings.truth.times_ns[0]
    times, way = times[inside], way[inside]
    rate_times, rates = readings.rates
    yaw_rate = T_body_imu.rotate(rates - _at_rest(readings, readings.rates, np.zeros(3)))[:, 2]
    turned = np.concatenate(([0.0], np.cumsum((yaw_rate[1:] + yaw_rate[:-1]) / 2 * np.diff(seconds(rate_times)))))
    heading = np.interp(times, rate_times, turned)
    heading += float(readings.start.rpy_rad()[2]) - heading[0]
    grown, middle = np.diff(heading), (heading[1:] + heading[:-1]) / 2
    chord = np.diff(way) * np.sinc(grown / (2 * np.pi))
    steps = np.stack((chord * np.cos(middle), chord * np.sin(middle), np.zeros_like(chord)), -1)
    places = readings.start.position_m + np.concatenate((np.zeros((1, 3)), np.cumsum(steps, 0)))
    return Track("wheels and gyroscope", times, places)


def inertial_track(readings: Readings, T_body_imu: Pose, gravity_m_s2: float = STANDARD_GRAVITY_M_S2) -> Track:  # noqa: N803
    """Return the way of the body by inertial readings alone: w turns, R f + g is integrated twice (strapdown).

    The turn between two readings is that of their mean rate, velocity and place grow by trapezoids. P. Savage,
    "Strapdown Analytics", 2000. Instruments are taken to sit where the IMU's frame is.
    """
    if readings.forces is None or readings.rates is None:
        missing = "an accelerometer" if readings.forces is None else "a gyroscope"
        raise RecordingError(f"inertial dead reckoning needs {missing} in the recording")
    from scipy.spatial.transform import Rotation

    start = readings.start @ T_body_imu
    upward = start.inverse().rotate(np.array([0.0, 0.0, gravity_m_s2]))
    times, rates = readings.rates
    inside = times >= readings.truth.times_ns[0]
    times, rates = times[inside], rates[inside] - _at_rest(readings, readings.rates, np.zeros(3))
    force_times, forces = readings.forces
    forces = forces - _at_rest(readings, readings.forces, upward)
    force = np.stack([np.interp(times, force_times, axis) for axis in forces.T], -1)
    spans = np.diff(seconds(times))[:, None]
    steps = Rotation.from_rotvec((rates[1:] + rates[:-1]) / 2 * spans)
    turn = Rotation.from_quat(start.quaternion, scalar_first=True)
    turns = [turn]
    for step in steps:
        turn = turn * step
        turns.append(turn)
    attitude = Rotation.concatenate(turns)
    acceleration = attitude.apply(force) - np.array([0.0, 0.0, gravity_m_s2])
    lever = start.position_m - readings.start.position_m
    velocity = readings.start_velocity_m_s + np.cross(readings.start_rate_rad_s, lever)
    velocity = velocity + _integrated(acceleration, spans)
    places = start.position_m + _integrated(velocity, spans)
    return Track("inertial alone", times, places - attitude.apply(_in_imu(T_body_imu)))


def _in_imu(T_body_imu: Pose) -> Floats:  # noqa: N803
    """Return where the IMU is, seen from the body, in the IMU's axes."""
    return T_body_imu.inverse().rotate(T_body_imu.position_m)


def _integrated(values: Floats, spans: Floats) -> Floats:
    return np.concatenate((np.zeros((1, 3)), np.cumsum((values[1:] + values[:-1]) / 2 * spans, 0)))


def drift_of(track: Track, truth: Track) -> Drift:
    """Compare a track with the truth, as long as both last."""
    inside = (track.times_ns >= truth.times_ns[0]) & (track.times_ns <= truth.times_ns[-1])
    if not inside.any():
        raise RecordingError(f"the track '{track.name}' and the truth have no time in common")
    common = Track(track.name, track.times_ns[inside], track.position_m[inside])
    during = truth.times_ns <= common.times_ns[-1]
    return Drift(common, common.errors_m(truth), float(truth.way_m[during][-1]))
