"""What the cone sensor's aperture meets, and how fast it moves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.core.vectors import cross
from sensorium.scene.view import View

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Sighting:
    """The nearest point of every body in the cone, from near to far."""

    body: Ints
    """[N]"""
    part: Ints
    """[N]"""
    triangle: Ints
    """[N] of the part's mesh; the first one of a quad."""
    points_m: Floats
    """[N, 3] true, sensor frame."""
    range_m: Floats
    """[N] as the time of flight tells it."""
    level_db: Floats
    """[N] what beam and air leave of the echo."""
    doppler_m_s: Floats
    """[N] true radial speed, positive: going away; NaN if nobody asks."""
    degenerate_faces: int
    """Triangles of the scene that were left out."""


def doppler_m_s(view: View, body: Ints, points_m: Floats) -> Floats:
    """Return the radial speed [N] of points of bodies: (v_body + w x (p - o) - v_sensor) . (p - s) / |p - s|."""
    time_ns = np.array([view.window.start_ns], np.int64)
    own = view.kinematics_at(time_ns)
    way = own.pose.rotate(points_m)
    relative = np.repeat(-own.velocity_m_s, len(body), 0)
    rows = [row for row, number in enumerate(body.tolist()) if view.scene.bodies[number].motion.moves]
    if rows:
        its = view.scene.kinematics_at(body[rows].tolist(), time_ns).rows((slice(None), 0))
        lever = own.pose.position_m[0] + way[rows] - its.pose.position_m
        relative[rows] += its.velocity_m_s + cross(its.angular_velocity_rad_s, lever)
    distance = np.linalg.norm(way, axis=1)
    return np.asarray(np.einsum("ij,ij->i", relative, way) / np.where(distance > 0, distance, 1.0))
