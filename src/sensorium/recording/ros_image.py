"""Images as sensor_msgs/msg/Image or CompressedImage with their CameraInfo, and what is true of their pixels.

All messages of one image carry the same stamp, the start of the first row's exposure, and the frame `<sensor>_optical_frame`
(z forward, x right, y down; REP 103). The image comes last, so that who has it has everything.

| topic | type |
| --- | --- |
| /<sensor>/camera_info | CameraInfo |
| /<sensor>/settings | Float64MultiArray: exposure_s, row_delay_s, gain_db |
| /<sensor>/image_raw, /<sensor>/image_raw/compressed | Image, CompressedImage |
| /truth/<sensor>/depth, normal, body, part, label, flow | Image: 32FC1, 32FC3, 32SC1, 32SC1, 32SC1, 32FC2 |
| /truth/<sensor>/temperature | Image: 32FC1, kelvin |
| /truth/<sensor>/boxes | Float64MultiArray: one row per body, columns as in BOX_COLUMNS |
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sensorium.core.errors import RecordingError
from sensorium.recording.image_codec import encoded
from sensorium.recording.ros_conventions import RosConventions, RosMessage, Topic, topic_name
from sensorium.recording.ros_types import ros_type, serialise
from sensorium.samples import Calibration, Image, ImageBoxes, ImageTruth

IMAGE_TYPE = "sensor_msgs/msg/Image"
COMPRESSED_TYPE = "sensor_msgs/msg/CompressedImage"
INFO_TYPE = "sensor_msgs/msg/CameraInfo"
SETTINGS_TYPE = BOXES_TYPE = "std_msgs/msg/Float64MultiArray"
TRUTH_ENCODINGS = {
    "depth": "32FC1", "normal": "32FC3", "body": "32SC1", "part": "32SC1", "label": "32SC1", "flow": "32FC2",
    "temperature": "32FC1",
}  # fmt: skip
BOX_COLUMNS = (("body", 1), ("full_px", 4), ("visible_px", 4), ("visible_share", 1), ("centre_m", 3), ("size_m", 3),
               ("quaternion", 4))  # fmt: skip


def optical_frame(sensor: str) -> str:
    """Return the frame of a camera's images."""
    return f"{sensor}_optical_frame"


def image_messages(image: Image, conventions: RosConventions) -> tuple[RosMessage, ...]:
    """Return calibration, settings and truth of an image, and the image itself."""
    sensor = image.stamp.sensor
    header = conventions.header(image.stamp.time_ns, optical_frame(sensor))
    messages = [
        RosMessage(
            Topic(topic_name(sensor, "camera_info"), INFO_TYPE, sensor),
            serialise(_info(image.calibration, header), INFO_TYPE),
        ),
        RosMessage(Topic(topic_name(sensor, "settings"), SETTINGS_TYPE, sensor), _settings(image)),
    ]
    if image.truth is not None and conventions.point_truth:
        messages += _truth_messages(sensor, image.truth, header)
    kind = conventions.image_format_of(sensor)
    if kind == "raw" or image.pixels.dtype == np.float32:
        topic = Topic(topic_name(sensor, "image_raw"), IMAGE_TYPE, sensor)
        messages.append(RosMessage(topic, _image(image.pixels, image.encoding, header)))
    else:
        topic = Topic(topic_name(sensor, "image_raw", "compressed"), COMPRESSED_TYPE, sensor)
        text, data = encoded(image, kind)
        compressed = ros_type("sensor_msgs/CompressedImage")(header, text, np.frombuffer(data, np.uint8))
        messages.append(RosMessage(topic, serialise(compressed, COMPRESSED_TYPE)))
    return tuple(messages)


def _image(pixels: NDArray[Any], encoding: str, header: Any) -> bytes:
    rows, columns = pixels.shape[:2]
    flat = np.ascontiguousarray(pixels).view(np.uint8).reshape(-1)
    message = ros_type("sensor_msgs/Image")(header, rows, columns, encoding, 0, flat.size // max(1, rows), flat)
    return serialise(message, IMAGE_TYPE)


def _info(calibration: Calibration, header: Any) -> Any:
    """Return the CameraInfo; no binning, no region of interest, rectified as it is."""
    region = ros_type("sensor_msgs/RegionOfInterest")(0, 0, 0, 0, False)
    projection = np.zeros((3, 4))
    projection[:, :3] = calibration.matrix
    return ros_type("sensor_msgs/CameraInfo")(
        header, calibration.height, calibration.width, calibration.model, np.asarray(calibration.distortion, np.float64),
        calibration.matrix.astype(np.float64).ravel(), np.eye(3).ravel(), projection.ravel(), 0, 0, region,
    )  # fmt: skip


def _layout(names: tuple[tuple[str, int], ...]) -> Any:
    dimension, sizes = ros_type("std_msgs/MultiArrayDimension"), [size for _, size in names]
    dimensions = [dimension(name, size, int(np.prod(sizes[place:]))) for place, (name, size) in enumerate(names)]
    return ros_type("std_msgs/MultiArrayLayout")(dimensions, 0)


def _settings(image: Image) -> bytes:
    values = np.array([image.exposure_s, image.row_delay_s, image.gain_db])
    return serialise(ros_type("std_msgs/Float64MultiArray")(_layout((("setting", 3),)), values), SETTINGS_TYPE)


def _truth_messages(sensor: str, truth: ImageTruth, header: Any) -> Iterator[RosMessage]:
    for name, encoding in TRUTH_ENCODINGS.items():
        pixels = getattr(truth, {"depth": "depth_m", "flow": "flow_px", "temperature": "temperature_k"}.get(name, name))
        if pixels is not None:
            yield RosMessage(
                Topic(topic_name("truth", sensor, name), IMAGE_TYPE, sensor), _image(pixels, encoding, header)
            )
    if truth.boxes is not None:
        rows = box_rows(truth.boxes)
        message = ros_type("std_msgs/Float64MultiArray")(
            _layout((("box", len(rows)), ("column", rows.shape[1]))), rows.ravel().astype(np.float64)
        )
        yield RosMessage(
            Topic(topic_name("truth", sensor, "boxes"), BOXES_TYPE, sensor), serialise(message, BOXES_TYPE)
        )


def box_rows(boxes: ImageBoxes) -> NDArray[np.float32]:
    """Return boxes as rows of BOX_COLUMNS [B, 20]."""
    count = len(boxes.body)
    if count and int(boxes.body.max()) > 2**24:
        raise RecordingError(f"body number {int(boxes.body.max())} is too large for a table of 32-bit floats")
    columns = [np.asarray(getattr(boxes, name), np.float32).reshape(count, width) for name, width in BOX_COLUMNS]
    return np.ascontiguousarray(np.concatenate(columns, 1))
