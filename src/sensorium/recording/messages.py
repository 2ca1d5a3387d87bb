"""Samples become ROS 2 messages: one function per class of sample.

A new kind of sample needs a module with its function, and one `register` line here.
"""

from __future__ import annotations

from functools import singledispatch

from sensorium.core.errors import RecordingError, did_you_mean
from sensorium.recording.ros_conventions import RosConventions, RosMessage
from sensorium.recording.ros_gnss import gnss_messages
from sensorium.recording.ros_image import image_messages
from sensorium.recording.ros_inertial import inertial_messages
from sensorium.recording.ros_point_cloud import point_cloud_messages
from sensorium.recording.ros_radar import radar_messages
from sensorium.recording.ros_ranges import range_messages
from sensorium.recording.ros_temperature import station_messages, temperature_messages
from sensorium.recording.ros_truth import truth_messages
from sensorium.recording.ros_wheel import encoder_messages, odometer_messages
from sensorium.samples import (
    EncoderReading,
    GnssFix,
    Image,
    ImuSample,
    OdometerReading,
    PointCloud,
    RadarScan,
    Ranges,
    StationReading,
    Temperature,
    TruthSample,
)


@singledispatch
def messages_of(sample: object, conventions: RosConventions) -> tuple[RosMessage, ...]:
    """Return the messages of one sample, in the order in which a subscriber should receive them."""
    kind = type(sample).__name__
    known = [each.__name__ for each in messages_of.registry if each is not object]
    raise RecordingError(
        f"a sample of class {kind} cannot be recorded: no ROS 2 message is registered for it."
        f"{did_you_mean(kind, known)} Register a function with sensorium.recording.messages.messages_of.register."
    )


messages_of.register(GnssFix, gnss_messages)
messages_of.register(ImuSample, inertial_messages)
messages_of.register(PointCloud, point_cloud_messages)
messages_of.register(RadarScan, radar_messages)
messages_of.register(TruthSample, truth_messages)
messages_of.register(EncoderReading, encoder_messages)
messages_of.register(OdometerReading, odometer_messages)
messages_of.register(Ranges, range_messages)
messages_of.register(Temperature, temperature_messages)
messages_of.register(StationReading, station_messages)
messages_of.register(Image, image_messages)
