"""Where orbits come from, as it stands in a scenario.

orbits: {type: nominal, systems: GE}
orbits: {type: rinex, files: [brdc.rnx]}
orbits: {type: sp3, files: [igs.sp3]}
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import lru_cache
from typing import Annotated, Literal

from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.errors import ConfigurationError
from sensorium.core.files import InputFile
from sensorium.core.time_scales import calendar_of_gps_ns
from sensorium.ephemeris.orbits import Orbits

_BUCKET_NS = 7_200 * 1_000_000_000


class OrbitSource(ABC):
    """Says where orbits come from; implementations are `configured`."""

    @abstractmethod
    def orbits_at(self, gps_ns: int) -> Orbits:
        """Return orbits that serve this instant; `ConfigurationError` if there are none."""


@configured
class Nominal(OrbitSource):
    """The nominal constellations: right in number and spacing, the satellites of no particular day."""

    type: Literal["nominal"] = "nominal"
    systems: Annotated[str, Field(pattern=r"^[GE]+$")] = "GE"
    """Letters of RINEX: G GPS, E Galileo."""

    def orbits_at(self, gps_ns: int) -> Orbits:
        """Return orbits with records around this instant."""
        return _nominal(self.systems, gps_ns // _BUCKET_NS)


@configured
class NavigationFiles(OrbitSource):
    """Navigation files of RINEX 2 or 3, for example those of a day from an archive."""

    type: Literal["rinex"] = "rinex"
    files: Annotated[tuple[InputFile, ...], Field(min_length=1)]

    def orbits_at(self, gps_ns: int) -> Orbits:
        """Return the orbits of the files."""
        return within(_navigation(self.files), gps_ns, self.files[0].name)


@configured
class PreciseFiles(OrbitSource):
    """Precise orbits and clocks in SP3 files of following days."""

    type: Literal["sp3"] = "sp3"
    files: Annotated[tuple[InputFile, ...], Field(min_length=1)]

    def orbits_at(self, gps_ns: int) -> Orbits:
        """Return the orbits of the files."""
        return within(_precise(self.files), gps_ns, self.files[0].name)


AnyOrbitSource = Annotated[Nominal | NavigationFiles | PreciseFiles, Field(discriminator="type")]


@lru_cache(maxsize=8)
def _nominal(systems: str, bucket: int) -> Orbits:
    from sensorium.ephemeris.nominal import nominal_orbits

    return nominal_orbits(systems, bucket * _BUCKET_NS + _BUCKET_NS // 2)


@lru_cache(maxsize=8)
def _navigation(files: tuple[InputFile, ...]) -> Orbits:
    from sensorium.ephemeris.rinex_navigation import read_navigation

    return read_navigation(files).orbits()


@lru_cache(maxsize=8)
def _precise(files: tuple[InputFile, ...]) -> Orbits:
    from sensorium.ephemeris.sp3 import read_sp3

    return read_sp3(files)[0]


def within(orbits: Orbits, gps_ns: int, name: str) -> Orbits:
    """Return orbits that serve an instant; `ConfigurationError` names the span that they do serve."""
    first, last = orbits.span_ns()
    if not first <= gps_ns <= last:
        raise ConfigurationError(
            f"the ephemerides of {name} serve {_date(first)} to {_date(last)} (GPS time), not {_date(gps_ns)}; give files "
            "of that day, or set the origin's start_utc to a time that they serve"
        )
    return orbits


def _date(gps_ns: int) -> str:
    year, month, day, hour, minute, _ = calendar_of_gps_ns(gps_ns)
    return f"{year}-{month:02d}-{day:02d} {hour:02d}:{minute:02d}"
