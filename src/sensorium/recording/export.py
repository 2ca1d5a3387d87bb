"""All clouds of a recording as files of their own."""

from __future__ import annotations

from pathlib import Path

from sensorium.core.errors import RecordingError
from sensorium.recording.point_cloud_files import format_of, write_point_cloud
from sensorium.recording.reader import Recording
from sensorium.samples import PointCloud


def export_files(recording: Recording, folder: str | Path, kind: str) -> tuple[Path, ...]:
    """Write what a format is for: clouds, images or videos, or what satellite receivers tell; return the files."""
    from sensorium.recording.gnss_files import GNSS_FORMATS, export_gnss
    from sensorium.recording.image_files import IMAGE_KINDS, VIDEO_KINDS, export_images

    suffix = kind.removeprefix(".").lower()
    if f".{suffix}" in GNSS_FORMATS:
        return tuple(export_gnss(recording, folder, kind))
    if suffix in (*IMAGE_KINDS, *VIDEO_KINDS):
        return export_images(recording, folder, kind)
    return export_clouds(recording, folder, kind)


def export_clouds(recording: Recording, folder: str | Path, kind: str, sensor: str | None = None) -> tuple[Path, ...]:
    """Write the clouds of one sensor or of all to `<folder>/<sensor>/<index>.<kind>`; return the files.

    `kind` is the suffix of a point cloud format, with or without its dot. Points stay in the sensor frame.
    """
    root, suffix, written = Path(folder), f".{kind.removeprefix('.')}", []
    format_of(root / f"cloud{suffix}")
    for sample in recording.samples(sensor):
        if isinstance(sample, PointCloud):
            path = root / sample.stamp.sensor.strip("/") / f"{sample.stamp.index:06d}{suffix}"
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise RecordingError(f"cannot make the folder {path.parent}: {error.strerror or error}") from error
            write_point_cloud(path, sample)
            written.append(path)
    return tuple(written)
