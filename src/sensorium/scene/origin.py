"""Where on Earth the world's origin lies, and when the scenario starts."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from annotated_types import Ge, Le
from pydantic import field_validator

from sensorium.core.configuration import configured
from sensorium.core.units import Metres, Radians

_QUARTER = 1.5707963267948966


@configured
class Origin:
    """Geodetic place (WGS 84) of the world's origin, whose axes point east, north and up there, and the time at its start."""

    latitude_rad: Annotated[Radians, Ge(-_QUARTER), Le(_QUARTER)]
    longitude_rad: Radians
    altitude_m: Metres = 0.0
    """Above the ellipsoid."""
    start_utc: datetime = datetime(2026, 1, 1, tzinfo=UTC)
    """Universal time at simulated time zero; a time zone may be given, none means UTC."""

    @field_validator("start_utc")
    @classmethod
    def _in_utc(cls, time: datetime) -> datetime:
        return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)

    @property
    def start_unix_ns(self) -> int:
        """Unix time [ns] of simulated time zero, exact."""
        since = self.start_utc - datetime(1970, 1, 1, tzinfo=UTC)
        return ((since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds) * 1_000
