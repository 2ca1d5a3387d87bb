"""A car drives through a street canyon: truth, fix, number of satellites, and what gyroscope and odometer bridge.

High houses on both sides hide satellites and mirror others; half-way a tunnel takes all of them. A loosely coupled filter
over gyroscope, wheel and fixes goes on. The picture shows sky, track, dilution and errors.
"""

import argparse
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from sensorium.apps.pictures.gnss import gnss_sheet, places_m
from sensorium.core.pose import Pose
from sensorium.core.time import seconds
from sensorium.motion import Spline
from sensorium.motion.joint import Joint, JointKinematics
from sensorium.positioning.dead_reckoning import DeadReckoning
from sensorium.recording.gnss_files import write_gnss
from sensorium.samples import FixType, GnssFix, ImuSample, OdometerReading
from sensorium.scene.build import body, part
from sensorium.scene.origin import Origin
from sensorium.scene.scene import Scene
from sensorium.scene.shapes import Box, Plane
from sensorium.sensors import Odometer, sensor_of
from sensorium.simulation import Mount, Simulation

WHEEL_M = 0.31
TUNNEL = {"low_m": (150.0, -40.0, -5.0), "high_m": (215.0, 40.0, 20.0)}


@dataclass(frozen=True, eq=False)
class Wheel(Joint):
    """Turns as its car goes: way over radius."""

    motion: Spline
    end_s: float
    kind = "revolute"

    def kinematics_at(self, times_ns):
        grid = np.linspace(0.0, self.end_s, 4000)
        place = self.motion.pose_at((grid * 1e9).astype(np.int64)).position_m
        way = np.concatenate(([0.0], np.cumsum(np.linalg.norm(np.diff(place, axis=0), axis=1))))
        angle = np.interp(seconds(times_ns), grid, way) / WHEEL_M
        speed = np.linalg.norm(self.motion.kinematics_at(times_ns).velocity_m_s, axis=-1) / WHEEL_M
        return JointKinematics(angle, speed, np.zeros_like(speed))


def canyon() -> Scene:
    """Houses of 18 to 34 m beside a street of 18 m, with gaps; a car on a slightly winding way along it."""
    rng, bodies = np.random.default_rng(3), []
    for side in (-1, 1):
        x = 40.0
        while x < 330.0:
            width, height, depth = rng.uniform(14, 28), rng.uniform(18, 34), 12.0
            place = Pose.at(x + width / 2, side * (9.0 + depth / 2), height / 2)
            house = part("walls", Box(size_m=(width, depth, height)), "concrete", pose=place)
            bodies.append(body(f"house_{len(bodies)}", house, label="building"))
            x += width + rng.choice([0.0, 0.0, 9.0])
    bodies.append(body("ground", part("ground", Plane(size_m=(800.0, 400.0)), "asphalt"), label="road"))
    way = np.array([[0, -3, 0], [60, -2.5, 0], [130, -3, 0], [200, 1.5, 0], [270, -2, 0], [360, -3, 0]], float)
    motion = Spline.through(way, speed_m_s=12.0)
    hull = part("hull", Box(size_m=(4.2, 1.8, 1.2)), "car_paint_red", pose=Pose.at(1.3, 0, 0.8))
    bodies.append(body("car", hull, label="car", motion=motion))
    origin = Origin(
        latitude_rad="48.137 deg", longitude_rad="11.575 deg", altitude_m=565.0, start_utc="2026-06-15T12:00:00"
    )
    return replace(Scene(tuple(bodies)), origin=origin, joints={"wheel": Wheel(motion, 31.0)})


def bridged(samples) -> tuple[np.ndarray, np.ndarray]:
    """Return times and places of a filter over gyroscope, odometer and fixes, at each fix or where it should have been."""
    fixes = [sample for sample in samples if isinstance(sample, GnssFix)]
    place = dict(zip((sample.stamp.index for sample in fixes), places_m(fixes), strict=True))
    state, last_ns, way, told = None, 0, 0.0, []
    for sample in samples:
        if isinstance(sample, ImuSample) and state is not None:
            rate = sample.angular_velocity_rad_s[:, 2]
            state = state.turned(float(rate.mean()), (sample.stamp.ready_ns - last_ns) * 1e-9)
        elif isinstance(sample, OdometerReading):
            state = None if state is None else state.rolled(float(sample.distance_m[0]) - way)
            way = float(sample.distance_m[0])
        elif isinstance(sample, GnssFix):
            if sample.fix not in (FixType.NONE, FixType.PREDICTED):
                fix, spread, velocity = place[sample.stamp.index], sample.covariance_m2, sample.velocity_m_s
                if state is None:
                    state = DeadReckoning.start(fix, spread, float(np.arctan2(velocity[1], velocity[0])))
                state = state.corrected(fix, spread, velocity)
            told.append(state.place_m if state is not None else np.full(2, np.nan))
        last_ns = sample.stamp.ready_ns if isinstance(sample, ImuSample) else last_ns
    return np.array([fix.stamp.time_ns * 1e-9 for fix in fixes]), np.array(told)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--out", type=Path, default=Path("out"))
    arguments.add_argument("--device", default="ublox_m8n")
    given = arguments.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    scene = canyon()
    rig = (
        Mount(name="gnss", sensor=sensor_of(given.device, tunnels=[TUNNEL]), body="car", pose=Pose.at(1.3, 0, 1.5)),
        Mount(name="imu", sensor=sensor_of("bosch_bmi088", readings=20), body="car"),
        Mount(name="odometer", sensor=Odometer(joint="wheel", wheel_radius_m=1.01 * WHEEL_M, rate_hz=20.0), body="car"),
    )
    samples = list(Simulation(scene, rig, seed=1, truth_rate_hz=None).samples(29.0))
    fixes = [sample for sample in samples if isinstance(sample, GnssFix)]
    true = np.array([fix.truth.position_m for fix in fixes])
    at, filtered = bridged(samples)
    error, error_filtered = (
        np.linalg.norm((each - true)[:, :2], axis=1) for each in (places_m(fixes), np.c_[filtered, filtered[:, 0]])
    )
    gap = np.isnan(error)
    print(
        f"satellites above the horizon {len(fixes[0].satellites.names)}, direct {[int(f.truth.direct.sum()) for f in fixes[::10]]}"
    )
    print(
        f"{gap.sum()} of {len(fixes)} epochs without a fix; error of the fix: median {np.nanmedian(error):.1f} m, worst {np.nanmax(error):.1f} m"
    )
    print(
        f"with gyroscope and odometer: median {np.nanmedian(error_filtered):.1f} m, worst {np.nanmax(error_filtered):.1f} m, "
        f"worst in the tunnel {np.nanmax(error_filtered[gap]):.1f} m"
        if gap.any()
        else ""
    )
    outlines = [_outline(b) for b in scene.bodies if b.label == "building"]
    outlines.append(np.array([(150, -40), (215, -40), (215, 40), (150, 40)], float))
    tracks = {"with gyroscope and odometer": filtered}
    print(gnss_sheet(fixes, given.out / "50_street_canyon.png", "street canyon", outlines, tracks))
    for kind in ("nmea", "ubx", "rnx"):
        write_gnss(given.out / f"50_street_canyon.{kind}", fixes)


def _outline(house) -> np.ndarray:
    low, high = house.model.bounds_m
    return np.array([(low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1])])


if __name__ == "__main__":
    main()
