"""The faces of a part as the cone sensor sees them: quads where two triangles make one, single triangles elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.scene.mesh import Mesh

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_FLAT = 1e-9
"""How far the fourth corner of a quad may lie from the plane of the others, as a share of its longest edge."""
_NO_AREA = 1e-12
"""A triangle whose height is a smaller share of its longest edge has no area."""


@dataclass(frozen=True, eq=False)
class Faces:
    """Faces of one mesh; a triangle is a quad whose third and fourth corner are one."""

    corners_m: Floats
    """[F, 4, 3]"""
    triangle: Ints
    """[F] number of the face's first triangle in the mesh."""
    closed: bool
    """Whether the mesh has an inside, so that faces that look away are hidden by others."""
    degenerate: int
    """Triangles without area; they are left out."""


def faces_of(mesh: Mesh) -> Faces:
    """Return the faces of a mesh.

    A triangle alone is covered by lines that run along its longest edge and end in the corner opposite: there the
    distance between the first line and the last is smallest.
    """
    corner = mesh.corners_m()
    good = np.flatnonzero(_has_area(corner))
    places, ids = np.unique(mesh.vertices_m, axis=0, return_inverse=True)
    triangles = ids.reshape(-1)[mesh.triangles[good]].astype(np.int64)
    edges = _Edges.of(triangles, len(places))
    partner = _partners(places, triangles, edges)
    alone = np.flatnonzero(partner < 0)
    first = np.flatnonzero(partner > np.arange(len(partner)))
    quads = _quads(triangles[first], triangles[partner[first]])
    singles = _longest_edge_first(places, triangles[alone])
    numbers = np.concatenate((good[first], good[alone]))
    found = np.concatenate((places[quads].reshape(-1, 4, 3), places[singles][:, [0, 1, 2, 2]]))
    order = np.argsort(numbers, kind="stable")
    closed = len(good) > 3 and edges.each_twice and _volume(places, triangles) > 0
    return Faces(np.ascontiguousarray(found[order]), numbers[order], bool(closed), len(corner) - len(good))


def _has_area(corner: Floats) -> NDArray[np.bool_]:
    """Return for triangles [T, 3, 3] whether their height over the longest edge is not nothing."""
    edges = np.roll(corner, -1, 1) - corner
    longest = (edges**2).sum(-1).max(1, initial=0.0)
    twice = np.linalg.norm(np.cross(edges[:, 0], edges[:, 1]), axis=1)
    return np.asarray(twice > _NO_AREA * longest)


def _volume(places: Floats, triangles: Ints) -> float:
    """Return the volume that triangles counter-clockwise seen from outside hold: sum of a . (b x c) / 6."""
    a, b, c = (places[triangles[:, i]] - places.mean(0) for i in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


@dataclass(frozen=True, eq=False)
class _Edges:
    """Edges between exactly two triangles that run along it in opposite directions."""

    one: Ints
    """[E] half edge 3 t + i: edge from corner i to the next of triangle t."""
    two: Ints
    """[E] half edge of the neighbour."""
    each_twice: bool
    """Whether all edges are such edges."""

    @classmethod
    def of(cls, triangles: Ints, places: int) -> _Edges:
        start, end = triangles.reshape(-1), np.roll(triangles, -1, 1).reshape(-1)
        key = np.minimum(start, end) * np.int64(max(places, 1)) + np.maximum(start, end)
        order = np.argsort(key, kind="stable")
        _, first, count = np.unique(key[order], return_index=True, return_counts=True)
        pairs = first[count == 2]
        one, two = order[pairs], order[pairs + 1]
        opposite = start[one] == end[two]
        return cls(one[opposite], two[opposite], bool((count == 2).all() and opposite.all()))


def _partners(places: Floats, triangles: Ints, edges: _Edges) -> Ints:
    """Return for each triangle the one with which it makes a flat convex quad, -1 for none [T].

    Both must choose each other: each takes the longest of its edges over which a quad is possible.
    """
    one, two = edges.one, edges.two
    t, i, s, j = one // 3, one % 3, two // 3, two % 3
    p, q = places[triangles[t, i]], places[triangles[t, (i + 1) % 3]]  # the shared edge: the diagonal
    r, o = places[triangles[t, (i + 2) % 3]], places[triangles[s, (j + 2) % 3]]
    normal = np.cross(q - p, r - p)
    length = np.sqrt(np.maximum(((q - p) ** 2).sum(1), ((r - o) ** 2).sum(1)))
    off = np.abs(np.einsum("ij,ij->i", normal, o - p))
    flat = off <= _FLAT * length * np.linalg.norm(normal, axis=1)
    turns = [np.cross(b - a, c - b) for a, b, c in ((r, p, o), (p, o, q), (o, q, r), (q, r, p))]
    convex = np.all([np.einsum("ij,ij->i", normal, turn) > 0 for turn in turns], axis=0) if len(one) else flat
    fits = np.flatnonzero(flat & convex)
    diagonal = np.linalg.norm(q - p, axis=1)[fits]
    best = np.full(len(triangles), -1, np.int64)
    order = np.lexsort((-fits, diagonal))  # the longest is written last; of equal ones the first edge
    chosen = _longest(fits, order, t, s, len(triangles))
    mutual = fits[(chosen[t[fits]] == fits) & (chosen[s[fits]] == fits)]
    best[t[mutual]], best[s[mutual]] = s[mutual], t[mutual]
    return best


def _longest(fits: Ints, order: Ints, t: Ints, s: Ints, count: int) -> Ints:
    """Return for each triangle its longest fitting edge, -1 for none; of assignments to one place the last one counts."""
    chosen = np.full(count, -1, np.int64)
    row = np.repeat(order, 2)
    triangle = np.stack((t[fits][order], s[fits][order]), 1).reshape(-1)
    chosen[triangle] = fits[row]
    return chosen


def _quads(first: Ints, second: Ints) -> Ints:
    """Return corners [Q, 4] of pairs of triangles, beginning where the first triangle has the shared edge behind it."""
    shared = (first[:, :, None] == second[:, None, :]).any(2)
    alone = np.argmin(shared, 1)  # the corner of the first triangle opposite the diagonal is the second of the quad
    row = np.arange(len(first))
    other = np.argmin((second[:, :, None] == first[:, None, :]).any(2), 1)
    corners = [first[row, (alone + 2) % 3], first[row, alone], first[row, (alone + 1) % 3], second[row, other]]
    return np.stack(corners, 1) if len(first) else np.empty((0, 4), np.int64)


def _longest_edge_first(places: Floats, triangles: Ints) -> Ints:
    """Return triangles [T, 3] turned so that their longest edge is the first."""
    corner = places[triangles]
    length = ((np.roll(corner, -1, 1) - corner) ** 2).sum(-1)
    start = np.argmax(length, 1) if len(triangles) else np.empty(0, np.int64)
    row = np.arange(len(triangles))[:, None]
    return np.asarray(triangles[row, (start[:, None] + np.arange(3)) % 3])
