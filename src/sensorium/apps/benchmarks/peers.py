"""What a user would otherwise pick to cast rays on a CPU, on the same triangles and the same rays (extra `bench`).

Each function returns a call that traces all rays once; `SensoriumError` says what is missing.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sensorium.core.errors import MissingExtraError, SensoriumError
from sensorium.scene.mesh import Mesh
from sensorium.scene.rays import Rays

Call = Callable[[], NDArray[np.floating]]
"""Traces all rays; returns distances [N] with infinity for a miss."""


def _loaded(package: str, libraries: str = "") -> Any:
    try:
        return import_module(package)
    except ModuleNotFoundError:
        raise MissingExtraError(package, "bench", "comparing with it") from None
    except ImportError as error:  # the package is there, but a library of the system that it needs is not
        raise SensoriumError(f"{package} cannot be loaded: {error}; on Debian install {libraries}") from None


def open3d(mesh: Mesh, rays: Rays, threads: int) -> Call:
    """Open3D's RaycastingScene."""
    o3d = _loaded("open3d", "libusb-1.0-0 libgl1 libgomp1 libx11-6")
    scene = o3d.t.geometry.RaycastingScene(nthreads=threads)
    scene.add_triangles(
        o3d.core.Tensor(mesh.vertices_m.astype(np.float32)), o3d.core.Tensor(mesh.triangles.astype(np.uint32))
    )
    packed = o3d.core.Tensor(np.concatenate((rays.origin_m, rays.direction), 1).astype(np.float32))
    return lambda: scene.cast_rays(packed, nthreads=threads)["t_hit"].numpy()


def trimesh_embreex(mesh: Mesh, rays: Rays, threads: int) -> Call:
    """trimesh with embreex: first hits, as its users ask for them (one thread)."""
    trimesh = _loaded("trimesh")
    solid = trimesh.Trimesh(mesh.vertices_m, mesh.triangles, process=False)

    def call() -> NDArray[np.floating]:
        distance = np.full(len(rays), np.inf)
        places, numbers, _ = solid.ray.intersects_location(rays.origin_m, rays.direction, multiple_hits=False)
        distance[numbers] = np.linalg.norm(places - rays.origin_m[numbers], axis=1)
        return distance

    return call


def mujoco(mesh: Mesh, rays: Rays, threads: int) -> Call:
    """MuJoCo's mj_multiRay on a mesh geom (one thread; all rays from one point)."""
    mj = _loaded("mujoco")
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
