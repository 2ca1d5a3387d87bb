"""A message as it comes out of a recording."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from sensorium.recording.ros_conventions import Topic
from sensorium.samples import Sample


@dataclass(frozen=True, eq=False)
class Received:
    """A serialised message with all that the recording knows about it."""

    topic: Topic
    cdr: bytes
    index: int
    """Running number of the sample."""
    ready_ns: int
    """When the sample left its sensor, in simulated time."""
    epoch_ns: int
    """Unix time of the scenario's start."""


class SampleReader(Protocol):
    """Makes samples of the messages of some types; one that needs several messages remembers the earlier ones."""

    def take(self, received: Received) -> Sample | None:
        """Return the sample that this message completes."""
