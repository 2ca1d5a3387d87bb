"""A recorded trajectory: where a body was, and how it was turned, at given instants."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sensorium.core.errors import MotionError
from sensorium.core.pose import Pose
from sensorium.core.time import Times
from sensorium.motion import cubics
from sensorium.motion.ends import NotAKnot
from sensorium.motion.orientation import OrientationRule
from sensorium.motion.path import Path
from sensorium.motion.timeline import Timeline

Floats = NDArray[np.float64]

_LENGTH_TOLERANCE = 0.01
_FARTHEST_M = 1e12


@dataclass(frozen=True, eq=False)
class Trajectory:
    """At least two records in the order of their times; `MotionError` names the first that cannot be used."""

    times_ns: Times
    """[N] int64, in any epoch."""
    position_m: Floats
    """[N, 3]"""
    quaternion: Floats | None = None
    """[N, 4] wxyz of length 1; None if the orientation was not recorded."""
    place_of: Callable[[int], str] = "record {}".format
    """Says where the record of a number stands, for messages: "run.csv:12"."""

    def __post_init__(self) -> None:
        count, turned = len(self.times_ns), self.quaternion
        if self.position_m.shape != (count, 3) or (turned is not None and turned.shape != (count, 4)):
            raise MotionError(f"{count} times need positions [{count}, 3] and quaternions [{count}, 4] or none")
        if count < 2:
            raise MotionError(f"{self.place_of(0)}: a trajectory needs at least 2 records, found {count}")
        far = ~(np.abs(self.position_m) <= _FARTHEST_M).all(1)
        self._refuse(far, lambda n: f"the position is {self.position_m[n].tolist()}, not within {_FARTHEST_M:g} m")
        if turned is not None:
            length = np.linalg.norm(turned, axis=1)
            wrong = ~(np.abs(length - 1) <= _LENGTH_TOLERANCE)
            self._refuse(wrong, lambda n: f"the quaternion has the length {length[n]:.4g}, it must be 1")
        late = np.append(False, self.times_ns[1:] <= self.times_ns[:-1])
        self._refuse(late, lambda n: f"the time {self.times_ns[n]} ns is not later than that of the record before, "
                                     f"{self.times_ns[n - 1]} ns")  # fmt: skip

    def _refuse(self, wrong: Any, what: Callable[[int], str]) -> None:
        if wrong.any():
            first = int(np.argmax(wrong))
            raise MotionError(f"{self.place_of(first)}: {what(first)}; correct the record or remove it")

    def placed(self, T_world_origin: Pose, T_recorded_body: Pose) -> Trajectory:  # noqa: N803
        """Return the trajectory of a body fixed to the recorded frame, with the recording placed in the world."""
        quaternion = np.array([1.0, 0.0, 0.0, 0.0]) if self.quaternion is None else self.quaternion
        if self.quaternion is None and (T_recorded_body.position_m.any() or T_recorded_body.quaternion[1:].any()):
            raise MotionError(
                f"{self.place_of(0)}: no orientation is recorded, so T_recorded_body leads to no place; leave it out"
            )
        poses = T_world_origin @ Pose(self.position_m, quaternion) @ T_recorded_body
        turned = None if self.quaternion is None else poses.quaternion
        return Trajectory(self.times_ns, poses.position_m, turned, self.place_of)

    def path(self, start_ns: int, orientation: OrientationRule) -> Path:
        """Return the smooth path through the records, the first of which is at the start."""
        if orientation.needs_orientations and self.quaternion is None:
            raise MotionError(
                f"{self.place_of(0)}: no orientation is recorded; set the orientation to {{type: along_path}} or "
                "{type: facing}"
            )
        since_ns = self.times_ns - self.times_ns[0]
        spans, ends = np.diff(since_ns) * 1e-9, NotAKnot()
        position = cubics.through(self.position_m, spans, ends)
        return Path(
            Timeline.of(since_ns + start_ns), position, orientation.attitude(position, spans, self.quaternion, ends)
        )
