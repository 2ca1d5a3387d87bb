"""The file formats of recorded trajectories: TUM and KITTI. For CSV see `trajectory_csv`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import model_validator

from sensorium.core.configuration import configured
from sensorium.core.errors import MotionError
from sensorium.core.files import InputFile
from sensorium.core.pose import Pose
from sensorium.core.time import NANOSECONDS_PER_SECOND
from sensorium.core.units import PositiveHertz
from sensorium.motion.trajectory import Trajectory
from sensorium.motion.trajectory_text import damaged, numbers, records_of, time_ns

Floats = NDArray[np.float64]

_TUM = ("tx", "ty", "tz", "qx", "qy", "qz", "qw")
_KITTI = tuple(f"number {place}" for place in range(1, 13))


class TrajectorySource(ABC):
    """Something that a trajectory can be read from."""

    @abstractmethod
    def read(self) -> Trajectory:
        """Return the trajectory; `MotionError` names the file, the line and the damage."""


class Places:
    """Says where a record stands: in which line of which file."""

    def __init__(self, path: Path, lines: Sequence[int]) -> None:
        self._path, self._lines = path, lines

    def __call__(self, record: int) -> str:
        """Return file and line of the record of a number."""
        return f"{self._path}:{self._lines[record]}" if record < len(self._lines) else f"{self._path}"


@configured
class TumFile(TrajectorySource):
    """Lines of `time tx ty tz qx qy qz qw`: seconds in any epoch, metres, a unit quaternion; # begins a comment."""

    type: Literal["tum"] = "tum"
    path: InputFile

    def read(self) -> Trajectory:
        """Return the trajectory."""
        lines, times, rows = [], [], []
        for line, words in records_of(self.path):
            if len(words) != 8:
                raise damaged(self.path, line, f"expected 8 numbers, time tx ty tz qx qy qz qw, found {len(words)}")
            lines.append(line)
            times.append(time_ns(self.path, line, words[0]))
            rows.append(numbers(self.path, line, words[1:], _TUM))
        table = np.array(rows).reshape(-1, 7)
        wxyz = table[:, [6, 3, 4, 5]]
        return Trajectory(np.array(times, np.int64), table[:, :3], wxyz, Places(self.path, lines))


@configured
class KittiFile(TrajectorySource):
    """Lines of 12 numbers, the rows of [R | t] (3 x 4) one after another, as in KITTI's odometry benchmark.

    The times stand in a file of their own, one in each line, or follow from a fixed rate. KITTI's poses are those of a
    camera (x right, y down, z forward): give `T_recorded_body` of the playback for the car.
    """

    type: Literal["kitti"] = "kitti"
    path: InputFile
    times_path: InputFile | None = None
    rate_hz: PositiveHertz | None = None

    @model_validator(mode="after")
    def _has_times(self) -> Self:
        if (self.times_path is None) == (self.rate_hz is None):
            raise ValueError("give either times_path or rate_hz, which say when the poses were taken")
        return self

    def read(self) -> Trajectory:
        """Return the trajectory."""
        lines, rows = [], []
        for line, words in records_of(self.path):
            if len(words) != 12:
                raise damaged(self.path, line, f"expected 12 numbers, the rows of [R | t], found {len(words)}")
            lines.append(line)
            rows.append(numbers(self.path, line, words, _KITTI))
        matrices = np.array(rows).reshape(-1, 3, 4)
        quaternion = self._quaternions(matrices[:, :, :3], lines)
        return Trajectory(self._times_ns(len(rows)), matrices[:, :, 3], quaternion, Places(self.path, lines))

    def _times_ns(self, count: int) -> NDArray[np.int64]:
        if self.times_path is None:
            assert self.rate_hz is not None, "one of both is given"
            return np.array([round(n * NANOSECONDS_PER_SECOND / self.rate_hz) for n in range(count)], np.int64)
        times = [time_ns(self.times_path, line, words[0]) for line, words in records_of(self.times_path)]
        if len(times) != count:
            raise MotionError(f"{self.times_path}: holds {len(times)} times, but {self.path} holds {count} poses")
        return np.array(times, np.int64)

    def _quaternions(self, rotations: Floats, lines: Sequence[int]) -> Floats:
        off = np.abs(rotations @ rotations.transpose(0, 2, 1) - np.eye(3)).max((1, 2), initial=0)
        wrong = (off > 0.01) | (np.linalg.det(rotations) < 0)
        if wrong.any():
            raise damaged(self.path, lines[int(np.argmax(wrong))], "the 3 x 3 matrix is not a rotation")
        turned = np.tile(np.eye(4), (len(rotations), 1, 1))
        turned[:, :3, :3] = rotations
        return Pose.from_matrix(turned).quaternion if len(rotations) else np.zeros((0, 4))
