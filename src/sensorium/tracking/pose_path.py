"""Where a sensor was: poses of its carrier from the truth, or from anything that gives samples of poses."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from sensorium.core.errors import ConfigurationError, did_you_mean
from sensorium.core.pose import Pose
from sensorium.samples import TruthSample


class PosePath:
    """Poses between known ones: straight in place, along the great circle in rotation; held beyond both ends."""

    def __init__(self, times_ns: NDArray[np.int64], poses: Pose, mount: Pose | None = None) -> None:
        if len(times_ns) == 0 or (np.diff(times_ns) <= 0).any():
            raise ConfigurationError("a path needs at least one pose, at times that rise")
        self._times_ns, self._poses = np.asarray(times_ns, np.int64), poses
        self._mount = mount or Pose.identity()

    @classmethod
    def of_truth(cls, samples: Iterable[TruthSample], body: str, mount: Pose | None = None) -> PosePath:
        """Return the path of a sensor mounted on a body."""
        times, poses, names = [], [], set()
        for sample in samples:
            names |= set(sample.names)
            if body in sample.names:
                times.append(sample.stamp.time_ns)
                poses.append(sample.pose[sample.names.index(body)])
        if not times:
            raise ConfigurationError(f"the truth knows no body '{body}'.{did_you_mean(body, names)}")
        stacked = Pose(np.array([p.position_m for p in poses]), np.array([p.quaternion for p in poses]))
        return cls(np.array(times, np.int64), stacked, mount)

    def velocity_m_s(self, times_ns: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the velocity [N, 3] of the sensor in the world: its way between the known poses around each time.

        Beyond both ends it is that of the nearest ones; with one pose alone there is none.
        """
        if len(self._times_ns) < 2:
            return np.zeros((len(times_ns), 3))
        after = np.clip(np.searchsorted(self._times_ns, times_ns, "right"), 1, len(self._times_ns) - 1)
        start, end = self(self._times_ns[after - 1]).position_m, self(self._times_ns[after]).position_m
        span_s = (self._times_ns[after] - self._times_ns[after - 1]) * 1e-9
        return np.asarray((end - start) / span_s[:, None])

    def __call__(self, times_ns: NDArray[np.int64]) -> Pose:
        """Return T_world_sensor [N]."""
        asked = np.clip(times_ns, self._times_ns[0], self._times_ns[-1])
        after = np.clip(np.searchsorted(self._times_ns, asked, "right"), 1, max(len(self._times_ns) - 1, 1))
        before, after = after - 1, np.minimum(after, len(self._times_ns) - 1)
        span = np.maximum(self._times_ns[after] - self._times_ns[before], 1)
        share = (asked - self._times_ns[before]) / span
        return self._poses[before].interpolate(self._poses[after], share) @ self._mount
