"""Image samples for tests, and recordings of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sensorium.core.pose import Pose
from sensorium.recording.mcap_writer import McapRecorder
from sensorium.recording.ros_conventions import RosConventions
from sensorium.samples import Calibration, Image, ImageBoxes, ImageTruth, Stamp

SHAPE = (12, 17)
MOUNT = Pose.at(1, 0, 1.5)


@dataclass(frozen=True)
class Place:
    name: str = "front"
    body: str = "car"
    pose: Pose = MOUNT


def calibration(model="plumb_bob") -> Calibration:
    d = {"plumb_bob": 5, "rational_polynomial": 8, "equidistant": 4, "equirectangular": 0}[model]
    matrix = np.array([[500.5, 0, 8.25], [0, 499.0, 5.5], [0, 0, 1.0]])
    return Calibration(width=SHAPE[1], height=SHAPE[0], model=model, matrix=matrix, distortion=np.arange(d) * 0.01)


def truth() -> ImageTruth:
    rng = np.random.default_rng(3)
    boxes = ImageBoxes(
        body=np.array([2, 7], np.int32), full_px=rng.random((2, 4), np.float32), visible_px=np.full((2, 4), np.nan, np.float32),
        visible_share=rng.random(2, np.float32), centre_m=rng.random((2, 3), np.float32), size_m=rng.random((2, 3), np.float32),
        quaternion=rng.random((2, 4), np.float32),
    )  # fmt: skip
    depth = rng.random(SHAPE, np.float32)
    depth[0, 0] = np.inf
    numbers = [rng.integers(-1, 9, SHAPE).astype(np.int32) for _ in range(3)]
    return ImageTruth(
        depth_m=depth, normal=rng.random((*SHAPE, 3), np.float32), body=numbers[0], part=numbers[1], label=numbers[2],
        flow_px=rng.random((*SHAPE, 2), np.float32), boxes=boxes,
    )  # fmt: skip


def image(index=0, encoding="rgb8", with_truth=True, model="plumb_bob") -> Image:
    rng = np.random.default_rng(index)
    channels = (3,) if encoding.startswith("rgb") else ()
    wide = encoding.endswith("16")
    pixels = rng.integers(0, 65536 if wide else 256, (*SHAPE, *channels)).astype(np.uint16 if wide else np.uint8)
    return Image(
        stamp=Stamp("front", index, index * 50_000_000, index * 50_000_000 + 7_000_000), pixels=pixels, encoding=encoding,
        calibration=calibration(model), exposure_s=0.005, row_delay_s=1e-5, gain_db=6.0,
        truth=truth() if with_truth else None,
    )  # fmt: skip


def written(path, images, **settings):
    conventions = RosConventions(mounts=(Place(),), cameras=frozenset({"front"}), **settings)
    with McapRecorder(path, conventions) as recorder:
        for one in images:
            recorder.write(one)
    return path
