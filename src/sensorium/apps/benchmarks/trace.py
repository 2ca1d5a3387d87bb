"""`sensorium bench trace`: what tracing costs, beside a loop that only traces and beside the peers, in one run."""

from __future__ import annotations

import sys
from time import perf_counter

import numpy as np

from sensorium.apps.benchmarks import peers, worlds
from sensorium.apps.benchmarks.rows import Row, seconds_each
from sensorium.core.errors import SensoriumError
from sensorium.core.time import TimeWindow
from sensorium.motion.fixed import Fixed
from sensorium.scene.mesh import Mesh
from sensorium.scene.rays import Rays
from sensorium.scene.scene import Scene
from sensorium.scene.street import Street
from sensorium.sensors import sensor_of
from sensorium.simulation import observe
from sensorium.tracing import EmbreeTracer

DEVICE = "velodyne_hdl64e"
CAST_BAR, SCAN_BAR, BUILD_BAR_S, MOVE_BAR_MS = 0.8, 0.4, 2.0, 1.0


def trace_rows(threads: int | None = None, with_peers: bool = True) -> list[Row]:
    """Measure everything; takes about a minute."""
    rows = []
    start = perf_counter()
    street = Street().build()
    taken = perf_counter() - start
    rows.append(
        Row(
            f"building the street ({street.triangle_count} triangles)",
            None,
            taken,
            "s",
            f"below {BUILD_BAR_S} s",
            taken < BUILD_BAR_S,
        )
    )
    for name, scene in (("street", street), ("million triangles", worlds.million_triangles())):
        rows.extend(_scene_rows(name, scene, threads))
        if with_peers:
            rows.extend(_peer_rows(name, scene, threads))
    rows.append(_moving_row(threads))
    return rows


def _world_rays(scene: Scene) -> tuple[Rays, TimeWindow]:
    """Return the rays of one scan from the middle of the scene, in firing order."""
    lidar = sensor_of(DEVICE)
    window = lidar.window(0)
    beams, pose = lidar.pattern.beams(window), worlds.LIDAR_POSE
    return Rays(
        pose.transform(beams.origin_m), pose.rotate(beams.direction), beams.time_ns, 0.0, lidar.range_max_m
    ), window


def _scene_rows(name: str, scene: Scene, threads: int | None) -> list[Row]:
    from sensorium.apps.benchmarks import bare_embree

    start = perf_counter()
    tracer = EmbreeTracer(scene, threads)
    built = perf_counter() - start
    lidar, (rays, window) = sensor_of(DEVICE), _world_rays(scene)
    place = worlds.LIDAR_POSE.position_m
    caster = tracer.during(window, place)
    caster.cast(rays)
    bare = bare_embree.call(tracer, rays, window, place)
    scan = lambda: observe(scene, lidar, worlds.LIDAR_POSE, tracer=tracer)  # noqa: E731
    bare_s, cast_s, scan_s = seconds_each(bare, lambda: caster.cast(rays), scan)
    million = len(rays) / 1e6
    return [
        _ratio_row(f"{name}: cast against bare Embree", million / bare_s, million / cast_s, CAST_BAR),
        _ratio_row(f"{name}: whole LiDAR scan against bare Embree", million / bare_s, million / scan_s, SCAN_BAR),
        Row(f"{name}: handing it to Embree", None, built, "s", f"below {BUILD_BAR_S} s", built < BUILD_BAR_S),
    ]


def _ratio_row(case: str, theirs: float, ours: float, bar: float) -> Row:
    return Row(case, theirs, ours, "Mray/s", f"at least {bar} of theirs (is {ours / theirs:.2f})", ours >= bar * theirs)


def _peer_rows(name: str, scene: Scene, threads: int | None) -> list[Row]:
    """Compare with each installed peer on the scene as it stands at time zero, all bodies still and merged."""
    still = _frozen(scene)
    tracer = EmbreeTracer(still, threads)
    rays, window = _world_rays(still)
    caster = tracer.during(window, worlds.LIDAR_POSE.position_m)
    mesh = _merged(still)
    rows = []
    for peer in (peers.open3d, peers.trimesh_embreex, peers.mujoco):
        try:
            call = peer(mesh, rays, tracer.threads)
        except SensoriumError as error:
            print(f"left out of the comparison: {error}", file=sys.stderr)
            continue
        theirs_s, ours_s = seconds_each(call, lambda: caster.cast(rays), repeats=5)
        million = len(rays) / 1e6
        rows.append(_ratio_row(f"{name}: cast against {peer.__name__}", million / theirs_s, million / ours_s, 1.0))
    return rows


def _frozen(scene: Scene) -> Scene:
    """Return the scene with every body where it is at time zero, for ever."""
    from dataclasses import replace

    return Scene(
        tuple(replace(body, motion=Fixed(pose=body.motion.pose_at(np.zeros(1, np.int64))[0])) for body in scene.bodies)
    )


def _merged(scene: Scene) -> Mesh:
    """Return all triangles of a still scene as one mesh."""
    meshes = [
        part.mesh.moved(body.motion.pose_at(np.zeros(1, np.int64))[0])
        for body in scene.bodies
        for part in body.model.parts
    ]
    firsts = np.cumsum([0, *(len(mesh.vertices_m) for mesh in meshes[:-1])])
    faces = [mesh.triangles + first for mesh, first in zip(meshes, firsts, strict=True)]
    return Mesh(np.concatenate([mesh.vertices_m for mesh in meshes]), np.concatenate(faces))


def _moving_row(threads: int | None) -> Row:
    """Evaluate the motions of a hundred bodies and place them, for window after window of a drive."""
    tracer = EmbreeTracer(worlds.hundred_movers(), threads)
    windows = iter(TimeWindow(k * 50_000_000, k * 50_000_000 + 100_000_000) for k in range(10_000))
    (taken,) = seconds_each(lambda: tracer.place_bodies(next(windows), np.zeros(3)), repeats=200)
    return Row(
        "moving 100 bodies", None, taken * 1e3, "ms per window", f"below {MOVE_BAR_MS} ms", taken * 1e3 < MOVE_BAR_MS
    )
