"""Raw measurements as RINEX 3.04 observation files, written and read; files of version 2 are read by `rinex_2_observation`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sensorium.core.damage import Damage, damaged, labelled, number, text_lines, whole
from sensorium.core.errors import RecordingError
from sensorium.core.time_scales import (
    BEIDOU_BEHIND_GPS_NS,
    calendar_of_gps_ns,
    gps_of_calendar_ns,
    gps_of_utc_calendar_ns,
)
from sensorium.samples.gnss import GnssMeasurements

_ORDER = "GREC"
_KINDS = "CLDS"
_MHZ = {
    ("G", "1"): 1575.42, ("G", "2"): 1227.60, ("G", "5"): 1176.45, ("E", "1"): 1575.42, ("E", "5"): 1176.45,
    ("E", "6"): 1278.75, ("E", "7"): 1207.140, ("E", "8"): 1191.795, ("C", "1"): 1575.42, ("C", "2"): 1561.098,
    ("C", "5"): 1176.45, ("C", "6"): 1268.52, ("C", "7"): 1207.140, ("R", "1"): 1602.0, ("R", "2"): 1246.0,
}  # fmt: skip
_STEP_MHZ = {"1": 0.5625, "2": 0.4375}


@dataclass(eq=False)
class Observations:
    """What an observation file holds, as far as it could be read."""

    epochs: list[GnssMeasurements] = field(default_factory=list)
    position_m: NDArray[np.float64] | None = None
    """Approximate position of the marker, ECEF, if the file tells it."""
    damage: list[Damage] = field(default_factory=list)


def write_observations(
    path: str | Path,
    epochs: Sequence[GnssMeasurements],
    position_m: NDArray[np.float64] | None = None,
    marker: str = "SENSORIUM",
) -> None:
    """Write the epochs: pseudorange, carrier phase, Doppler shift and C/N0 of every signal, to 1 mm and 0.001 cycles."""
    kinds = _kinds(epochs)
    lines = _header(epochs, kinds, position_m, marker)
    for epoch in epochs:
        lines += _epoch_lines(epoch, kinds)
    try:
        Path(path).write_text("\n".join(lines) + "\n", "ascii")
    except OSError as error:
        raise RecordingError(f"cannot write {path}: {error.strerror or error}") from None


def _kinds(epochs: Sequence[GnssMeasurements]) -> dict[str, list[str]]:
    """Return the codes of each system, in the order in which they first appear."""
    found: dict[str, list[str]] = {}
    for epoch in epochs:
        for name, code in zip(epoch.names, epoch.codes, strict=True):
            codes = found.setdefault(name[0], [])
            if code not in codes:
                codes.append(code)
    return {system: found[system] for system in _ORDER if system in found}


def _line(text: str, label: str) -> str:
    return f"{text:60}{label}"


def _header(
    epochs: Sequence[GnssMeasurements], kinds: dict[str, list[str]], position_m: NDArray[np.float64] | None, marker: str
) -> list[str]:
    place = np.zeros(3) if position_m is None else position_m
    lines = [
        _line(f"{3.04:9.2f}{'':11}{'OBSERVATION DATA':20}{'M: MIXED':20}", "RINEX VERSION / TYPE"),
        _line(f"{'Sensorium':40}", "PGM / RUN BY / DATE"),
        _line(marker, "MARKER NAME"),
        _line("SIMULATED", "MARKER TYPE"),
        _line("", "OBSERVER / AGENCY"),
        _line(f"{'0':20}{'SENSORIUM':20}", "REC # / TYPE / VERS"),
        _line(f"{'0':20}{'NONE':20}", "ANT # / TYPE"),
        _line("".join(f"{value:14.4f}" for value in place), "APPROX POSITION XYZ"),
        _line(f"{0:14.4f}{0:14.4f}{0:14.4f}", "ANTENNA: DELTA H/E/N"),
    ]
    for system, codes in kinds.items():
        types = [kind + code for code in codes for kind in _KINDS]
        for start in range(0, len(types), 13):
            head = f"{system}  {len(types):3d}" if start == 0 else " " * 6
            lines.append(_line(head + "".join(f" {each}" for each in types[start : start + 13]), "SYS / # / OBS TYPES"))
    lines.append(_line("DBHZ", "SIGNAL STRENGTH UNIT"))
    if epochs:
        year, month, day, hour, minute, second = calendar_of_gps_ns(epochs[0].gps_ns)
        date = f"{year:6d}{month:6d}{day:6d}{hour:6d}{minute:6d}{second:13.7f}     GPS"
        lines.append(_line(date, "TIME OF FIRST OBS"))
    if "R" in kinds:
        slots = {n: int(c) for e in epochs for n, c in zip(e.names, e.glonass_channel, strict=True) if n[0] == "R"}
        pairs = [f"{name} {channel:2d} " for name, channel in sorted(slots.items())]
        for start in range(0, len(pairs), 8):
            head = f"{len(pairs):3d} " if start == 0 else "    "
            lines.append(_line(head + "".join(pairs[start : start + 8]), "GLONASS SLOT / FRQ #"))
        lines.append(_line(" C1C    0.000", "GLONASS COD/PHS/BIS"))
    lines.append(_line("", "END OF HEADER"))
    return lines


def _epoch_lines(epoch: GnssMeasurements, kinds: dict[str, list[str]]) -> list[str]:
    # the time is rounded to its last digit first, so that no second reads 60
    year, month, day, hour, minute, second = calendar_of_gps_ns((epoch.gps_ns + 50) // 100 * 100)
    rows: dict[str, dict[str, int]] = {}
    for row, (name, code) in enumerate(zip(epoch.names, epoch.codes, strict=True)):
        rows.setdefault(name, {})[code] = row
    names = sorted(rows, key=lambda name: (_ORDER.index(name[0]), name))
    lines = [f"> {year:4d} {month:02d} {day:02d} {hour:02d} {minute:02d}{second:11.7f}  0{len(names):3d}"]
    for name in names:
        fields = [_fields(epoch, rows[name][code]) if code in rows[name] else " " * 64 for code in kinds[name[0]]]
        lines.append((name + "".join(fields)).rstrip())
    return lines


def _fields(epoch: GnssMeasurements, row: int) -> str:
    strength = float(epoch.cn0_db_hz[row])
    level = str(min(max(int(strength / 6), 1), 9))
    slip = "1" if epoch.slipped[row] else " "
    values = (epoch.pseudorange_m[row], epoch.carrier_cycles[row], epoch.doppler_hz[row], strength)
    texts = [" " * 14 if math.isnan(value) else f"{value:14.3f}" for value in values]
    return f"{texts[0]} {level}{texts[1]}{slip}{level}{texts[2]}  {texts[3]}  "


def frequency_hz(system: str, band: str, channel: int) -> float:
    """Return the carrier frequency of a band; KeyError for a band that the system does not have."""
    step = _STEP_MHZ.get(band, 0.0) if system == "R" else 0.0
    return (_MHZ[system, band] + step * channel) * 1e6


def read_observations(path: str | Path) -> Observations:
    """Read an observation file of RINEX 2 or 3; what is damaged is named and left out."""
    lines = text_lines(path)
    first = lines[0] if lines else ""
    if first[60:].strip() != "RINEX VERSION / TYPE" or first[20:21] != "O":
        raise RecordingError(f"{path}:1: is no RINEX observation file: its first line does not say so")
    version = damaged(str(path), [], 1, lambda: number(first[:9], "the version"))
    if version is None or not 2 <= version < 4:
        raise RecordingError(f"{path}:1: RINEX {first[:9].strip()} cannot be read; convert it to version 3")
    if version < 3:
        from sensorium.recording.rinex_2_observation import read_version_2

        return read_version_2(Path(path), lines)
    return _Reading(Path(path).name, lines).read()


def numbers_in(text: str) -> list[float]:
    """Return the numbers of a line."""
    return [number(each, "a coordinate") for each in text.split()]


class _Reading:
    """One file under way."""

    def __init__(self, file: str, lines: list[str]) -> None:
        self.file, self.lines, self.found = file, lines, Observations()
        self.types: dict[str, list[str]] = {}
        self.channels: dict[str, int] = {}
        self.scale = "GPS"

    def read(self) -> Observations:
        place = self._header()
        while place < len(self.lines):
            if self.lines[place].startswith(">"):
                place = self._epoch(place)
            else:
                if self.lines[place].strip():
                    self.found.damage.append(Damage(self.file, place + 1, "stands outside of an epoch"))
                place += 1
        return self.found

    def _header(self) -> int:
        system, last = "", 0
        for last, text, label in labelled(self.lines):
            if label == "SYS / # / OBS TYPES":
                system = text[:1].strip() or system
                self.types.setdefault(system, []).extend(text[6:60].split())
            elif label == "APPROX POSITION XYZ":
                place = damaged(self.file, self.found.damage, last, partial(numbers_in, text))
                if place is not None and len(place) == 3 and np.linalg.norm(place) > 1e6:
                    self.found.position_m = np.array(place)
            elif label == "TIME OF FIRST OBS":
                self.scale = text[48:51].strip() or "GPS"
            elif label == "GLONASS SLOT / FRQ #":
                damaged(self.file, self.found.damage, last, partial(self._slots, text))
        return last

    def _slots(self, text: str) -> None:
        words = text[4:60].split()
        for name, channel in zip(words[::2], words[1::2], strict=True):
            self.channels[name] = whole(channel, "a frequency number")

    def _epoch(self, place: int) -> int:
        """Read the epoch whose first line stands here; return where the next one may start."""
        head = damaged(self.file, self.found.damage, place + 1, lambda: _read_head(self.lines[place], self.scale))
        end = place + 1
        while end < len(self.lines) and not self.lines[end].startswith(">"):
            end += 1
        if head is None:
            return end
        gps_ns, flag, count = head
        if flag > 1:
            return end
        rows: list[tuple[object, ...]] = []
        for line in range(place + 1, min(end, place + 1 + count)):
            read = damaged(self.file, self.found.damage, line + 1, partial(self._satellite, self.lines[line]))
            rows += read or []
        if end - place - 1 < count:
            what = f"the epoch announces {count} satellites, but {end - place - 1} lines follow"
            self.found.damage.append(Damage(self.file, place + 1, what))
        self.found.epochs.append(measurements_of(gps_ns, rows))
        return end

    def _satellite(self, line: str) -> list[tuple[object, ...]]:
        name = line[:3].replace(" ", "0")
        if name[:1] not in _ORDER:
            return []
        if not name[1:].isdigit() or name[0] not in self.types:
            raise ValueError(f"'{line[:3]}' is no satellite of a system that the header announces")
        values: dict[str, dict[str, tuple[float, str]]] = {}
        for k, kind in enumerate(self.types[name[0]]):
            text = line[3 + 16 * k : 17 + 16 * k]
            if text.strip():
                values.setdefault(kind[1:], {})[kind[0]] = number(text, kind), line[17 + 16 * k : 18 + 16 * k]
        channel = self.channels.get(name, 0)
        return [
            observation(name, code, frequency_hz(name[0], code[0], channel), channel, each)
            for code, each in values.items()
            if "C" in each
        ]


def _read_head(line: str, scale: str) -> tuple[int, int, int]:
    words = line[1:].split()
    if len(words) < 8:
        raise ValueError(f"the line of an epoch has at least eight numbers, found {len(words)}")
    year, month, day, hour, minute = (whole(word, "a date's part") for word in words[:5])
    return (
        epoch_time_ns((year, month, day, hour, minute, number(words[5], "the second")), scale),
        whole(words[6], "the flag"),
        whole(words[7], "the number of satellites"),
    )


def epoch_time_ns(date: tuple[int, int, int, int, int, float], scale: str) -> int:
    """Return GPS time [ns] of a date in the time scale that a file names."""
    if scale in ("GLO", "UTC"):
        return gps_of_utc_calendar_ns(*date)
    return gps_of_calendar_ns(*date) + (BEIDOU_BEHIND_GPS_NS if scale == "BDT" else 0)


def observation(
    name: str, code: str, frequency: float, channel: int, values: dict[str, tuple[float, str]]
) -> tuple[object, ...]:
    """Return one row for `measurements_of` from pseudorange C, phase L, Doppler D and strength S, each with its loss of lock."""
    none = (math.nan, " ")
    phase, slip = values.get("L", none)
    lost = slip.isdigit() and int(slip) & 1 == 1
    strength = values.get("S", (0.0, ""))[0]
    return name, code, frequency, values["C"][0], phase, values.get("D", none)[0], strength, lost, channel


def measurements_of(gps_ns: int, rows: Sequence[tuple[object, ...]]) -> GnssMeasurements:
    """Return the measurements of an epoch; files tell no standard deviations, so that they are estimated from C/N0."""
    columns = list(zip(*rows, strict=True)) if rows else [()] * 9
    strength = np.array(columns[6], np.float64)
    noise = 10 ** ((45 - np.clip(np.where(strength > 0, strength, 40), 20, 55)) / 20)
    count = len(rows)
    return GnssMeasurements(
        gps_ns=gps_ns, names=tuple(map(str, columns[0])), codes=tuple(map(str, columns[1])),
        frequency_hz=np.array(columns[2], np.float64), pseudorange_m=np.array(columns[3], np.float64),
        carrier_cycles=np.array(columns[4], np.float64), doppler_hz=np.array(columns[5], np.float64), cn0_db_hz=strength,
        lock_s=np.zeros(count), slipped=np.array(columns[7], bool), pseudorange_sigma_m=0.3 * noise,
        carrier_sigma_cycles=0.01 * noise, doppler_sigma_hz=0.2 * noise, glonass_channel=np.array(columns[8], np.int8),
    )  # fmt: skip
