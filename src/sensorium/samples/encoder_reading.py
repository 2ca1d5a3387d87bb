"""What an encoder hands out: the position of a joint as it was counted, and the edges on its wires."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.samples.sample import Sample


@dataclass(frozen=True, eq=False, kw_only=True)
class EncoderEdges:
    """Changes of the signals A, B and Z since the sample before, in the order of time.

    No standard ROS 2 message carries them: they stay in memory, and a recording holds the readings.
    """

    time_ns: NDArray[np.int64]
    """[E] when the edge happened, since the scenario's start."""
    count: NDArray[np.int64]
    """[E] what the counter says after the edge; edges that it missed are not in the list."""
    a: NDArray[np.bool_]
    """[E] level of A after the edge; A leads B by a quarter of a period when the count rises."""
    b: NDArray[np.bool_]
    z: NDArray[np.bool_]
    """[E] level of the index after the edge: high during one count in each turn."""

    def __len__(self) -> int:
        return len(self.time_ns)


@dataclass(frozen=True, eq=False, kw_only=True)
class EncoderReading(Sample):
    """Position and speed of a joint at `time_ns`; radians for a hinge, metres for a slide."""

    joint: str
    position: NDArray[np.float64]
    """[1] binned, and wrapped or clamped."""
    velocity: NDArray[np.float64]
    """[1] as the electronics estimate it."""
    edges: EncoderEdges | None = None
