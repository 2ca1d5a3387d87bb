"""Things in images: what has changed, and what is hottest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge
from numpy.typing import NDArray

from sensorium.core.configuration import configured
from sensorium.core.errors import ConfigurationError
from sensorium.core.units import PositiveNumber
from sensorium.samples import Image
from sensorium.tracking.detections import Detections, PoseAt, detections
from sensorium.tracking.image_registration import FeatureRegistration
from sensorium.tracking.measurement_models import Angles
from sensorium.tracking.pixel_angles import angles

Grey = NDArray[np.float32]


def grey(image: Image) -> Grey:
    """Return brightness [H, W]: the mean of the colours, or of each pixel and its neighbours of a colour mosaic."""
    pixels = image.pixels.astype(np.float32)
    if pixels.ndim == 3:
        return np.asarray(pixels.mean(-1), np.float32)
    if image.encoding.startswith("bayer"):
        padded = np.pad(pixels, 1, mode="reflect")
        across = (padded[:, :-2] + 2 * padded[:, 1:-1] + padded[:, 2:]) / 4
        return np.asarray((across[:-2] + 2 * across[1:-1] + across[2:]) / 4, np.float32)
    return pixels


def _measured(image: Image, pixels: NDArray[np.float64], sigma_px: NDArray[np.float64], pose_at: PoseAt,
              features: dict[str, NDArray[np.float64]]) -> Detections:  # fmt: skip
    """Return angles at the time at which the rows of the pixels were in the middle of their exposure."""
    value, covariance = angles(image.calibration, pixels, sigma_px)
    row_s = image.row_delay_s * pixels[:, 1] + image.exposure_s / 2
    times_ns = image.stamp.time_ns + np.rint(row_s * 1e9).astype(np.int64)
    told = {"column_px": pixels[:, 0], "row_px": pixels[:, 1], **features}
    return detections(image.stamp, Angles(), times_ns, value, covariance, pose_at, told)


@dataclass(frozen=True, eq=False)
class Seen:
    """The brightness of the last images, newest first."""

    images: tuple[Grey, ...] = ()


@configured
class FrameDifference:
    """Difference to the images before, threshold, dilation, and the centroid of each connected area.

    A thing that moves changes the image where it is and where it was. The smallest one of the differences to the last few
    images is large only where it is now, if it has left its place since; of a slower thing both edges change, and the
    dilation joins them. `images: 1` gives the plain difference, whose centroid lies between both places.
    """

    type: Literal["frame_difference"] = "frame_difference"
    threshold_sigma: PositiveNumber = 6.0
    """Change that counts, in robust standard deviations (1.4826 times the median deviation) of the difference."""
    least_change: PositiveNumber = 2.0
    """In counts: of a noise-free image every change would count otherwise."""
    dilation_px: Annotated[int, Ge(0)] = 6
    """Changed areas grow by so much before they are joined: half of the largest slow thing, whose edges alone change."""
    least_area_px: Annotated[int, Ge(1)] = 4
    """Changed pixels without those of the dilation."""
    images: Annotated[int, Ge(1)] = 3
    """How many images before are compared."""
    registration: FeatureRegistration | None = None
    """How the camera's own motion is taken out; none: the camera stands, or static things shall show as well."""
    centroid_noise_px: PositiveNumber = 0.5

    def init(self) -> Seen:
        """Return the memory before the first image."""
        return Seen()

    def step(self, seen: Seen, image: Image, pose_at: PoseAt) -> tuple[Seen, Detections]:
        """Return the next memory and what has changed; nothing until there are enough images."""
        now = grey(image)
        if seen.images and seen.images[0].shape != now.shape:
            raise ConfigurationError(f"images must keep their size, found {now.shape} after {seen.images[0].shape}")
        memory = Seen((now, *seen.images)[: self.images])
        if len(seen.images) < self.images:
            return memory, _measured(image, np.empty((0, 2)), np.empty(0), pose_at, {})
        change, deviation = self._change(now, seen)
        level = max(self.threshold_sigma * deviation, self.least_change)
        pixels, area = self._centroids(np.abs(change), np.abs(change) > level)
        sigma = np.hypot(self.centroid_noise_px, np.sqrt(area / np.pi) / 4)
        return memory, _measured(image, pixels, sigma, pose_at, {"area_px": area})

    def _change(self, now: Grey, seen: Seen) -> tuple[Grey, float]:
        """Return the difference of the smallest size over the images before, and the noise of a single one."""
        best: Grey | None = None
        noise = 0.0
        for old in seen.images:
            known = np.ones(now.shape, np.bool_)
            if self.registration is not None:
                old, known = self.registration.registered(old, now)
            difference = np.where(known, now - old, np.float32(0))
            noise = max(noise, _deviation(difference))
            best = difference if best is None else np.where(np.abs(difference) < np.abs(best), difference, best)
        assert best is not None
        return np.asarray(best, np.float32), noise

    def _centroids(self, size: Grey, changed: NDArray[np.bool_]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return (column, row) [D, 2], weighted by the change, and the changed pixels [D] of each dilated area."""
        from scipy import ndimage

        grown = ndimage.binary_dilation(changed, np.ones((3, 3)), self.dilation_px) if self.dilation_px else changed
        labels, count = ndimage.label(grown, np.ones((3, 3)))
        rows, columns = np.nonzero(changed)
        groups, weight = labels[rows, columns] - 1, size[rows, columns].astype(np.float64)
        area = np.bincount(groups, minlength=count).astype(np.float64)
        total = np.bincount(groups, weight, count)
        centre = np.stack([np.bincount(groups, weight * at, count) for at in (columns, rows)], -1)
        good = area >= self.least_area_px
        return centre[good] / total[good, None], area[good]


def _deviation(change: Grey) -> float:
    """Return the standard deviation of the noise, from the median so that what moves does not matter."""
    return float(1.4826 * np.median(np.abs(change - np.median(change))))


@configured
class HottestPoint:
    """The brightest spot of a thermal image: the centroid of what is hotter than half way to its surroundings.

    A median over 3 x 3 pixels comes first, so that bad pixels, alone as they are, do not count.
    """

    type: Literal["hottest_point"] = "hottest_point"
    threshold_sigma: PositiveNumber = 8.0
    """How far above its surroundings it must be, in robust standard deviations of a pixel's noise."""
    surroundings_px: Annotated[int, Ge(2)] = 15
    """Half of the window whose median is taken for the surroundings; larger than the thing."""
    centroid_noise_px: PositiveNumber = 0.5

    def detect(self, image: Image, pose_at: PoseAt) -> Detections:
        """Return one detection, or none if nothing stands out."""
        from scipy import ndimage

        now = grey(image)
        smooth = ndimage.median_filter(now, 3, mode="nearest")
        row, column = divmod(int(np.argmax(smooth)), smooth.shape[1])
        reach = self.surroundings_px
        around = smooth[max(row - reach, 0) : row + reach + 1, max(column - reach, 0) : column + reach + 1]
        middle = float(np.median(around))
        height = float(smooth[row, column]) - middle
        if height <= self.threshold_sigma * _deviation(now - smooth) or height <= 0:
            return _measured(image, np.empty((0, 2)), np.empty(0), pose_at, {})
        above = np.maximum(smooth - (middle + height / 2), 0.0).astype(np.float64)
        labels, _ = ndimage.label(above > 0)
        rows, columns = np.nonzero(labels == labels[row, column])
        weight = above[rows, columns]
        place = np.array([[np.sum(weight * columns), np.sum(weight * rows)]]) / weight.sum()
        return _measured(image, place, np.array([self.centroid_noise_px]), pose_at, {"height": np.array([height])})
