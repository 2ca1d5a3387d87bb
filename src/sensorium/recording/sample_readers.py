"""Who makes samples of which message types; the way back of `messages`.

A new kind of sample adds its reader here, under every type of message that the reader must see.
"""

from __future__ import annotations

from sensorium.recording.image_reader import ImageReader
from sensorium.recording.point_cloud_reader import PointCloudReader
from sensorium.recording.received import SampleReader
from sensorium.recording.ros_image import BOXES_TYPE as IMAGE_BOXES_TYPE
from sensorium.recording.ros_image import COMPRESSED_TYPE, IMAGE_TYPE, INFO_TYPE, SETTINGS_TYPE
from sensorium.recording.ros_point_cloud import BEAMS_TYPE, POINT_CLOUD_TYPE
from sensorium.recording.ros_truth import BOXES_TYPE, MOTION_TYPE
from sensorium.recording.truth_reader import TruthReader


def sample_readers() -> dict[str, SampleReader]:
    """Return a fresh reader for every type of message that belongs to a sample; they remember while they read one file."""
    clouds, truths, images = PointCloudReader(), TruthReader(), ImageReader()
    return {
        BEAMS_TYPE: clouds,
        POINT_CLOUD_TYPE: clouds,
        MOTION_TYPE: truths,
        BOXES_TYPE: truths,
        INFO_TYPE: images,
        SETTINGS_TYPE: images,
        IMAGE_BOXES_TYPE: images,
        IMAGE_TYPE: images,
        COMPRESSED_TYPE: images,
    }
