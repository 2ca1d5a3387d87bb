"""A scan over a camera's image: every point where the calibration says that the camera saw it.

A point is placed in the world from where the LiDAR was when its beam fired, and seen from where the camera was when the row
in which it appears was exposed. Both come from the truth of the recording.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.apps.colours import Rgb
from sensorium.apps.placement import Placement
from sensorium.core.pose import conjugate, rotate
from sensorium.samples import Image, PointCloud
from sensorium.sensors.camera.lens import T_SENSOR_OPTICAL
from sensorium.sensors.camera.lenses import lens_of

Floats = NDArray[np.float64]
_ROUNDS = 3


@dataclass(frozen=True, eq=False)
class Seen:
    """The points of a cloud that fall into an image."""

    rows: NDArray[np.intp]
    """[M] numbers of the points in the cloud."""
    pixels: Floats
    """[M, 2] column and row."""
    depth_m: Floats
    """[M] along the optical axis."""


def points_on(image: Image, cloud: PointCloud, placement: Placement) -> Seen:
    """Return where the points of a cloud appear in an image; what hides what is not asked."""
    lens, sensor = lens_of(image.calibration), image.stamp.sensor
    world = placement.in_world(cloud).points_m.astype(np.float64)
    start = image.stamp.time_ns + round(image.exposure_s * 5e8)
    row = np.full(len(world), lens.height / 2)
    pixels, seen = np.empty((len(world), 2)), np.empty((len(world), 3))
    for _ in range(_ROUNDS if image.row_delay_s > 0 else 1):
        known = np.where(np.isfinite(row), np.clip(row, 0, lens.height - 1), 0.0)
        times = start + np.rint(known * image.row_delay_s * 1e9).astype(np.int64)
        camera = placement.sensor_at(sensor, times)
        inside = rotate(conjugate(camera.quaternion), world - camera.position_m)
        seen = T_SENSOR_OPTICAL.inverse().rotate(inside)
        pixels = lens.project(seen)
        row = pixels[:, 1]
    with np.errstate(invalid="ignore"):
        good = np.all((pixels >= -0.5) & (pixels <= np.array([lens.width, lens.height]) - 0.5), -1)
    rows = np.flatnonzero(good)
    return Seen(rows, pixels[rows], seen[rows, 2])


def viewable(image: Image) -> Rgb:
    """Return an image as colours for the eye [H, W, 3]; deep and mosaic images are stretched between their percentiles."""
    pixels = image.pixels
    if image.encoding == "rgb8":
        return np.asarray(pixels, np.uint8)
    if pixels.dtype != np.uint8:
        low, high = np.nanpercentile(pixels[::4, ::4], (0.5, 99.5))
        stretched = (pixels.astype(np.float32) - low) / max(float(high - low), 1e-9)
        pixels = np.clip(np.nan_to_num(stretched) * 255, 0, 255).astype(np.uint8)
    return np.asarray(pixels if pixels.ndim == 3 else np.repeat(pixels[..., None], 3, -1), np.uint8)


def with_points(image: Image, seen: Seen, colours: Rgb) -> Rgb:
    """Return the image with points over it, near ones last; `colours` [M, 3] are those of the seen points."""
    picture = viewable(image).copy()
    far_first = np.argsort(-seen.depth_m, kind="stable")
    high, wide = picture.shape[:2]
    reach = 1 if wide >= 480 else 0
    for dy in range(-reach, reach + 1):
        for dx in range(-reach, reach + 1):
            if abs(dx) + abs(dy) > reach:
                continue
            column = np.clip(np.rint(seen.pixels[far_first, 0]).astype(np.int64) + dx, 0, wide - 1)
            row = np.clip(np.rint(seen.pixels[far_first, 1]).astype(np.int64) + dy, 0, high - 1)
            picture[row, column] = colours[far_first]
    return picture
