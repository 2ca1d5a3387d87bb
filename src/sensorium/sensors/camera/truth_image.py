"""What each pixel really met: truth images from the pixels' central rays."""

from __future__ import annotations

import numpy as np

from sensorium.core.time import Times
from sensorium.samples.image import ImageTruth
from sensorium.scene.rays import Hits, Rays
from sensorium.scene.view import View
from sensorium.sensors.camera.raster import Raster


def truth_image(view: View, raster: Raster, rays: Rays, hits: Hits, row_middle_ns: Times) -> ImageTruth:
    """Return depth, normal, body, part and class of each pixel, from the rays of a whole raster and what they met.

    `row_middle_ns` [H] is the middle of each row's exposure, at which the rays were sent.
    """
    from sensorium.sensors.camera import raster_kernels

    scene, shape = view.scene, (raster.height, raster.width)
    truth = ImageTruth(
        depth_m=np.full(shape, np.inf, np.float32),
        normal=np.zeros((*shape, 3), np.float32),
        body=np.full(shape, -1, np.int32),
        part=np.full(shape, -1, np.int32),
        label=np.full(shape, -1, np.int32),
    )
    turns = np.ascontiguousarray(view.pose_at(row_middle_ns).quaternion)
    raster_kernels.truth(
        raster.pixel, raster.direction, rays.direction, hits.distance_m, hits.body, hits.part, hits.normal,
        scene.part_offset, scene.part_class, raster.width, turns,
        truth.depth_m, truth.normal, truth.body, truth.part, truth.label,
    )  # fmt: skip
    return truth


def look(view: View, raster: Raster, row_start_ns: Times, exposure_s: float) -> ImageTruth:
    """Cast the central rays of all pixels and return what they met; for cameras that need nothing else of them."""
    rays = raster.rays(view, row_start_ns, exposure_s)
    middle = np.minimum(np.asarray(row_start_ns) + round(exposure_s * 5e8), view.window.end_ns)
    return truth_image(view, raster, rays, view.cast(rays), middle)
