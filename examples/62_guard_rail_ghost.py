"""A car that comes along beside a guard-rail is seen twice: itself, and its mirror image behind the rail."""

import argparse
from pathlib import Path

import matplotlib
import numpy as np

from sensorium.apps.pictures.radar import draw_birds_eye
from sensorium.core.pose import Pose
from sensorium.motion import Spline, Waypoint
from sensorium.motion.ends import EndVelocities
from sensorium.scene.body import Body
from sensorium.scene.build import body, part
from sensorium.scene.scene import Scene
from sensorium.scene.shapes import Box, Plane
from sensorium.scene.street.cars import ESTATE, car_model
from sensorium.sensors import sensor_of
from sensorium.simulation import observe

matplotlib.use("agg")
import matplotlib.pyplot as plt

RAIL_Y_M, CAR_Y_M, CAR_X_M, SPEED_M_S = 4.0, 1.0, 15.0, 6.0


def make_scene() -> Scene:
    """Asphalt, a smooth rail of steel on the left, and a car ahead that comes nearer."""
    road = body("road", part("road", Plane(size_m=(160, 40)), "asphalt"), label="road")
    face = part("face", Box(size_m=(120, 0.08, 0.31)), "galvanised_steel", pose=Pose.at(40, RAIL_Y_M + 0.04, 0.6))
    axle_m, steady = CAR_X_M + ESTATE.nose_m, (-SPEED_M_S, 0.0, 0.0)
    places = tuple(Waypoint(time_s=t, position_m=(axle_m - SPEED_M_S * t, CAR_Y_M, 0.0)) for t in (-1.0, 1.0))
    path = Spline(waypoints=places, ends=EndVelocities(start_m_s=steady, end_m_s=steady))
    car = Body("car", car_model(ESTATE, "car_paint_silver"), path, "car")
    return Scene((road, body("rail", face, label="guard_rail"), car))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--out", type=Path, default=Path("out"))
    given = arguments.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)

    scene = make_scene()
    fan = {"azimuth_step_rad": "0.1 deg", "elevation_step_rad": "0.1 deg", "azimuth_rad": ["-30 deg", "50 deg"]}
    radar = sensor_of("ti_awr1843_short_range", truth=True, fan=fan, fidelity={"type": "detection"})
    scan = observe(scene, radar, Pose.at(0, 0, 0.6), seed=1)
    car = scan.truth.body == scene.body_numbers["car"]
    y_m = scan.points_m[:, 1]
    direct, ghost = car & (y_m < RAIL_Y_M), car & (y_m > RAIL_Y_M) & (scan.truth.bounces < -1)
    for name, chosen, expected in (("car", direct, CAR_Y_M), ("ghost", ghost, 2 * RAIL_Y_M - CAR_Y_M)):
        x, y = (np.average(scan.points_m[chosen, k], weights=10 ** (scan.snr_db[chosen] / 10)) for k in range(2))
        speed = np.average(scan.speed_m_s[chosen], weights=10 ** (scan.snr_db[chosen] / 10))
        print(
            f"{name}: {chosen.sum()} detections about x = {x:.1f} m, y = {y:.1f} m (middle of the car: {expected:.1f} m),"
        )
        print(f"  speed {speed:+.1f} m/s, the strongest {scan.snr_db[chosen].max():.0f} dB over the noise")

    figure, axes = plt.subplots(figsize=(10, 5.5))
    draw_birds_eye(axes, scan)
    axes.axhline(RAIL_Y_M, color="#475569", lw=3, label="guard-rail")
    for y, style, label in ((CAR_Y_M, "-", "car"), (2 * RAIL_Y_M - CAR_Y_M, "--", "its mirror image")):
        box = plt.Rectangle((CAR_X_M, y - 0.91), 4.75, 1.82, fill=False, linestyle=style, color="#0284c7", label=label)
        axes.add_patch(box)
    axes.set(xlim=(-1, 30), ylim=(-6, 14))
    axes.legend(loc="upper left")
    figure.tight_layout()
    figure.savefig(given.out / "62_guard_rail_ghost.png", dpi=110)
    print(given.out / "62_guard_rail_ghost.png")


if __name__ == "__main__":
    main()
