"""A camera's parcel: one image, and the truth of its pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sensorium.samples.calibration import Calibration
from sensorium.samples.sample import Sample

Encoding = Literal[
    "mono8", "mono16", "rgb8", "rgb16", "bayer_rggb8", "bayer_rggb16", "bayer_bggr8", "bayer_bggr16", "bayer_gbrg8",
    "bayer_gbrg16", "bayer_grbg8", "bayer_grbg16", "16UC1", "32FC1",
]  # fmt: skip


@dataclass(frozen=True, eq=False, kw_only=True)
class ImageTruth:
    """What each pixel's central ray really met, at the middle of the pixel's exposure; numbers refer to the scene."""

    depth_m: NDArray[np.float32]
    """[H, W] along the optical axis (z); infinite where nothing is."""
    normal: NDArray[np.float32]
    """[H, W, 3] geometric normal in the optical frame, towards the camera; 0 where nothing is."""
    body: NDArray[np.int32]
    """[H, W] body number; -1 where nothing is."""
    part: NDArray[np.int32]
    """[H, W] part number inside the body."""
    label: NDArray[np.int32]
    """[H, W] class number."""
    flow_px: NDArray[np.float32] | None = None
    """[H, W, 2] where the same point of the same body is one frame period later, minus where it is now: right, down."""
    boxes: ImageBoxes | None = None
    temperature_k: NDArray[np.float32] | None = None
    """[H, W] of the surfaces, where a thermal camera tells it; NaN where nothing is."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ImageBoxes:
    """One row per body of which anything is inside the image."""

    body: NDArray[np.int32]
    """[B] body number."""
    full_px: NDArray[np.float32]
    """[B, 4] left, top, right, bottom around the whole body, hidden parts included, cut at the image's border."""
    visible_px: NDArray[np.float32]
    """[B, 4] around its visible pixels; NaN if none is visible."""
    visible_share: NDArray[np.float32]
    """[B] pixels in which it is seen over pixels that it would fill alone, inside the image or not."""
    centre_m: NDArray[np.float32]
    """[B, 3] centre of the body's box in the optical frame."""
    size_m: NDArray[np.float32]
    """[B, 3] edge lengths along the body's axes."""
    quaternion: NDArray[np.float32]
    """[B, 4] wxyz, optical frame to body axes."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Image(Sample):
    """An image in the optical frame (z forward, x right, y down); `time_ns` is the start of the first row's exposure."""

    pixels: NDArray[np.uint8] | NDArray[np.uint16] | NDArray[np.float32]
    """[H, W] or [H, W, channels], as the encoding says."""
    encoding: Encoding
    calibration: Calibration
    exposure_s: float
    row_delay_s: float = 0.0
    """From the start of one row to that of the next; 0 with a global shutter."""
    gain_db: float = 0.0
    truth: ImageTruth | None = None
