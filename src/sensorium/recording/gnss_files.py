"""A receiver's samples as the files that receivers write: NMEA sentences, UBX bytes, RINEX observations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from sensorium.core.earth import ecef_of_geodetic
from sensorium.core.errors import RecordingError, did_you_mean
from sensorium.recording.nmea import nmea_sentences
from sensorium.recording.reader import Recording
from sensorium.recording.rinex_observation import write_observations
from sensorium.recording.ubx import ubx_messages
from sensorium.samples.gnss import FixType, GnssFix


def write_nmea(path: str | Path, samples: Sequence[GnssFix]) -> None:
    """Write the sentences of all epochs."""
    Path(path).write_bytes("".join(map(nmea_sentences, samples)).encode("ascii"))


def write_ubx(path: str | Path, samples: Sequence[GnssFix]) -> None:
    """Write the messages of all epochs."""
    Path(path).write_bytes(b"".join(map(ubx_messages, samples)))


def write_rinex(path: str | Path, samples: Sequence[GnssFix]) -> None:
    """Write the raw measurements of all epochs that have them; the first fix is the approximate position."""
    epochs = [sample.raw for sample in samples if sample.raw is not None]
    fixed = next((sample for sample in samples if sample.fix != FixType.NONE), None)
    place = None if fixed is None else np.asarray(ecef_of_geodetic(*fixed.geodetic))
    write_observations(path, epochs, place, samples[0].stamp.sensor.upper() if samples else "SENSORIUM")


GNSS_FORMATS: dict[str, Callable[[str | Path, Sequence[GnssFix]], None]] = {
    ".nmea": write_nmea, ".ubx": write_ubx, ".rnx": write_rinex,
}  # fmt: skip


def write_gnss(path: str | Path, samples: Sequence[GnssFix]) -> None:
    """Write samples in the format of the path's suffix: .nmea, .ubx, .rnx."""
    suffix = Path(path).suffix
    if suffix not in GNSS_FORMATS:
        raise RecordingError(f"{path} has no suffix of a receiver's format.{did_you_mean(suffix, GNSS_FORMATS)}")
    GNSS_FORMATS[suffix](path, samples)


def export_gnss(recording: Recording, folder: str | Path, kind: str, sensor: str | None = None) -> tuple[Path, ...]:
    """Write one file `<folder>/<sensor>.<kind>` for each receiver of a recording; return the files."""
    by_sensor: dict[str, list[GnssFix]] = {}
    for sample in recording.samples(sensor):
        if isinstance(sample, GnssFix):
            by_sensor.setdefault(sample.stamp.sensor, []).append(sample)
    Path(folder).mkdir(parents=True, exist_ok=True)
    written = []
    for name, samples in by_sensor.items():
        written.append(Path(folder) / f"{name.strip('/')}.{kind.removeprefix('.')}")
        write_gnss(written[-1], samples)
    return tuple(written)
