"""What falls through the lens onto the chip while the shutter is open: the signal between physics and electronics."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.samples.calibration import Calibration
from sensorium.samples.image import ImageTruth
from sensorium.sensors.camera.streaks import Streaks

VISIBLE_BANDS_M = ((600e-9, 700e-9), (500e-9, 600e-9), (400e-9, 500e-9))
"""Limits of the red, green and blue band."""


@dataclass(frozen=True, eq=False, kw_only=True)
class LightImage:
    """Irradiance of each pixel; optics and motion during the exposure are in it, chance is not."""

    irradiance_w_m2: NDArray[np.float32]
    """[H, W, 3] on the chip, integrated over the red, green and blue band, mean over the pixel's exposure."""
    calibration: Calibration
    exposure_s: float
    row_delay_s: float = 0.0
    """From the start of one row's exposure to that of the next; 0 with a global shutter."""
    temperature_k: float = 288.15
    """Of the air around the camera, which warms the chip."""
    truth: ImageTruth | None = None
    streaks: tuple[Streaks, ...] = ()
    """Rain and snow before the lens, whose drops the detector places."""
