"""Images as files of their own: PNG and TIFF for what the camera sends, EXR or TIFF for depth and other numbers, video for all.

EXR is written here: uncompressed scan lines of 32-bit floats, which every reader of OpenEXR takes. TIFF and PNG are Pillow's,
video is PyAV's (extra `video`).
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sensorium.core.errors import MissingExtraError, RecordingError, did_you_mean
from sensorium.recording.image_codec import JPEG_QUALITY
from sensorium.recording.reader import Recording
from sensorium.samples import Image

IMAGE_KINDS = ("png", "tiff", "exr", "jpeg")
VIDEO_KINDS = ("mp4", "mkv")


def write_image(path: Path | str, pixels: NDArray[Any]) -> Path:
    """Write pixels [H, W] or [H, W, 3] by the file's suffix; floats go to TIFF (one channel) or EXR alone."""
    out, kind = Path(path), Path(path).suffix.removeprefix(".").lower().replace("tif", "tiff").replace("tifff", "tiff")
    kind = "jpeg" if kind == "jpg" else kind
    if kind not in IMAGE_KINDS:
        raise RecordingError(f"'{out.suffix}' is not a format for images.{did_you_mean(kind, IMAGE_KINDS)}")
    if kind == "exr":
        _write_bytes(out, exr_bytes(pixels))
        return out
    import PIL.Image as Pillow

    deep, colour = pixels.dtype != np.uint8, pixels.ndim == 3
    if (deep and (colour or kind == "jpeg")) or (pixels.dtype.kind == "f" and kind == "png"):
        raise RecordingError(f"{pixels.dtype} with {pixels.ndim} axes does not fit into {kind.upper()}; take exr")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        options = {"quality": JPEG_QUALITY} if kind == "jpeg" else {}
        Pillow.fromarray(np.ascontiguousarray(pixels)).save(out, kind.upper(), **options)
    except OSError as error:
        raise RecordingError(f"cannot write {out}: {error.strerror or error}") from error
    return out


def exr_bytes(pixels: NDArray[Any]) -> bytes:
    """Return an OpenEXR file: channel Y of [H, W], or B, G, R of [H, W, 3], 32-bit floats, uncompressed (layout 2.0)."""
    values = np.asarray(pixels, np.float32)
    rows, columns = values.shape[:2]
    channels = {"Y": values} if values.ndim == 2 else {"B": values[..., 2], "G": values[..., 1], "R": values[..., 0]}
    listed = b"".join(name.encode() + b"\0" + struct.pack("<iBxxxii", 2, 0, 1, 1) for name in channels) + b"\0"
    box = struct.pack("<4i", 0, 0, columns - 1, rows - 1)
    entries = (
        ("channels", "chlist", listed), ("compression", "compression", b"\0"), ("dataWindow", "box2i", box),
        ("displayWindow", "box2i", box), ("lineOrder", "lineOrder", b"\0"),
        ("pixelAspectRatio", "float", struct.pack("<f", 1.0)), ("screenWindowCenter", "v2f", struct.pack("<2f", 0, 0)),
        ("screenWindowWidth", "float", struct.pack("<f", 1.0)),
    )  # fmt: skip
    head = struct.pack("<ii", 20000630, 2)
    for name, kind, value in entries:
        head += name.encode() + b"\0" + kind.encode() + b"\0" + struct.pack("<i", len(value)) + value
    head += b"\0"
    line = 4 * columns * len(channels)
    first = len(head) + 8 * rows
    offsets = first + np.arange(rows, dtype=np.uint64) * np.uint64(8 + line)
    block = np.empty((rows, 8 + line), np.uint8)
    block[:, :8] = np.stack((np.arange(rows), np.full(rows, line)), 1).astype("<i4").view(np.uint8)
    joined = np.concatenate([np.ascontiguousarray(channel) for channel in channels.values()], 1).astype("<f4")
    block[:, 8:] = joined.view(np.uint8)
    return b"".join((head, offsets.astype("<u8").tobytes(), block.tobytes()))


def export_images(recording: Recording, folder: str | Path, kind: str, sensor: str | None = None) -> tuple[Path, ...]:
    """Write the images of one camera or of all to `<folder>/<sensor>/<index>.<kind>`, or as one video for each; return the files.

    With exr and tiff the depth of each pixel, where it was recorded, goes to `<index>_depth` beside it.
    """
    root, suffix = Path(folder), kind.removeprefix(".").lower()
    if suffix in VIDEO_KINDS:
        return tuple(_videos(recording, root, suffix, sensor))
    written = []
    for sample in _images(recording, sensor):
        base = root / sample.stamp.sensor.strip("/") / f"{sample.stamp.index:06d}"
        written.append(write_image(base.with_suffix(f".{suffix}"), sample.pixels))
        if suffix in ("exr", "tiff") and sample.truth is not None:
            written.append(write_image(base.with_name(f"{base.name}_depth.{suffix}"), sample.truth.depth_m))
    return tuple(written)


def _images(recording: Recording, sensor: str | None) -> Iterator[Image]:
    return (sample for sample in recording.samples(sensor) if isinstance(sample, Image))


def _videos(recording: Recording, root: Path, suffix: str, sensor: str | None) -> Iterator[Path]:
    times: dict[str, list[int]] = {}
    for image in _images(recording, sensor):
        times.setdefault(image.stamp.sensor, []).append(image.stamp.time_ns)
    for name, starts in times.items():
        step_ns = float(np.median(np.diff(starts))) if len(starts) > 1 else 4e7
        path = root / f"{name.strip('/')}.{suffix}"
        write_video(path, (image.pixels for image in _images(recording, name)), 1e9 / step_ns)
        yield path


def write_video(path: Path | str, pictures: Iterable[NDArray[Any]], rate_hz: float) -> Path:
    """Write 8-bit pictures of one size [H, W] or [H, W, 3] as an H.264 video; deeper ones are shown with their upper 8 bits."""
    try:
        import av
    except ImportError:
        raise MissingExtraError("av", "video", "writing a video") from None
    out = Path(path)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with av.open(str(out), "w") as container:
            stream: Any = None
            for picture in pictures:
                if stream is None:
                    stream = container.add_stream("libx264", rate=Fraction(rate_hz).limit_denominator(1001))
                    stream.height, stream.width = (size - size % 2 for size in picture.shape[:2])
                    stream.pix_fmt, stream.options = "yuv420p", {"crf": "18"}
                seen = picture if picture.dtype == np.uint8 else (picture >> 8).astype(np.uint8)
                seen = np.ascontiguousarray(seen[: stream.height, : stream.width])
                frame = av.VideoFrame.from_ndarray(seen, format="rgb24" if seen.ndim == 3 else "gray")
                container.mux(stream.encode(frame))
            if stream is not None:
                container.mux(stream.encode())
    except OSError as error:
        raise RecordingError(f"cannot write the video {out}: {error.strerror or error}") from error
    return out


def _write_bytes(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise RecordingError(f"cannot write {path}: {error.strerror or error}") from error
