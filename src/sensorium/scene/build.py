"""Scenes in Python: parts from shapes, bodies from parts.

>>> hull = part("hull", Box(size_m=(4.2, 1.8, 1.2)), "car_paint_red", pose=Pose.at(0, 0, 0.9))
>>> car = body("car", hull, label="car", motion=Fixed(pose=Pose.at(10, 0, 0)))
"""

from __future__ import annotations

from dataclasses import replace

from sensorium.core.pose import Pose
from sensorium.motion.fixed import Fixed
from sensorium.motion.motion import Motion
from sensorium.scene.body import Body, Model, Part
from sensorium.scene.importing.assembly import UNLABELLED
from sensorium.scene.mesh import Mesh
from sensorium.scene.shape import Shape


def part(name: str, shape: Shape | Mesh, material: str, label: str = UNLABELLED, pose: Pose | None = None) -> Part:
    """Return a shape of one material at a place in the body frame (T_body_part)."""
    mesh = shape.mesh() if isinstance(shape, Shape) else shape
    return Part(name, mesh if pose is None else mesh.moved(pose), material, label)


def body(name: str, *parts: Part, motion: Motion | None = None, label: str = "") -> Body:
    """Return parts as one body; its label also goes to those parts that have none of their own."""
    named = tuple(replace(one, label=label) if label and one.label == UNLABELLED else one for one in parts)
    return Body(name, Model(name, named), motion or Fixed(), label)
