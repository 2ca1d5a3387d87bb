"""Motions whose path is a piecewise polynomial: evaluation of one, and of many in one batch."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sensorium.core.pose import Pose
from sensorium.core.time import Times
from sensorium.motion.motion import Kinematics, Motion
from sensorium.motion.path import Path

Groups = tuple[tuple[NDArray[np.int64], Path], ...]


class PathMotion(Motion):
    """Base of spline and playback: everything follows from the path."""

    @property
    @abstractmethod
    def path(self) -> Path:
        """The one curve of this motion."""

    def pose_at(self, times_ns: Times) -> Pose:
        """Return T_world_body at times [...]."""
        times = np.asarray(times_ns, np.int64)
        return self.path.poses(times.ravel(), times.shape)

    def kinematics_at(self, times_ns: Times) -> Kinematics:
        """Return pose and exact derivatives at times [...]."""
        times = np.asarray(times_ns, np.int64)
        return self.path.kinematics(times.ravel(), times.shape)

    @classmethod
    def poses_of(cls, motions: Sequence[Motion], times_ns: Times) -> Pose:
        """Return poses [motions, times]; the polynomials of the same motions are packed only once."""
        times = np.asarray(times_ns, np.int64)
        groups = _groups(_Same(motions))
        if len(groups) == 1:
            return groups[0][1].poses(times, (len(motions), len(times)))
        position, quaternion = np.empty((len(motions), len(times), 3)), np.empty((len(motions), len(times), 4))
        for rows, path in groups:
            poses = path.poses(times, (len(rows), len(times)))
            position[rows], quaternion[rows] = poses.position_m, poses.quaternion
        return Pose(position, quaternion)

    @classmethod
    def kinematics_of(cls, motions: Sequence[Motion], times_ns: Times) -> Kinematics:
        """Return kinematics [motions, times] from the same packed polynomials."""
        times = np.asarray(times_ns, np.int64)
        groups = _groups(_Same(motions))
        each = [path.kinematics(times, (len(rows), len(times))) for rows, path in groups]
        if len(each) == 1:
            return each[0]
        order = np.argsort(np.concatenate([rows for rows, _ in groups]))
        return Kinematics.joined(each).rows(order)


class _Same:
    """Several motions as a key: equal to another if it has the very same objects in the same order."""

    def __init__(self, motions: Sequence[Motion]) -> None:
        self.motions = tuple(motions)  # kept alive, so that no identity is used again
        self._identities = tuple(map(id, self.motions))

    def __hash__(self) -> int:
        return hash(self._identities)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self._identities == other._identities


@lru_cache(maxsize=8)
def _groups(key: _Same) -> Groups:
    """Return the packed paths of the motions, one for each kind of rotation, with their places in the key."""
    kinds: dict[object, list[int]] = {}
    paths = [motion.path for motion in key.motions if isinstance(motion, PathMotion)]
    for number, path in enumerate(paths):
        kinds.setdefault(path.attitude.kind, []).append(number)
    return tuple((np.array(rows), Path.joined([paths[row] for row in rows])) for rows in kinds.values())
