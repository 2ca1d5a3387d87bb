"""Temperatures become samples again; those of a weather station wait for its decision and its humidity."""

from __future__ import annotations

from typing import Any

import numpy as np

from sensorium.recording.received import Received
from sensorium.recording.ros_conventions import nanoseconds_of
from sensorium.recording.ros_temperature import HUMIDITY_TYPE, STATION, TEMPERATURE_TYPE, WET_BULB, ZERO_CELSIUS_K
from sensorium.recording.ros_types import deserialise
from sensorium.samples import Sample, Stamp, StationReading, Temperature


class TemperatureReader:
    """Joins the messages of a station; the temperature of anybody else is a sample at once."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[str, int], dict[str, Any]] = {}

    def take(self, received: Received) -> Sample | None:
        """Return the sample that this message completes."""
        kind, layout = received.topic.type_name, received.topic.layout
        message = deserialise(received.cdr, kind)
        whose = received.topic.sensor, received.index
        if kind == HUMIDITY_TYPE:
            return _station(self._waiting.pop(whose, {}), message, received)
        if kind == TEMPERATURE_TYPE and layout not in (STATION, WET_BULB):
            kelvin = np.array([float(message.temperature) + ZERO_CELSIUS_K])
            return Temperature(
                stamp=_stamp(message, received), temperature_k=kelvin, variance_k2=float(message.variance)
            )
        self._waiting = {whose: {**self._waiting.get(whose, {}), layout or "decision": message}}
        return None


def _stamp(message: Any, received: Received) -> Stamp:
    time_ns = nanoseconds_of(message.header.stamp) - received.epoch_ns
    return Stamp(received.topic.sensor or str(message.header.frame_id), received.index, time_ns, received.ready_ns)


def _station(parts: dict[str, Any], humidity: Any, received: Received) -> StationReading | None:
    """Return the reading; a humidity of another source, without the rest, is no sample of ours."""
    if not {STATION, WET_BULB, "decision"} <= set(parts):
        return None
    return StationReading(
        stamp=_stamp(humidity, received),
        temperature_k=np.array([float(parts[STATION].temperature) + ZERO_CELSIUS_K]),
        humidity=np.array([float(humidity.relative_humidity)]),
        wet_bulb_k=np.array([float(parts[WET_BULB].temperature) + ZERO_CELSIUS_K]),
        snow=bool(parts["decision"].data),
        temperature_variance_k2=float(parts[STATION].variance),
        humidity_variance=float(humidity.variance),
    )
