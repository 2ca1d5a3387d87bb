"""Images, calibrations and their truth in MCAP, read by readers that we did not write, and back."""

from __future__ import annotations

import numpy as np
import pytest
from mcap_ros2.reader import read_ros2_messages
from pictures import SHAPE, calibration, image, written

from sensorium.core.errors import RecordingError
from sensorium.core.pose import Pose
from sensorium.recording.reader import open_recording
from sensorium.samples import Image, Stamp


def test_other_readers_see_image_and_calibration(tmp_path):
    """mcap_ros2 finds the same pixels, one stamp and one optical frame for image and CameraInfo."""
    sent = image()
    path = written(tmp_path / "a.mcap", [sent])
    found = {one.channel.topic: one.ros_msg for one in read_ros2_messages(path)}
    picture, info = found["/front/image_raw"], found["/front/camera_info"]
    assert (picture.height, picture.width, picture.encoding, picture.step) == (*SHAPE, "rgb8", 3 * SHAPE[1])
    np.testing.assert_array_equal(np.frombuffer(picture.data, np.uint8).reshape(*SHAPE, 3), sent.pixels)
    assert picture.header.frame_id == info.header.frame_id == "front_optical_frame"
    assert picture.header.stamp.nanosec == info.header.stamp.nanosec
    np.testing.assert_array_equal(np.reshape(info.k, (3, 3)), sent.calibration.matrix)
    np.testing.assert_array_equal(info.d, sent.calibration.distortion)
    np.testing.assert_array_equal(np.reshape(info.p, (3, 4))[:, :3], sent.calibration.matrix)
    assert info.distortion_model == "plumb_bob"
    assert found["/truth/front/depth"].encoding == "32FC1"


def test_optical_frame_is_turned_as_rep_103_says(tmp_path):
    """z of the optical frame is x of the sensor, x is minus y, y is minus z."""
    path = written(tmp_path / "a.mcap", [image()])
    (static,) = [one.ros_msg for one in read_ros2_messages(path) if one.channel.topic == "/tf_static"]
    frames = {one.child_frame_id: one for one in static.transforms}
    optical = frames["front_optical_frame"]
    assert optical.header.frame_id == "front"
    q = optical.transform.rotation
    turn = Pose(np.zeros(3), np.array([q.w, q.x, q.y, q.z]))
    np.testing.assert_allclose(turn.rotate(np.eye(3)), [[0, -1, 0], [0, 0, -1], [1, 0, 0]], atol=1e-15)


@pytest.mark.parametrize("encoding", ["rgb8", "mono8", "mono16", "bayer_rggb16", "bayer_grbg8"])
@pytest.mark.parametrize("kind", ["raw", "png"])
def test_images_come_back_as_they_were(tmp_path, encoding, kind):
    """Pixels, encoding, settings, stamp and truth survive writing and reading, raw and as PNG."""
    sent = [image(0, encoding), image(1, encoding, with_truth=False)]
    first, second = open_recording(written(tmp_path / "a.mcap", sent, image_format=kind)).samples("front")
    np.testing.assert_array_equal(first.pixels, sent[0].pixels)
    assert first.pixels.dtype == sent[0].pixels.dtype
    assert (first.encoding, first.stamp, first.exposure_s, first.row_delay_s, first.gain_db) == (
        encoding, sent[0].stamp, 0.005, 1e-5, 6.0
    )  # fmt: skip
    for name in ("depth_m", "normal", "body", "part", "label", "flow_px"):
        np.testing.assert_array_equal(getattr(first.truth, name), getattr(sent[0].truth, name))
    for name in ("body", "full_px", "visible_px", "visible_share", "centre_m", "size_m", "quaternion"):
        np.testing.assert_array_equal(getattr(first.truth.boxes, name), getattr(sent[0].truth.boxes, name))
    assert second.truth is None


@pytest.mark.parametrize("model", ["plumb_bob", "rational_polynomial", "equidistant", "equirectangular"])
def test_calibrations_come_back(tmp_path, model):
    """Model, matrix and coefficients survive."""
    (found,) = open_recording(written(tmp_path / "a.mcap", [image(model=model)])).samples("front")
    assert found.calibration.model == model
    np.testing.assert_array_equal(found.calibration.matrix, calibration(model).matrix)
    np.testing.assert_array_equal(found.calibration.distortion, calibration(model).distortion)


def test_jpeg_is_close_and_small(tmp_path):
    """A smooth picture survives JPEG within a few numbers; OpenCV reads the same bytes."""
    import cv2

    ramp = np.linspace(0, 255, 64 * 64 * 3).reshape(64, 64, 3).astype(np.uint8)
    sent = Image(
        stamp=Stamp("front", 0, 0, 0), pixels=ramp, encoding="rgb8", calibration=calibration(), exposure_s=0.01
    )
    path = written(tmp_path / "a.mcap", [sent], image_format="jpeg")
    (found,) = open_recording(path).samples("front")
    assert np.abs(found.pixels.astype(int) - ramp).max() < 8
    (message,) = [one.ros_msg for one in read_ros2_messages(path) if one.channel.topic.endswith("compressed")]
    assert message.format == "rgb8; jpeg compressed bgr8"
    blue_first = cv2.imdecode(np.frombuffer(message.data, np.uint8), cv2.IMREAD_COLOR)
    assert np.abs(blue_first[..., ::-1].astype(int) - found.pixels).max() < 4


def test_deep_images_are_refused_as_jpeg(tmp_path):
    """JPEG has 8 bits; a 16-bit image says so."""
    with pytest.raises(RecordingError, match="JPEG, which has 8 bits"):
        written(tmp_path / "a.mcap", [image(encoding="mono16")], image_format="jpeg")
