"""When each row of an image is exposed."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.units import PositiveSeconds


@configured
class GlobalShutter:
    """All rows are exposed at the same time."""

    type: Literal["global"] = "global"

    @property
    def row_delay_s(self) -> float:
        """From the start of one row's exposure to that of the next."""
        return 0.0


@configured
class RollingShutter:
    """Rows are exposed one after the other, from the top."""

    type: Literal["rolling"] = "rolling"
    row_delay_s: PositiveSeconds
    """From the start of one row's exposure to that of the next: the line time of the sensor."""


AnyShutter = Annotated[GlobalShutter | RollingShutter, Field(discriminator="type")]


def row_times_ns(start_ns: int, rows: int, row_delay_s: float) -> NDArray[np.int64]:
    """Return when the exposure of each row starts [rows]."""
    return np.asarray(start_ns + np.rint(np.arange(rows) * (row_delay_s * 1e9)).astype(np.int64))


def span_ns(rows: int, row_delay_s: float, exposure_s: float) -> int:
    """Return the time from the start of the first row's exposure to the end of the last one's."""
    return int(round((rows - 1) * row_delay_s * 1e9)) + int(round(exposure_s * 1e9))
