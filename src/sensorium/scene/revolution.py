"""Surfaces of revolution: a profile (radius, height) turned about z, in flat facets that stay within a tolerance.

All vertices lie on the true surface, so facets lie inside it. A ring of n segments spans the half angle a = pi/n per
facet. A cylinder's facet is then at most r (1 - cos a) deep. A sphere's facet is a trapezium of half angle a both ways,
at most r (1 - cos^2 a) deep: the plane through the four corners at latitudes L +- a, longitudes +- a, is
r cos^2 a / sqrt(1 - sin^2 L sin^2 a) >= r cos^2 a away from the centre.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.core.errors import SceneError
from sensorium.scene.mesh import Mesh

Floats = NDArray[np.float64]

FEWEST_SEGMENTS = 12
MOST_SEGMENTS = 4096


def default_facet_m(radius_m: float) -> float:
    """Return the depth of facets if none is asked for: 0.1 % of the radius, at most 1 mm, or 0.01 % beyond 10 m."""
    return min(radius_m / 1000, max(1e-3, radius_m / 10_000))


def segments(radius_m: float, facet_m: float | None, double_curved: bool) -> int:
    """Return the segments of a full circle, a multiple of four, whose facets lie at most `facet_m` below the surface.

    Round one way: n = pi / arccos(1 - facet/r); round both ways: n = pi / arccos(sqrt(1 - facet/r)).
    """
    cosine = max(0.0, 1 - (default_facet_m(radius_m) if facet_m is None else facet_m) / radius_m)
    half_angle = math.acos(math.sqrt(cosine) if double_curved else cosine)
    count = 4 * math.ceil(math.pi / half_angle / 4) if half_angle > 0 else MOST_SEGMENTS + 1
    if count > MOST_SEGMENTS:
        raise SceneError(
            f"facet_m = {facet_m:g} m on a radius of {radius_m:g} m needs more than {MOST_SEGMENTS} segments; "
            "make facet_m larger"
        )
    return max(FEWEST_SEGMENTS, count)


@dataclass(frozen=True, eq=False)
class Band:
    """A smooth piece of a profile, from the bottom up the outside: rows [K] that are turned about z."""

    radius_m: Floats
    z_m: Floats
    normal_radial: Floats
    """Outward component of the unit normal away from the axis [K]."""
    normal_z: Floats
    v: Floats
    """Second texture coordinate [K]; the first is the longitude over 2 pi, counter-clockwise from +x."""

    @classmethod
    def straight(cls, bottom: tuple[float, float], top: tuple[float, float]) -> Band:
        """Return the band between two points (radius, z): a disc, the wall of a cylinder or a cone."""
        (r0, z0), (r1, z1) = bottom, top
        length = math.hypot(r1 - r0, z1 - z0)
        radial, upward = np.full(2, (z1 - z0) / length), np.full(2, (r0 - r1) / length)
        return cls(np.array([r0, r1]), np.array([z0, z1]), radial, upward, np.array([0.0, 1.0]))

    @property
    def is_disc(self) -> bool:
        """Whether the band is flat across the axis: its texture then lies flat as well."""
        return bool(self.z_m[0] == self.z_m[-1])


def revolve(bands: tuple[Band, ...], count: int) -> Mesh:
    """Return the mesh of all bands turned in `count` segments; edges between bands are sharp."""
    turn = np.arange(count) * (2 * np.pi / count)
    cosine, sine = (np.append(wave(turn), wave(0.0)) for wave in (np.cos, np.sin))  # the seam closes to the last bit
    pieces = [_turned(band, cosine, sine) for band in bands]
    starts = np.cumsum([0] + [len(vertices) for vertices, _, _, _ in pieces])
    triangles = [triangles + start for (_, triangles, _, _), start in zip(pieces, starts, strict=False)]
    vertices, normals, uv = (np.concatenate([piece[k] for piece in pieces]) for k in (0, 2, 3))
    return Mesh(vertices, np.concatenate(triangles).astype(np.int32), normals, uv)


def _turned(band: Band, cosine: Floats, sine: Floats) -> tuple[Floats, NDArray[np.int64], Floats, Floats]:
    rows, columns = len(band.z_m), len(cosine)
    across = np.stack((cosine, sine), -1)
    vertices = np.concatenate((band.radius_m[:, None, None] * across, _spread(band.z_m, columns)), -1)
    normals = np.concatenate((band.normal_radial[:, None, None] * across, _spread(band.normal_z, columns)), -1)
    if band.is_disc:
        side = np.array([np.sign(band.normal_z[0]), 1.0])  # seen from outside, u runs to the right
        uv = 0.5 + 0.5 * side * vertices[..., :2] / band.radius_m.max()
    else:
        u = np.broadcast_to(np.linspace(0, 1, columns), (rows, columns))
        uv = np.concatenate((u[..., None], _spread(band.v, columns)), -1)
    triangles = grid_triangles(rows, columns, band.radius_m)
    return vertices.reshape(-1, 3), triangles, normals.reshape(-1, 3), uv.reshape(-1, 2)


def _spread(values: Floats, columns: int) -> Floats:
    return np.broadcast_to(values[:, None, None], (len(values), columns, 1))


def grid_triangles(rows: int, columns: int, radius_m: Floats | None = None) -> NDArray[np.int64]:
    """Return two triangles per cell of a grid of vertices, columns to the right and rows up: counter-clockwise.

    Rows of zero radius are points on the axis; the triangles with an edge there vanish and are left out.
    """
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).astype(np.int64)
    lower = np.stack((corner, corner + 1, corner + columns + 1), -1)
    upper = np.stack((corner, corner + columns + 1, corner + columns), -1)
    if radius_m is None:
        return np.concatenate((lower.reshape(-1, 3), upper.reshape(-1, 3)))
    return np.concatenate((lower[radius_m[:-1] > 0].reshape(-1, 3), upper[radius_m[1:] > 0].reshape(-1, 3)))
