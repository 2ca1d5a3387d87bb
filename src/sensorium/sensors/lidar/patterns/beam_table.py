"""Reading a text table of beams, and telling where it is wrong."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sensorium.core.errors import ConfigurationError, Problem, did_you_mean, shown
from sensorium.core.units import UNITS

Floats = NDArray[np.float64]
_MOST_TOLD = 20
_UNITS = {"time": ("s", "ms", "us", "ns"), "azimuth": ("rad", "mrad", "deg"), "elevation": ("rad", "mrad", "deg")}
_UNITS["zenith"] = _UNITS["elevation"]
_NAMES = {f"{quantity}_{unit}": (quantity, UNITS[unit][1]) for quantity, units in _UNITS.items() for unit in units}
_NAMES["ring"] = ("ring", 1.0)
_WANTED = {("time",): "time_s", ("azimuth",): "azimuth_deg", ("elevation", "zenith"): "elevation_deg or zenith_deg"}


@dataclass(frozen=True, eq=False)
class BeamTable:
    """M beams in the order of their times."""

    time_s: Floats
    azimuth_rad: Floats
    elevation_rad: Floats
    ring: NDArray[np.uint16]


def read_beam_table(path: Path, period_s: float) -> BeamTable:
    """Read a table; ONE ConfigurationError names every line that is wrong, up to twenty of them."""
    lines = _lines_of(path)
    if not lines:
        raise ConfigurationError(f"{path.name} is empty; expected a header such as time_s,azimuth_deg,elevation_deg")
    (header_number, header), rows = lines[0], lines[1:]
    separator = max(",;\t", key=header.count)
    columns = _columns_of(header, separator, f"{path.name}:{header_number}")
    if not rows:
        raise ConfigurationError(f"{path.name} holds a header and no beam; write one row per beam")
    numbers = np.array([number for number, _ in rows])
    cells = _cells_of([row for _, row in rows], numbers, separator, columns, path.name)
    values = {quantity: cells[:, i] * factor for i, (_, quantity, factor) in enumerate(columns)}
    if "zenith" in values:
        values["elevation"] = math.pi / 2 - values.pop("zenith")
    _refuse_impossible(values, numbers, period_s, path.name)
    order = np.argsort(values["time"], kind="stable")
    ring = values.get("ring", np.zeros(len(order))).astype(np.uint16)
    return BeamTable(values["time"][order], values["azimuth"][order], values["elevation"][order], ring[order])


def _lines_of(path: Path) -> list[tuple[int, str]]:
    """Return the lines that are neither empty nor comments, with their numbers in the file."""
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise ConfigurationError(f"'{path}' cannot be opened: {error.strerror}") from None
    except UnicodeDecodeError as error:
        found = f"byte {error.start} is {error.object[error.start]:#04x}"
        raise ConfigurationError(f"{path.name} is not text in UTF-8: {found}") from None
    lines = enumerate(text.split("\n"), 1)
    return [(number, line.strip()) for number, line in lines if line.strip() and not line.lstrip().startswith("#")]


def _columns_of(header: str, separator: str, place: str) -> list[tuple[str, str, float]]:
    """Return (name, quantity, factor to SI) of every column."""
    names = [cell.strip().strip('"').lower().replace("/", "_").replace(" ", "") for cell in header.split(separator)]
    problems = [f"'{name}' is not a column.{did_you_mean(name, _NAMES)}" for name in names if name not in _NAMES]
    columns = [(name, *_NAMES[name]) for name in names if name in _NAMES]
    found = [quantity for _, quantity, _ in columns]
    for wanted, example in _WANTED.items():
        count = sum(found.count(quantity) for quantity in wanted)
        if count != 1 and not problems:
            problems.append(f"expected one column {example}, found {count}")
    if found.count("ring") > 1:
        problems.append(f"expected at most one column ring, found {found.count('ring')}")
    if problems:
        raise ConfigurationError([Problem("", f"{place}: {what}") for what in problems])
    return columns


def _cells_of(
    rows: list[str], numbers: NDArray[np.int64], separator: str, columns: list[tuple[str, str, float]], name: str
) -> Floats:
    """Return the numbers [M, columns]; the slow way, which knows the lines, is taken only where the fast one fails."""
    try:
        cells = np.loadtxt(rows, np.float64, comments=None, delimiter=separator, quotechar='"', ndmin=2)
        if cells.shape == (len(rows), len(columns)):
            return cells
    except ValueError:
        pass
    heads = [column for column, _, _ in columns]
    problems = [
        f"{name}:{number}: {what}"
        for number, row in zip(numbers, rows, strict=True)
        for what in _wrong_cells(next(csv.reader([row], delimiter=separator), []), heads)
    ]
    raise _all_of(problems or [f"{name}: the rows cannot be read as numbers"])


def _wrong_cells(cells: list[str], heads: list[str]) -> Iterator[str]:
    if len(cells) != len(heads):
        yield f"expected {len(heads)} cells as in the header, found {len(cells)}"
        return
    for head, cell in zip(heads, cells, strict=True):
        if not _is_number(cell):
            yield f"{head}: expected a number, found {shown(cell.strip())}"


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return "_" not in cell


def _refuse_impossible(values: dict[str, Floats], numbers: NDArray[np.int64], period_s: float, name: str) -> None:
    """Tell the lines whose numbers no beam can have."""
    time, elevation = values["time"], values["elevation"]
    ring = values.get("ring", np.zeros(1))
    finite = np.all([np.isfinite(column) for column in values.values()], axis=0)
    broken = (ring < 0) | (ring > 65535) | (ring != np.floor(ring))
    checks = (
        (~finite, "holds a number that is not finite"),
        (finite & (time < 0), "its time is negative; times count from the start of the period"),
        (finite & (time >= period_s), f"its time is not inside the period; period_s is {period_s:g} s"),
        (finite & (np.abs(elevation) > math.pi / 2 + 1e-9), "its elevation is beyond 90 deg"),
        (finite & broken, "its ring is not a whole number from 0 to 65535"),
    )
    wrong = [(int(numbers[row]), what) for mask, what in checks for row in np.flatnonzero(mask)[: _MOST_TOLD + 1]]
    if wrong:
        raise _all_of([f"{name}:{number}: {what}" for number, what in sorted(wrong)])


def _all_of(problems: list[str]) -> ConfigurationError:
    told = problems[:_MOST_TOLD]
    if len(problems) > _MOST_TOLD:
        told.append(f"... and more of the same kind after {_MOST_TOLD} problems")
    return ConfigurationError([Problem("", what) for what in told])
