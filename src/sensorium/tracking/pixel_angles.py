"""Pixels as directions: azimuth and elevation in the camera's body frame, x forward, y left, z up."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sensorium.core.errors import MissingExtraError
from sensorium.samples import Calibration

Floats = NDArray[np.float64]


def directions(calibration: Calibration, pixels: Floats) -> Floats:
    """Return unit vectors [N, 3] in the optical frame (right, down, forward) of pixels [N, 2] (column, row)."""
    k, points = calibration.matrix, np.asarray(pixels, np.float64).reshape(-1, 2)
    if calibration.model == "equirectangular":
        angle = (points - k[:2, 2]) / (k[0, 0], k[1, 1])
        level = np.cos(angle[:, 1])
        return np.stack((level * np.sin(angle[:, 0]), np.sin(angle[:, 1]), level * np.cos(angle[:, 0])), -1)
    if calibration.model != "equidistant" and not np.any(calibration.distortion):
        flat = np.stack(((points[:, 0] - k[0, 2]) / k[0, 0], (points[:, 1] - k[1, 2]) / k[1, 1]), -1)
    else:
        flat = _undistorted(calibration, points)
    ray = np.concatenate((flat, np.ones((len(flat), 1))), 1)
    return np.asarray(ray / np.linalg.norm(ray, axis=1, keepdims=True))


def _undistorted(calibration: Calibration, points: Floats) -> Floats:
    try:
        import cv2
    except ImportError as error:
        raise MissingExtraError("opencv-python-headless", "vision", "a lens with distortion") from error
    if not len(points):
        return points
    k, d = calibration.matrix, calibration.distortion
    if calibration.model == "equidistant":
        flat = cv2.fisheye.undistortPoints(points[:, None], k, np.asarray(d[:4], np.float64))
    else:
        flat = cv2.undistortPoints(points[:, None], k, d)
    return np.asarray(flat, np.float64).reshape(-1, 2)


def angles(calibration: Calibration, pixels: Floats, sigma_px: Floats | float) -> tuple[Floats, Floats]:
    """Return azimuth and elevation [N, 2], and their covariance [N, 2, 2] from a pixel error [N] or one for all.

    Derivatives by a tenth of a pixel to both sides, through the lens as it is.
    """
    points = np.asarray(pixels, np.float64).reshape(-1, 2)
    sigma = np.broadcast_to(np.asarray(sigma_px, np.float64), (len(points),))
    values = _angles(directions(calibration, points))
    j = np.empty((len(points), 2, 2))
    for axis in range(2):
        step = np.eye(2)[axis] * 0.1
        difference = _angles(directions(calibration, points + step)) - _angles(directions(calibration, points - step))
        j[:, :, axis] = ((difference + np.pi) % (2 * np.pi) - np.pi) / 0.2
    return values, (j @ np.swapaxes(j, 1, 2)) * sigma[:, None, None] ** 2


def _angles(ray: Floats) -> Floats:
    x, y, z = ray[:, 2], -ray[:, 0], -ray[:, 1]
    return np.stack((np.arctan2(y, x), np.arctan2(z, np.hypot(x, y))), -1)
