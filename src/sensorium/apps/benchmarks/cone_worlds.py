"""Scenes and readings that the bench and the reproduction of the cone sensor share."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from sensorium.apps.benchmarks import worlds
from sensorium.core.pose import Pose
from sensorium.core.random import Draws
from sensorium.core.time import TimeWindow
from sensorium.motion.fixed import Fixed
from sensorium.motion.motion import Motion
from sensorium.motion.spline import Spline, Waypoint
from sensorium.samples import Ranges, Stamp
from sensorium.scene.body import Body
from sensorium.scene.build import body, part
from sensorium.scene.scene import Scene
from sensorium.scene.shapes import Box
from sensorium.scene.view import View
from sensorium.sensors import ConeSensor

_ORIGIN, _STILL = Pose.identity(), Fixed()
_BOXES = 10


def cone_sensor(**settings: Any) -> ConeSensor:
    """Return a sensor with a cone of 90 by 40 degrees and 30 m that reports every body in it."""
    wide = {"opening_horizontal_rad": "90 deg", "opening_vertical_rad": "40 deg", "length_m": 30.0}
    return ConeSensor(**{**wide, "detections": _BOXES, **settings})


def boxes(count: int = _BOXES, moving: bool = False) -> Scene:
    """Return cubes of 1 m in the cone, each turned another way, standing or gliding along."""
    bodies = []
    for number in range(count):
        x, y = 6.0 + 3 * (number % 4), -4.0 + 4 * (number // 4)
        motion: Motion = Fixed(pose=Pose.at(x, y, 0.3, 0.3 * number))
        if moving:
            ends = (
                Waypoint(time_s=0.0, position_m=(x, y, 0.3)),
                Waypoint(time_s=600.0, position_m=(x + 1, y + 1, 0.3)),
            )
            motion = Spline(waypoints=ends)
        bodies.append(body(f"box_{number}", part("box", Box(size_m=(1, 1, 1)), "concrete"), motion=motion))
    return Scene(tuple(bodies))


def million_elsewhere() -> tuple[Body, ...]:
    """Return bodies of a million triangles, all of them beside the cone."""
    there = Pose.at(20.0, 250.0, 0.0)
    return tuple(
        replace(each, motion=Fixed(pose=there @ each.motion.pose)) for each in worlds.million_triangles().bodies
        if isinstance(each.motion, Fixed)
    )  # fmt: skip


def large_ground() -> Body:
    """Return one mesh of a million triangles under the sensor, of which the cone touches a few thousand."""
    ground = worlds.rough_ground(708, 200.0, 1)
    return body("ground", part("ground", ground, "asphalt"), motion=Fixed(pose=Pose.at(0, 0, -1.9)))


def readings(sensor: ConeSensor, scene: Scene, times_ns: Iterable[int]) -> Iterator[Ranges]:
    """Yield one sample after the other at these times, as a simulation would take them."""
    state, tracer = sensor.initial_state(Draws(0)), _NoRays()
    for index, time_ns in enumerate(times_ns):
        view = View(scene, tracer, _STILL, _ORIGIN, TimeWindow(time_ns, time_ns))
        signal = sensor.sense(view)
        sample, state = sensor.detect(signal, state, Draws(0, 0, "cone", index), Stamp("cone", index, time_ns, time_ns))
        yield sample


def every_20_ms() -> Iterator[int]:
    """Yield times without end."""
    time_ns = 0
    while True:
        yield time_ns
        time_ns += 20_000_000


class _NoRays:
    """A tracer that nobody asks."""

    def during(self, window: TimeWindow, near_m: Any) -> Any:
        """Refuse."""
        raise AssertionError("the cone sensor traces no ray here")


PUBLISHED_HALF_THICKNESS_M = 1e-5
"""Of the obstacle "1 x 1 x 1e-5": every printed digit of table 2 fits a front face at z = 1 - 1e-5, so that 1e-5 is half of
the thickness (the engine of document 000 takes half extents), while 1 x 1 are whole edges."""


def thin_obstacle(x_m: float, right_m: float = 0.0, turned_rad: float = 0.0, motion: Motion | None = None) -> Scene:
    """Return the obstacle of document 000 at a depth and to the right, turned about the vertical.

    It stands on its head, so that of two lines at the same distance the upper one comes first, as there.
    """
    slab = part("slab", Box(size_m=(2 * PUBLISHED_HALF_THICKNESS_M, 1, 1)), "concrete",
                pose=Pose.from_rpy((0, 0, 0), (math.pi, 0, 0)))  # fmt: skip
    place = Fixed(pose=Pose.at(x_m, -right_m, 0, -turned_rad))
    return Scene((body("obstacle", slab, motion=motion or place),))
