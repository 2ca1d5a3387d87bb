"""Daylight in the receiver: sunlit surfaces raise the noise of the beams that look at them."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sensorium.materials.optical_table import ALBEDO, OpticalTable
from sensorium.scene.rays import Rays
from sensorium.scene.sun import Sun
from sensorium.scene.view import View
from sensorium.sensors.lidar.echoes import Met
from sensorium.sensors.lidar.links import LinkFigures
from sensorium.sensors.lidar.receiver import Receiver

_OFF_SURFACE_M = 1e-3


class Daylit(Protocol):
    """What of a LiDAR matters for daylight."""

    @property
    def receiver(self) -> Receiver:
        """The receiver."""

    @property
    def _link(self) -> LinkFigures: ...


def background_w(view: View, sun: Sun, axes: Met, table: OpticalTable, lidar: Daylit) -> NDArray[np.float64]:
    """Return the background power of some beams [N], given what is on their axes.

    P = E_sun cos(s) rho / pi Omega A eta dl for a matt surface that the sun reaches: spectral irradiance, solid angle of the
    detector, receiver area, optics, filter width.
    """
    scene, hits = view.scene, axes.hits
    rows = np.flatnonzero(hits.hit)
    facing = np.sum(axes.rays.direction[rows] * hits.normal[rows], axis=1)
    normal = np.where(facing[:, None] > 0, -hits.normal[rows], hits.normal[rows])
    slant = np.clip(normal @ sun.direction, 0.0, None)
    lit = np.flatnonzero(slant > 0)
    reached = ~view.occluded(_to_sun(view, axes, rows[lit], normal[lit], sun.direction))
    material = scene.part_material[scene.part_offset[hits.body[rows]] + hits.part[rows]]
    receiver, link = lidar.receiver, lidar._link
    collected = sun.irradiance_w_m2_nm * receiver.filter_width_nm * receiver.field_of_view_sr * link.aperture_m2 / np.pi
    power = np.zeros(len(hits.body))
    power[rows[lit]] = collected * slant[lit] * reached * table.values[material[lit], ALBEDO]
    return power


def _to_sun(
    view: View, met: Met, rows: NDArray[np.intp], normal: NDArray[np.float64], sun: NDArray[np.float64]
) -> Rays:
    """Return rays from the surfaces to the sun, at the time of their beams."""
    along = met.rays.direction[rows] / np.linalg.norm(met.rays.direction[rows], axis=1, keepdims=True)
    origin = met.rays.origin_m[rows] + along * met.hits.distance_m[rows, None] + normal * _OFF_SURFACE_M
    return Rays(origin, np.broadcast_to(sun, origin.shape).copy(), met.rays.time_ns[rows])
