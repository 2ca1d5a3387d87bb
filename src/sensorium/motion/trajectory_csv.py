"""Recorded trajectories in CSV files whose columns are named in the first line."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sensorium.core.configuration import configured
from sensorium.core.errors import did_you_mean
from sensorium.core.files import InputFile
from sensorium.core.pose import Pose
from sensorium.motion.trajectory import Trajectory
from sensorium.motion.trajectory_files import Places, TrajectorySource
from sensorium.motion.trajectory_text import damaged, numbers, text_of, time_ns

Floats = NDArray[np.float64]

_TIMES = {"time_s": 9, "time_ns": 0}  # name -> digits of its unit in nanoseconds
_POSITION = ("x_m", "y_m", "z_m")
_QUATERNION = ("qw", "qx", "qy", "qz")
_ANGLES = {
    f"{angle}_{unit}": factor
    for angle in ("roll", "pitch", "yaw")
    for unit, factor in (("rad", 1.0), ("deg", math.pi / 180))
}


@configured
class CsvFile(TrajectorySource):
    """Columns time_s or time_ns; x_m, y_m, z_m; and how the body is turned. Other columns are ignored.

    The turn is qw, qx, qy, qz, or any of roll, pitch, yaw about the fixed axes x, y, z with _rad or _deg behind the
    name, or it is not given. Empty lines and lines that begin with # are skipped.
    """

    type: Literal["csv"] = "csv"
    path: InputFile

    def read(self) -> Trajectory:
        """Return the trajectory."""
        lines, table = _table(self.path)
        columns = _Columns(self.path, lines[0], table[0]) if table else None
        if columns is None:
            raise damaged(
                self.path, 1, "the file is empty; its first line must name the columns: time_s,x_m,y_m,z_m, ..."
            )
        times, rows = [], []
        for line, words in zip(lines[1:], table[1:], strict=True):
            if len(words) != columns.count:
                raise damaged(self.path, line, f"expected {columns.count} columns, found {len(words)}")
            times.append(time_ns(self.path, line, words[columns.time], columns.time_digits))
            rows.append(numbers(self.path, line, [words[place] for place in columns.places], columns.names))
        values = np.array(rows).reshape(-1, len(columns.names))
        turned = columns.quaternions(values)
        return Trajectory(np.array(times, np.int64), values[:, :3], turned, Places(self.path, lines[1:]))


def _table(path: Path) -> tuple[list[int], list[list[str]]]:
    """Return line numbers and cells of all lines with content."""
    reader = csv.reader(text_of(path).splitlines(), skipinitialspace=True)
    lines, table = [], []
    try:
        for words in reader:
            if any(words) and not words[0].startswith("#"):
                lines.append(reader.line_num)
                table.append([word.strip() for word in words])
    except csv.Error as error:
        raise damaged(path, reader.line_num, f"is not CSV: {error}") from None
    return lines, table


class _Columns:
    """Where the wanted columns of a file are."""

    def __init__(self, path: Path, line: int, header: Sequence[str]) -> None:
        self._path, self._line, self._header = path, line, header
        self.count = len(header)
        times = [name for name in _TIMES if name in header]
        turned = [name for name in (*_QUATERNION, *_ANGLES) if name in header]
        self._check(times, turned)
        self.time, self.time_digits = header.index(times[0]), _TIMES[times[0]]
        self.names = (*_POSITION, *turned)
        self.places = [header.index(name) for name in self.names]

    def _check(self, times: Sequence[str], turned: Sequence[str]) -> None:
        """Refuse headers with columns missing, twice, or against each other."""
        if not times:
            self._missing("time_s")
        for name in _POSITION:
            if name not in self._header:
                self._missing(name)
        quaternion = [name for name in turned if name in _QUATERNION]
        for name in _QUATERNION if quaternion else ():
            if name not in quaternion:
                self._missing(name)
        about = [name.partition("_")[0] for name in turned if name in _ANGLES]
        if len(times) > 1 or (quaternion and about) or len(set(about)) < len(about):
            both = ", ".join((*times, *turned))
            raise damaged(self._path, self._line, f"the columns {both} say one thing twice; keep one of each")
        for name in (*times, *_POSITION, *turned):
            if self._header.count(name) > 1:
                raise damaged(self._path, self._line, f"the column '{name}' stands twice")

    def _missing(self, name: str) -> None:
        guess = did_you_mean(name, self._header)
        raise damaged(
            self._path, self._line, f"the column '{name}' is missing.{guess.replace('Did you mean', 'Is it')}"
        )

    def quaternions(self, values: Floats) -> Floats | None:
        """Return [N, 4] wxyz from the rows, whose first three columns are the position; None if there is no turn."""
        if len(self.names) == len(_POSITION):
            return None
        if self.names[3] in _QUATERNION:
            return values[:, 3:]
        rpy = np.zeros((len(values), 3))
        for name, column in zip(self.names[3:], values[:, 3:].T, strict=True):
            rpy[:, ("roll", "pitch", "yaw").index(name.partition("_")[0])] = column * _ANGLES[name]
        return Pose.from_rpy(np.zeros(3), rpy).quaternion
