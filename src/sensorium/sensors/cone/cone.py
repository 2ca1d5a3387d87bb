"""The cone sensor: range, angles and speed of the nearest point of each object, without tracing a ray.

The cone has its apex in the sensor and its axis along +x (sensor frame: x forward, y left, z up). Documents 000 and 002 use
x right, y up, z forward, left-handed: x_doc = -y, y_doc = z, z_doc = x. Their azimuth atan(x/z) is positive to the right, ours
atan2(y, x) to the left (REP 103): azimuth_doc = -azimuth. Their elevation atan(y/z) is `Ranges.profile_rad`.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from sensorium.atmosphere.weather import WeatherState
from sensorium.core.configuration import configured
from sensorium.core.random import Draws
from sensorium.core.units import NonNegativeMetres, PositiveHertz, PositiveMetres, Radians
from sensorium.samples import Stamp
from sensorium.samples.ranges import Ranges, RangeTruth
from sensorium.scene.rays import Rays
from sensorium.scene.view import View
from sensorium.sensors.cone.beams import AnyBeam, Uniform
from sensorium.sensors.cone.dropouts import AnyDropout, Chance
from sensorium.sensors.cone.fronts import AnyFront, Flat
from sensorium.sensors.cone.geometry import Geometry
from sensorium.sensors.cone.methods import AnyMethod, Exact
from sensorium.sensors.cone.noise import Noise
from sensorium.sensors.cone.sighting import Sighting, doppler_m_s
from sensorium.sensors.cone.speeds import AnySpeed, Difference, Memory, Reading
from sensorium.sensors.cone.waves import AnyWave, Ideal
from sensorium.sensors.sensor import Sensor

Floats = NDArray[np.float64]
OpeningAngle = Annotated[Radians, Field(gt=0, lt=math.pi)]

_HIDDEN_SHORT_M = 1e-3
"""Occlusion is asked for up to this far before a point, so that its own surface does not hide it."""


@configured
class ConeSensor(Sensor[Sighting, Memory]):
    """A function-based range sensor with an elliptical cone as its field of view: ultrasound, radar, or neither."""

    type: Literal["cone"] = "cone"
    device: str = ""
    """Name in the catalogue, if it comes from there."""
    rate_hz: PositiveHertz = 20.0
    opening_horizontal_rad: OpeningAngle = math.radians(60)
    """Full angle."""
    opening_vertical_rad: OpeningAngle = math.radians(60)
    length_m: PositiveMetres = 10.0
    """Where the cone ends; the largest range of the device."""
    range_min_m: NonNegativeMetres = 0.0
    """Blind zone: what is nearer is reported as too near, without a range."""
    front: AnyFront = Field(default_factory=Flat)
    method: AnyMethod = Field(default_factory=Exact)
    detections: Annotated[int, Field(ge=1)] = 1
    """Most detections in one reading, from near to far; at most one per body."""
    occlusion: bool = False
    """Whether a body behind another one is left out. It counts as hidden when its nearest point is; the nearest body of all
    is never hidden."""
    sees_carrier: bool = False
    """Whether the body that carries the sensor is an obstacle itself."""
    wave: AnyWave = Field(default_factory=Ideal)
    beam: AnyBeam = Field(default_factory=Uniform)
    noise: Noise = Field(default_factory=Noise)
    dropout: AnyDropout = Field(default_factory=Chance)
    speed: AnySpeed = Field(default_factory=Difference)
    angles: bool = True
    """Whether the device tells angles; ultrasonic sensors do not."""
    truth: bool = True
    """Whether each detection says what it is."""

    @model_validator(mode="after")
    def _limits_in_order(self) -> ConeSensor:
        if self.range_min_m >= self.length_m:
            raise ValueError(f"range_min_m ({self.range_min_m} m) must be smaller than length_m ({self.length_m} m)")
        return self

    @cached_property
    def field(self) -> tuple[float, float, float, float]:
        """The cone for kernels: tangents of half the opening angles, largest x, largest distance."""
        a, b = math.tan(self.opening_horizontal_rad / 2), math.tan(self.opening_vertical_rad / 2)
        return (a, b, *self.front.limits_m(self.length_m))

    def sense(self, view: View) -> Sighting:
        """Return the nearest point of every body in the cone, from near to far, as the wave sees it."""
        from sensorium.sensors.cone import nearest_kernels

        geometry, time_ns = Geometry.of(view.scene), view.window.start_ns
        place = geometry.placed(view.scene, time_ns)
        left_out = np.zeros(len(place.root), np.bool_)
        if not self.sees_carrier:
            left_out[list(geometry.carried_by(view.carrier))] = True
        pose = view.pose_at(np.array([time_ns], np.int64))
        body, face, point = nearest_kernels.nearest_of_bodies(
            geometry.trees, place, left_out, pose.position_m[0], pose.quaternion[0], self.field, self.method.numbers
        )
        order = np.argsort(point[:, 3], kind="stable")
        body, face, point = body[order], face[order], point[order, :3]
        if self.occlusion and len(body) > 1:
            seen = ~self._hidden(view, point)
            body, face, point = body[seen], face[seen], point[seen]
        moved = doppler_m_s(view, body, point) if self.speed.doppler else np.full(len(body), np.nan)
        return self._sighting(view.weather, geometry, body, face, point, moved)

    def _sighting(
        self, weather: WeatherState, geometry: Geometry, body: NDArray[np.int64], face: NDArray[np.int64], point: Floats,
        moved: Floats,
    ) -> Sighting:  # fmt: skip
        true_m = np.sqrt(np.einsum("ij,ij->i", point, point))
        return Sighting(
            body=body,
            part=geometry.trees.part[face],
            triangle=geometry.trees.triangle[face],
            points_m=point,
            range_m=true_m * self.wave.stretch(weather),
            level_db=self.beam.gain_db(point) - 2 * self.wave.attenuation_db_m(weather) * true_m,
            doppler_m_s=moved,
            degenerate_faces=geometry.degenerate,
        )

    def _hidden(self, view: View, point: Floats) -> NDArray[np.bool_]:
        """Return which points [N, 3] have something before them; the first is the nearest of all, nothing can be."""
        times = np.full(len(point), view.window.start_ns, np.int64)
        pose = view.pose_at(times)
        met = view.cast(Rays(pose.position_m, pose.rotate(point), times, self.range_min_m)).distance_m
        hidden = met < np.linalg.norm(point, axis=1) * (1 - 1e-5) - _HIDDEN_SHORT_M
        hidden[0] = False
        return np.asarray(hidden)

    def initial_state(self, draws: Draws) -> Memory:
        """Nothing was seen yet."""
        return {}

    def detect(self, signal: Sighting, state: Memory, draws: Draws, stamp: Stamp) -> tuple[Ranges, Memory]:
        """Miss what is too faint or too near, add the noise, measure the speed."""
        near = signal.range_m < self.range_min_m
        seen = self.dropout.reported(signal.range_m, signal.level_db, self.length_m, self._rated_db, draws)
        rows = np.flatnonzero(seen & ~near)
        range_m = self.noise.range_of(signal.range_m, draws)
        rows = rows[np.argsort(range_m[rows], kind="stable")][: self.detections]
        azimuth, elevation = (angle[rows] for angle in self._angles(signal, draws))
        range_m, body = range_m[rows], signal.body[rows]
        points = _points(range_m, azimuth, elevation)
        readings = [Reading(stamp.time_ns, float(r), p) for r, p in zip(range_m, points, strict=True)]
        radial, total = self.speed.measured(body, readings, state, signal.doppler_m_s[rows], draws)
        sample = Ranges(
            stamp=stamp,
            range_m=range_m, azimuth_rad=azimuth, elevation_rad=elevation,
            radial_speed_m_s=radial, speed_m_s=total,
            too_near=bool((near & seen).any()),
            range_min_m=self.range_min_m, range_max_m=self.length_m,
            field_of_view_rad=max(self.opening_horizontal_rad, self.opening_vertical_rad),
            variance_m2=self.noise.variance_m2(float(range_m[0])) if len(range_m) else 0.0,
            radiation=self.wave.radiation,
            truth=RangeTruth(body=body.astype(np.int32), part=signal.part[rows].astype(np.int32),
                             points_m=signal.points_m[rows], degenerate_faces=signal.degenerate_faces)
            if self.truth else None,
        )  # fmt: skip
        return sample, self.speed.remembered(body, readings, state, stamp.time_ns)

    def _angles(self, signal: Sighting, draws: Draws) -> tuple[Floats, Floats]:
        x, y, z = signal.points_m.T
        if not self.angles:
            return np.full(len(x), np.nan), np.full(len(x), np.nan)
        azimuth, elevation = np.arctan2(y, x), np.arctan2(z, np.hypot(x, y))
        return (
            self.noise.angle_of(azimuth, self.noise.azimuth_rad, "azimuth", draws),
            self.noise.angle_of(elevation, self.noise.elevation_rad, "elevation", draws),
        )

    @cached_property
    def _rated_db(self) -> float:
        """What standard air leaves of an echo from the end of the cone, on the axis."""
        return -2 * self.wave.attenuation_db_m(WeatherState()) * self.length_m


def _points(range_m: Floats, azimuth: Floats, elevation: Floats) -> Floats:
    flat = range_m * np.cos(elevation)
    return np.stack((flat * np.cos(azimuth), flat * np.sin(azimuth), range_m * np.sin(elevation)), -1)
