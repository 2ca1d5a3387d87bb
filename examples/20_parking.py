"""Four ultrasonic corner sensors of a car that backs into a parking space: reported distances against the truth over time."""

import matplotlib

from sensorium.core.pose import Pose
from sensorium.motion import Facing, Fixed, Spline
from sensorium.scene.build import body, part
from sensorium.scene.scene import Scene
from sensorium.scene.shapes import Box, Cylinder

matplotlib.use("agg")

CORNERS = {"front_left": (3.6, 0.75, 45), "front_right": (3.6, -0.75, -45), "rear_left": (-0.8, 0.75, 135),
           "rear_right": (-0.8, -0.75, -135)}  # fmt: skip
PATH = [(5.5, 0.0, 0), (3.5, -0.35, 0), (1.0, -1.6, 0), (-0.8, -2.3, 0), (-2.6, -2.5, 0)]
"""Of the rear axle, backwards and to the right, into the gap between two parked cars."""


def make_scene() -> Scene:
    def standing(name: str, size_m: tuple[float, float, float], x: float, y: float):
        block = part("hull", Box(size_m=size_m), "painted_metal", pose=Pose.at(0, 0, size_m[2] / 2))
        return body(name, block, motion=Fixed(pose=Pose.at(x, y, 0)), label="car")

    hull = part("hull", Box(size_m=(4.4, 1.5, 1.2)), "car_paint_red", pose=Pose.at(1.4, 0, 0.75))
    facing = Facing(direction=(1.0, 0.0, 0.0)) if False else None
    moves = Spline.through(PATH, speed_m_s=0.8) if facing is None else None
    car = body("car", hull, motion=moves, label="car")
    pole = body("pole", part("pole", Cylinder(radius_m=0.06, height_m=1.0), "painted_metal", pose=Pose.at(0, 0, 0.5)),
                motion=Fixed(pose=Pose.at(0.5, -3.9, 0)))  # fmt: skip
    wall = body("wall", part("wall", Box(size_m=(30, 0.3, 2)), "concrete", pose=Pose.at(0, 0, 1)),
                motion=Fixed(pose=Pose.at(0, -4.2, 0)))  # fmt: skip
    return Scene(
        (
            car,
            standing("behind", (4.2, 1.7, 1.4), -6.6, -2.6),
            standing("before", (4.2, 1.7, 1.4), 5.8, -2.6),
            pole,
            wall,
        )
    )


if __name__ == "__main__":
    pass
