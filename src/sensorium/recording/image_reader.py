"""Images, their calibration and their truth become image samples again."""

from __future__ import annotations

from typing import Any, cast, get_args

import numpy as np
from numpy.typing import NDArray

from sensorium.core.errors import RecordingError
from sensorium.recording.image_codec import decoded
from sensorium.recording.received import Received
from sensorium.recording.ros_conventions import nanoseconds_of
from sensorium.recording.ros_image import (
    BOX_COLUMNS,
    BOXES_TYPE,
    COMPRESSED_TYPE,
    INFO_TYPE,
    SETTINGS_TYPE,
    TRUTH_ENCODINGS,
)
from sensorium.recording.ros_types import deserialise
from sensorium.samples import Calibration, Image, ImageBoxes, ImageTruth, Stamp
from sensorium.samples.calibration import DistortionModel
from sensorium.samples.image import Encoding

_WORDS = {
    "mono8": (np.uint8, 1), "rgb8": (np.uint8, 3), "bgr8": (np.uint8, 3), "mono16": (np.uint16, 1), "rgb16": (np.uint16, 3),
    "16UC1": (np.uint16, 1), "32FC1": (np.float32, 1), "32FC2": (np.float32, 2), "32FC3": (np.float32, 3), "32SC1": (np.int32, 1),
    "8UC1": (np.uint8, 1), "8UC3": (np.uint8, 3),
}  # fmt: skip


class ImageReader:
    """Joins each image with what came just before it: calibration, settings, truth."""

    def __init__(self) -> None:
        self._waiting: dict[str, dict[str, Any]] = {}

    def take(self, received: Received) -> Image | None:
        """Return the image that a message completes; calibration, settings and truth wait for it."""
        topic = received.topic
        sensor = topic.sensor or topic.name.strip("/").rsplit("/", 1)[0]
        waiting = self._waiting.setdefault(sensor, {})
        message = deserialise(received.cdr, topic.type_name)
        last = topic.name.rsplit("/", 1)[-1]
        if topic.type_name == INFO_TYPE:
            waiting["info"] = message
        elif topic.type_name in (SETTINGS_TYPE, BOXES_TYPE):
            waiting[last] = np.asarray(message.data)
        elif topic.name.startswith("/truth/") and last in TRUTH_ENCODINGS:
            waiting[last] = pixels_of(message, topic.name)[0]
        else:
            self._waiting[sensor] = {"info": waiting.get("info")}
            return _image(message, waiting, received, sensor)
        return None


def pixels_of(message: Any, topic: str) -> tuple[NDArray[Any], str]:
    """Return pixels [H, W] or [H, W, channels] and encoding of an Image; bgr becomes rgb."""
    encoding = str(message.encoding)
    kind, channels = _WORDS.get(encoding, (np.uint16 if encoding.endswith("16") else np.uint8, 1))
    if encoding not in _WORDS and not encoding.startswith("bayer_"):
        raise RecordingError(f"an image on {topic} has the encoding '{encoding}', which is not read here")
    dtype = np.dtype(kind).newbyteorder(">" if message.is_bigendian else "<")
    rows, columns, step = int(message.height), int(message.width), int(message.step)
    data = np.ascontiguousarray(message.data, np.uint8)
    if len(data) != rows * step or step < columns * channels * dtype.itemsize:
        raise RecordingError(f"an image on {topic} has {len(data)} bytes, but {rows} rows of {step} bytes")
    lines = data.reshape(rows, step)[:, : columns * channels * dtype.itemsize]
    pixels = np.ascontiguousarray(lines).view(dtype).astype(kind, copy=False)
    pixels = pixels.reshape(rows, columns, channels) if channels > 1 else pixels.reshape(rows, columns)
    return (pixels[..., ::-1].copy(), "rgb8") if encoding == "bgr8" else (pixels, encoding)


def _image(message: Any, waiting: dict[str, Any], received: Received, sensor: str) -> Image:
    if received.topic.type_name == COMPRESSED_TYPE:
        pixels, encoding = decoded(str(message.format), bytes(message.data))
    else:
        pixels, encoding = pixels_of(message, received.topic.name)
    if encoding not in get_args(Encoding):
        raise RecordingError(
            f"an image on {received.topic.name} has the encoding '{encoding}', which no camera here sends"
        )
    settings = waiting.get("settings", np.zeros(3))
    start_ns = nanoseconds_of(message.header.stamp) - received.epoch_ns
    return Image(
        stamp=Stamp(sensor, received.index, start_ns, received.ready_ns), pixels=pixels, encoding=cast(Encoding, encoding),
        calibration=calibration_of(waiting.get("info"), pixels.shape[1], pixels.shape[0]), exposure_s=float(settings[0]),
        row_delay_s=float(settings[1]), gain_db=float(settings[2]), truth=_truth(waiting),
    )  # fmt: skip


def calibration_of(info: Any, width: int, height: int) -> Calibration:
    """Return the calibration of a CameraInfo; without one, a pinhole of unknown focal length (NaN)."""
    if info is None:
        matrix = np.array([[np.nan, 0, (width - 1) / 2], [0, np.nan, (height - 1) / 2], [0, 0, 1.0]])
        return Calibration(width=width, height=height, model="plumb_bob", matrix=matrix)
    if info.distortion_model not in get_args(DistortionModel):
        raise RecordingError(f"the distortion model '{info.distortion_model}' is not known here")
    return Calibration(
        width=int(info.width), height=int(info.height), model=cast(DistortionModel, str(info.distortion_model)),
        matrix=np.array(info.k, np.float64).reshape(3, 3), distortion=np.array(info.d, np.float64),
    )  # fmt: skip


def _truth(waiting: dict[str, Any]) -> ImageTruth | None:
    if any(name not in waiting for name in ("depth", "normal", "body", "part", "label")):
        return None
    rows = waiting.get("boxes")
    return ImageTruth(
        depth_m=waiting["depth"], normal=waiting["normal"], body=waiting["body"], part=waiting["part"], label=waiting["label"],
        flow_px=waiting.get("flow"), boxes=None if rows is None else _boxes(rows),
        temperature_k=waiting.get("temperature"),
    )  # fmt: skip


def _boxes(flat: NDArray[np.float32]) -> ImageBoxes:
    columns: dict[str, Any] = {}
    rows, place = flat.reshape(-1, sum(width for _, width in BOX_COLUMNS)), 0
    for name, width in BOX_COLUMNS:
        columns[name] = rows[:, place : place + width].copy() if width > 1 else rows[:, place].copy()
        place += width
    return ImageBoxes(**{**columns, "body": columns["body"].astype(np.int32)})
