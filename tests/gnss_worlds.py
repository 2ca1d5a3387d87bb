"""A place on Earth with a receiver and some walls, for tests of satellite navigation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sensorium.core.earth import LocalFrame
from sensorium.core.pose import Pose
from sensorium.core.time import TimeWindow
from sensorium.motion.fixed import Fixed
from sensorium.scene.body import Body, Model, Part
from sensorium.scene.mesh import Mesh
from sensorium.scene.origin import Origin
from sensorium.scene.scene import Scene
from sensorium.scene.view import View
from sensorium.sensors import Gnss
from sensorium.tracing import EmbreeTracer

ORIGIN = Origin(latitude_rad="48.1 deg", longitude_rad="11.5 deg", altitude_m=520.0, start_utc="2026-06-15T12:00:00")
FRAME = LocalFrame(ORIGIN.latitude_rad, ORIGIN.longitude_rad, ORIGIN.altitude_m)
QUIET = {"sky_errors": {"orbit_clock_m": 0, "ionosphere": 0, "troposphere_m": 0}}
ANTENNA = Pose.at(0.0, 0.0, 2.0)


def upright(name, x_m, y_m, low_m, high_m, material="concrete") -> Body:
    """A wall from (x0, y0) to (x1, y1), between two heights."""
    corners = [(x, y, z) for z in (low_m, high_m) for x, y in zip(x_m, y_m, strict=True)]
    mesh = Mesh(np.array(corners, float), np.array([[0, 1, 3], [0, 3, 2]]))
    return Body(name, Model(name, (Part(name, mesh, material, name),)), Fixed())


def ground(half_m=500.0, material="concrete") -> Body:
    h = half_m
    mesh = Mesh(np.array([[-h, -h, 0], [h, -h, 0], [h, h, 0], [-h, h, 0]], float), np.array([[0, 1, 2], [0, 2, 3]]))
    return Body("ground", Model("ground", (Part("ground", mesh, material, "ground"),)), Fixed())


def far_away() -> Body:
    """Something that no ray of interest meets, for scenes that are otherwise empty."""
    return upright("far_away", (0, 1), (-9000, -9000), -100.0, -99.0)


def scene_of(*bodies: Body) -> Scene:
    return replace(Scene(tuple(bodies) or (far_away(),)), origin=ORIGIN)


def view_of(scene: Scene, pose: Pose = ANTENNA, time_ns: int = 0, tracer=None) -> View:
    window = TimeWindow(time_ns, time_ns)
    return View(scene, tracer or EmbreeTracer(scene, 1), Fixed(), pose, window)


def run(gnss: Gnss, scene: Scene, epochs: int, pose: Pose = ANTENNA, seed: int = 1, body: str | None = None):
    """Samples of a receiver on a body, or one that stands still."""
    from sensorium.simulation import Mount, Simulation

    if body is None:
        scene = scene.with_bodies([upright("post", (-800, -799), (-800, -800), -50, -49)])
        body = "post"
    mount = Mount(name="gnss", sensor=gnss, body=body, pose=pose)
    simulation = Simulation(scene, (mount,), seed=seed, truth_rate_hz=None, tracer=EmbreeTracer(scene, 1))
    return list(simulation.samples((epochs - 0.5) / gnss.rate_hz))


def error_enu_m(sample):
    """Fix minus truth."""
    from sensorium.core.earth import ecef_of_geodetic

    return FRAME.to_local(ecef_of_geodetic(*sample.geodetic)) - sample.truth.position_m
