"""Who makes samples of which message types; the way back of `messages`.

A new kind of sample adds its reader here, under every type of message that the reader must see.
"""

from __future__ import annotations

from sensorium.recording.gnss_reader import GnssReader
from sensorium.recording.image_reader import ImageReader
from sensorium.recording.inertial_reader import ImuReader
from sensorium.recording.point_cloud_reader import PointCloudReader
from sensorium.recording.radar_reader import RadarReader
from sensorium.recording.range_reader import RangeReader
from sensorium.recording.received import SampleReader
from sensorium.recording.ros_gnss import FIX_TYPE, TIME_TYPE, UBX_TYPE, VELOCITY_TYPE
from sensorium.recording.ros_image import COMPRESSED_TYPE, IMAGE_TYPE, INFO_TYPE, SETTINGS_TYPE
from sensorium.recording.ros_inertial import FIELD_TYPE, IMU_TYPE
from sensorium.recording.ros_point_cloud import BEAMS_TYPE, POINT_CLOUD_TYPE
from sensorium.recording.ros_radar import ARRAY_TYPE, RADAR_SCAN_TYPE
from sensorium.recording.ros_ranges import DETECTIONS_TYPE, RANGE_TYPE
from sensorium.recording.ros_temperature import DECISION_TYPE, HUMIDITY_TYPE, TEMPERATURE_TYPE
from sensorium.recording.ros_truth import BOXES_TYPE, MOTION_TYPE
from sensorium.recording.ros_wheel import JOINT_TYPE, ODOMETRY_TYPE, EncoderReader, OdometerReader
from sensorium.recording.temperature_reader import TemperatureReader
from sensorium.recording.truth_reader import TruthReader


def sample_readers() -> dict[str, SampleReader]:
    """Return a fresh reader for every type of message that belongs to a sample; they remember while they read one file."""
    clouds = PointCloudReader()
    readers: tuple[tuple[SampleReader, tuple[str, ...]], ...] = (
        (clouds, (BEAMS_TYPE,)),
        (RadarReader(clouds), (POINT_CLOUD_TYPE, RADAR_SCAN_TYPE, ARRAY_TYPE)),
        (TruthReader(), (MOTION_TYPE, BOXES_TYPE)),
        (ImuReader(), (FIELD_TYPE, IMU_TYPE)),
        (EncoderReader(), (JOINT_TYPE,)),
        (OdometerReader(), (ODOMETRY_TYPE,)),
        (RangeReader(), (DETECTIONS_TYPE, RANGE_TYPE)),
        (TemperatureReader(), (DECISION_TYPE, HUMIDITY_TYPE, TEMPERATURE_TYPE)),
        (GnssReader(), (FIX_TYPE, TIME_TYPE, VELOCITY_TYPE, UBX_TYPE)),
        (ImageReader(), (INFO_TYPE, SETTINGS_TYPE, IMAGE_TYPE, COMPRESSED_TYPE)),
    )
    chosen = {kind: reader for reader, kinds in readers for kind in kinds}
    assert len(chosen) == sum(len(kinds) for _, kinds in readers), "two readers want one type of message"
    return chosen
