"""A car that MuJoCo drives through a street, seen by a LiDAR on a lamp and by one on its own roof.

The car slides: there is snow on the road. Both LiDARs see it, wheels and springs and all, where it really is while the beam passes.
"""

import argparse
from pathlib import Path

import matplotlib
import numpy as np

from sensorium.apps.pictures.perspective import Camera
from sensorium.apps.pictures.photograph import photograph
from sensorium.core.pose import Pose
from sensorium.motion.mujoco.commands import Ramps
from sensorium.scene.mujoco_world import MujocoWorld
from sensorium.scene.street import Street
from sensorium.sensors import sensor_of
from sensorium.simulation import observe
from sensorium.tracing import EmbreeTracer

matplotlib.use("agg")
import matplotlib.pyplot as plt

COMMANDS = Ramps(
    points=[
        {"time_s": 0.5, "values": {"drive": 0, "steering": 0, "brake": 0}},
        {"time_s": 1.0, "values": {"drive": 400}},
        {"time_s": 7.5, "values": {"drive": 400, "steering": 0, "brake": 0}},
        {"time_s": 8.0, "values": {"drive": 2500, "steering": 0.5, "brake": 0}},
    ]
)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--out", type=Path, default=Path("out"))
    given = arguments.parse_args()

    street = Street(seed=7, length_m=80, ego=False, moving_cars=0, pedestrians=0, parked_cars=4)
    world = MujocoWorld(
        file="road_vehicle", surface="snow", commands=COMMANDS, unseen=("ground",), around=street,
        labels={"car": "car", "*_wheel": "car", "*_upright": "car"},
    )  # fmt: skip
    scene = world.build()
    tracer = EmbreeTracer(scene)
    lidar = sensor_of("ouster_os1_64", truth=True)
    lamp = Pose.at(42, 5.5, 4.5)
    car_bodies = [
        number for number, body in enumerate(scene.bodies) if body.motion.step_s
    ]  # those that the engine moves

    given.out.mkdir(parents=True, exist_ok=True)
    figure, (above, picture) = plt.subplots(2, 1, figsize=(12, 11))
    for time_s, colour in (
        (3.0, "tab:green"),
        (5.5, "tab:blue"),
        (7.5, "tab:purple"),
        (8.7, "tab:orange"),
        (10.0, "tab:red"),
    ):
        cloud = observe(scene, lidar, lamp, time_s=time_s, seed=1, tracer=tracer)
        points = lamp.transform(cloud.points_m.astype(np.float64))
        on_car = np.isin(cloud.truth.body, car_bodies)
        k = scene.body("car").motion.kinematics_at(np.array([round(time_s * 1e9)]))
        speed, yaw = np.linalg.norm(k.velocity_m_s), np.degrees(k.pose.rpy_rad()[0, 2])
        print(f"{time_s:4.1f} s: {on_car.sum():5d} points on the car at {speed:4.1f} m/s, turned by {yaw:5.1f} deg")
        above.scatter(*points[on_car, :2].T, s=2, color=colour, label=f"{time_s:g} s, {speed:.1f} m/s, {yaw:.0f} deg")
    above.scatter(*points[~on_car, :2].T, s=0.2, color="lightgrey")
    above.plot(*lamp.position_m[:2], "k^")
    above.set(
        xlabel="x / m",
        ylabel="y / m",
        xlim=(0, 60),
        ylim=(-12, 12),
        aspect="equal",
        title="points of the LiDAR on the lamp",
    )
    above.legend(fontsize=8, loc="upper left")

    roof = observe(
        scene, sensor_of("velodyne_vlp16"), Pose.at(0.6, 0, 1.9), body="car", time_s=10.0, seed=2, tracer=tracer
    )
    car = scene.body("car").motion.pose_at(np.array([10_000_000_000])).position_m[0]
    photo = photograph(scene, tracer, Camera.looking(car + [5, -8, 2.5], car + [1, 0, 0.6], 1200, 560), 10_000_000_000)
    picture.imshow(photo.picture)
    picture.set_axis_off()
    picture.set_title(f"the car at 10 s; the VLP-16 on its roof has {len(roof)} points")
    figure.tight_layout()
    figure.savefig(given.out / "11_physics_seen_by_lidar.png", dpi=100)
    print(given.out / "11_physics_seen_by_lidar.png")


if __name__ == "__main__":
    main()
