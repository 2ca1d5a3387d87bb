"""What a user would otherwise pick to cast rays on a CPU, on the same triangles and the same rays (extra `bench`).

Each function returns a call that traces all rays once, or None if the package is not installed.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sensorium.scene.mesh import Mesh
from sensorium.scene.rays import Rays

Call = Callable[[], NDArray[np.floating]]
"""Traces all rays; returns distances [N] with infinity for a miss."""


def open3d(mesh: Mesh, rays: Rays, threads: int) -> Call | None:
    """Open3D's RaycastingScene."""
    if find_spec("open3d") is None:
        return None
    from importlib import import_module

    o3d: Any = import_module("open3d")
    scene = o3d.t.geometry.RaycastingScene(nthreads=threads)
    scene.add_triangles(
        o3d.core.Tensor(mesh.vertices_m.astype(np.float32)), o3d.core.Tensor(mesh.triangles.astype(np.uint32))
    )
    packed = o3d.core.Tensor(np.concatenate((rays.origin_m, rays.direction), 1).astype(np.float32))
    return lambda: scene.cast_rays(packed, nthreads=threads)["t_hit"].numpy()


def trimesh_embreex(mesh: Mesh, rays: Rays, threads: int) -> Call | None:
    """trimesh with embreex: first hits, as its users ask for them (one thread)."""
    if find_spec("trimesh") is None:
        return None
    import trimesh

    solid = trimesh.Trimesh(mesh.vertices_m, mesh.triangles, process=False)

    def call() -> NDArray[np.floating]:
        distance = np.full(len(rays), np.inf)
        places, numbers, _ = solid.ray.intersects_location(rays.origin_m, rays.direction, multiple_hits=False)
        distance[numbers] = np.linalg.norm(places - rays.origin_m[numbers], axis=1)
        return distance

    return call


def mujoco(mesh: Mesh, rays: Rays, threads: int) -> Call | None:
    """MuJoCo's mj_multiRay on a mesh geom (one thread; all rays from one point)."""
    if find_spec("mujoco") is None:
        return None
    import mujoco as mj

    spec = mj.MjSpec()
    spec.add_mesh(name="scene", uservert=mesh.vertices_m.ravel(), userface=mesh.triangles.ravel())
    spec.meshes[0].inertia = mj.mjtMeshInertia.mjMESH_INERTIA_SHELL
    spec.worldbody.add_geom(type=mj.mjtGeom.mjGEOM_MESH, meshname="scene")
    model = spec.compile()
    data = mj.MjData(model)
    mj.mj_forward(model, data)
    origin = rays.origin_m.mean(0)
    directions = np.ascontiguousarray(rays.direction.ravel())
    geom, distance = np.empty(len(rays), np.int32), np.empty(len(rays))

    def call() -> NDArray[np.floating]:
        mj.mj_multiRay(model, data, origin, directions, None, 1, -1, geom, distance, None, len(rays), 1e9)
        return np.where(distance < 0, np.inf, distance)

    return call
