"""A scene in Embree's hands: static bodies merged into tiles, moving bodies as instances, both placed anew for each window.

Import this lazily: it loads Numba and Embree. Two levels: one Embree scene per tile or model, one instance per tile or moving
body in the world scene. Vertices are 32-bit relative to the middle of their tile or model, instances 32-bit relative to an
anchor near the sensor: neither grows with the distance from the origin.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sensorium.core.errors import SceneError
from sensorium.core.pose import Pose
from sensorium.core.time import TimeWindow
from sensorium.scene.body import Body, Model
from sensorium.scene.mesh import Mesh
from sensorium.scene.scene import Scene
from sensorium.tracing.embree import kernels
from sensorium.tracing.embree.library import (
    BUFFER_INDEX,
    BUFFER_VERTEX,
    FORMAT_FLOAT3,
    FORMAT_UINT3,
    GEOMETRY_INSTANCE,
    GEOMETRY_TRIANGLE,
    MOST_TIME_STEPS,
    SCENE_DYNAMIC,
    SCENE_ROBUST,
    embree,
)

Floats = NDArray[np.float64]

TILE_M = 512.0
KEY_TOLERANCE_M = 1e-4
_FIRST_SAMPLES = 9
_FAST_TURN_RAD = 0.03


class _Keys(NamedTuple):
    """Where instances are during a window: instance i has `number[i]` keys from row `first[i]` on."""

    first: NDArray[np.int64]
    number: NDArray[np.int64]
    turns: NDArray[np.bool_]
    """Whether an instance is turned by quaternions instead of matrices."""
    position_m: Floats
    quaternion: Floats


class EmbreeWorld:
    """All of Embree's objects for one scene. One world serves one thread of callers at a time."""

    def __init__(self, scene: Scene) -> None:
        self._scene, self._lib = scene, embree()
        # One building thread: the trees, and with them the answers at shared edges, are the same on every machine.
        self._device = self._lib.rtcNewDevice(b"threads=1")
        self._owned: list[int] = []
        self.world = self._new_scene(SCENE_DYNAMIC | SCENE_ROBUST)
        weakref.finalize(self, _release, self._lib, self._device, self._owned)
        self._handles: list[int] = []
        self._centres: list[Floats] = []
        rows: list[tuple[int, int]] = []
        firsts: list[int] = []
        for tile in _tiles(scene).values():
            centre = _centre(scene.bodies[number] for number in tile)
            meshes = []
            firsts.append(len(rows))
            for number in tile:
                for part_number, part in enumerate(scene.bodies[number].model.parts):
                    meshes.append(part.mesh.moved(_still_pose(scene.bodies[number])))
                    rows.append((number, part_number))
            self._add_instance(self._shape(meshes, centre), centre)
        self._still = len(self._handles)
        self.moving = [number for number, body in enumerate(scene.bodies) if body.motion.moves]
        shapes: dict[int, tuple[int, Floats]] = {}
        for number in self.moving:
            model = scene.bodies[number].model
            if id(model) not in shapes:
                middle = _middle(model)
                shapes[id(model)] = self._shape([part.mesh for part in model.parts], middle), middle
            firsts.append(len(rows))
            rows.extend((number, part_number) for part_number in range(len(model.parts)))
            self._add_instance(*shapes[id(model)])
        self.geometry_first = np.array(firsts, np.int64)
        self.geometry_body = np.array([body for body, _ in rows], np.int32)
        self.geometry_part = np.array([part for _, part in rows], np.int32)
        self._still_m = np.array(self._centres[: self._still]).reshape(-1, 3)
        self._middle_m = np.array(self._centres[self._still :]).reshape(-1, 3)
        self._radius_m = np.array(
            [_radius(scene.bodies[n].model, m) for n, m in zip(self.moving, self._middle_m, strict=True)]
        )
        self._handle_array = np.array(self._handles, np.int64)
        self._steps_now = np.ones(len(self._handles), np.int64)
        self._check("building the scene")

    def place(self, window: TimeWindow, anchor_m: Floats) -> None:
        """Put every instance where it is during the window, relative to the anchor."""
        keys = self._keys(window)
        self.key_first, self.key_count, self.key_quaternion = keys.first, keys.number, keys.quaternion
        kernels.place(
            self.world, self._handle_array, self._steps_now, keys.first, keys.number, keys.position_m, keys.quaternion,
            keys.turns, anchor_m,
        )  # fmt: skip
        self._check("moving the bodies")

    def _keys(self, window: TimeWindow) -> _Keys:
        """Return the keys of all instances: one of each tile, and of each moving body as many as its path needs.

        Samples are doubled for the bodies that need it, up to 129 keys: a body that jumps (a bounce) strays for less than
        1/128 of the window, and one that spins too fast for matrices is turned by quaternions, which follow any constant rate.
        """
        still, total = self._still, len(self._handles)
        first, count, turns = np.arange(total), np.ones(total, np.int64), np.zeros(total, np.bool_)
        positions, quaternions = [self._still_m], [np.tile([1.0, 0.0, 0.0, 0.0], (still, 1))]
        rows, taken = np.arange(len(self.moving)), still
        samples = _FIRST_SAMPLES if window.duration_ns else 1
        while len(rows):
            position, quaternion = self._middles(rows, window, samples)
            strides = kernels.coarsest_strides(position, quaternion, self._radius_m[rows], KEY_TOLERANCE_M)
            last = samples in (1, 2 * MOST_TIME_STEPS - 1)
            done = np.flatnonzero((strides > 0) | last)
            chosen = np.where(strides[done] > 0, strides[done], min(2, samples))
            counts, *keys = kernels.thinned(position, quaternion, done, chosen)
            count[still + rows[done]] = counts
            first[still + rows[done]] = taken + np.cumsum(counts) - counts
            for row in done[(strides[done] == 0) & (samples > 1)]:
                turns[still + rows[row]] = _turns_fast(quaternion[row, ::2])
            positions.append(keys[0])
            quaternions.append(keys[1])
            taken += int(counts.sum())
            rows = np.delete(rows, done)
            samples = 2 * samples - 1
        return _Keys(first, count, turns, np.concatenate(positions), np.concatenate(quaternions))

    def _middles(self, rows: NDArray[np.intp], window: TimeWindow, samples: int) -> tuple[Floats, Floats]:
        """Return positions [rows, samples, 3] of the middles, about which vertices are stored, and quaternions."""
        pose = self._scene.poses_at([self.moving[row] for row in rows], window.instants(samples))
        position = np.array(pose.position_m)
        quaternion = np.ascontiguousarray(pose.quaternion)
        kernels.to_middles(position, quaternion, self._middle_m[rows])
        return position, quaternion

    def _new_scene(self, flags: int) -> int:
        handle = int(self._lib.rtcNewScene(self._device))
        self._lib.rtcSetSceneFlags(handle, flags)
        self._owned.append(handle)
        return handle

    def _shape(self, meshes: list[Mesh], centre_m: Floats) -> int:
        """Return a committed Embree scene of these meshes; geometry numbers follow their order."""
        shape = self._new_scene(SCENE_ROBUST)
        for mesh in meshes:
            geometry = self._lib.rtcNewGeometry(self._device, GEOMETRY_TRIANGLE)
            self._fill(geometry, BUFFER_VERTEX, FORMAT_FLOAT3, (mesh.vertices_m - centre_m).astype(np.float32))
            self._fill(geometry, BUFFER_INDEX, FORMAT_UINT3, mesh.triangles.astype(np.uint32))
            self._lib.rtcCommitGeometry(geometry)
            self._lib.rtcAttachGeometry(shape, geometry)
            self._lib.rtcReleaseGeometry(geometry)
        self._lib.rtcCommitScene(shape)
        return shape

    def _fill(self, geometry: int, kind: int, form: int, values: NDArray[Any]) -> None:
        if not len(values):
            return
        target = self._lib.rtcSetNewGeometryBuffer(geometry, kind, 0, form, 12, len(values))
        if not target:
            self._check("storing a mesh")
        values = np.ascontiguousarray(values)
        ctypes.memmove(target, values.ctypes.data, values.nbytes)

    def _add_instance(self, shape: int, centre_m: Floats) -> None:
        instance = self._lib.rtcNewGeometry(self._device, GEOMETRY_INSTANCE)
        self._lib.rtcSetGeometryInstancedScene(instance, shape)
        self._lib.rtcAttachGeometry(self.world, instance)
        self._lib.rtcReleaseGeometry(instance)  # the world scene keeps it
        self._handles.append(int(instance))
        self._centres.append(centre_m)

    def _check(self, doing: str) -> None:
        code = self._lib.rtcGetDeviceError(self._device)
        if code:
            raise SceneError(f"Embree failed while {doing} (error {code}{', out of memory' if code == 4 else ''})")


def _release(library: ctypes.CDLL, device: int, scenes: list[int]) -> None:
    for scene in scenes:
        library.rtcReleaseScene(scene)
    library.rtcReleaseDevice(device)


def _tiles(scene: Scene) -> dict[tuple[int, ...], list[int]]:
    """Return the numbers of the bodies that stand still, by the square of the ground on which they stand."""
    tiles: dict[tuple[int, ...], list[int]] = {}
    for number, body in enumerate(scene.bodies):
        if not body.motion.moves:
            cell = np.floor(_still_pose(body).position_m / TILE_M).astype(int)
            tiles.setdefault(tuple(cell.tolist()), []).append(number)
    return tiles


def _still_pose(body: Body) -> Pose:
    return body.motion.pose_at(np.zeros(1, np.int64))[0]


def _middle(model: Model) -> Floats:
    low, high = model.bounds_m
    return np.asarray((low + high) / 2)


def _radius(model: Model, middle_m: Floats) -> float:
    """Return the radius of the sphere about the middle that holds the model."""
    return max(float(np.linalg.norm(part.mesh.vertices_m - middle_m, axis=1).max(initial=0.0)) for part in model.parts)


def _centre(bodies: Iterable[Body]) -> Floats:
    """Return the mean of the places of the bodies' middles."""
    return np.asarray(np.mean([_still_pose(body).transform(_middle(body.model)) for body in bodies], axis=0))


def _turns_fast(quaternion: Floats) -> bool:
    """Whether the turn between neighbouring keys [K, 4] is what matrices cannot follow."""
    same = np.abs(np.sum(quaternion[1:] * quaternion[:-1], -1))
    return bool(np.median(2 * np.arccos(np.clip(same, 0, 1))) > _FAST_TURN_RAD)
