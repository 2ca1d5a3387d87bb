"""Images as JPEG and PNG bytes, and back, in the words of ROS's compressed images."""

from __future__ import annotations

import io
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from sensorium.core.errors import RecordingError
from sensorium.samples import Image

ImageFormat = Literal["raw", "jpeg", "png"]
JPEG_QUALITY = 95


def encoded(image: Image, kind: ImageFormat) -> tuple[str, bytes]:
    """Return the format text of a CompressedImage and its bytes."""
    import PIL.Image as Pillow

    pixels, encoding = image.pixels, image.encoding
    if kind == "jpeg" and pixels.dtype != np.uint8:
        raise RecordingError(
            f"an image with encoding {encoding} cannot be written as JPEG, which has 8 bits; take png or raw"
        )
    if pixels.ndim == 3 and pixels.dtype != np.uint8:
        raise RecordingError(f"an image with encoding {encoding} cannot be written as PNG here; take raw")
    sent, memory = np.ascontiguousarray(pixels), io.BytesIO()
    picture = Pillow.fromarray(sent)
    if kind == "jpeg":
        picture.save(memory, "JPEG", quality=JPEG_QUALITY, subsampling=0)
    else:
        picture.save(memory, "PNG", compress_level=3)
    inside = " bgr8" if pixels.ndim == 3 else ""
    return f"{encoding}; {kind} compressed{inside}", memory.getvalue()


def decoded(text: str, data: bytes) -> tuple[NDArray[Any], str]:
    """Return pixels and encoding of a CompressedImage."""
    import PIL.Image as Pillow

    try:
        pixels = np.array(Pillow.open(io.BytesIO(data)))
    except OSError as error:
        raise RecordingError(f"a compressed image ({text}) cannot be decoded: {error}") from None
    encoding = text.split(";")[0].strip()
    if pixels.dtype == np.int32:
        pixels = pixels.astype(np.uint16)
    if encoding not in text or ";" not in text:
        encoding = "rgb8" if pixels.ndim == 3 else "mono16" if pixels.dtype == np.uint16 else "mono8"
    return pixels, "rgb8" if encoding == "bgr8" else encoding
