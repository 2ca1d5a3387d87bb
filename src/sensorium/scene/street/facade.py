"""One outer wall with recessed windows and doors, in its own frame: x outward from the wall, y along it, z up.

Openings are rows (y low, z low, y high, z high) [N, 4] that do not overlap. A window pane is one sheet: it stands for
the whole glazing, with the transmission of its material.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sensorium.scene.mesh import Mesh
from sensorium.scene.street.extrusion import boxes, join, quads, sheet, solid

Floats = NDArray[np.float64]

REVEAL_M = 0.14
"""Depth of windows and doors behind the wall's surface."""
_FRAME_M = 0.07
_FRAME_DEPTH_M = 0.06
_SILL_M = 0.06
_K = np.arange(4)
_N = (_K + 1) % 4
# a square ring: front outer corners 0..3, front inner 4..7, back outer 8..11, back inner 12..15
_RING = np.concatenate(
    [
        np.concatenate((np.column_stack((a + _K, a + _N, b + _N)), np.column_stack((a + _K, b + _N, b + _K))))
        for a, b in ((0, 4), (12, 8), (8, 0), (4, 12))
    ]
)


def openings(middles_m: Floats, low_m: float, width_m: float, height_m: float) -> Floats:
    """Return equal openings [N, 4] about places along the wall."""
    half, one = width_m / 2, np.ones_like(middles_m)
    return np.column_stack((middles_m - half, low_m * one, middles_m + half, (low_m + height_m) * one))


def evenly(width_m: float, spacing_m: float) -> Floats:
    """Return the middles of as many windows as fit on a wall about its centre."""
    count = max(1, int((width_m - 0.8) // spacing_m))
    return np.asarray((np.arange(count) - (count - 1) / 2) * (width_m / count), np.float64)


@dataclass(frozen=True, eq=False)
class Facade:
    """A rectangular wall, centred on y = 0, with windows and doors."""

    width_m: float
    low_m: float
    high_m: float
    windows: Floats
    doors: Floats = field(default_factory=lambda: np.empty((0, 4)))

    def meshes(self) -> dict[str, Mesh]:
        """Return the wall and, where there are openings, what fills them."""
        made = {"walls": self._wall()}
        if len(self.windows):
            made |= {"frames": _frames(self.windows), "panes": _panes(self.windows), "sills": _sills(self.windows)}
        if len(self.doors):
            made |= {
                "doors": _leaves(self.doors),
                "handles": _handles(self.doors),
                "steps": _steps(self.doors, self.low_m),
            }
        return made

    def _wall(self) -> Mesh:
        """Return the wall's surface, cut along the edges of all openings, and the four sides of each opening."""
        holes = np.concatenate((self.windows, self.doors))
        y = np.unique(np.concatenate(([-self.width_m / 2, self.width_m / 2], holes[:, 0], holes[:, 2])))
        z = np.unique(np.concatenate(([self.low_m, self.high_m], holes[:, 1], holes[:, 3])))
        y0, z0, y1, z1 = holes.T[:, :, None, None]
        middle_y, middle_z = np.meshgrid((y[:-1] + y[1:]) / 2, (z[:-1] + z[1:]) / 2)
        open_cell = ((middle_y > y0) & (middle_y < y1) & (middle_z > z0) & (middle_z < z1)).any(0)
        grid_y, grid_z = np.meshgrid(y, z)
        whole = sheet(np.stack((np.zeros_like(grid_y), grid_y, grid_z), -1))
        kept = np.tile(~open_cell.reshape(-1), 2)
        return join((solid(whole.vertices_m, whole.triangles[kept]), _reveals(holes)))


def _reveals(holes: Floats) -> Mesh:
    """Return the inner sides of openings, facing into them."""
    y0, z0, y1, z1 = holes.T
    front, back = np.zeros_like(y0), np.full_like(y0, -REVEAL_M)

    def corner(x: Floats, y: Floats, z: Floats) -> Floats:
        return np.stack((x, y, z), -1)

    low = [corner(back, y0, z0), corner(front, y0, z0), corner(front, y1, z0), corner(back, y1, z0)]
    high = [corner(front, y0, z1), corner(back, y0, z1), corner(back, y1, z1), corner(front, y1, z1)]
    right = [corner(front, y0, z0), corner(back, y0, z0), corner(back, y0, z1), corner(front, y0, z1)]
    left = [corner(back, y1, z0), corner(front, y1, z0), corner(front, y1, z1), corner(back, y1, z1)]
    return quads(np.concatenate([np.stack(side, 1) for side in (low, high, right, left)]))


def _bars(x_m: tuple[float, float], y0: Floats, z0: Floats, y1: Floats, z1: Floats) -> tuple[Floats, Floats]:
    one = np.ones_like(y0)
    return np.column_stack((x_m[0] * one, y0, z0)), np.column_stack((x_m[1] * one, y1, z1))


def _frames(windows: Floats) -> Mesh:
    """Return a closed ring in each window and one upright between its casements."""
    y0, z0, y1, z1 = windows.T
    back, front, f = -REVEAL_M, -REVEAL_M + _FRAME_DEPTH_M, _FRAME_M
    loops = [
        np.stack([np.column_stack((np.full_like(y0, x), y, z)) for y, z in ((a, c), (b, c), (b, d), (a, d))], 1)
        for x in (front, back)
        for a, c, b, d in ((y0, z0, y1, z1), (y0 + f, z0 + f, y1 - f, z1 - f))
    ]
    triangles = 16 * np.arange(len(windows))[:, None, None] + _RING
    rings = Mesh(np.concatenate(loops, 1).reshape(-1, 3), triangles.reshape(-1, 3).astype(np.int32))
    middle = (y0 + y1) / 2
    return join((rings, boxes(*_bars((back, front), middle - f / 2, z0 + f, middle + f / 2, z1 - f))))


def _panes(windows: Floats) -> Mesh:
    """Return a sheet of glass in the middle of each frame."""
    y0, z0, y1, z1 = windows.T
    x, f = np.full_like(y0, -REVEAL_M + _FRAME_DEPTH_M / 2), _FRAME_M
    corners = ((y0 + f, z0 + f), (y1 - f, z0 + f), (y1 - f, z1 - f), (y0 + f, z1 - f))
    return quads(np.stack([np.column_stack((x, y, z)) for y, z in corners], 1))


def _sills(windows: Floats) -> Mesh:
    y0, z0, y1, _ = windows.T
    return boxes(*_bars((-0.02, _SILL_M), y0 - 0.05, z0 - 0.05, y1 + 0.05, z0 - 0.005))


def _leaves(doors: Floats) -> Mesh:
    """Return door leaves with two raised panels each."""
    y0, z0, y1, z1 = doors.T
    face, height = -REVEAL_M + 0.05, z1 - z0
    panels = [(0.10, 0.45), (0.52, 0.92)]
    raised = [_bars((face, face + 0.015), y0 + 0.15, z0 + a * height, y1 - 0.15, z0 + b * height) for a, b in panels]
    bars = [_bars((-REVEAL_M, face), y0, z0, y1, z1), *raised]
    return boxes(np.concatenate([low for low, _ in bars]), np.concatenate([high for _, high in bars]))


def _handles(doors: Floats) -> Mesh:
    _, z0, y1, _ = doors.T
    face = -REVEAL_M + 0.05
    return boxes(*_bars((face, face + 0.06), y1 - 0.12, z0 + 0.95, y1 - 0.06, z0 + 1.13))


def _steps(doors: Floats, low_m: float) -> Mesh:
    """Return two steps from the ground up to each door."""
    y0, z0, y1, _ = doors.T
    low = np.full_like(z0, low_m)
    bars = [_bars((0.0, 0.35 * (2 - k)), y0 - 0.2, low, y1 + 0.2, z0 * (k + 1) / 2) for k in range(2)]
    return boxes(np.concatenate([low for low, _ in bars]), np.concatenate([high for _, high in bars]))
