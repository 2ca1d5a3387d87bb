"""Satellites seen over walls, windows and the ground: every mirror path of one bounce.

Candidates come from the image method over the plane facets of the scene (`facet_kernels`); a ray then has to meet the facet at
its mirror point, and another has to leave from there to the satellite.

The strength after ITU-R P.2040 (`materials.radio`): a right-handed wave that meets a surface comes back right-handed with
(R_TM + R_TE) / 2 and left-handed with (R_TM - R_TE) / 2; roughness takes from it what Ament says, and a facet that is smaller
than its first Fresnel zone, pi lambda t / cos theta for a satellite that is infinitely far, sends the share of its area.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sensorium.core.earth import SPEED_OF_LIGHT_M_S
from sensorium.materials.library import MaterialLibrary
from sensorium.materials.radio import RadioTable, reflection, rough_factor
from sensorium.scene.rays import Hits, Rays
from sensorium.scene.view import View
from sensorium.sensors.gnss.edges import NEAR_M
from sensorium.sensors.gnss.facets import facets_of
from sensorium.sensors.gnss.signals import L1_HZ

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

NEAREST_PLANE_M, FARTHEST_M = 0.25, 200.0
LEAST_SHARE = 0.03
"""Of the first Fresnel zone that a facet must fill; less sends back under a thousandth of the power."""
_TOLERANCE_M = 5e-3
_DEFAULT_PERMITTIVITY = 5.24 - 0.5j
"""Concrete (ITU-R P.2040-3, table 3), for materials that tell nothing of radio waves."""


@dataclass(frozen=True, eq=False)
class Mirrors:
    """P mirror paths."""

    satellite: Ints
    """[P] row of the line of sight."""
    distance_m: Floats
    """[P] from the antenna to the mirror point."""
    arrival: Floats
    """[P, 3] direction from the antenna to the mirror point."""
    normal: Floats
    """[P, 3] of the surface."""
    cosine: Floats
    """[P] of the angle of incidence."""
    excess_m: Floats
    """[P] by how much the path is longer than the direct one: t (1 - s'.s) = 2 h cos theta at height h over the plane."""
    material: Ints
    """[P] row in the library."""
    area_m2: Floats
    """[P] of the facet."""

    def strength(self, library: MaterialLibrary, frequency_hz: float) -> tuple[NDArray[np.complex128], ...]:
        """Return the amplitudes [P] with which right-handed waves come back right-handed and left-handed."""
        table = _radio_table(library, frequency_hz)
        eta = np.where(np.isnan(table.permittivity), _DEFAULT_PERMITTIVITY, table.permittivity)[self.material]
        thick = np.where(np.isnan(table.thickness_m), np.inf, table.thickness_m)[self.material]
        te, tm = reflection(eta, thick, self.cosine, frequency_hz)
        rough = rough_factor(np.nan_to_num(table.roughness_m)[self.material], self.cosine, frequency_hz)
        zone_m2 = np.pi * SPEED_OF_LIGHT_M_S / frequency_hz * self.distance_m / self.cosine
        share = rough * np.minimum(1.0, self.area_m2 / zone_m2)
        return share * (tm + te) / 2, share * (tm - te) / 2


@lru_cache(maxsize=8)
def _radio_table(library: MaterialLibrary, frequency_hz: float) -> RadioTable:
    return library.radio_table(frequency_hz, rows=())


def mirrors_of(view: View, place_m: Floats, towards: Floats) -> Mirrors:
    """Return the mirror paths of satellites in directions [K, 3] of the world that reach the antenna."""
    from sensorium.sensors.gnss.facet_kernels import mirror_candidates

    facets = facets_of(view.scene).at(view.window.start_ns)
    satellite, facet, distance_m = mirror_candidates(
        place_m, towards, facets.centre_m, facets.normal, facets.axes, facets.half_m, facets.area_m2, NEAREST_PLANE_M,
        FARTHEST_M, LEAST_SHARE * np.pi * SPEED_OF_LIGHT_M_S / L1_HZ,
    )  # fmt: skip
    order = np.argsort(satellite, kind="stable")
    satellite, facet, distance_m = satellite[order], facet[order], distance_m[order]
    normal = facets.normal[facet]
    slope = (towards[satellite] * normal).sum(1, keepdims=True)
    arrival = towards[satellite] - 2 * slope * normal
    met = _cast(view, np.broadcast_to(place_m, arrival.shape), arrival, NEAR_M)
    there = np.abs(met.distance_m - distance_m) < _TOLERANCE_M + 1e-5 * distance_m
    there &= np.abs((met.normal * normal).sum(1)) > 1 - 1e-5
    rows = _once(np.flatnonzero(there), satellite, met)
    point = place_m + (distance_m[rows] - _TOLERANCE_M)[:, None] * arrival[rows]
    free = ~np.isfinite(_cast(view, point, towards[satellite[rows]], _TOLERANCE_M / 2).distance_m)
    rows = rows[free]
    scene, s = view.scene, satellite[rows]
    part = scene.part_offset[met.body[rows]] + met.part[rows] if len(rows) else np.zeros(0, np.int64)
    return Mirrors(
        s, distance_m[rows], arrival[rows], normal[rows], np.abs(slope[rows, 0]),
        distance_m[rows] * (1 - (arrival[rows] * towards[s]).sum(1)),
        scene.part_material[part].astype(np.int64), facets.area_m2[facet[rows]],
    )  # fmt: skip


def _once(rows: Ints, satellite: Ints, met: Hits) -> Ints:
    """Return one of the rows that belong to the same satellite and triangle: rectangles of facets may overlap."""
    columns = (satellite, met.body, met.part, met.triangle)
    first: dict[tuple[int, ...], int] = {}
    for row, *key in zip(rows.tolist(), *(column[rows].tolist() for column in columns), strict=True):
        first.setdefault(tuple(key), row)
    return np.array(list(first.values()), np.int64)


def _cast(view: View, origin_m: Floats, direction: Floats, near_m: float) -> Hits:
    times = np.full(len(direction), view.window.start_ns)
    return view.cast(Rays(np.ascontiguousarray(origin_m), np.ascontiguousarray(direction), times, near_m))
