"""The faces of a whole scene, in trees of boxes, made once per scene: what does not change while bodies move.

Every model has one tree in its own frame, whatever the number of its bodies. Only arrays are kept, and only as long as the
scene lives.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from sensorium.core.time import Times
from sensorium.motion.motion import Motion
from sensorium.scene.body import Model
from sensorium.scene.scene import Scene
from sensorium.sensors.cone.faces import faces_of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Trees(NamedTuple):
    """Trees of all models in one set of tables; kernels take it as it is."""

    corners_m: Floats
    """[F, 4, 3] faces in the frame of their model, in the order of the leaves."""
    part: Ints
    """[F] part of the model."""
    triangle: Ints
    """[F] triangle of the part's mesh, the first one of a quad."""
    closed: NDArray[np.bool_]
    """[F] whether the part has an inside."""
    low_m: Floats
    """[N, 3] boxes of the nodes."""
    high_m: Floats
    first: Ints
    """[N] first face of a leaf."""
    held: Ints
    """[N] number of its faces, 0: not a leaf."""
    right: Ints
    """[N] right child; the left one is the next node."""


class Placement(NamedTuple):
    """Where the bodies are at one instant; kernels take it as it is."""

    root: Ints
    """[B] root of the body's tree, -1: it has no faces."""
    centre_m: Floats
    """[B, 3] middle of the body's box, body frame."""
    radius_m: Floats
    """[B] of the sphere around the box."""
    position_m: Floats
    """[B, 3] of the body."""
    quaternion: Floats
    """[B, 4] wxyz."""
    still: NDArray[np.bool_]
    """[B]"""
    centre_world_m: Floats
    """[B, 3] middle of the box in the world, for those that stand still."""


@dataclass(frozen=True, eq=False)
class Geometry:
    """Trees of the models and places of the bodies that stand still."""

    trees: Trees
    still: Placement
    moving: tuple[int, ...]
    """Numbers of the bodies that move."""
    carriers: dict[int, tuple[int, ...]]
    """Bodies by the identity of their motion."""
    degenerate: int
    """Triangles without area in the scene."""

    @classmethod
    def of(cls, scene: Scene) -> Geometry:
        """Return the geometry of a scene; the first call makes it."""
        found = _KNOWN.get(scene)
        if found is None:
            found = _KNOWN[scene] = _geometry_of(scene)
        return found

    def placed(self, scene: Scene, time_ns: int) -> Placement:
        """Return where the bodies are at an instant."""
        if not self.moving:
            return self.still
        rows = list(self.moving)
        poses = scene.poses_at(self.moving, np.array([time_ns], np.int64))
        position, quaternion = self.still.position_m.copy(), self.still.quaternion.copy()
        position[rows], quaternion[rows] = poses.position_m[:, 0], poses.quaternion[:, 0]
        return self.still._replace(position_m=position, quaternion=quaternion)

    def carried_by(self, carrier: Motion) -> tuple[int, ...]:
        """Return the numbers of the bodies that move with this very motion."""
        return self.carriers.get(id(carrier), ())


_KNOWN: WeakKeyDictionary[Scene, Geometry] = WeakKeyDictionary()
_START: Times = np.zeros(1, np.int64)


def _geometry_of(scene: Scene) -> Geometry:
    forest = _Forest()
    roots = [forest.root_of(body.model) for body in scene.bodies]
    count = len(scene.bodies)
    bounds = np.array([body.model.bounds_m for body in scene.bodies]).reshape(count, 2, 3)
    centre = bounds.mean(1)
    position, quaternion = np.zeros((count, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (count, 1))
    still = np.array([not body.motion.moves for body in scene.bodies], np.bool_)
    centre_world = centre.copy()
    rows = np.flatnonzero(still)
    if len(rows):
        poses = scene.poses_at(rows.tolist(), _START)[:, 0]
        position[rows], quaternion[rows] = poses.position_m, poses.quaternion
        centre_world[rows] = poses.transform(centre[rows])
    carriers: dict[int, tuple[int, ...]] = {}
    for number, body in enumerate(scene.bodies):
        carriers[id(body.motion)] = (*carriers.get(id(body.motion), ()), number)
    radius = np.linalg.norm(bounds[:, 1] - bounds[:, 0], axis=1) / 2
    placement = Placement(np.array(roots, np.int64), centre, radius, position, quaternion, still, centre_world)
    moving = tuple(np.flatnonzero(~still).tolist())
    degenerate = sum(forest.degenerate[id(body.model)] for body in scene.bodies)
    return Geometry(forest.trees(), placement, moving, carriers, degenerate)


class _Forest:
    """Trees of models, each made once."""

    def __init__(self) -> None:
        self._roots: dict[int, int] = {}
        self._trees: list[Trees] = []
        self._nodes = self._faces = 0
        self.degenerate: dict[int, int] = {}
        """Triangles without area by the identity of the model."""

    def root_of(self, model: Model) -> int:
        """Return the number of the root of a model's tree, -1 if it has no faces."""
        if id(model) not in self._roots:
            tree, self.degenerate[id(model)] = _tree_of(model)
            self._roots[id(model)] = self._nodes if len(tree.first) else -1
            right = np.where(tree.held == 0, tree.right + self._nodes, 0)
            self._trees.append(tree._replace(first=tree.first + self._faces, right=right))
            self._nodes, self._faces = self._nodes + len(tree.first), self._faces + len(tree.part)
        return self._roots[id(model)]

    def trees(self) -> Trees:
        """Return all trees in one."""
        columns = zip(*(self._trees or [_NO_TREE]), strict=True)
        return Trees(*(np.ascontiguousarray(np.concatenate(column)) for column in columns))


_NO_NUMBERS: Ints = np.zeros(0, np.int64)
_NO_TREE = Trees(
    np.zeros((0, 4, 3)), _NO_NUMBERS, _NO_NUMBERS, np.zeros(0, np.bool_),
    np.zeros((0, 3)), np.zeros((0, 3)), _NO_NUMBERS, _NO_NUMBERS, _NO_NUMBERS,
)  # fmt: skip


def _tree_of(model: Model) -> tuple[Trees, int]:
    """Return the tree of one model and the number of its triangles without area."""
    from sensorium.sensors.cone import tree_kernels

    parts = [faces_of(part.mesh) for part in model.parts]
    degenerate = sum(faces.degenerate for faces in parts)
    corners = np.concatenate([faces.corners_m for faces in parts])
    if not len(corners):
        return _NO_TREE, degenerate
    order, low, high, first, count, right = tree_kernels.built(corners)
    number = np.concatenate([np.full(len(faces.triangle), row) for row, faces in enumerate(parts)])
    closed = np.concatenate([np.full(len(faces.triangle), faces.closed) for faces in parts])
    triangle = np.concatenate([faces.triangle for faces in parts])
    made = Trees(corners[order], number[order], triangle[order], closed[order], low, high, first, count, right)
    return made, degenerate
