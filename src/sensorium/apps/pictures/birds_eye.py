"""A map from above: points as pixels, truth boxes and paths as lines over it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sensorium.apps.placement import Boxes

Rgb = NDArray[np.uint8]
Floats = NDArray[np.float64]

LABEL_COLOURS = {"car": "#7dd3fc", "truck": "#c4b5fd", "bus": "#c4b5fd", "person": "#fda4af", "pedestrian": "#fda4af"}
OTHER_COLOUR = "#e2e8f0"


def label_colour(label: str) -> str:
    """Return the colour in which bodies of a class are drawn."""
    return LABEL_COLOURS.get(label, OTHER_COLOUR)


@dataclass(frozen=True)
class Ground:
    """A rectangle of the ground, north (+y) up, in square pixels."""

    left_m: float
    right_m: float
    bottom_m: float
    top_m: float
    pixel_m: float = 0.1

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        rows, columns = (self.top_m - self.bottom_m) / self.pixel_m, (self.right_m - self.left_m) / self.pixel_m
        return max(1, round(rows)), max(1, round(columns))

    def pixels(self, points_m: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
        """Return row and column of points [N, 2 or 3], and whether they lie inside; row 0 is the northern edge."""
        points = np.asarray(points_m, np.float64)
        column = np.floor((points[:, 0] - self.left_m) / self.pixel_m).astype(np.int64)
        row = np.floor((self.top_m - points[:, 1]) / self.pixel_m).astype(np.int64)
        inside = (column >= 0) & (column < self.shape[1]) & (row >= 0) & (row < self.shape[0])
        return row, column, inside

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Left, right, bottom, top for Matplotlib."""
        return self.left_m, self.right_m, self.bottom_m, self.top_m

    @classmethod
    def around(cls, points_m: ArrayLike, width_px: int, height_px: int, margin_m: float = 2.0) -> Ground:
        """Return the ground for a picture of that size which holds all but the outermost 1 % of points on each side."""
        points = np.asarray(points_m, np.float64).reshape(-1, 3)
        if len(points) == 0:
            points = np.zeros((1, 3))
        low, high = np.percentile(points[:, :2], (1, 99), axis=0)
        (east, north), (width, height) = (low + high) / 2, high - low + 2 * margin_m
        pixel = float(max(width / width_px, height / height_px))
        across, up = pixel * width_px / 2, pixel * height_px / 2
        return cls(float(east - across), float(east + across), float(north - up), float(north + up), pixel)


def birds_eye_image(points_m: ArrayLike, colours: Rgb, ground: Ground) -> Rgb:
    """Return RGBA pixels [rows, columns, 4]: the colour of the highest point in each, transparent where none is."""
    points = np.asarray(points_m, np.float64)
    row, column, inside = ground.pixels(points)
    upwards = np.argsort(points[inside, 2], kind="stable")  # of repeated pixels the last one written stays
    image = np.zeros((*ground.shape, 4), np.uint8)
    image[row[inside][upwards], column[inside][upwards], :3] = colours[inside][upwards]
    image[row[inside], column[inside], 3] = 255
    return image


def density_image(points_m: ArrayLike, ground: Ground, colour: str = "#64748b") -> Rgb:
    """Return RGBA pixels of one colour; opacity grows with the logarithm of the number of points in each, from 0.4."""
    row, column, inside = ground.pixels(points_m)
    count = np.zeros(ground.shape)
    np.add.at(count, (row[inside], column[inside]), 1.0)
    full = np.log1p(np.percentile(count[count > 0], 98)) if count.any() else 1.0
    image = np.empty((*ground.shape, 4), np.uint8)
    image[..., :3] = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    image[..., 3] = np.where(count > 0, np.rint(255 * (0.4 + 0.6 * np.clip(np.log1p(count) / full, 0, 1))), 0)
    return image


def draw_boxes(axes: Any, boxes: Boxes, names: bool = True) -> None:
    """Draw the floors of boxes, with a stroke from the middle to the front, and the bodies' names."""
    for box, (name, label) in enumerate(zip(boxes.names, boxes.labels, strict=True)):
        colour = label_colour(label)
        floor = boxes.corners_m[box, [0, 1, 2, 3, 0]]
        front = (floor[0] + floor[3]) / 2
        middle = boxes.pose.position_m[box]
        axes.plot(floor[:, 0], floor[:, 1], color=colour, linewidth=1.1, solid_joinstyle="miter")
        axes.plot([middle[0], front[0]], [middle[1], front[1]], color=colour, linewidth=1.1)
        if names:
            axes.annotate(name, (middle[0], floor[:, 1].max()), (0, 3), textcoords="offset points", ha="center",
                          color=colour, fontsize=6.5, clip_on=True, annotation_clip=True)  # fmt: skip


def draw_path(axes: Any, positions_m: Floats, colour: str, width: float = 1.4) -> None:
    """Draw a path [K, 3] as a line with a dot at its start."""
    axes.plot(positions_m[:, 0], positions_m[:, 1], color=colour, linewidth=width, alpha=0.9, solid_capstyle="round")
    axes.plot(positions_m[:1, 0], positions_m[:1, 1], "o", color=colour, markersize=3)
