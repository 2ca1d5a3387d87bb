"""Rays that cannot be traced are refused by name, the same way by every tracer."""

from __future__ import annotations

import numpy as np

from sensorium.core.errors import RayError
from sensorium.core.time import TimeWindow
from sensorium.scene.rays import Rays


def check_rays(rays: Rays, window: TimeWindow) -> None:
    """Raise `RayError` for the first ray that is not finite, has no direction, or lies outside the window."""
    count = len(rays.time_ns)
    shapes = (rays.origin_m.shape, rays.direction.shape, rays.time_ns.shape)
    if shapes != ((count, 3), (count, 3), (count,)):
        raise RayError(f"rays need origin [N, 3], direction [N, 3] and time [N]; found {', '.join(map(str, shapes))}")
    if not 0 <= rays.near_m <= rays.far_m:
        raise RayError(f"rays need 0 <= near_m <= far_m, found {rays.near_m} and {rays.far_m}")
    reasons = (
        (~np.isfinite(rays.origin_m).all(1), "has an origin that is not finite"),
        (~np.isfinite(rays.direction).all(1), "has a direction that is not finite"),
        (~(np.abs(rays.direction).max(1, initial=0.0) > 0), "has a direction of length zero"),
        ((rays.time_ns < window.start_ns) | (rays.time_ns > window.end_ns), "has a time outside the window"),
    )
    for bad, reason in reasons:
        if bad.any():
            first = int(np.flatnonzero(bad)[0])
            raise RayError(
                f"ray {first} {reason} ({int(bad.sum())} such of {count}): origin {rays.origin_m[first]}, direction "
                f"{rays.direction[first]}, time {rays.time_ns[first]} ns, window {window.start_ns} to {window.end_ns} ns"
            )
