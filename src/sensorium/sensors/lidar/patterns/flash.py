"""A flash LiDAR: one wide pulse, and an array of detectors that look at it all at once."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Annotated, Literal

import numpy as np
from annotated_types import Gt, Lt
from numpy.typing import NDArray
from pydantic import Field, model_validator

from sensorium.core.configuration import configured
from sensorium.core.time import TimeWindow
from sensorium.core.units import Radians
from sensorium.sensors.lidar.beams import Beams
from sensorium.sensors.lidar.patterns.lens import Lens, Pinhole


@configured
class Flash:
    """All pixels fire at the start of the scan; one beam stands for the light that a pixel sends and sees.

    Pixels are listed row by row from the top, each row from the left, as in an image. A beam goes through the middle of
    its pixel; the fields of view reach to the outer edges of the outer pixels. The ring is the row, 0 = lowest.
    """

    type: Literal["flash"] = "flash"
    columns: Annotated[int, Field(ge=1)]
    rows: Annotated[int, Field(ge=1, le=65536)]
    horizontal_fov_rad: Annotated[Radians, Gt(0), Lt(2 * math.pi)]
    vertical_fov_rad: Annotated[Radians, Gt(0), Lt(2 * math.pi)]
    lens: Lens = Pinhole()

    @model_validator(mode="after")
    def _lens_sees_the_corners(self) -> Flash:
        self.lens.refuse_too_wide(self.horizontal_fov_rad, self.vertical_fov_rad)
        return self

    @cached_property
    def _direction(self) -> NDArray[np.float64]:
        left = 1.0 - (2.0 * np.arange(self.columns) + 1.0) / self.columns
        up = 1.0 - (2.0 * np.arange(self.rows) + 1.0) / self.rows
        left, up = (axis.ravel() for axis in np.meshgrid(left, up))
        return self.lens.direction(left, up, self.horizontal_fov_rad, self.vertical_fov_rad)

    @cached_property
    def _rings(self) -> NDArray[np.uint16]:
        return np.repeat(np.arange(self.rows - 1, -1, -1), self.columns).astype(np.uint16)

    def beams(self, window: TimeWindow) -> Beams:
        """Return one beam per pixel, all at the start of the window."""
        pixels = len(self._direction) if window.duration_ns else 0
        time_ns = np.full(pixels, window.start_ns, np.int64)
        return Beams(time_ns, np.zeros((pixels, 3)), self._direction[:pixels].copy(), self._rings[:pixels].copy())

    def angular_step_rad(self, window: TimeWindow) -> float:
        """Return the angle between neighbouring pixels of a row in the middle of the image."""
        return self.lens.pixel_rad(self.horizontal_fov_rad, self.columns)
