"""`sensorium bench lidar`: what the physics of a LiDAR costs, beside a loop that only traces the same rays, in one run.

The same rays are the primary rays: those that leave the sensor, a bundle of them per beam. What the tree follows over
mirrors and through glass comes on top and is not counted, so that following it costs the rate.
"""

from __future__ import annotations

import resource
from dataclasses import replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sensorium.apps.benchmarks import fresh, worlds
from sensorium.apps.benchmarks.rows import Row, seconds_each
from sensorium.apps.compiling import LANES, compile_lanes
from sensorium.core.random import Draws
from sensorium.core.time import TimeWindow
from sensorium.materials.surface import Glass, Mirror, Pane
from sensorium.motion.fixed import Fixed
from sensorium.samples import PointCloud, Stamp
from sensorium.scene.rays import Rays
from sensorium.scene.scene import Scene
from sensorium.scene.street import Street
from sensorium.scene.view import View
from sensorium.sensors import Lidar, sensor_of
from sensorium.simulation import observe
from sensorium.tracing import EmbreeTracer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DEVICE, LARGEST = "velodyne_hdl64e", fresh.SCAN_DEVICE
BEAM_BAR, SINGLE_BAR, DEPTH_BAR = 0.7, 0.5, 1.1
REAL_TIME_BAR, MEMORY_BAR_MB = 0.9, 1000.0
ENGINE_BAR = 30.0
COMPILING_BAR_S, START_BAR_S = 30.0, 1.0
_ENGINE_BEAMS = 500_000


def lidar_rows(threads: int | None = None, repeats: int = 15, processes: bool = True) -> list[Row]:
    """Measure everything: medians of `repeats` that take turns, and if asked for what needs `processes` of its own."""
    street = Street().build()
    tracer = EmbreeTracer(street, threads)
    bundle, single = sensor_of(DEVICE, bundle={"rays": 5}), sensor_of(DEVICE, bundle={"rays": 1})
    rows = [
        _bare_row("HDL-64E, beams of 5 rays, full physics", bundle, tracer, BEAM_BAR, repeats),
        _bare_row("HDL-64E, single rays, full physics", single, tracer, SINGLE_BAR, repeats),
        *_share_rows(bundle, tracer, repeats),
        _real_time_row(street, tracer, repeats),
        _depth_row(street, threads, repeats),
        *_engine_rows(repeats),
        _threads_row(street, bundle),
    ]
    return [*rows, *_process_rows()] if processes else rows


def primary_rays(lidar: Lidar, window: TimeWindow) -> Rays:
    """Return the rays that a scan from `worlds.LIDAR_POSE` sends out, in firing order, the bundle of a beam together.

    A ray leaves the axis d of its beam by (a, b): d + a r + b u, r = (d_y, -d_x, 0) / |...| to the right, u = r x d up.
    They reach as far as a scan follows light: twice the largest range.
    """
    beams, offsets, pose = lidar.pattern.beams(window), lidar.bundle.offsets, worlds.LIDAR_POSE
    axis = beams.direction
    right = np.stack((axis[:, 1], -axis[:, 0], 0 * axis[:, 0]), 1)
    right /= np.linalg.norm(right, axis=1, keepdims=True)
    up = np.cross(right, axis)
    direction = axis[:, None] + offsets[:, :1] * right[:, None] + offsets[:, 1:] * up[:, None]
    origin = np.repeat(beams.origin_m, len(offsets), 0)
    times = np.repeat(beams.time_ns, len(offsets))
    return Rays(pose.transform(origin), pose.rotate(direction.reshape(-1, 3)), times, 0.0, 2 * lidar.range_max_m)


def _bare_row(case: str, lidar: Lidar, tracer: EmbreeTracer, bar: float, repeats: int) -> Row:
    """Compare whole scans with the loop that only traces; both have the bodies in place already.

    A scan is two-layer materials, mirrors and glass to the depth of the device, noise, threshold, strongest return.
    """
    from sensorium.apps.benchmarks import bare_embree

    window, place = lidar.window(0), worlds.LIDAR_POSE.position_m
    rays = primary_rays(lidar, window)
    tracer.place_bodies(window, place)
    bare_s, scan_s = seconds_each(bare_embree.call(tracer, rays, window, place), _scan(lidar, tracer), repeats=repeats)
    million = len(rays) / 1e6
    says = f"at least {bar} of theirs (is {bare_s / scan_s:.2f})"
    return Row(case, million / bare_s, million / scan_s, "Mray/s", says, bare_s >= bar * scan_s)


def _scan(lidar: Lidar, tracer: EmbreeTracer) -> Callable[[], PointCloud]:
    def scan() -> PointCloud:
        cloud = observe(tracer.scene, lidar, worlds.LIDAR_POSE, tracer=tracer)
        assert isinstance(cloud, PointCloud)
        return cloud

    return scan


class _Watched:
    """Something whose methods are timed: what they took adds up in `seconds`. Casters that it returns are watched too."""

    def __init__(self, inner: Any, spent: list[float]) -> None:
        self._inner, self._spent = inner, spent

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if not callable(found):
            return found

        def timed(*given: Any) -> Any:
            start = perf_counter()
            answer = found(*given)
            self._spent.append(perf_counter() - start)
            return _Watched(answer, self._spent) if name == "during" else answer

        return timed


def _share_rows(lidar: Lidar, tracer: EmbreeTracer, repeats: int) -> list[Row]:
    """Tell where the time of a scan goes: to the tracer, to the rest of the physics, to the electronics. No bar."""
    shares, draws, window = [], Draws(0, sensor="bench"), lidar.window(0)
    stamp = Stamp("bench", 0, window.start_ns, window.end_ns)
    for _ in range(repeats + 1):
        spent: list[float] = []
        watched: Any = _Watched(tracer, spent)
        start = perf_counter()
        signal = lidar.sense(View(tracer.scene, watched, Fixed(), worlds.LIDAR_POSE, window))
        sensed = perf_counter()
        lidar.detect(signal, None, draws, stamp)
        done = perf_counter()
        cast_s = sum(spent)
        shares.append([cast_s, sensed - start - cast_s, done - sensed])
    parts = [median(column) for column in zip(*shares[1:], strict=True)]
    names = "casting, with the rays of the tree", "sensing without casting", "detecting"
    return [
        Row(f"share of {name}", None, 100 * part / sum(parts), "%", "none: where the time goes", True)
        for name, part in zip(names, parts, strict=True)
    ]


def _real_time_row(street: Scene, tracer: EmbreeTracer, repeats: int) -> Row:
    """Take scan after scan from the roof of the moving car, every body moved anew for each; time over time."""
    from sensorium.scene.street.cars import ROOF_MOUNT
    from sensorium.simulation import Simulation
    from sensorium.simulation.rig import Mount

    lidar = sensor_of(LARGEST, bundle={"rays": 5})
    rig = [Mount(name="roof", sensor=lidar, body="ego", pose=ROOF_MOUNT)]
    scans = Simulation(street, rig, truth_rate_hz=None, tracer=tracer).samples(60.0)
    (taken_s,) = seconds_each(lambda: next(scans), repeats=repeats)
    times = 1 / (lidar.rate_hz * taken_s)
    says = f"at least {REAL_TIME_BAR} (1 is real time)"
    return Row("Alpha Prime, beams of 5 rays", None, times, "x real time", says, times >= REAL_TIME_BAR)


def _depth_row(street: Scene, threads: int | None, repeats: int) -> Row:
    """Compare depth 4 with depth 1 where nothing leads light on: the street with its glass and mirrors painted over."""
    tracer = EmbreeTracer(painted_over(street), threads)
    deep, flat = (_scan(sensor_of(DEVICE, bundle={"rays": 5}, depth=depth), tracer) for depth in (4, 1))
    deep_s, flat_s = seconds_each(deep, flat, repeats=repeats)
    says = f"at most {DEPTH_BAR} of depth 1 (is {deep_s / flat_s:.2f})"
    case = "depth 4 against depth 1, no mirror and no glass in the scene"
    return Row(case, flat_s * 1e3, deep_s * 1e3, "ms", says, deep_s <= DEPTH_BAR * flat_s)


def painted_over(scene: Scene) -> Scene:
    """Return the scene with black plastic in place of every mirror and every glass."""
    smooth = {material.name for material in scene.library if isinstance(material.surface, Mirror | Pane | Glass)}

    def models() -> Iterator[Any]:
        for body in scene.bodies:
            parts = tuple(
                replace(part, material="plastic_black") if part.material in smooth else part
                for part in body.model.parts
            )
            yield replace(body, model=replace(body.model, parts=parts))

    return replace(scene, bodies=tuple(models()))


def _engine_rows(repeats: int) -> list[Row]:
    """Compare the physics behind an external engine with the published figures: no tracing, no network on either side."""
    from sensorium.bridges.engine_throughput import engine_throughput

    rows = []
    for found in engine_throughput(beams=_ENGINE_BEAMS, repeats=repeats):
        theirs, ours = found.published_beams_per_s, found.beams_per_s / 1e6
        if theirs is not None:
            says = f"at least {ENGINE_BAR:g} times theirs (is {found.beams_per_s / theirs:.0f})"
            holds = found.beams_per_s >= ENGINE_BAR * theirs
            rows.append(Row(f"engine bridge, {found.layout}", theirs / 1e6, ours, "Mbeam/s", says, holds))
    return rows


def _threads_row(street: Scene, lidar: Lidar) -> Row:
    """Count the bytes of a cloud that depend on the number of threads: of the tracer and of all other kernels."""
    import numba

    before, most = numba.get_num_threads(), min(2, int(numba.config.NUMBA_NUM_THREADS))
    clouds = []
    try:
        for count in (1, most):
            numba.set_num_threads(count)
            clouds.append(_scan(lidar, EmbreeTracer(street, count))())
    finally:
        numba.set_num_threads(before)
    differ = sum(_different_bytes(one, two) for one, two in zip(*map(_columns, clouds), strict=True))
    case = f"bytes of a cloud that differ between 1 and {most} threads"
    return Row(case, None, float(differ), "bytes", "none", differ == 0)


def _different_bytes(one: NDArray[Any], two: NDArray[Any]) -> int:
    if one.nbytes != two.nbytes:
        return max(one.nbytes, two.nbytes)
    return int(np.count_nonzero(np.frombuffer(one.tobytes(), np.uint8) != np.frombuffer(two.tobytes(), np.uint8)))


def _columns(cloud: PointCloud) -> list[Any]:
    """Return all arrays of a cloud."""
    return [value for value in vars(cloud).values() if isinstance(value, np.ndarray)]


def _process_rows() -> list[Row]:
    """Measure what needs fresh processes: compilation and start with a cache folder of their own, and peak memory.

    The start is that of processes that find all kernels compiled, the median of three: from the beginning of the
    interpreter over imports, handing the street to Embree and loading of kernels to the first cloud of a small LiDAR
    (VLP-16). Building the street is left out. Peak memory is that of a process that does nothing but scan.
    """
    with TemporaryDirectory() as folder:
        compiling_s, one_core_s = _compiling_s(Path(folder))
        fresh.measured("first_points", Path(folder))
        starts = [fresh.measured("first_points", Path(folder)) for _ in range(3)]
    start_s, peak_mb = median(run.wall_s - run.building_s for run in starts), fresh.measured("largest_scan").peak_mb
    slow, first = f"below {COMPILING_BAR_S:g} s", "first compilation of everything"
    return [
        Row(f"{first}, on all cores (sensorium compile)", None, compiling_s, "s", slow, compiling_s < COMPILING_BAR_S),
        Row(f"{first}, processor time", None, one_core_s, "s", "none: what a single core takes", True),
        Row("start to first points, compiled before", None, start_s, "s", f"below {START_BAR_S:g} s", start_s < START_BAR_S),
        Row("Alpha Prime, beams of 5 rays: peak memory of the whole process", None, peak_mb, "MB",
            f"below {MEMORY_BAR_MB:g} MB", peak_mb < MEMORY_BAR_MB),
    ]  # fmt: skip


def _compiling_s(folder: Path) -> tuple[float, float]:
    """Compile all kernels of the LiDAR into an empty folder; return wall-clock time and processor time [s]."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
    for _ in compile_lanes((lane for lane in LANES if lane.instrument == "lidar"), folder):
        pass
    taken_s, after = perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return taken_s, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
