"""Boxes around bodies in the image and in space, and how much of each body is seen."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sensorium.core.pose import Pose
from sensorium.samples.image import ImageBoxes, ImageTruth
from sensorium.scene.body import Body
from sensorium.scene.view import View
from sensorium.sensors.camera.lens import T_SENSOR_OPTICAL, Lens

Floats = NDArray[np.float64]


def boxes_of(view: View, lens: Lens, truth: ImageTruth, time_ns: int) -> ImageBoxes:
    """Return the boxes of all bodies of which anything lies inside the image, at the middle of the image's exposure.

    `full_px` goes around the projected vertices. The visible share compares pixels with the body's own silhouette, which is
    drawn alone, triangle by triangle; bodies larger than 60 m, such as the road, have none and count as seen whole.
    """
    times = np.array([time_ns])
    T_optical_world = (view.pose_at(times)[0] @ T_SENSOR_OPTICAL).inverse()  # noqa: N806
    numbers, seen = np.unique(truth.body, return_counts=True)
    visible = dict(zip(numbers.tolist(), seen.tolist(), strict=True))
    rows: list[tuple[int, Floats, Floats, float, Floats, Floats, Floats]] = []
    for number, body in enumerate(view.scene.bodies):
        pose = T_optical_world @ body.motion.pose_at(times)[0]
        low, high = body.model.bounds_m
        centre = pose.transform((low + high) / 2)
        if centre[2] < -np.linalg.norm(high - low) / 2 and number not in visible:
            continue
        outline = _outline(body, pose, lens)
        if outline is None:
            continue
        full, silhouette = outline
        count = visible.get(number, 0)
        share = 1.0 if silhouette == 0 else min(1.0, count / silhouette)
        around = _around(truth.body == number) if count else np.full(4, np.nan)
        rows.append((number, full, around, share if count else 0.0, centre, high - low, pose.quaternion))
    columns = list(zip(*rows, strict=True)) if rows else [()] * 7
    floats = [np.array(column, np.float32) for column in columns[1:]]
    return ImageBoxes(
        body=np.array(columns[0], np.int32), full_px=floats[0].reshape(-1, 4), visible_px=floats[1].reshape(-1, 4),
        visible_share=floats[2], centre_m=floats[3].reshape(-1, 3), size_m=floats[4].reshape(-1, 3),
        quaternion=floats[5].reshape(-1, 4),
    )  # fmt: skip


def _around(mask: NDArray[np.bool_]) -> Floats:
    """Return left, top, right and bottom edge of the pixels of a mask."""
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    return np.array([columns[0] - 0.5, rows[0] - 0.5, columns[-1] + 0.5, rows[-1] + 0.5])


def _outline(body: Body, pose: Pose, lens: Lens) -> tuple[Floats, int] | None:
    """Return the box around the whole body, cut at the border, and its silhouette in pixels; None if it is outside."""
    from sensorium.sensors.camera import box_kernels

    corners = np.concatenate([part.mesh.corners_m() for part in body.model.parts])
    pixels = lens.project(pose.transform(corners.reshape(-1, 3)))
    good = pixels[np.isfinite(pixels).all(-1)]
    if not len(good):
        return None
    low, high = good.min(0), good.max(0)
    edge = np.array([lens.width, lens.height]) - 0.5
    if (high < -0.5).any() or (low > edge).any():
        return None
    full = np.concatenate((np.maximum(low, -0.5), np.minimum(high, edge)))
    size = body.model.bounds_m[1] - body.model.bounds_m[0]
    if size.max() > 60:
        return full, 0
    room = np.minimum(np.ceil(high - low).astype(np.int64) + 2, 8192)
    triangles = pixels.reshape(-1, 3, 2)
    triangles = triangles[np.isfinite(triangles).all((1, 2))]
    return full, int(box_kernels.silhouette(triangles - np.floor(low), int(room[1]), int(room[0])))
