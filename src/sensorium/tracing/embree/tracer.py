"""The fast tracer. Making one loads Numba and Embree; importing this module does not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sensorium.core.errors import ConfigurationError
from sensorium.core.time import TimeWindow
from sensorium.scene.rays import Hits, RayCaster, Rays
from sensorium.scene.scene import Scene
from sensorium.tracing.refusal import check_rays

if TYPE_CHECKING:
    from sensorium.tracing.embree.world import EmbreeWorld

Floats = NDArray[np.float64]


class EmbreeTracer:
    """Embree behind the `Tracer` protocol.

    `threads` is the number of tracing threads (default: all cores); the answers do not depend on it. Positions keep
    single precision relative to a place near the sensor: 0.03 mm within 500 m. A tracer serves one caller at a time.
    """

    def __init__(self, scene: Scene, threads: int | None = None) -> None:
        import numba

        from sensorium.tracing.embree.world import EmbreeWorld

        most = int(numba.config.NUMBA_NUM_THREADS)
        if threads is not None and not 1 <= threads <= most:
            raise ConfigurationError(f"threads must be 1 to {most} on this machine, found {threads}")
        self.scene = scene
        self.threads = threads or most
        self._world = EmbreeWorld(scene)
        self._placed: tuple[TimeWindow, bytes] | None = None

    def during(self, window: TimeWindow, near_m: Floats) -> RayCaster:
        """Return a caster for the window; rays should stay within some hundred metres of the place."""
        return EmbreeCaster(self, window, np.array(near_m, np.float64))

    @property
    def scene_handle(self) -> int:
        """Embree's own scene, for benchmarks that call Embree directly."""
        return self._world.world

    def place_bodies(self, window: TimeWindow, anchor_m: Floats) -> None:
        """Move all bodies to where they are in the window; casters do this by themselves when they must."""
        self._placed = None
        self._world.place(window, anchor_m)
        self._placed = window, anchor_m.tobytes()

    def _world_during(self, window: TimeWindow, anchor_m: Floats) -> EmbreeWorld:
        """Return the world with its bodies where they are in the window; moves them only if another caster did."""
        wanted = window, anchor_m.tobytes()
        if self._placed != wanted:
            self.place_bodies(window, anchor_m)
        return self._world


@dataclass(frozen=True, eq=False)
class EmbreeCaster:
    """The tracer's scene during one window, near one place. Several may live; each call moves the bodies if it must."""

    _tracer: EmbreeTracer
    window: TimeWindow
    anchor_m: Floats

    def cast(self, rays: Rays) -> Hits:
        """Return the nearest hit of each ray."""
        from sensorium.tracing.embree import kernels

        world, count = self._tracer._world_during(self.window, self.anchor_m), len(rays)
        hits = Hits(
            np.empty(count),
            np.empty(count, np.int32),
            np.empty(count, np.int32),
            np.empty(count, np.int32),
            np.empty((count, 2), np.float32),
            np.empty((count, 3), np.float32),
        )
        with _Threads(_threads_for(count, self._tracer.threads)):
            refused = kernels.intersect(
                *self._packets_of(world, rays),
                world.geometry_first, world.geometry_body, world.geometry_part,
                world.key_first, world.key_count, world.key_quaternion,
                hits.distance_m, hits.body, hits.part, hits.triangle, hits.barycentric, hits.normal,
            )  # fmt: skip
        if refused:
            check_rays(rays, self.window)
        return hits

    def occluded(self, rays: Rays) -> NDArray[np.bool_]:
        """Return for each ray whether anything lies on it."""
        from sensorium.tracing.embree import kernels

        world = self._tracer._world_during(self.window, self.anchor_m)
        blocked = np.empty(len(rays), np.bool_)
        with _Threads(_threads_for(len(rays), self._tracer.threads)):
            refused = kernels.occlude(*self._packets_of(world, rays), blocked)
        if refused:
            check_rays(rays, self.window)
        return blocked

    def _packets_of(self, world: EmbreeWorld, rays: Rays) -> tuple[object, ...]:
        """Return what both kernels need to make packets."""
        from sensorium.tracing.embree.library import TOGETHER

        count = len(rays.time_ns)
        if (
            rays.origin_m.shape != (count, 3)
            or rays.direction.shape != (count, 3)
            or not 0 <= rays.near_m <= rays.far_m
        ):
            check_rays(rays, self.window)
        per_ns = 1.0 / self.window.duration_ns if self.window.duration_ns else 0.0
        return (
            world.world, TOGETHER if rays.together else 0, rays.origin_m, rays.direction, rays.time_ns, float(rays.near_m),
            float(rays.far_m), self.anchor_m, self.window.start_ns, per_ns,
        )  # fmt: skip


def _threads_for(rays: int, most: int) -> int:
    """Return how many threads are worth waking: 4096 rays take one of them a third of a millisecond."""
    return min(most, 1 + rays // 4096)


class _Threads:
    """Numba's thread count for a while; the caller's own setting comes back afterwards."""

    def __init__(self, count: int) -> None:
        self._count = count

    def __enter__(self) -> None:
        import numba

        self._before = numba.get_num_threads()
        numba.set_num_threads(self._count)

    def __exit__(self, *error: object) -> None:
        import numba

        numba.set_num_threads(self._before)
