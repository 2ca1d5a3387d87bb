"""Small worlds and motions for tests: built from first principles, so that they can judge the real ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sensorium.core.pose import Pose, multiply
from sensorium.core.time import TimeWindow
from sensorium.motion import Fixed, Kinematics, Motion
from sensorium.scene.body import Body, Model, Part
from sensorium.scene.mesh import Mesh
from sensorium.scene.rays import Rays
from sensorium.scene.scene import Scene

WINDOW = TimeWindow(2_000_000_000, 2_100_000_000)


@dataclass(frozen=True, eq=False)
class Gliding(Motion):
    """Constant velocity and constant angular velocity (world axes) from a pose at time zero."""

    start: Pose
    velocity_m_s: tuple[float, float, float] = (0.0, 0.0, 0.0)
    spin_rad_s: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def pose_at(self, times_ns):
        t = np.asarray(times_ns)[..., None] * 1e-9
        spin = np.array(self.spin_rad_s)
        rate = np.linalg.norm(spin)
        axis = spin / rate if rate else spin
        turn = np.concatenate((np.cos(rate * t / 2), np.sin(rate * t / 2) * axis), -1)
        return Pose(self.start.position_m + np.array(self.velocity_m_s) * t, multiply(turn, self.start.quaternion))

    def kinematics_at(self, times_ns):
        pose = self.pose_at(times_ns)
        zero = np.zeros_like(pose.position_m)
        return Kinematics(pose, zero + self.velocity_m_s, zero + self.spin_rad_s, zero, zero)


def mesh_of_box(size_m=(1.0, 1.0, 1.0)) -> Mesh:
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]) * size_m
    quads = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    return Mesh(corners, np.array([(q[i], q[j], q[k]) for q in quads for i, j, k in ((0, 1, 2), (0, 2, 3))]))


def model_of(*meshes: Mesh, material="concrete", label="thing") -> Model:
    return Model("model", tuple(Part(f"part{i}", mesh, material, label) for i, mesh in enumerate(meshes)))


def wall(distance_m: float, size_m: float = 40.0, material: str = "lambertian_80") -> Body:
    """A square at right angles to the x axis, looking back along it."""
    y = size_m / 2
    mesh = Mesh(np.array([[0, -y, -y], [0, -y, y], [0, y, y], [0, y, -y]], float), np.array([[0, 1, 2], [0, 2, 3]]))
    return Body("wall", model_of(mesh, material=material), Fixed(pose=Pose.at(distance_m, 0, 0)))


def random_mesh(rng: np.random.Generator, triangles: int = 40) -> Mesh:
    middle = rng.normal(size=(triangles, 1, 3))
    return Mesh(
        (middle + rng.normal(size=(triangles, 3, 3)) * 0.9).reshape(-1, 3), np.arange(3 * triangles).reshape(-1, 3)
    )


def random_pose(rng: np.random.Generator, spread_m: float = 5.0, origin_m=(0.0, 0.0, 0.0)) -> Pose:
    return Pose(np.array(origin_m) + rng.normal(size=3) * spread_m, rng.normal(size=4))


def random_scene(rng: np.random.Generator, bodies: int = 8, moving: bool = False, origin_m=(0.0, 0.0, 0.0)) -> Scene:
    """Bodies of loose triangles; half of them move and turn if asked for; two bodies share each model."""
    models = [model_of(random_mesh(rng), random_mesh(rng, 5)) for _ in range((bodies + 1) // 2)]
    made = []
    for i in range(bodies):
        pose = random_pose(rng, origin_m=origin_m)
        motion: Motion = Fixed(pose=pose)
        if moving and i % 4 < 2:
            motion = Gliding(pose, tuple(rng.normal(size=3) * 5), tuple(rng.normal(size=3) * 3))
        made.append(Body(f"body{i}", models[i // 2], motion))
    return Scene(tuple(made))


def random_rays(rng: np.random.Generator, count: int, window: TimeWindow = WINDOW, origin_m=(0.0, 0.0, 0.0)) -> Rays:
    origin = np.array(origin_m) + rng.normal(size=(count, 3)) * 10
    towards = np.array(origin_m) + rng.normal(size=(count, 3)) * 6
    return Rays(origin, towards - origin, rng.integers(window.start_ns, window.end_ns + 1, count))
