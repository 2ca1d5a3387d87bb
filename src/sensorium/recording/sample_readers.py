"""Who makes samples of which message types; the way back of `messages`.

A new kind of sample adds its reader here, under every type of message that the reader must see.
"""

from __future__ import annotations

from sensorium.recording.gnss_reader import GnssReader
from sensorium.recording.inertial_reader import ImuReader
from sensorium.recording.point_cloud_reader import PointCloudReader
from sensorium.recording.received import SampleReader
from sensorium.recording.ros_gnss import FIX_TYPE, TIME_TYPE, UBX_TYPE, VELOCITY_TYPE
from sensorium.recording.ros_inertial import FIELD_TYPE, IMU_TYPE
from sensorium.recording.ros_point_cloud import BEAMS_TYPE, POINT_CLOUD_TYPE
from sensorium.recording.ros_truth import BOXES_TYPE, MOTION_TYPE
from sensorium.recording.ros_wheel import JOINT_TYPE, ODOMETRY_TYPE, EncoderReader, OdometerReader
from sensorium.recording.truth_reader import TruthReader


def sample_readers() -> dict[str, SampleReader]:
    """Return a fresh reader for every type of message that belongs to a sample; they remember while they read one file."""
    clouds, truths, inertial = PointCloudReader(), TruthReader(), ImuReader()
    fixes = GnssReader()
    return {
        BEAMS_TYPE: clouds,
        FIELD_TYPE: inertial,
        IMU_TYPE: inertial,
        POINT_CLOUD_TYPE: clouds,
        MOTION_TYPE: truths,
        BOXES_TYPE: truths,
        FIX_TYPE: fixes,
        TIME_TYPE: fixes,
        VELOCITY_TYPE: fixes,
        UBX_TYPE: fixes,
        JOINT_TYPE: EncoderReader(),
        ODOMETRY_TYPE: OdometerReader(),
    }
