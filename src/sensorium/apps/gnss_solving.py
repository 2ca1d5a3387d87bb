"""Fixes from observation and navigation files, and how they are told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sensorium.core.damage import Damage
from sensorium.core.earth import LocalFrame, geodetic_of_ecef
from sensorium.core.errors import ConfigurationError
from sensorium.ephemeris.orbits import Orbits
from sensorium.ephemeris.rinex_navigation import read_navigation
from sensorium.ephemeris.sources import within
from sensorium.ephemeris.sp3 import read_sp3
from sensorium.positioning.integrity import Checked, solve_checked
from sensorium.positioning.ranges import Models
from sensorium.recording.rinex_observation import read_observations
from sensorium.sensors.gnss.solutions import ranges_of

_SP3 = (".sp3", ".eph")


@dataclass(frozen=True, eq=False)
class Solved:
    """What the files give."""

    times_ns: tuple[int, ...]
    """GPS time of each epoch."""
    fixes: tuple[Checked | None, ...]
    marker_m: NDArray[np.float64] | None
    """Position that the observation file tells, ECEF."""
    damage: tuple[Damage, ...]

    @property
    def positions_m(self) -> NDArray[np.float64]:
        """ECEF of the fixes [F, 3]."""
        return np.array([fix.solution.position_m for fix in self.fixes if fix is not None]).reshape(-1, 3)


def solve_files(
    observations: Path, orbits: Sequence[Path], mask_deg: float = 10.0, dual_frequency: bool = True
) -> Solved:
    """Solve every epoch of an observation file with the orbits of navigation or SP3 files."""
    content = read_observations(observations)
    sky, damage = _orbits(orbits)
    if not content.epochs:
        raise ConfigurationError(f"{observations} holds no epoch that can be used")
    within(sky, content.epochs[0].gps_ns, orbits[0].name)
    models = Models(sky.klobuchar)
    fixes: list[Checked | None] = []
    place = content.position_m
    for raw in content.epochs:
        fix = solve_checked(ranges_of(raw, dual_frequency, 1.0), sky, models, place, np.deg2rad(mask_deg))
        place = place if fix is None else fix.solution.position_m
        fixes.append(fix)
    times = tuple(raw.gps_ns for raw in content.epochs)
    return Solved(times, tuple(fixes), content.position_m, (*content.damage, *damage))


def _orbits(paths: Sequence[Path]) -> tuple[Orbits, list[Damage]]:
    if all(path.suffix.lower() in _SP3 for path in paths):
        return read_sp3(paths)
    content = read_navigation(paths)
    return content.orbits(), content.damage


def table_lines(solved: Solved) -> Iterator[str]:
    """Yield the fixes as CSV: time, latitude, longitude, height, satellites, DOP, integrity."""
    yield "gps_second_of_week,latitude_deg,longitude_deg,altitude_m,satellites,pdop,integrity,excluded"
    for gps_ns, fix in zip(solved.times_ns, solved.fixes, strict=True):
        second = f"{gps_ns % 604_800_000_000_000 / 1e9:.3f}"
        if fix is None:
            yield f"{second},,,,0,,,"
            continue
        s = fix.solution
        latitude, longitude = np.degrees(s.geodetic[:2])
        passed = {True: "passed", False: "failed", None: "untested"}[fix.passed]
        yield (f"{second},{latitude:.9f},{longitude:.9f},{s.geodetic[2]:.4f},{len(s.ranges)},{s.dilution.position:.2f},"
               f"{passed},{' '.join(fix.excluded)}")  # fmt: skip


def summary_lines(solved: Solved) -> Iterable[str]:
    """Return how many epochs have a fix, where their mean lies, how far they scatter, and how far they are from the marker."""
    positions = solved.positions_m
    lines = [f"{len(positions)} fixes in {len(solved.fixes)} epochs"]
    if len(positions):
        mean = positions.mean(0)
        latitude, longitude, altitude = geodetic_of_ecef(mean)
        frame = LocalFrame(float(latitude), float(longitude), float(altitude))
        scatter = frame.to_local(positions).std(0)
        lines.append(f"mean {np.degrees(latitude):.8f} deg, {np.degrees(longitude):.8f} deg, {altitude:.3f} m")
        lines.append("standard deviation east {:.3f} m, north {:.3f} m, up {:.3f} m".format(*scatter))
        if solved.marker_m is not None:
            lines.append("mean minus the file's own position: east {:.3f} m, north {:.3f} m, up {:.3f} m".format(
                *(-frame.to_local(solved.marker_m))))  # fmt: skip
    return [*lines, *(f"damaged: {each}" for each in solved.damage)]
