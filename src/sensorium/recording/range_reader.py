"""Range messages become samples again, with the detections and the truth that come just before them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sensorium.recording.received import Received
from sensorium.recording.ros_conventions import nanoseconds_of
from sensorium.recording.ros_ranges import CHANNELS, RADIATION, RANGE_TYPE, TRUTH_LAYOUT
from sensorium.recording.ros_types import deserialise
from sensorium.samples import Ranges, RangeTruth, Stamp


class RangeReader:
    """Joins each range with its detections; a range of another source stands alone, as one detection or none."""

    def __init__(self) -> None:
        self._detections: dict[tuple[str, int], Any] = {}
        self._truth: dict[tuple[str, int], Any] = {}

    def take(self, received: Received) -> Ranges | None:
        """Return the sample when its range arrives."""
        message = deserialise(received.cdr, received.topic.type_name)
        whose = received.topic.sensor, received.index
        if received.topic.type_name != RANGE_TYPE:
            kept = {whose: message}
            if received.topic.layout == TRUTH_LAYOUT:
                self._truth = kept
            else:
                self._detections = kept
            return None
        return _sample(message, self._detections.pop(whose, None), self._truth.pop(whose, None), received)


def _sample(message: Any, detections: Any, truth: Any, received: Received) -> Ranges:
    names = {number: name for name, number in RADIATION.items()}
    stamp_ns = nanoseconds_of(message.header.stamp) - received.epoch_ns
    sensor = received.topic.sensor or str(message.header.frame_id)
    return Ranges(
        stamp=Stamp(sensor, received.index, stamp_ns, received.ready_ns),
        **(_alone(float(message.range)) if detections is None else _columns(detections)),
        too_near=float(message.range) == -math.inf,
        range_min_m=float(message.min_range), range_max_m=float(message.max_range),
        field_of_view_rad=float(message.field_of_view), variance_m2=float(message.variance),
        radiation=names.get(int(message.radiation_type), "infrared"),
        truth=None if truth is None else _truth(truth),
    )  # fmt: skip


def _columns(cloud: Any) -> dict[str, Any]:
    found = {str(channel.name): np.asarray(channel.values, np.float64) for channel in cloud.channels}
    return {field: found.get(name, np.full(len(cloud.points), np.nan)) for name, field in CHANNELS.items()}


def _alone(range_m: float) -> dict[str, Any]:
    seen = np.array([range_m] if math.isfinite(range_m) else [])
    return {field: seen if name == "range" else np.full(len(seen), np.nan) for name, field in CHANNELS.items()}


def _truth(cloud: Any) -> RangeTruth:
    found = {str(channel.name): np.asarray(channel.values) for channel in cloud.channels}
    return RangeTruth(
        body=found["body"].astype(np.int32),
        part=found["part"].astype(np.int32),
        points_m=np.array([(point.x, point.y, point.z) for point in cloud.points], np.float64).reshape(-1, 3),
        degenerate_faces=int(found["degenerate_faces"][0]) if len(cloud.points) else 0,
    )
