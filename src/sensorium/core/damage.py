"""What is wrong in a file that is otherwise used: file, line, reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from sensorium.core.errors import ConfigurationError

T = TypeVar("T")


@dataclass(frozen=True)
class Damage:
    """A place in a file that could not be used."""

    file: str
    line: int
    """Counted from 1."""
    reason: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.reason}"


def text_lines(path: str | Path) -> list[str]:
    """Return the lines of a text file without their ends; a file that cannot be read says so."""
    try:
        return Path(path).read_text("ascii", errors="replace").splitlines()
    except OSError as error:
        raise ConfigurationError(f"cannot read {path}: {error.strerror or error}") from None


def number(text: str, what: str) -> float:
    """Return a number of a Fortran field, in which an exponent may be a D; blank is 0."""
    stripped = text.strip()
    if not stripped:
        return 0.0
    try:
        return float(stripped.replace("D", "E").replace("d", "e"))
    except ValueError:
        raise ValueError(f"{what} should be a number, found '{stripped}'") from None


def whole(text: str, what: str) -> int:
    """Return a whole number of a field."""
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{what} should be a whole number, found '{text.strip()}'") from None


def labelled(lines: list[str]) -> Iterator[tuple[int, str, str]]:
    """Yield line number from 1, content and label of each line of a RINEX header, up to its end."""
    for place, line in enumerate(lines, 1):
        label = line[60:].strip()
        yield place, line[:60], label
        if label == "END OF HEADER":
            return


def damaged(file: str, found: list[Damage], line: int, read: Callable[[], T]) -> T | None:
    """Return what `read` makes of a line; if it cannot, note the damage and return None."""
    try:
        return read()
    except (ValueError, IndexError, KeyError, OverflowError) as error:
        found.append(Damage(file, line, str(error)))
        return None
