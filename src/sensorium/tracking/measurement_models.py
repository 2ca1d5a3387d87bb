"""What a sensor measures of a place: its coordinates, its image position, or angles and range.

All are in the sensor's frame, x forward, y left, z up; azimuth is positive to the left, elevation upwards.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from sensorium.core.configuration import configured


@configured
class Position:
    """All three coordinates (x, y, z) [m]: a LiDAR whose detections were made Cartesian."""

    type: Literal["position"] = "position"
    code: ClassVar[int] = 0
    size: ClassVar[int] = 3
    linear: ClassVar[bool] = True


@configured
class CrossPosition:
    """The two coordinates (y, z) across the line of sight [m]: a camera's image position times range."""

    type: Literal["cross_position"] = "cross_position"
    code: ClassVar[int] = 1
    size: ClassVar[int] = 2
    linear: ClassVar[bool] = True


@configured
class Angles:
    """Azimuth and elevation [rad]: what a camera knows by itself."""

    type: Literal["angles"] = "angles"
    code: ClassVar[int] = 2
    size: ClassVar[int] = 2
    linear: ClassVar[bool] = False


@configured
class RangeAngles:
    """Range [m], azimuth and elevation [rad]: a LiDAR or an imaging radar in its own axes."""

    type: Literal["range_angles"] = "range_angles"
    code: ClassVar[int] = 3
    size: ClassVar[int] = 3
    linear: ClassVar[bool] = False


MeasurementModel = Position | CrossPosition | Angles | RangeAngles
AnyMeasurementModel = Annotated[MeasurementModel, Field(discriminator="type")]
MODELS: tuple[MeasurementModel, ...] = (Position(), CrossPosition(), Angles(), RangeAngles())
"""By their code."""
