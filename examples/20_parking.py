"""Four ultrasonic corner sensors of a car that backs into a parking space: reported distances against the truth over time.

The air is at 5 degrees, but the sensors reckon with the speed of sound at 20 degrees: they read 2.7 % too far.
"""

import argparse
from pathlib import Path

import matplotlib
import numpy as np

from sensorium.atmosphere.weather import ConstantWeather, WeatherState
from sensorium.core.pose import Pose
from sensorium.motion import AtWaypoints, Fixed, Spline, Waypoint
from sensorium.samples import Ranges
from sensorium.scene.body import Body
from sensorium.scene.build import body, part
from sensorium.scene.scene import Scene
from sensorium.scene.shapes import Box, Cylinder
from sensorium.sensors import sensor_of
from sensorium.simulation import Mount, Simulation

matplotlib.use("agg")
import matplotlib.pyplot as plt

CORNERS = {"front_left": (3.6, 0.75, 45), "front_right": (3.6, -0.75, -45),
           "rear_left": (-0.8, 0.75, 135), "rear_right": (-0.8, -0.75, -135)}  # fmt: skip
PATH = [
    (0, 6.5, 0.0, 0),
    (3, 4.6, -0.1, 6),
    (6, 2.4, -0.7, 24),
    (9, 0.1, -1.8, 26),
    (11, -1.3, -2.35, 9),
    (13, -2.0, -2.45, 0),
]
"""Of the rear axle: time / s, x / m, y / m, heading / deg. Backwards into the gap between two parked cars."""
IDEAL = {"wave": {"type": "ideal"}, "beam": {"type": "uniform"}, "dropout": {"type": "chance"}, "range_min_m": 0.0,
         "noise": {"range_m": 0.0, "range_step_m": 0.0}}  # fmt: skip


def standing(name: str, size_m: tuple[float, float, float], x: float, y: float) -> Body:
    block = part("hull", Box(size_m=size_m), "painted_metal", pose=Pose.at(0, 0, size_m[2] / 2))
    return body(name, block, motion=Fixed(pose=Pose.at(x, y, 0)), label="car")


def make_scene() -> Scene:
    waypoints = tuple(
        Waypoint(time_s=t, position_m=(x, y, 0), rpy_rad=(0, 0, np.radians(turn))) for t, x, y, turn in PATH
    )
    hull = part("hull", Box(size_m=(4.4, 1.5, 1.2)), "car_paint_red", pose=Pose.at(1.4, 0, 0.75))
    car = body("car", hull, motion=Spline(waypoints=waypoints, orientation=AtWaypoints()), label="car")
    pole = body("pole", part("pole", Cylinder(radius_m=0.06, height_m=1.0), "painted_metal", pose=Pose.at(0, 0, 0.5)),
                motion=Fixed(pose=Pose.at(-1.6, -3.75, 0)))  # fmt: skip
    wall = standing("wall", (40, 0.3, 2), 0, -4.4)
    cars = standing("behind", (4.2, 1.7, 1.4), -6.2, -2.6), standing("before", (4.2, 1.7, 1.4), 5.6, -2.6)
    return Scene((car, *cars, pole, wall), weather=ConstantWeather(state=WeatherState(temperature_k=278.15)))


def make_rig() -> list[Mount]:
    rig = []
    for corner, (x, y, turn) in CORNERS.items():
        pose = Pose.at(x, y, 0.5, np.radians(turn))
        rig.append(Mount(name=corner, sensor=sensor_of("ultrasonic_parking"), body="car", pose=pose))
        rig.append(
            Mount(name=f"{corner}_truth", sensor=sensor_of("ultrasonic_parking", **IDEAL), body="car", pose=pose)
        )
    return rig


def draw(scene: Scene, told: dict[str, list[Ranges]], png: Path) -> None:
    figure, axes = plt.subplots(4, 1, figsize=(9, 9), sharex=True)
    for one, corner in zip(axes, CORNERS, strict=True):
        time_s = np.array([sample.stamp.time_ns * 1e-9 for sample in told[corner]])
        ranges = np.array([sample.nearest_m for sample in told[corner]])
        one.plot(time_s, [sample.nearest_m for sample in told[f"{corner}_truth"]], color="0.6", lw=3, label="truth")
        one.plot(time_s, np.where(np.isfinite(ranges), ranges, np.nan), ".", color="tab:red", ms=3, label="reported")
        near = ranges == -np.inf
        one.plot(time_s[near], np.zeros(near.sum()), "v", color="tab:blue", ms=4, label="too near")
        one.set(ylabel="distance / m", title=corner.replace("_", " "), ylim=(-0.1, 4.7))
    axes[0].legend(ncols=3, fontsize=8)
    axes[-1].set_xlabel("time / s")
    figure.tight_layout()
    png.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(png, dpi=110)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--out", type=Path, default=Path("out"))
    given = arguments.parse_args()

    scene, told = make_scene(), {}
    for sample in Simulation(scene, make_rig(), seed=4, truth_rate_hz=None).samples(duration_s=13.0):
        told.setdefault(sample.stamp.sensor, []).append(sample)
    for corner in CORNERS:
        pairs = zip(told[corner], told[f"{corner}_truth"], strict=True)
        both = np.array([(s.nearest_m, t.nearest_m) for s, t in pairs if np.isfinite([s.nearest_m, t.nearest_m]).all()])
        there = sum(np.isfinite(sample.nearest_m) for sample in told[f"{corner}_truth"])
        off = np.median(both[:, 0] / both[:, 1] - 1)
        print(
            f"{corner}: {len(both)} of {there} distances reported, nearest {both[:, 1].min():.2f} m, median {100 * off:+.1f} %"
        )
    draw(scene, told, given.out / "20_parking.png")
    print(given.out / "20_parking.png")


if __name__ == "__main__":
    main()
