"""Recorded trajectories played back: smooth paths through records from a file or from arrays."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path as FilePath
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from sensorium.core.configuration import configured
from sensorium.core.pose import Pose
from sensorium.core.time import nanoseconds
from sensorium.core.units import Seconds
from sensorium.motion.orientation import AtWaypoints, Orientation, OrientationRule
from sensorium.motion.path import Path
from sensorium.motion.path_motion import PathMotion
from sensorium.motion.trajectory import Trajectory
from sensorium.motion.trajectory_csv import CsvFile
from sensorium.motion.trajectory_files import KittiFile, TumFile

_BY_ENDING = {".tum": "tum", ".txt": "tum", ".csv": "csv"}


def _file_by_ending(value: object) -> object:
    """Return settings for a file that is given by its path alone."""
    if not isinstance(value, str | FilePath):
        return value
    ending = FilePath(value).suffix.lower()
    if ending not in _BY_ENDING:
        known = ", ".join(_BY_ENDING)
        raise ValueError(
            f"the ending of '{value}' is none of {known}; write {{type: tum, kitti or csv, path: {value}}}"
        )
    return {"type": _BY_ENDING[ending], "path": value}


TrajectoryFile = Annotated[TumFile | KittiFile | CsvFile, Field(discriminator="type")]


@configured
class Playback(PathMotion):
    """Plays a recorded trajectory: a cubic spline through its positions, a rotation spline through its orientations.

    So velocity and acceleration are true derivatives, without rest at the ends; outside its time the body holds
    still. Two neighbouring records at exactly the same place are a stop, as in `Spline`. The file is read when the
    motion is first asked; `MotionError` tells what is damaged and where.
    """

    type: Literal["playback"] = "playback"
    file: Annotated[TrajectoryFile, BeforeValidator(_file_by_ending)]
    """The file, or its path alone if it ends with .tum, .txt (TUM) or .csv."""
    start_s: Seconds = 0.0
    """When the first record is; the records' own stamps count only from the first one on."""
    orientation: Orientation = Field(default_factory=AtWaypoints)
    """`AtWaypoints`, as recorded, or without what the file says: `AlongPath`, `Facing`."""
    T_world_origin: Pose = Field(default_factory=Pose.identity)
    """Where the origin of the recording's frame is in the world."""
    T_recorded_body: Pose = Field(default_factory=Pose.identity)
    """The body in the frame whose poses were recorded: T_camera_car for a camera's trajectory."""

    @cached_property
    def path(self) -> Path:
        """The polynomials."""
        trajectory = self.file.read().placed(self.T_world_origin, self.T_recorded_body)
        return trajectory.path(nanoseconds(self.start_s), self.orientation)


@dataclass(frozen=True, eq=False)
class Recorded(PathMotion):
    """The same from arrays, for scripts: ``Recorded(Trajectory(times_ns, position_m, quaternion))``."""

    trajectory: Trajectory
    start_s: float = 0.0
    orientation: OrientationRule = field(default_factory=AtWaypoints)

    @cached_property
    def path(self) -> Path:
        """The polynomials."""
        return self.trajectory.path(nanoseconds(self.start_s), self.orientation)
