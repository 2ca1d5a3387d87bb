"""A ball bounces across the road in front of a car, seen by two cameras, a LiDAR and if wanted a radar: measurements.

The experiment of C. Gao et al., "Multi-sensor simulation environment for autonomous driving", section V: what each
sensor measures follows from its field of view, its resolution and its range accuracy. The frame is that of the car on
the ground: x forward, y left, z up (the publication has y right, z down).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Ge, MinLen
from numpy.typing import NDArray

from sensorium.core.configuration import configured
from sensorium.core.pose import Pose
from sensorium.core.random import Draws
from sensorium.core.time import nanoseconds
from sensorium.core.units import Metres, NonNegativeMetres, PositiveHertz, PositiveSeconds, Radians
from sensorium.motion.ballistic import Ballistic
from sensorium.tracking.measurement_models import Angles, CrossPosition, Position, RangeAngles, RangeAnglesSpeed
from sensorium.tracking.measurements import Measurements

Floats = NDArray[np.float64]
HEIGHT_M = 1.5
"""Of all sensors above the road; assumed."""
POSE = Pose.at(0.0, 0.0, HEIGHT_M)


@configured
class Instrument:
    """What one sensor can tell: how often, where, and how finely."""

    name: str
    rate_hz: PositiveHertz
    first_s: Annotated[float, Ge(0)] = 0.0
    """When its first measurement is complete."""
    width_rad: Radians
    """Horizontal field of view."""
    height_rad: Radians
    """Vertical field of view."""
    azimuth_noise_rad: Radians
    """Standard deviation: one pixel or one step of the scan."""
    elevation_noise_rad: Radians
    range_noise_m: NonNegativeMetres | None = None
    """None: a camera, which knows no range."""
    speed_noise_m_s: NonNegativeMetres | None = None
    """None: no radar, which alone knows the radial speed."""
    least_speed_m_s: NonNegativeMetres = 0.0
    """Slower things are lost among what stands."""

    def times_ns(self, duration_s: float) -> NDArray[np.int64]:
        """Return when it measures."""
        count = int(np.floor((duration_s - self.first_s) * self.rate_hz + 1e-9)) + 1
        return np.array([nanoseconds(self.first_s + k / self.rate_hz) for k in range(count)], np.int64)


VISIBLE = Instrument(
    name="visible", rate_hz=60.0, width_rad=math.radians(36), height_rad=math.radians(27.4),
    azimuth_noise_rad=math.radians(36) / 640, elevation_noise_rad=math.radians(27.4) / 480,
)  # fmt: skip
"""Rate and width as published; 640 x 480 pixels are assumed, as in the catalogue."""
THERMAL = Instrument(
    name="thermal", rate_hz=20.0, width_rad=math.radians(40), height_rad=math.radians(32.5),
    azimuth_noise_rad=math.radians(40) / 320, elevation_noise_rad=math.radians(32.5) / 256,
)  # fmt: skip
"""Rate and width as published; 320 x 256 pixels are assumed, as in the catalogue ("lower resolution")."""
LIDAR = Instrument(
    name="lidar", rate_hz=10.0, first_s=0.1, width_rad=math.radians(360), height_rad=math.radians(53.8),
    azimuth_noise_rad=math.radians(0.1728), elevation_noise_rad=math.radians(0.427), range_noise_m=0.02,
)  # fmt: skip
"""HDL-64E at 10 Hz: 26.9 deg over 64 beams; the frame is turned so that its field holds the whole flight."""
INSTRUMENTS = (VISIBLE, THERMAL, LIDAR)
RADAR = Instrument(
    name="radar", rate_hz=20.0, first_s=0.05, width_rad=math.radians(100), height_rad=math.radians(30),
    azimuth_noise_rad=0.0055, elevation_noise_rad=0.027, range_noise_m=0.05, speed_noise_m_s=0.05, least_speed_m_s=0.3,
)  # fmt: skip
"""Not in the publication: ti_awr1843_short_range of the catalogue, angles as it tells them of an echo 25 dB above the noise.

Range and speed are told finer; a ball that is hollow and turns is not. Two cells of speed part it from the road.
It measures together with the thermal camera, so that errors with and without it are known at the same instants.
"""


@configured
class BouncingBall:
    """Throws with slightly different starts, and what the sensors measure of them."""

    runs: Annotated[int, Ge(1)] = 2000
    first_run: Annotated[int, Ge(0)] = 0
    """Number of the first throw; each has draws of its own."""
    seed: Annotated[int, Ge(0)] = 3
    duration_s: PositiveSeconds = 10.0
    instruments: Annotated[tuple[Instrument, ...], MinLen(1)] = INSTRUMENTS
    range_m: tuple[Metres, NonNegativeMetres] = (16.0, 0.6)
    """Mean and standard deviation of the distance ahead at the start."""
    lateral_m: tuple[Metres, NonNegativeMetres] = (-4.2, 0.1)
    height_m: tuple[Metres, NonNegativeMetres] = (2.0, 0.1)
    """Of the ball's centre."""
    speed_m_s: tuple[float, float] = (1.27, 0.03)
    """Across the road, to the left."""
    restitution: float = 0.9
    radius_m: Metres = 0.11

    def throw(self, run: int) -> Ballistic:
        """Return the flight of one run; chance is addressed by seed and run."""
        e = Draws(self.seed, run, "ball").normal("start", 4)
        drawn = [mean + sigma * number for (mean, sigma), number in zip(
            (self.range_m, self.lateral_m, self.height_m, self.speed_m_s), e, strict=True)]  # fmt: skip
        return Ballistic(
            position_m=(drawn[0], drawn[1], max(drawn[2], self.radius_m)),
            velocity_m_s=(0.0, drawn[3], 0.0),
            radius_m=self.radius_m,
            inertia_factor=2 / 3,
            restitution=self.restitution,
            rest_speed_m_s=0.5,  # slower bounces come after ten seconds
            friction=0.0,  # so that it crosses the road with a constant speed, as the published track does
        )

    def schedule(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return times [T] in order and the number of the instrument that measures then; at the same time in their order."""
        times = [each.times_ns(self.duration_s) for each in self.instruments]
        flat = np.concatenate(times)
        which = np.repeat(np.arange(len(times)), [len(one) for one in times])
        order = np.lexsort((which, flat))
        return flat[order], which[order]


@dataclass(frozen=True, eq=False)
class Throws:
    """Truth and measurements of some runs."""

    time_ns: NDArray[np.int64]
    """[T]."""
    instrument: NDArray[np.int64]
    """[T]."""
    position_m: Floats
    """[B, T, 3]."""
    velocity_m_s: Floats
    """[B, T, 3]."""
    seen: NDArray[np.bool_]
    """[B, T] whether the ball is in the field of view of the one who measures."""
    spherical: Floats
    """[B, T, 3] range, azimuth, elevation with noise; the range of a camera is the true one."""
    noise: Floats
    """[T, 3] standard deviations of these."""
    radial_speed_m_s: Floats
    """[B, T] positive when receding, with noise; that of all but a radar is the true one."""
    speed_noise_m_s: Floats
    """[T] standard deviation of it; 0: it is not measured."""


def throws(study: BouncingBall, first: int, last: int) -> Throws:
    """Return the runs first .. last - 1."""
    time_ns, which = study.schedule()
    distinct, where = np.unique(time_ns, return_inverse=True)
    moves = [study.throw(run).kinematics_at(distinct) for run in range(first, last)]
    position = np.array([move.pose.position_m for move in moves])[:, where]
    velocity = np.array([move.velocity_m_s for move in moves])[:, where]
    x, y, z = np.moveaxis(POSE.inverse().transform(position), -1, 0)
    exact = np.stack((np.sqrt(x**2 + y**2 + z**2), np.arctan2(y, x), np.arctan2(z, np.hypot(x, y))), -1)
    half = np.array([(each.width_rad / 2, each.height_rad / 2) for each in study.instruments])[which]
    seen = (np.abs(exact[..., 1]) <= half[:, 0]) & (np.abs(exact[..., 2]) <= half[:, 1])
    radial = ((position - POSE.position_m) * velocity).sum(-1) / exact[..., 0]
    seen &= np.abs(radial) >= np.array([each.least_speed_m_s for each in study.instruments])[which]
    slow = np.array([each.speed_noise_m_s or 0.0 for each in study.instruments])[which]
    noise = np.array(
        [(each.range_noise_m or 0.0, each.azimuth_noise_rad, each.elevation_noise_rad) for each in study.instruments]
    )[which]
    e = np.empty((last - first, len(time_ns), 3))
    for number, each in enumerate(study.instruments):  # leaving one out changes nothing of the others
        steps = np.flatnonzero(which == number)
        for run in range(first, last):
            e[run - first, steps] = Draws(study.seed, run, each.name).normal("noise", 3 * len(steps)).reshape(-1, 3)
        if each.speed_noise_m_s is not None:
            for run in range(first, last):
                off = Draws(study.seed, run, each.name).normal("speed noise", len(steps))
                radial[run - first, steps] += each.speed_noise_m_s * off
    return Throws(time_ns, which, position, velocity, seen, exact + e * noise, noise, radial, slow)


def angular(study: BouncingBall, made: Throws) -> Measurements:
    """Return what all measure in their own axes: angles, range where it is known, and speed if there is a radar."""
    ranges = [each.range_noise_m is not None for each in study.instruments]
    kinds = [
        RangeAnglesSpeed() if each.speed_noise_m_s is not None else RangeAngles() if known else Angles()
        for each, known in zip(study.instruments, ranges, strict=True)
    ]
    models = [kinds[k] for k in made.instrument]
    known = np.array(ranges)[made.instrument]
    value = np.where(known[:, None], made.spherical, np.roll(made.spherical, -1, -1))
    sigma = np.where(known[:, None], made.noise, np.roll(made.noise, -1, -1))
    if made.speed_noise_m_s.any():
        value = np.concatenate((value, made.radial_speed_m_s[..., None]), -1)
        sigma = np.concatenate((sigma, made.speed_noise_m_s[:, None]), -1)
    return Measurements.of(models, made.time_ns, value, _diagonal(sigma), made.seen, POSE)


def cartesian(study: BouncingBall, made: Throws) -> Measurements:
    """Return measurements as published: image position times range (y, z) of cameras, (x, y, z) of the LiDAR.

    A radar gives a place as well; its speed is not linear and is left out. The standard deviations are the angular ones
    times the range. The true range stands in for the one that a tracker would have to estimate, so that the linear filter
    is not blamed for it.
    """
    ranges = [each.range_noise_m is not None for each in study.instruments]
    models = [Position() if ranges[k] else CrossPosition() for k in made.instrument]
    known = np.array(ranges)[made.instrument]
    exact = POSE.inverse().transform(made.position_m)
    distance = np.linalg.norm(exact, axis=-1)
    azimuth, elevation = np.arctan2(exact[..., 1], exact[..., 0]), np.arcsin(exact[..., 2] / distance)
    off = np.stack((made.spherical[..., 0] - distance, made.spherical[..., 1] - azimuth,
                    made.spherical[..., 2] - elevation), -1)  # fmt: skip
    scale = np.stack((np.ones_like(distance), distance, distance), -1)
    sigma = made.noise * scale
    value = exact + off * scale
    value = np.where(known[:, None], value, np.roll(value, -1, -1))
    sigma = np.where(known[:, None], sigma, np.roll(sigma, -1, -1))
    return Measurements.of(models, made.time_ns, value, _diagonal(sigma), made.seen, POSE)


def _diagonal(sigma: Floats) -> Floats:
    return np.asarray(sigma[..., None] ** 2 * np.eye(sigma.shape[-1]))
