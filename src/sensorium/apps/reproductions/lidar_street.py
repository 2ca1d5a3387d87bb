"""What the published LiDAR shows on a street (section 1.5.2): crossing, lines, paint, windscreen, walls, a far sign.

One scan gives what every ray met and the power it brought back; the three-lobe model of the publication weighs the same
rays for `theirs`. A car waits behind the crossing with its front to the sensor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sensorium.apps.benchmarks.rows import Row
from sensorium.apps.reproductions.verdicts import both_above, both_below
from sensorium.core.pose import Pose
from sensorium.motion.fixed import Fixed
from sensorium.scene.body import Body
from sensorium.scene.scene import Scene
from sensorium.scene.street import Street
from sensorium.scene.street.cars import ESTATE, car_model
from sensorium.scene.view import View
from sensorium.sensors import sensor_of
from sensorium.tracing import EmbreeTracer

DEVICE, PAINT = "velodyne_alpha_prime", "car_paint_red"
PEAK_POWER_W = 100.0
"""Section 1.2.2."""
_HEIGHT_M, _BEFORE_CROSSING_M, _CAR_BEHIND_M = 1.9, 10.0, 3.5

Floats = NDArray[np.float64]
Rows = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class StreetScan:
    """The first surface of every ray of a scan, row by row, and the power from it by either model."""

    scene: Scene
    tracer: EmbreeTracer
    sensor: Pose
    distance_m: Floats
    incidence_rad: Floats
    part: NDArray[np.int64]
    """Global number of the part."""
    body: NDArray[np.int64]
    theirs_w: Floats
    ours_w: Floats
    points_m: Floats
    """[N, 3] where each ray met its surface, world."""
    crossing_m: float
    """Middle of the crossing along the street."""

    @classmethod
    def made(cls, threads: int | None = None) -> StreetScan:
        """Build the street and take the scan."""
        street = Street(ego=False)
        lane_m, crossing_m = street.layout.lane_m(-1), street.layout.zebra_m
        scene = _with_car(street)
        tracer, sensor = EmbreeTracer(scene, threads), Pose.at(crossing_m - _BEFORE_CROSSING_M, lane_m, _HEIGHT_M)
        settings: dict[str, Any] = {"depth": 1, "truth": True}
        links = {"type": "three_lobe", "peak_power_w": PEAK_POWER_W}, {"peak_power_w": PEAK_POWER_W}
        seen = []
        for link in links:
            lidar = sensor_of(DEVICE, link=link, **settings)
            seen.append(lidar.sense(View(scene, tracer, Fixed(), sensor, lidar.window(0))))
        theirs, ours = seen
        rows = np.flatnonzero(np.isfinite(ours.first.distance_m))
        beams, met = ours.beams, ours.truth.of(rows.astype(np.int64), np.zeros(len(ours.beams), np.int8))
        points = beams.origin_m[rows] + beams.direction[rows] * ours.first.distance_m[rows, None]
        return cls(
            scene, tracer, sensor, ours.first.distance_m[rows], met.incidence_rad.astype(np.float64),
            scene.part_offset[met.body].astype(np.int64) + met.part, met.body.astype(np.int64),
            theirs.first.power_w[rows].astype(np.float64), ours.first.power_w[rows].astype(np.float64),
            sensor.transform(points), crossing_m,
        )  # fmt: skip

    def rows(self) -> list[Row]:
        """Compare the remarkable cases."""
        return [*self._road_rows(), *self._car_rows(), self._corner_row(), self._sign_row()]

    def of(self, *materials: str) -> Rows:
        """Tell which rays met one of some materials."""
        numbers = [self.scene.library.row(name) for name in materials]
        return np.asarray(np.isin(self.scene.part_material[self.part], numbers))

    def named(self, name: str) -> Rows:
        """Tell which rays met a part of that name."""
        numbers = [number for number, part in enumerate(self.scene.parts) if part.name == name]
        return np.asarray(np.isin(self.part, numbers))

    def _ratios(self, bright: Rows, dark: Rows) -> tuple[float, float]:
        """Return the ratio of mean powers of two sets of rays, by their model and by ours."""
        theirs, ours = (float(power[bright].mean() / power[dark].mean()) for power in (self.theirs_w, self.ours_w))
        return theirs, ours

    def _road_rows(self) -> list[Row]:
        """Bars and lines against the asphalt between them, at the same distances and angles."""
        on_crossing = np.abs(self.points_m[:, 0] - self.crossing_m) < 1.9
        near = (self.distance_m > 5.0) & (self.distance_m < 20.0)
        asphalt = self.of("asphalt")
        bars = self._ratios(self.named("zebra") & on_crossing, asphalt & on_crossing & near)
        lines = self._ratios(self.named("lines") & near, asphalt & near)
        return [
            both_above("1.5.2 crossing over asphalt, same place", *bars, "", 3.0),
            both_above("1.5.2 lane lines over asphalt, 5 to 20 m", *lines, "", 3.0),
        ]

    def _car_rows(self) -> list[Row]:
        """The car in front: its paint by angle, and its windscreen."""
        car = self.body == self.scene.body_numbers["car_ahead"]
        paint, degrees = car & self.of(PAINT), np.degrees(self.incidence_rad)
        by_angle = self._ratios(paint & (degrees < 10), paint & (degrees > 40))
        glass = self._ratios(car & self.of("windscreen_glass"), paint)
        return [
            both_above("1.5.2 car paint met within 10 deg over beyond 40 deg", *by_angle, "", 3.0),
            both_below("1.5.2 windscreen over car paint", *glass, "", 0.05),
        ]

    def _corner_row(self) -> Row:
        """Walls of brick fade with the angle; power times distance squared is compared. Rough brick fades slowly."""
        wall, degrees = self.named("walls") & self.of("brick"), np.degrees(self.incidence_rad)
        flat, slanted = wall & (degrees < 20), wall & (degrees > 70)
        theirs, ours = (
            float((power * self.distance_m**2)[flat].mean() / (power * self.distance_m**2)[slanted].mean())
            for power in (self.theirs_w, self.ours_w)
        )
        return both_above("1.5.2 brick met within 20 deg over beyond 70 deg, for equal distance", theirs, ours, "", 1.5)

    def _sign_row(self) -> Row:
        """Signs beyond 50 m against the asphalt at 8 to 12 m."""
        far, near = self.distance_m > 50, (self.distance_m > 8) & (self.distance_m < 12)
        ratios = self._ratios(self.of("traffic_sign") & far, self.of("asphalt") & near)
        return both_above("1.5.2 road signs beyond 50 m over asphalt at 10 m", *ratios, "", 10.0)


def _with_car(street: Street) -> Scene:
    """Return the street and a car that waits behind the crossing, on the lane towards the sensor."""
    x = street.layout.zebra_m + _CAR_BEHIND_M + ESTATE.nose_m
    car = car_model(ESTATE, PAINT)
    return street.build().with_bodies(
        [Body("car_ahead", car, Fixed(pose=Pose.at(x, street.layout.lane_m(1), 0.0, np.pi)), "car")]
    )
