"""The contract of every joint: one free coordinate of a mechanism at any time, vectorised over times."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sensorium.core.time import Times, TimeWindow

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class JointKinematics:
    """How a joint moves, batch shape [...]; radians for a revolute joint, metres for a prismatic one."""

    position: Floats
    """Not wrapped: a wheel that has turned twice stands at 4 pi."""
    velocity: Floats
    acceleration: Floats


class Joint(ABC):
    """A hinge or a slide. Implementations are frozen and answer any batch of times."""

    @property
    @abstractmethod
    def kind(self) -> Literal["revolute", "prismatic"]:
        """What its coordinate is: an angle or a length."""

    def instants_around(self, start_ns: int, end_ns: int) -> Times:
        """Return rising instants [K] that enclose a span; between two of them position, velocity and acceleration at both
        tell the whole movement: it is the quintic Hermite polynomial through them. Here: at most a millisecond apart.
        """
        pieces = max(1, -(-(end_ns - start_ns) // 1_000_000))
        return TimeWindow(start_ns, max(end_ns, start_ns + pieces)).instants(pieces + 1)

    @abstractmethod
    def kinematics_at(self, times_ns: Times) -> JointKinematics:
        """Return the coordinate and its true derivatives at times [...]."""
