"""What comes through the lens onto the chip while the shutter is open: the signal between physics and electronics."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.samples.calibration import Calibration
from sensorium.samples.image import ImageTruth


@dataclass(frozen=True, eq=False, kw_only=True)
class LightImage:
    """Light on each pixel, told as the radiance of a lossless lens without vignetting that would give the same irradiance.

    Optics (transmission, vignetting, point spread, dirt) and motion during the exposure are in it; chance is not.
    """

    radiance_w_m2_sr: NDArray[np.float32]
    """[H, W, bands] mean over the pixel's exposure, integrated over each band: three (red, green, blue) or one."""
    calibration: Calibration
    exposure_s: float
    row_delay_s: float = 0.0
    truth: ImageTruth | None = None
