"""A scan unrolled: one row per ring, one column per step of azimuth, as seen by someone who turns at the sensor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sensorium.apps.colours import by_range, scale
from sensorium.samples import PointCloud

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RangeImage:
    """Ranges in the order in which they are seen: highest ring on top, left of the sensor on the left."""

    range_m: Floats
    """[rings, columns]; NaN where nothing returned. Column 0 begins at azimuth +180 deg, the last ends at -180 deg."""
    elevation_rad: Floats
    """[rings] elevation of each row, NaN where the ring has no return."""

    @property
    def azimuth_rad(self) -> Floats:
        """Azimuth of the middle of each column, counter-clockwise from forward."""
        columns = self.range_m.shape[1]
        return np.asarray(np.pi - (np.arange(columns) + 0.5) * 2 * np.pi / columns)


def range_image(cloud: PointCloud, columns: int | None = None) -> RangeImage:
    """Unroll a cloud; of two returns in one place the nearer is kept.

    By default a column is 3 % wider than the step from beam to beam: were they equal, rounding would leave holes.
    """
    rings = int(cloud.ring.max(initial=0)) + 1
    columns = columns or max(1, round(cloud.beam_count / rings * 0.97))
    x, y, _ = cloud.points_m.T.astype(np.float64)
    column = np.minimum(((np.pi - np.arctan2(y, x)) / (2 * np.pi) * columns).astype(np.int64), columns - 1)
    row = rings - 1 - cloud.ring.astype(np.int64)
    image = np.full((rings, columns), np.inf)
    np.minimum.at(image, (row, column), cloud.range_m.astype(np.float64))
    image[np.isinf(image)] = np.nan
    return RangeImage(image, ring_elevations(cloud, rings)[::-1])


def ring_elevations(cloud: PointCloud, rings: int) -> Floats:
    """Return the elevation of each ring [rings], lowest first, NaN where a ring has no return.

    All points of a ring obey z = z0 + r sin(elevation), with z0 the height at which its beam leaves the axis, so the
    slope of z over r gives the elevation without knowing z0. If all ranges are equal there is no slope; then z0 counts
    as 0.
    """
    ring = cloud.ring.astype(np.int64)
    distance, height = cloud.range_m.astype(np.float64), cloud.points_m[:, 2].astype(np.float64)

    def mean(values: Floats) -> Floats:
        return np.asarray(np.bincount(ring, values, rings) / count)

    count = np.maximum(np.bincount(ring, minlength=rings), 1)
    middle, level = mean(distance), mean(height)
    off = distance - middle[ring]
    spread, slope = mean(off * off), mean(off * (height - level[ring]))
    steep = spread > 1e-6  # a millimetre: below it float32 leaves no slope
    sine = np.where(steep, slope / np.where(steep, spread, 1), level / np.maximum(middle, 1e-9))
    found = np.bincount(ring, minlength=rings) > 0
    return np.where(found, np.arcsin(np.clip(sine, -1, 1)), np.nan)


def draw_range_image(axes: Any, image: RangeImage, full_m: float = 60.0) -> None:
    """Draw the image into Matplotlib axes, in degrees, with a colour bar."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import FuncNorm, ListedColormap

    seen = np.isfinite(image.range_m)
    picture = np.zeros((*seen.shape, 4), np.uint8)
    picture[seen, :3], picture[seen, 3] = by_range(image.range_m[seen], full_m), 255
    rings = len(image.elevation_rad)
    axes.imshow(picture, extent=(180, -180, rings - 0.5, -0.5), aspect="auto", interpolation="nearest")
    axes.set_xticks(range(180, -181, -45))
    axes.set_xlabel("azimuth / deg  (left +, forward 0)")
    known = np.flatnonzero(np.isfinite(image.elevation_rad))
    rows = known[np.unique(np.linspace(0, len(known) - 1, min(7, len(known))).astype(int))] if len(known) else known
    axes.set_yticks(rows, [f"{np.degrees(image.elevation_rad[row]):+.1f}" for row in rows])
    axes.set_ylabel("elevation / deg")
    norm = FuncNorm((lambda r: np.sqrt(np.maximum(r, 0) / full_m), lambda f: f**2 * full_m), vmin=0, vmax=full_m)
    colours = ScalarMappable(norm, ListedColormap(scale("range").tolist()))
    bar = axes.figure.colorbar(colours, ax=axes, pad=0.008, fraction=0.018)
    bar.set_label("range / m")
    bar.set_ticks([t for t in (2, 5, 10, 20, 40, 60, 100) if t <= full_m])
    bar.outline.set_visible(False)
