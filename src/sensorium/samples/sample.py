"""What every parcel has in common: who measured, and when."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Stamp:
    """Who measured, and when; given to a sensor together with the chance that it may use."""

    sensor: str
    """Name of the sensor in the rig; also the topic's name and its frame."""
    index: int
    """Running number of the sample of this sensor."""
    time_ns: int
    """Start of the measurement; the stamp of messages."""
    ready_ns: int
    """When the sample is complete and leaves the sensor; the stream is ordered by it."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Sample:
    """A measurement as it leaves a sensor: plain frozen data, no link back to the world."""

    stamp: Stamp
