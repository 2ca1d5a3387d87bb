"""The scenes that benchmarks look at: the street, and a million triangles."""

from __future__ import annotations

import numpy as np

from sensorium.core.pose import Pose
from sensorium.motion.fixed import Fixed
from sensorium.motion.spline import Spline
from sensorium.scene.body import Body, Model, Part
from sensorium.scene.mesh import Mesh
from sensorium.scene.scene import Scene
from sensorium.scene.shapes import Box, Sphere

LIDAR_POSE = Pose.at(0.0, 0.0, 1.9)


def one_part(name: str, mesh: Mesh, material: str) -> Model:
    """Return a model of one part."""
    return Model(name, (Part(name, mesh, material, name),))


def rough_ground(cells: int, half_m: float, seed: int) -> Mesh:
    """A square of ground with random heights of up to 0.3 m: 2 cells^2 triangles."""
    axis = np.linspace(-half_m, half_m, cells + 1)
    x, y = np.meshgrid(axis, axis, indexing="ij")
    z = np.random.default_rng(seed).uniform(-0.3, 0.0, x.shape)
    corner = np.arange((cells + 1) ** 2).reshape(cells + 1, cells + 1)
    a, b, c, d = (corner[i : i + cells, j : j + cells].ravel() for i, j in ((0, 0), (1, 0), (1, 1), (0, 1)))
    faces = np.concatenate((np.stack((a, b, c), 1), np.stack((a, c, d), 1)))
    return Mesh(np.stack((x.ravel(), y.ravel(), z.ravel()), 1), faces.astype(np.int32))


def million_triangles() -> Scene:
    """Half a million triangles of ground and 50 finely tessellated balls that stand on it."""
    ball = one_part("ball", Sphere(radius_m=1.0, facet_m=0.0005).mesh(), "concrete")
    rng = np.random.default_rng(1)
    bodies = [Body("ground", one_part("ground", rough_ground(500, 100.0, 1), "asphalt"))]
    while sum(body.model.triangle_count for body in bodies) < 1_000_000:
        angle, distance = rng.uniform(0, 2 * np.pi), rng.uniform(6.0, 70.0)
        pose = Pose.at(distance * np.cos(angle), distance * np.sin(angle), 1.0)
        bodies.append(Body(f"ball_{len(bodies)}", ball, Fixed(pose=pose)))
    return Scene(tuple(bodies))


def hundred_movers() -> Scene:
    """A hundred boxes of a car's size on winding paths, for the cost of moving them."""
    box = one_part("box", Box(size_m=(4.5, 1.8, 1.5)).mesh(), "painted_metal")
    rng = np.random.default_rng(2)
    bodies = []
    for number in range(100):
        x = np.linspace(0.0, 200.0, 12)
        y = 5.0 * number + np.cumsum(rng.normal(0.0, 0.5, len(x)))
        bodies.append(Body(f"mover_{number}", box, Spline.through(np.stack((x, y, 0 * x), 1), speed_m_s=10.0)))
    return Scene(tuple(bodies))
