"""What a sensor measures of a target: its coordinates, its image position, angles and range, or its radial speed as well.

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
    """Range [m], azimuth and elevation [rad]: a LiDAR in its own axes."""

    type: Literal["range_angles"] = "range_angles"
    code: ClassVar[int] = 3
    size: ClassVar[int] = 3
    linear: ClassVar[bool] = False


@configured
class RangeAnglesSpeed:
    """Range [m], azimuth and elevation [rad] and radial speed [m/s], positive when receding: a radar.

    The speed is that of target and sensor against each other along the line of sight, d . (v - v_sensor) / |d|.
    """

    type: Literal["range_angles_speed"] = "range_angles_speed"
    code: ClassVar[int] = 4
    size: ClassVar[int] = 4
    linear: ClassVar[bool] = False


@configured
class RangeAngleSpeed:
    """Range [m], angle [rad] from the plane ahead to the left, and radial speed [m/s]: a radar that cannot tell elevation.

    A row of antennas measures sin(angle) = y / range, whatever the elevation: a cone about the row.
    """

    type: Literal["range_angle_speed"] = "range_angle_speed"
    code: ClassVar[int] = 5
    size: ClassVar[int] = 3
    linear: ClassVar[bool] = False


MeasurementModel = Position | CrossPosition | Angles | RangeAngles | RangeAnglesSpeed | RangeAngleSpeed
AnyMeasurementModel = Annotated[MeasurementModel, Field(discriminator="type")]
MODELS: tuple[MeasurementModel, ...] = (
    Position(),
    CrossPosition(),
    Angles(),
    RangeAngles(),
    RangeAnglesSpeed(),
    RangeAngleSpeed(),
)
"""By their code."""
