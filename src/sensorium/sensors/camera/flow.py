"""Optical flow: where each point of each body is seen one image later, by the true motion of camera and body."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sensorium.core.pose import conjugate, rotate
from sensorium.core.time import Times
from sensorium.scene.rays import Hits, Rays
from sensorium.scene.view import View
from sensorium.sensors.camera.lens import T_SENSOR_OPTICAL, Lens
from sensorium.sensors.camera.raster import Raster

Floats = NDArray[np.float64]


def flow_px(
    view: View, lens: Lens, raster: Raster, rays: Rays, hits: Hits, row_middle_ns: Times, period_ns: int
) -> NDArray[np.float32]:
    """Return the flow [H, W, 2] (right, down) over a period; of the sky, by the turn of the camera alone.

    A point of row r is looked for at the time of the same row one period later. NaN where it leaves what the lens sees.
    """
    row = raster.pixel // raster.width
    later = np.asarray(row_middle_ns)[row] + period_ns
    met = hits.hit
    point = rays.origin_m + np.where(met, hits.distance_m, 1e9)[:, None] * rays.direction
    moving = [number for number in np.unique(hits.body[met]) if view.scene.bodies[number].motion.moves]
    for number in moving:
        rows = np.flatnonzero(hits.body == number)
        motion = view.scene.bodies[number].motion
        before, after = _poses(motion, rays.time_ns[rows]), _poses(motion, later[rows])
        inside = rotate(conjugate(before[1]), point[rows] - before[0])
        point[rows] = rotate(after[1], inside) + after[0]
    camera = view.pose_at(np.asarray(row_middle_ns) + period_ns)
    place = np.where(met[:, None], camera.position_m[row], rays.origin_m)
    seen = T_SENSOR_OPTICAL.inverse().rotate(rotate(conjugate(camera.quaternion[row]), point - place))
    now = np.stack((raster.pixel % raster.width, row), -1)
    return np.asarray(raster.image((lens.project(seen) - now).astype(np.float32), np.nan), np.float32)


def _poses(motion: object, times_ns: Times) -> tuple[Floats, Floats]:
    """Return position and quaternion at many times, few of which differ."""
    times, place = np.unique(times_ns, return_inverse=True)
    pose = motion.pose_at(times)  # type: ignore[attr-defined]
    position = np.broadcast_to(pose.position_m, (len(times), 3))
    return position[place], np.broadcast_to(pose.quaternion, (len(times), 4))[place]
