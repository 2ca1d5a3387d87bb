"""Dead reckoning of a recording: which sensors there are, and where they sit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sensorium.apps.raw_messages import mounts_of
from sensorium.core.errors import RecordingError, did_you_mean
from sensorium.evaluation.dead_reckoning import Drift, Track, drift_of, inertial_track, readings_of, wheel_track
from sensorium.samples import ImuSample

if TYPE_CHECKING:
    from sensorium.recording.reader import Recording


def drifts_of(
    recording: Recording, body: str | None, imu: str | None, odometers: tuple[str, ...]
) -> tuple[Track, list[Drift]]:
    """Return the true way of a body and the drift of every kind of dead reckoning that the recording allows."""
    mounts = {mount.name: mount for mount in mounts_of(recording)}
    samples = list(recording.samples())
    units = dict.fromkeys(sample.stamp.sensor for sample in samples if isinstance(sample, ImuSample))
    if not units:
        raise RecordingError(f"{recording.path} holds no readings of an IMU; dead reckoning needs a gyroscope")
    chosen = next(iter(units)) if imu is None else imu
    if chosen not in units or chosen not in mounts:
        raise RecordingError(
            f"{recording.path} has no IMU '{chosen}' whose mount is known.{did_you_mean(chosen, units)}"
        )
    readings = readings_of(samples, body or mounts[chosen].body, chosen, odometers)
    pose = mounts[chosen].pose
    tracks = []
    if readings.way is not None:
        tracks.append(wheel_track(readings, pose))
    if readings.forces is not None:
        tracks.append(inertial_track(readings, pose))
    if not tracks:
        raise RecordingError(f"{recording.path} has neither an odometer nor an accelerometer besides its gyroscope")
    return readings.truth, [drift_of(track, readings.truth) for track in tracks]
