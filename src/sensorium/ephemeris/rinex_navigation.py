"""Navigation files of RINEX 2 and 3 become broadcast records. What is damaged is named; the rest is used.

RINEX 2.11 (tables A3, A4, A10, A11) and RINEX 3.04 (tables A2, A5 to A14).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from sensorium.core.damage import Damage, damaged, labelled, number, text_lines, whole
from sensorium.core.errors import ConfigurationError
from sensorium.core.time_scales import BEIDOU_BEHIND_GPS_NS, gps_of_calendar_ns, gps_of_utc_calendar_ns
from sensorium.ephemeris.broadcast import BroadcastOrbits
from sensorium.ephemeris.navigation_records import glonass_record, kepler_record, records_of

_LINES = {"G": 8, "E": 8, "C": 8, "R": 4}
_PASSED_OVER = {"J", "S", "I"}
"""QZSS, SBAS and NavIC: read over, since nothing here uses them."""


@dataclass(eq=False)
class NavigationContent:
    """What navigation files hold, as far as it could be read."""

    kepler: list[tuple[str, dict[str, float]]] = field(default_factory=list)
    glonass: list[tuple[str, dict[str, float]]] = field(default_factory=list)
    alpha: tuple[float, ...] | None = None
    beta: tuple[float, ...] | None = None
    damage: list[Damage] = field(default_factory=list)

    def orbits(self) -> BroadcastOrbits:
        """Return the orbits of all records."""
        klobuchar = None if self.alpha is None or self.beta is None else (*self.alpha, *self.beta)
        return BroadcastOrbits(*records_of(self.kepler, self.glonass), klobuchar=klobuchar)


def read_navigation(paths: Sequence[str | Path]) -> NavigationContent:
    """Read navigation files of RINEX 2 or 3 together; an error only if a file is none at all or holds no record."""
    content = NavigationContent()
    for path in paths:
        before = len(content.kepler) + len(content.glonass)
        _read_file(Path(path), content)
        if len(content.kepler) + len(content.glonass) == before:
            worst = "".join(f"\n  {each}" for each in content.damage[:5])
            raise ConfigurationError(f"{path} holds no navigation record that can be used{worst}")
    return content


def _read_file(path: Path, content: NavigationContent) -> None:
    lines = text_lines(path)
    version, letter = _kind(path, lines)
    body = len(lines)
    for place, text, label in labelled(lines):
        damaged(path.name, content.damage, place, partial(_header, text, label, content))
        if label == "END OF HEADER":
            body = place
    for first, block in _blocks(lines, body):
        if version >= 3:
            name, wide = block[0][:3].replace(" ", "0"), 4
        else:
            name, wide = letter + block[0][:2].strip().zfill(2), 3
        _record(path.name, first, block, name, wide, content)


def _kind(path: Path, lines: Sequence[str]) -> tuple[float, str]:
    """Return the version, and the letter of the system that a file of version 2 is about."""
    first = lines[0] if lines else ""
    if first[60:].strip() != "RINEX VERSION / TYPE":
        raise ConfigurationError(f"{path}:1: is not a RINEX file: its first line does not tell version and type")
    try:
        version = float(first[:9])
    except ValueError:
        raise ConfigurationError(f"{path}:1: the version should be a number, found '{first[:9].strip()}'") from None
    kind = first[20:21]
    if not 2 <= version < 4:
        raise ConfigurationError(f"{path}:1: RINEX {version:g} cannot be read; convert it to version 3")
    if kind not in ("N", "G"):
        raise ConfigurationError(f"{path}:1: is no navigation file: its type is '{kind}', not 'N'")
    return version, "R" if kind == "G" else "G"


def _header(text: str, label: str, content: NavigationContent) -> None:
    alpha = label == "ION ALPHA" or (label == "IONOSPHERIC CORR" and text.startswith("GPSA"))
    beta = label == "ION BETA" or (label == "IONOSPHERIC CORR" and text.startswith("GPSB"))
    if alpha or beta:
        start = 2 if label.startswith("ION ") else 5
        found = tuple(number(text[start + 12 * k : start + 12 * (k + 1)], "a coefficient") for k in range(4))
        if alpha:
            content.alpha = content.alpha or found
        else:
            content.beta = content.beta or found


def _blocks(lines: list[str], body: int) -> Iterator[tuple[int, list[str]]]:
    """Yield each record with the number of its first line from 1; a record starts where the line does not with blanks."""
    start = None
    for place in range(body, len(lines)):
        if lines[place][:3].strip():
            if start is not None:
                yield start + 1, lines[start:place]
            start = place
    if start is not None:
        yield start + 1, lines[start:]


def _record(file: str, first: int, block: list[str], name: str, wide: int, content: NavigationContent) -> None:
    system = name[:1]
    if system in _PASSED_OVER:
        return
    block = [line for line in block if line.strip()]
    if system not in _LINES or not name[1:].isdigit():
        content.damage.append(Damage(file, first, f"'{name}' is no satellite of a known system"))
    elif len(block) < _LINES[system]:
        what = f"the record of {name} has {len(block)} lines instead of {_LINES[system]}"
        content.damage.append(Damage(file, first, what))
    else:
        values: list[float] = []
        for row, line in enumerate(block[: _LINES[system]]):
            found = damaged(file, content.damage, first + row, _numbers(line, 19 + wide if row == 0 else wide, row))
            if found is None:
                return
            values += found
        damaged(file, content.damage, first, lambda: _keep(name, block[0], wide, values, content))


def _numbers(line: str, start: int, row: int) -> Callable[[], list[float]]:
    count = 3 if row == 0 else 4
    return lambda: [number(line[start + 19 * k : start + 19 * (k + 1)], f"value {k + 1}") for k in range(count)]


def _keep(name: str, head: str, wide: int, values: list[float], content: NavigationContent) -> None:
    system, date = name[0], _date(head, wide)
    if system == "R":
        content.glonass.append((name, glonass_record(gps_of_utc_calendar_ns(*date), values)))
        return
    toc_ns = gps_of_calendar_ns(*date) + (BEIDOU_BEHIND_GPS_NS if system == "C" else 0)
    content.kepler.append((name, kepler_record(system, int(name[1:]), toc_ns, values)))


def _date(head: str, wide: int) -> tuple[int, int, int, int, int, float]:
    """Return the calendar date of a record's first line."""
    if wide == 4:
        parts = [head[4:8], head[9:11], head[12:14], head[15:17], head[18:20]]
        second = number(head[21:23], "the second")
    else:
        parts = [head[3:5], head[6:8], head[9:11], head[12:14], head[15:17]]
        second = number(head[17:22], "the second")
    year, month, day, hour, minute = (whole(part, "a date's part") for part in parts)
    if wide == 3:
        year += 1900 if year >= 80 else 2000
    return year, month, day, hour, minute, second
