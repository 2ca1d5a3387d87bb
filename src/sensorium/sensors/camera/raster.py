"""The pixels of a lens as rays: in an order in which neighbours run side by side, each at the time of its row.

Every camera uses it, whatever it sees:

    raster = raster_of(lens)
    rays = raster.rays(view, raster.pixels(), times)        # world frame, ready for view.cast
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from sensorium.core.time import Times
from sensorium.scene.rays import Rays
from sensorium.scene.view import View
from sensorium.sensors.camera.lens import T_SENSOR_OPTICAL, Lens

Floats = NDArray[np.float64]

_TILE = 1024
"""Pixels in a tile of 32 x 32; blocks of entries begin at a multiple of it."""


def direction_number(column: NDArray[np.int32], row: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return which of 64 directions a pixel asks; the same in every block of 8 x 8 pixels."""
    return np.asarray((column % 8 + 8 * (row % 8)) * 29 % 64)


@dataclass(frozen=True, eq=False)
class Raster:
    """The N pixels that see anything, in packets of 4 x 4 along a Morton curve."""

    width: int
    height: int
    pixel: NDArray[np.int32]
    """[N] number of the pixel in the image, row * width + column."""
    direction: Floats
    """[N, 3] unit vector through the pixel's centre, sensor frame (x forward, y left, z up)."""
    across: NDArray[np.float32]
    """[N, 3] change of the direction to the next column, and"""
    down: NDArray[np.float32]
    """[N, 3] to the next row."""

    def __len__(self) -> int:
        return len(self.pixel)

    @cached_property
    def pixel_rad(self) -> float:
        """Width of a pixel, the median over the image."""
        return float(np.median(np.linalg.norm(self.across, axis=1))) if len(self) else 0.0

    def asking(self, first: int, count: int) -> NDArray[np.intp]:
        """Return which of some entries ask for the light from everywhere, counted from the first of them.

        Every second pixel asks, as on a chessboard. Those that ask the same direction in a tile of 32 x 32 come side by side.
        """
        order = self._by_direction[first : first + count]
        return np.asarray(order[self._on_white[order]] - first)

    @cached_property
    def _on_white(self) -> NDArray[np.bool_]:
        return np.asarray((self.pixel % self.width + self.pixel // self.width) % 2 == 0)

    @cached_property
    def _by_direction(self) -> NDArray[np.intp]:
        number = direction_number(self.pixel % self.width, self.pixel // self.width)
        return np.argsort(np.arange(len(self)) // _TILE * 64 + number, kind="stable")

    def rays(
        self, view: View, row_start_ns: Times, exposure_s: float, sample: int = 0, samples: int = 1,
        first: int = 0, count: int | None = None,
    ) -> Rays:  # fmt: skip
        """Return the rays of some entries of this raster (default: all), in the world frame.

        With one sample they pass the pixels' centres at the middle of the exposure. Of several, each has its own part of the
        pixel and of the exposure, the same in every frame (see `raster_kernels.aim`).
        """
        from sensorium.sensors.camera import raster_kernels

        track, window = view.track, view.window
        stop = len(self) if count is None else min(len(self), first + count)
        origin, direction, time_ns = raster_kernels.aim(
            self.pixel[first:stop], self.direction[first:stop], self.across[first:stop], self.down[first:stop], self.width,
            np.asarray(row_start_ns, np.int64), float(exposure_s) * 1e9, sample, samples, window.start_ns, window.end_ns,
            track.position_m, track.step_m, track.quaternion,
        )  # fmt: skip
        return Rays(origin, direction, time_ns, together=True)

    def image(self, values: NDArray[np.generic], nothing: float = 0.0) -> NDArray[np.generic]:
        """Return values [N, ...] of the entries as an image [H, W, ...]; `nothing` where the lens sees nothing."""
        shape = values.shape[1:]
        out = np.full((self.height * self.width, *shape), nothing, values.dtype)
        out[self.pixel] = values
        return out.reshape(self.height, self.width, *shape)


@lru_cache(maxsize=8)
def raster_of(lens: Lens) -> Raster:
    """Return the raster of a lens; it is kept, since a camera asks for it with every frame."""
    pixel = tile_order(lens.width, lens.height)
    place = np.stack((pixel % lens.width, pixel // lens.width), -1).astype(np.float64)
    optical = lens.directions(place)
    seen = np.isfinite(optical).all(-1)
    pixel, place, optical = pixel[seen], place[seen], optical[seen]
    across, down = (_slope(lens, place, step) for step in (np.array([0.5, 0.0]), np.array([0.0, 0.5])))
    turn = T_SENSOR_OPTICAL.rotate
    arrays = (pixel.astype(np.int32), turn(optical), turn(across).astype(np.float32), turn(down).astype(np.float32))
    for array in arrays:
        array.flags.writeable = False
    return Raster(lens.width, lens.height, *arrays)


def _slope(lens: Lens, place: Floats, step: Floats) -> Floats:
    """Return the change of the direction over one pixel; 0 at the edge of a fisheye's circle."""
    slope = lens.directions(place + step) - lens.directions(place - step)
    return np.where(np.isfinite(slope).all(-1, keepdims=True), slope, 0.0)


def tile_order(width: int, height: int) -> NDArray[np.int64]:
    """Return all pixels in tiles of 4 x 4, the tiles along a Morton curve, so that a packet of 16 rays is a tile."""
    row, column = np.mgrid[:height, :width]
    key = _spread(column >> 2) | (_spread(row >> 2) << 1)
    key = (key << 4) | ((row & 3) << 2) | (column & 3)
    return np.argsort(key.ravel(), kind="stable")


def _spread(value: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the bits of numbers below 65536 with a zero between each two."""
    value = value.astype(np.int64)
    for shift, mask in ((8, 0x00FF00FF), (4, 0x0F0F0F0F), (2, 0x33333333), (1, 0x55555555)):
        value = (value | (value << shift)) & mask
    return value
