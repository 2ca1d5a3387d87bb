"""All truth that comes with an image: what each pixel met, where it goes, and boxes around bodies."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sensorium.samples.image import ImageTruth
from sensorium.scene.view import View
from sensorium.sensors.camera.boxes import boxes_of
from sensorium.sensors.camera.flow import flow_px
from sensorium.sensors.camera.lens import Lens
from sensorium.sensors.camera.raster import raster_of
from sensorium.sensors.camera.shutter import row_times_ns
from sensorium.sensors.camera.truth_image import truth_image


def ground_truth(
    view: View, lens: Lens, row_delay_s: float, exposure_s: float, period_ns: int | None, with_boxes: bool
) -> ImageTruth:
    """Return the truth of an image; flow over a period if one is given."""
    raster = raster_of(lens)
    rows = row_times_ns(view.window.start_ns, lens.height, row_delay_s)
    middle = np.minimum(rows + round(exposure_s * 5e8), view.window.end_ns)
    rays = raster.rays(view, rows, exposure_s)
    hits = view.cast(rays)
    truth = truth_image(view, raster, rays, hits, middle)
    flow = None if period_ns is None else flow_px(view, lens, raster, rays, hits, middle, period_ns)
    boxes = boxes_of(view, lens, truth, int(middle[len(middle) // 2])) if with_boxes else None
    return replace(truth, flow_px=flow, boxes=boxes)
