"""A car drives through a street canyon: truth, fix, number of satellites, and what gyroscope and odometer bridge.

High houses hide satellites and mirror others; half-way a tunnel takes all of them. A filter over gyroscope, wheel and fixes
goes on. The picture shows sky, track, dilution and errors.
"""

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np

from sensorium.apps.pictures.gnss import gnss_sheet, places_m
from sensorium.core.pose import Pose
from sensorium.motion import Spline
from sensorium.motion.rolling import Rolling
from sensorium.positioning.dead_reckoning import DeadReckoning
from sensorium.recording.gnss_files import write_gnss
from sensorium.samples import FixType, GnssFix, ImuSample, OdometerReading
from sensorium.scene.build import body, part
from sensorium.scene.origin import Origin
from sensorium.scene.scene import Scene
from sensorium.scene.shapes import Box, Plane
from sensorium.sensors import Odometer, sensor_of
from sensorium.simulation import Mount, Simulation

WHEEL_M, DURATION_S = 0.31, 29.0
TUNNEL = {"low_m": (150.0, -40.0, -5.0), "high_m": (215.0, 40.0, 20.0)}


def canyon() -> Scene:
    """Houses of 18 to 34 m beside a street of 18 m, with gaps; a car on a slightly winding way along it."""
    rng, bodies = np.random.default_rng(3), []
    for side in (-1, 1):
        x = 40.0
        while x < 330.0:
            width, height = rng.uniform(14, 28), rng.uniform(18, 34)
            walls = Box(size_m=(width, 12.0, height))
            house = part("walls", walls, "concrete", pose=Pose.at(x + width / 2, side * 15.0, height / 2))
            bodies.append(body(f"house_{len(bodies)}", house, label="building"))
            x += width + rng.choice([0.0, 0.0, 9.0])
    bodies.append(body("ground", part("ground", Plane(size_m=(800.0, 400.0)), "asphalt"), label="road"))
    way = [[0, -3, 0], [60, -2.5, 0], [130, -3, 0], [200, 1.5, 0], [270, -2, 0], [360, -3, 0]]
    motion = Spline.through(np.array(way, float), speed_m_s=12.0)
    hull = part("hull", Box(size_m=(4.2, 1.8, 1.2)), "car_paint_red", pose=Pose.at(1.3, 0, 0.8))
    bodies.append(body("car", hull, label="car", motion=motion))
    origin = Origin(latitude_rad="48.137 deg", longitude_rad="11.575 deg", altitude_m=565, start_utc="2026-06-15T12:00")
    return replace(Scene(tuple(bodies)), origin=origin, joints={"wheel": Rolling(motion, WHEEL_M, DURATION_S)})


def bridged(samples: list, fixes: list[GnssFix]) -> np.ndarray:
    """Return the place [N, 2] that a filter over gyroscope, odometer and fixes tells at each epoch of the receiver."""
    places = iter(places_m(fixes))
    state, last_ns, way_m, told = None, 0, 0.0, []
    for sample in samples:
        if isinstance(sample, ImuSample):
            step_s, last_ns = (sample.stamp.ready_ns - last_ns) * 1e-9, sample.stamp.ready_ns
            state = state and state.turned(float(sample.angular_velocity_rad_s[:, 2].mean()), step_s)
        elif isinstance(sample, OdometerReading):
            state = state and state.rolled(float(sample.distance_m[0]) - way_m)
            way_m = float(sample.distance_m[0])
        elif isinstance(sample, GnssFix):
            place = next(places)
            if sample.fix not in (FixType.NONE, FixType.PREDICTED):
                velocity = sample.velocity_m_s
                state = state or DeadReckoning.start(place, sample.covariance_m2, float(np.arctan2(*velocity[1::-1])))
                state = state.corrected(place, sample.covariance_m2, velocity)
            told.append(state.place_m if state else (np.nan, np.nan))
    return np.array(told)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--out", type=Path, default=Path("out"))
    arguments.add_argument("--device", default="ublox_m8n")
    given = arguments.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    receiver = sensor_of(given.device, tunnels=[TUNNEL], solving={"coast_s": 2.0})
    wheel = Odometer(
        joint="wheel", wheel_radius_m=1.01 * WHEEL_M
    )  # the tyre is worn by 1 %, which the filter finds out
    rig = (
        Mount(name="gnss", sensor=receiver, body="car", pose=Pose.at(0, 0, 1.5)),
        Mount(name="imu", sensor=sensor_of("bosch_bmi088", readings=20), body="car"),
        Mount(name="odometer", sensor=wheel, body="car"),
    )
    scene = canyon()
    samples = list(Simulation(scene, rig, seed=1, truth_rate_hz=None).samples(DURATION_S))
    fixes = [each for each in samples if isinstance(each, GnssFix)]
    true = np.array([fix.truth.position_m[:2] for fix in fixes])
    filtered, lost = bridged(samples, fixes), np.array([not fix.fix for fix in fixes])
    alone_m, together_m = (np.linalg.norm(each[:, :2] - true, axis=1) for each in (places_m(fixes), filtered))

    counts = [(int(fix.truth.direct.sum()), fix.used_count) for fix in fixes[::10]]
    print(f"{len(fixes[0].satellites.names)} satellites; direct and used, every other second: {counts}")
    print(f"fixes: {lost.sum()} of {len(fixes)} missing; error {np.nanmedian(alone_m):.1f} m, "
          f"worst {np.nanmax(alone_m):.1f} m")  # fmt: skip
    print(f"with gyroscope and odometer: error {np.median(together_m):.1f} m, worst {together_m.max():.1f} m, "
          f"worst where fixes are missing {together_m[lost].max(initial=0):.1f} m")  # fmt: skip
    boxes = [each.model.bounds_m for each in scene.bodies if each.label == "building"]
    boxes.append((np.array(TUNNEL["low_m"]), np.array(TUNNEL["high_m"])))
    outlines = [np.array([(a[0], a[1]), (b[0], a[1]), (b[0], b[1]), (a[0], b[1])]) for a, b in boxes]
    picture, tracks = given.out / "50_street_canyon.png", {"with gyroscope and odometer": filtered}
    print(gnss_sheet(fixes, picture, "street canyon", outlines, tracks))
    for kind in (".nmea", ".ubx", ".rnx"):
        write_gnss(picture.with_suffix(kind), fixes)


if __name__ == "__main__":
    main()
