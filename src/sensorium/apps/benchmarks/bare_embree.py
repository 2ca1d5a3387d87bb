"""The yardstick: a loop that does nothing but call Embree. Import this lazily: it loads Numba.

It reads rays that are already 32-bit, normalised and in Embree's frame, traces them in the same packets with the same
threads, and keeps the distance alone. No tracer with more to say can be faster.
"""

from __future__ import annotations

from collections.abc import Callable

import numba as nb
import numpy as np
from numpy.typing import NDArray

from sensorium.core.time import TimeWindow
from sensorium.scene.rays import Rays
from sensorium.tracing import EmbreeTracer
from sensorium.tracing.embree.kernels import aligned
from sensorium.tracing.embree.library import TOGETHER, rtc_intersect16, rtc_occluded16

_WIDTH = 16
_PACKETS_PER_TASK = 64
_NOTHING = np.uint32(0xFFFFFFFF)


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def distances(scene, how, origin, direction, when, far, distance, any_hit):  # type: ignore[no-untyped-def]
    """Trace rays given as [3, N] float32 and write their distances [N]; with `any_hit` -infinity where anything is."""
    n = origin.shape[1]
    packets = (n + _WIDTH - 1) // _WIDTH
    for task in nb.prange((packets + _PACKETS_PER_TASK - 1) // _PACKETS_PER_TASK):
        r = aligned(21 * _WIDTH)
        words = r.view(np.uint32)
        valid = aligned(_WIDTH).view(np.int32)
        for packet in range(task * _PACKETS_PER_TASK, min(packets, (task + 1) * _PACKETS_PER_TASK)):
            first = packet * _WIDTH
            count = min(_WIDTH, n - first)
            for j in range(_WIDTH):
                valid[j] = -1 if j < count else 0
                r[48 + j], r[128 + j] = 0.0, far
                words[144 + j], words[160 + j], words[176 + j] = _NOTHING, 0, 0
                words[288 + j], words[304 + j] = _NOTHING, _NOTHING
            for j in range(count):
                for axis in range(3):
                    r[16 * axis + j] = origin[axis, first + j]
                    r[64 + 16 * axis + j] = direction[axis, first + j]
                r[112 + j] = when[first + j]
            if any_hit:
                rtc_occluded16(valid.ctypes.data, scene, r.ctypes.data, how)
            else:
                rtc_intersect16(valid.ctypes.data, scene, r.ctypes.data, how)
            for j in range(count):
                distance[first + j] = r[128 + j]


def call(
    tracer: EmbreeTracer, rays: Rays, window: TimeWindow, place_m: NDArray[np.float64], any_hit: bool = False
) -> Callable[[], object]:
    """Return a call that traces these rays through the tracer's scene with its threads; bodies must be placed already.

    Rays that run together are traced so; `any_hit` asks only whether anything lies on them.
    """
    origin = np.ascontiguousarray((rays.origin_m - place_m).T, np.float32)
    direction = np.ascontiguousarray(
        (rays.direction / np.linalg.norm(rays.direction, axis=1, keepdims=True)).T, np.float32
    )
    when = ((rays.time_ns - window.start_ns) / max(1, window.duration_ns)).astype(np.float32)
    out, how = np.empty(len(rays), np.float32), TOGETHER if rays.together else 0

    def trace() -> None:
        nb.set_num_threads(tracer.threads)
        distances(tracer.scene_handle, how, origin, direction, when, np.float32(rays.far_m), out, any_hit)

    return trace
