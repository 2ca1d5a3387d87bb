"""The skin of a car: a loft along x through half sections, cut into paint, glass, lights and black plastic.

Frame: x forward, y left, z up; the origin lies on the ground below the middle of the rear axle. Every half section has
the same rows from the middle of the floor out to the wheel arch, up the side to the belt line, up the window to the
roof rail, and in to the middle of the roof. On the bonnet the rows between belt and rail fall together without facets.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.scene.mesh import Mesh
from sensorium.scene.revolution import grid_triangles
from sensorium.scene.street.extrusion import both_sides, join, solid

Floats = NDArray[np.float64]
Line = tuple[tuple[float, float], ...]
Span = tuple[float, float]

_ROWS = 14
_FLOOR_ROWS, _LIGHT_ROW, _TAIL_ROWS, _WINDOW_ROW, _TOP_ROWS = slice(0, 3), 5, slice(4, 6), 8, slice(11, 13)
_BELT_ROW = 7
_TOP = np.array([1.0, 0.87, 0.5, 0.0])
"""Where the rows from the rail to the middle of the roof lie across; so do the columns of the car's ends."""
_CROWN_M = 0.055
_WELL_M = 0.30
"""How far a wheel arch reaches under the car."""
_ARCH_GAP_M = 0.045
_NOSE_M, _TAIL_M = 0.8, 0.5
"""Lengths over which the plan narrows towards the ends."""


@dataclass(frozen=True)
class CarShape:
    """The lines of a car; all x are from the rear axle."""

    name: str
    half_width_m: float
    wheelbase_m: float
    wheel_radius_m: float
    top: Line
    """Outline (x, z) in the middle of the car, from tail to nose; its ends are those of the belt."""
    belt: Line
    """Lower edge of the side windows and edge of the bonnet (x, z), from tail to nose."""
    windscreen: Span
    """Upper and lower end x."""
    rear_window: Span
    """Lower and upper end x."""
    side_windows: tuple[Span, ...]
    lean: float
    """How far the side windows lean inward per height."""
    floor_m: float = 0.2

    @property
    def tail_m(self) -> float:
        """Rearmost x."""
        return self.top[0][0]

    @property
    def nose_m(self) -> float:
        """Foremost x."""
        return self.top[-1][0]

    def top_m(self, x_m: Floats | float) -> Floats:
        """Return the height of the middle line above x."""
        return np.asarray(np.interp(x_m, *_smooth(self.top).T))

    def belt_m(self, x_m: Floats | float) -> Floats:
        """Return the height of the belt line above x."""
        return np.asarray(np.interp(x_m, *_smooth(self.belt).T))

    def width_m(self, x_m: Floats | float) -> Floats:
        """Return half the width at x: round towards the nose and, less so, towards the tail."""
        ahead = np.clip((np.asarray(x_m) - self.nose_m) / _NOSE_M + 1, 0, 1)
        behind = np.clip((self.tail_m - np.asarray(x_m)) / _TAIL_M + 1, 0, 1)
        return self.half_width_m * (1 - 0.20 * ahead**2.5 - 0.09 * behind**3)


def _smooth(line: Line) -> Floats:
    """Round off a polyline by cutting its corners twice (Chaikin 1974); its ends stay."""
    points = np.array(line)
    for _ in range(2):
        cut = np.stack((0.75 * points[:-1] + 0.25 * points[1:], 0.25 * points[:-1] + 0.75 * points[1:]), 1)
        points = np.concatenate((points[:1], cut.reshape(-1, 2), points[-1:]))
    return points


def shell(shape: CarShape) -> dict[str, Mesh]:
    """Return the closed skin, by what it is made of."""
    x = _stations(shape)
    sections = _sections(shape, x)
    front, rear = _cap(sections[-1]), _cap(sections[0])[:, ::-1]
    grids = [
        (_bent(shape, sections), _side_pieces(shape, (x[1:] + x[:-1]) / 2)),
        (_bent(shape, front), _front_pieces()),
        (_bent(shape, rear), _rear_pieces()),
    ]
    names = sorted({str(name) for _, pieces in grids for name in pieces.flat})
    return {name: both_sides(join(_cells(grid, pieces == name) for grid, pieces in grids)) for name in names}


def _cells(grid: Floats, wanted: NDArray[np.bool_]) -> Mesh:
    """Return the facets of those cells of a grid that are wanted."""
    rows, columns = grid.shape[:2]
    return solid(grid.reshape(-1, 3), grid_triangles(rows, columns)[np.tile(wanted.reshape(-1), 2)])


def _stations(shape: CarShape) -> Floats:
    """Return the x of all sections: dense at the ends and over the wheels, and at every edge of a window."""
    radius = shape.wheel_radius_m + _ARCH_GAP_M
    turn = np.append(radius * np.cos(np.linspace(0, np.pi, 10)), (-radius - 0.012, radius + 0.012))
    pieces = [axle + turn for axle in (0.0, shape.wheelbase_m)]
    pieces += [np.linspace(*span, 5) for span in (shape.windscreen, shape.rear_window)]
    pieces += [np.array(span) for span in shape.side_windows]
    pieces += [
        shape.tail_m + np.array([0.0, 0.04, 0.11, 0.22]),
        shape.nose_m - np.array([0.0, 0.03, 0.09, 0.2, 0.35, 0.55]),
    ]
    x = np.unique(np.round(np.concatenate(pieces), 4))
    return np.asarray(x[(x >= shape.tail_m) & (x <= shape.nose_m)], np.float64)


def _lower_edge_m(shape: CarShape, x: Floats) -> Floats:
    """Return the lower edge of the side: the floor, or a wheel arch: half a circle on two uprights."""
    radius = shape.wheel_radius_m + _ARCH_GAP_M
    offset = np.minimum(np.abs(x), np.abs(x - shape.wheelbase_m))
    arch = shape.wheel_radius_m + np.sqrt(np.maximum(radius**2 - offset**2, 0))
    return np.where(offset < radius + 0.005, arch, shape.floor_m)


def _sections(shape: CarShape, x: Floats) -> Floats:
    """Return the left half sections [stations, rows, 3]."""
    width, belt, top, low = shape.width_m(x), shape.belt_m(x), shape.top_m(x), _lower_edge_m(shape, x)
    crown = np.clip(top - belt, 0.0, _CROWN_M)
    above = np.maximum(top - crown - belt, 0.0)
    above[above < 0.004] = 0.0  # thinner than this the window is a line
    floor, well = np.full_like(x, shape.floor_m), np.minimum(shape.half_width_m - _WELL_M, 0.85 * width)
    side = belt - low
    rows = [(0 * x, floor), (well, floor), (well, low), (0.97 * width, low)]
    rows += [(out * width, low + up * side) for out, up in ((1.0, 0.38), (0.995, 0.64), (0.98, 0.88), (0.955, 1.0))]
    rail = 0.955 * width - shape.lean * above
    lower, upper = np.minimum(0.03, 0.3 * above), above - np.minimum(0.06, 0.4 * above)
    rows += [(0.955 * width - shape.lean * t, belt + t) for t in (lower, upper, above)]
    rows += [(part * rail, belt + above + (top - belt - above) * (1 - part**2.5)) for part in _TOP[1:]]
    y, z = (np.stack([row[k] for row in rows], 1) for k in range(2))
    return np.stack((np.broadcast_to(x[:, None], y.shape), y, z), -1)


def _cap(section: Floats) -> Floats:
    """Return the grid [rows up to the belt, 4 columns from the middle outward] that closes the car at an end."""
    columns = np.ones((len(_TOP), 3))
    columns[:, 1] = _TOP[::-1]
    return np.asarray(section[: _BELT_ROW + 1, None] * columns)


def _bent(shape: CarShape, points: Floats) -> Floats:
    """Return points moved so that nose and tail are round seen from above, and bumpers stand out below."""
    x, y, z = np.moveaxis(points, -1, 0)
    ahead = np.clip((x - shape.nose_m) / _NOSE_M + 1, 0, 1) ** 2
    behind = np.clip((shape.tail_m - x) / _TAIL_M + 1, 0, 1) ** 2
    across, up = (y / shape.half_width_m) ** 2, np.clip(z - 0.48, -0.3, 0.4) ** 2
    return np.stack((x - ahead * (0.30 * across + 0.9 * up) + behind * (0.13 * across + 0.35 * up), y, z), -1)


def _side_pieces(shape: CarShape, x: Floats) -> NDArray[np.str_]:
    """Return what each cell of the side and the top is made of [stations - 1, rows - 1]."""
    pieces = np.full((len(x), _ROWS - 1), "paint", dtype="<U12")
    pieces[:, _FLOOR_ROWS] = "underbody"
    pieces[x > shape.nose_m - 0.35, _LIGHT_ROW] = "headlights"
    pieces[x < shape.tail_m + 0.2, _TAIL_ROWS] = "tail_lights"
    first, last = shape.side_windows[0][0], shape.side_windows[-1][1]
    pieces[(x > first) & (x < last), _WINDOW_ROW] = "pillars"
    for low, high in shape.side_windows:
        pieces[(x > low) & (x < high), _WINDOW_ROW] = "windows"
    for low, high in (shape.windscreen, shape.rear_window):
        pieces[(x > low) & (x < high), _TOP_ROWS] = "windscreens"
    return pieces


def _front_pieces() -> NDArray[np.str_]:
    """Return what each cell of the front is made of [rows, columns from the middle outward]."""
    pieces = np.full((_BELT_ROW, len(_TOP) - 1), "paint", dtype="<U12")
    pieces[_FLOOR_ROWS] = "underbody"
    pieces[3], pieces[4, 0] = "grille", "grille"
    pieces[_LIGHT_ROW, 1:] = "headlights"
    return pieces


def _rear_pieces() -> NDArray[np.str_]:
    """Return what each cell of the rear is made of [rows, columns from the outside inward]."""
    pieces = np.full((_BELT_ROW, len(_TOP) - 1), "paint", dtype="<U12")
    pieces[_FLOOR_ROWS] = "underbody"
    pieces[3] = "grille"
    pieces[_TAIL_ROWS, :2] = "tail_lights"
    return pieces
