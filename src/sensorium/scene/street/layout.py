"""Where everything lies: the cross-section of the street, heights along it, and the plots that are taken.

The road runs along +x with its centre at y = 0 and its surface at z = 0. Traffic keeps to the right: to +x at y < 0.
Sides are +1 (left, north, y > 0) and -1 (right, south, y < 0). From the centre outward each side has lanes, a strip
for parked cars, kerb, pavement with its furniture near the kerb, front garden, houses, and open ground.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sensorium.core.pose import Pose
from sensorium.core.random import Draws

Floats = NDArray[np.float64]

SIDES = (1, -1)
RUN_OUT_M = 30.0
"""How far the road goes on beyond both ends of the street."""
KERB_HEIGHT_M = 0.12
KERB_WIDTH_M = 0.15
DROPPED_KERB_M = 0.03
"""Height of the kerb at the crossing."""
CROSSFALL = 0.02
"""Slope of the pavement towards the road."""
ZEBRA_WIDTH_M = 4.0


def chance(seed: int, stream: str) -> np.random.Generator:
    """Return the generator of one thing's chance; it depends on the seed and the name alone."""
    return np.random.Generator(np.random.Philox(int(Draws(seed, sensor="street").key(stream))))


@dataclass(frozen=True)
class Layout:
    """The measures that all things in the street share; distances across are from the road's centre."""

    length_m: float
    lanes: int
    """Lanes in each direction."""
    lane_width_m: float
    parking_width_m: float
    pavement_width_m: float
    front_garden_m: float

    @property
    def lanes_edge_m(self) -> float:
        """Outer edge of the outermost lane."""
        return self.lanes * self.lane_width_m

    @property
    def kerb_m(self) -> float:
        """Face of the kerb."""
        return self.lanes_edge_m + self.parking_width_m

    @property
    def pavement_edge_m(self) -> float:
        """Outer edge of the pavement, where gardens begin."""
        return self.kerb_m + self.pavement_width_m

    @property
    def house_line_m(self) -> float:
        """Where the fronts of the houses stand."""
        return self.pavement_edge_m + self.front_garden_m

    @property
    def start_m(self) -> float:
        """Least x of the road."""
        return -RUN_OUT_M

    @property
    def end_m(self) -> float:
        """Greatest x of the road."""
        return self.length_m + RUN_OUT_M

    @property
    def zebra_m(self) -> float:
        """Middle of the zebra crossing along x."""
        return 0.45 * self.length_m

    @property
    def bus_stop_m(self) -> float:
        """Middle of the bus stop along x, on the right-hand side."""
        return 0.72 * self.length_m

    @property
    def ground_m(self) -> float:
        """Height of gardens and houses: the outer edge of the pavement."""
        return KERB_HEIGHT_M + CROSSFALL * (self.pavement_width_m - KERB_WIDTH_M)

    def lane_m(self, side: int, lane: int = 0) -> float:
        """Return y of the middle of a lane; lane 0 is the outermost, the right-hand one of its direction."""
        return side * (self.lanes_edge_m - (lane + 0.5) * self.lane_width_m)

    def kerb_height_m(self, x_m: ArrayLike) -> Floats:
        """Return the height of the kerb along x; it is dropped at the zebra crossing."""
        beyond = np.abs(np.asarray(x_m, np.float64) - self.zebra_m) - ZEBRA_WIDTH_M / 2
        return DROPPED_KERB_M + (KERB_HEIGHT_M - DROPPED_KERB_M) * np.clip(beyond / 0.9, 0.0, 1.0)

    def height_m(self, x_m: ArrayLike, y_m: ArrayLike) -> Floats:
        """Return the height of the surface on which feet and posts stand."""
        across, kerb = np.abs(np.asarray(y_m, np.float64)), self.kerb_height_m(x_m)
        inner = self.kerb_m + KERB_WIDTH_M
        onward = np.clip((across - inner) / (self.pavement_edge_m - inner), 0.0, 1.0)
        return np.where(across < self.kerb_m, 0.0, kerb + (self.ground_m - kerb) * onward)

    def facing_road(self, x_m: float, across_m: float, side: int) -> Pose:
        """Return a pose on the surface at a distance from the road's centre, with its x axis towards the road."""
        y_m = side * across_m
        return Pose.at(x_m, y_m, float(self.height_m(x_m, y_m)), -side * np.pi / 2)


class Plots:
    """Rectangles on the ground that are taken while a street is being built."""

    def __init__(self) -> None:
        self._taken = np.empty((0, 4))

    def free(self, x_m: float, y_m: float, half_x_m: float, half_y_m: float) -> bool:
        """Return whether a rectangle about a point touches none that is taken."""
        low_x, high_x, low_y, high_y = self._taken.T
        apart = (
            (x_m - half_x_m > high_x) | (x_m + half_x_m < low_x) | (y_m - half_y_m > high_y) | (y_m + half_y_m < low_y)
        )
        return bool(apart.all())

    def free_along(self, path_m: Floats, radius_m: float) -> bool:
        """Return whether a disc that moves along a path [N, 2] touches no rectangle that is taken."""
        low_x, high_x, low_y, high_y = self._taken.T
        x, y = path_m[:, :1], path_m[:, 1:]
        off_x, off_y = np.maximum(low_x - x, x - high_x), np.maximum(low_y - y, y - high_y)
        return bool((np.maximum(off_x, off_y) > radius_m).all())

    def keep(self, x_m: float, y_m: float, half_x_m: float, half_y_m: float) -> None:
        """Mark a rectangle as taken, whatever lies there."""
        row = (x_m - half_x_m, x_m + half_x_m, y_m - half_y_m, y_m + half_y_m)
        self._taken = np.vstack((self._taken, row))

    def take(self, x_m: float, y_m: float, half_x_m: float, half_y_m: float) -> bool:
        """Mark a rectangle as taken if it is free; return whether it was."""
        fits = self.free(x_m, y_m, half_x_m, half_y_m)
        if fits:
            self.keep(x_m, y_m, half_x_m, half_y_m)
        return fits
