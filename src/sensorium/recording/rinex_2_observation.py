"""Observation files of RINEX 2: satellites in the line of the epoch, five values a line. RINEX 2.11, tables A1 and A2."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from sensorium.core.damage import Damage, damaged, labelled, number, whole
from sensorium.recording.rinex_observation import (
    Observations,
    epoch_time_ns,
    frequency_hz,
    measurements_of,
    numbers_in,
    observation,
)

_CODES = {"C1": "1C", "P1": "1P", "C2": "2C", "P2": "2P", "C5": "5X", "C7": "7X", "C8": "8X", "C6": "6X"}
"""Pseudoranges of version 2 as codes of version 3; phase, Doppler and strength are told per band alone."""


def read_version_2(path: Path, lines: list[str]) -> Observations:
    """Read the epochs of a file of version 2."""
    found, types, scale, body = Observations(), [], "GPS", 0
    system = lines[0][40:41].strip().replace("M", "") or "G"  # in mixed files a blank is GPS
    for body, text, label in labelled(lines):
        if label == "# / TYPES OF OBSERV":
            types += text[6:60].split()
        elif label == "APPROX POSITION XYZ":
            place = damaged(path.name, found.damage, body, partial(numbers_in, text))
            if place is not None and len(place) == 3 and np.linalg.norm(place) > 1e6:
                found.position_m = np.array(place)
        elif label == "TIME OF FIRST OBS":
            scale = text[48:51].strip() or "GPS"
    per_satellite, place_ = -(-len(types) // 5), body
    while place_ < len(lines):
        if not lines[place_].strip():
            place_ += 1
            continue
        head = damaged(path.name, found.damage, place_ + 1, partial(_head, lines, place_, scale, system))
        if head is None:
            place_ = _next_head(lines, place_ + 1)
            continue
        gps_ns, flag, names, start = head
        if flag > 1:
            place_ = start + len(names)
            continue
        rows: list[tuple[object, ...]] = []
        for number_, name in enumerate(names):
            first = start + number_ * per_satellite
            block = "".join(f"{line:80}"[:80] for line in lines[first : first + per_satellite])
            read = damaged(path.name, found.damage, first + 1, partial(_satellite, name, block, types))
            rows += read or []
        place_ = start + per_satellite * len(names)
        if place_ > len(lines):
            found.damage.append(Damage(path.name, len(lines), "the file ends inside an epoch"))
        found.epochs.append(measurements_of(gps_ns, rows))
    return found


def _head(lines: list[str], place: int, scale: str, system: str) -> tuple[int, int, list[str], int]:
    """Return time, flag, satellites and the number of the line after the head; of events the lines to pass over."""
    line = lines[place]
    flag = whole(line[28:29], "the flag")
    count = whole(line[29:32], "the number of satellites")
    if flag > 1:
        return 0, flag, [""] * count, place + 1
    year, month, day, hour, minute = (whole(line[k : k + 2], "a date's part") for k in (1, 4, 7, 10, 13))
    year += 1900 if year >= 80 else 2000
    gps_ns = epoch_time_ns((year, month, day, hour, minute, number(line[15:26], "the second")), scale)
    rows = -(-count // 12)
    text = "".join(f"{lines[place + k]:68}"[32:68] for k in range(rows))
    names = [text[3 * k : 3 * k + 3] for k in range(count)]
    names = [(name[0].strip() or system) + name[1:].replace(" ", "0") for name in names]
    for name in names:
        if not name[1:].isdigit():
            raise ValueError(f"'{name}' is no satellite")
    return gps_ns, flag, names, place + rows


def _next_head(lines: list[str], place: int) -> int:
    """Return the next line that looks like the head of an epoch."""
    while place < len(lines) and not (
        lines[place][:1] == " " and lines[place][1:3].strip().isdigit() and lines[place][18:19] == "."
    ):
        place += 1
    return place


def _satellite(name: str, block: str, types: list[str]) -> list[tuple[object, ...]]:
    values: dict[str, tuple[float, str]] = {}
    for k, kind in enumerate(types):
        text = block[16 * k : 16 * k + 14]
        if text.strip():
            values[kind] = number(text, kind), block[16 * k + 14]
    rows = []
    for kind, code in _CODES.items():
        if kind in values and (name[0] in "GREC"):
            band = kind[1]
            try:
                frequency = frequency_hz(name[0], band, 0)
            except KeyError:
                continue
            each = {"C": values[kind], **{letter: values[letter + band] for letter in "LDS" if letter + band in values}}
            rows.append(observation(name, code, frequency, 0, each))
    return rows
