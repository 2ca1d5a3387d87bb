"""Who makes samples of which message types; the way back of `messages`.

A new kind of sample adds its reader here, under every type of message that the reader must see.
"""

from __future__ import annotations

from sensorium.recording.point_cloud_reader import PointCloudReader
from sensorium.recording.radar_reader import RadarReader
from sensorium.recording.received import SampleReader
from sensorium.recording.ros_point_cloud import BEAMS_TYPE, POINT_CLOUD_TYPE
from sensorium.recording.ros_radar import ARRAY_TYPE, RADAR_SCAN_TYPE
from sensorium.recording.ros_truth import BOXES_TYPE, MOTION_TYPE
from sensorium.recording.truth_reader import TruthReader


def sample_readers() -> dict[str, SampleReader]:
    """Return a fresh reader for every type of message that belongs to a sample; they remember while they read one file."""
    clouds, truths = PointCloudReader(), TruthReader()
    radars = RadarReader(clouds)
    return {
        BEAMS_TYPE: clouds,
        POINT_CLOUD_TYPE: radars,
        RADAR_SCAN_TYPE: radars,
        ARRAY_TYPE: radars,
        MOTION_TYPE: truths,
        BOXES_TYPE: truths,
    }
