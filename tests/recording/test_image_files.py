"""Images as files, read by readers that we did not write."""

from __future__ import annotations

import cv2
import numpy as np
import PIL.Image
import pytest
from pictures import image, written

from sensorium.core.errors import RecordingError
from sensorium.recording.image_files import export_images, write_image, write_video
from sensorium.recording.reader import open_recording


@pytest.mark.parametrize("encoding", ["rgb8", "mono8", "mono16"])
@pytest.mark.parametrize("kind", ["png", "tiff"])
def test_png_and_tiff(tmp_path, encoding, kind):
    """Pillow reads the pixels back as they were."""
    sent = image(encoding=encoding).pixels
    found = np.array(PIL.Image.open(write_image(tmp_path / f"a.{kind}", sent)))
    np.testing.assert_array_equal(found, sent)


def test_floats_go_to_tiff_and_exr(tmp_path):
    """Depth with infinity survives; EXR is read by the library of OpenEXR."""
    depth = image().truth.depth_m
    np.testing.assert_array_equal(np.array(PIL.Image.open(write_image(tmp_path / "d.tiff", depth))), depth)
    exr = pytest.importorskip("OpenEXR")
    (found,) = exr.File(str(write_image(tmp_path / "d.exr", depth))).channels().values()
    np.testing.assert_array_equal(found.pixels, depth)
    (colour,) = exr.File(str(write_image(tmp_path / "n.exr", image().truth.normal))).channels().values()
    np.testing.assert_array_equal(colour.pixels, image().truth.normal)


def test_what_does_not_fit_is_refused(tmp_path):
    """Floats in PNG, 16 bits in JPEG, unknown formats."""
    for name, pixels in (("a.png", image().truth.depth_m), ("a.jpg", image(encoding="mono16").pixels)):
        with pytest.raises(RecordingError, match="does not fit"):
            write_image(tmp_path / name, pixels)
    with pytest.raises(RecordingError, match=r"is not a format for images. Did you mean 'png'"):
        write_image(tmp_path / "a.pgn", image().pixels)


def test_video_is_read_by_opencv(tmp_path):
    """As many frames as images, of the right rate and about the right colours."""
    pictures = [np.full((48, 64, 3), (40 * k, 120, 200 - 30 * k), np.uint8) for k in range(6)]
    capture = cv2.VideoCapture(str(write_video(tmp_path / "a.mp4", pictures, 20.0)))
    assert capture.get(cv2.CAP_PROP_FPS) == pytest.approx(20.0)
    for picture in pictures:
        good, frame = capture.read()
        assert good
        assert np.abs(frame[24, 32, ::-1].astype(int) - picture[24, 32]).max() < 12
    assert not capture.read()[0]


def test_a_recording_is_exported(tmp_path):
    """One file per image, with depth beside it where asked for; one video for a camera."""
    path = written(tmp_path / "a.mcap", [image(0), image(1, with_truth=False)])
    names = sorted(p.name for p in export_images(open_recording(path), tmp_path / "out", "tiff"))
    assert names == ["000000.tiff", "000000_depth.tiff", "000001.tiff"]
    (video,) = export_images(open_recording(path), tmp_path / "out", "mkv")
    assert video.name == "front.mkv"
    assert video.stat().st_size > 500
