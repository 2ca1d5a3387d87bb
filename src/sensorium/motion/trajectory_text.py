"""Reading text files of records: lines with their numbers, numbers with the reason why they are none, exact times."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path

from sensorium.core.errors import MotionError, did_you_mean

_MOST_NS = 4 * 10**18  # so that the difference of two times fits 64 bits


def text_of(path: Path) -> str:
    """Return the whole text of a file."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        folder = path.absolute().parent
        known = [entry.name for entry in folder.iterdir()] if folder.is_dir() else []
        raise MotionError(f"there is no trajectory file '{path}'.{did_you_mean(path.name, known)}") from None
    except UnicodeDecodeError as error:
        raise MotionError(f"{path}: is not a text file (byte {error.start} is not UTF-8)") from None
    except OSError as error:
        raise MotionError(f"{path}: cannot be read: {error.strerror}") from None


def records_of(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield line number and words of each line that is neither empty nor a comment (#)."""
    for number, line in enumerate(text_of(path).splitlines(), 1):
        words = line.split()
        if words and not words[0].startswith("#"):
            yield number, words


def damaged(path: Path, line: int, what: str) -> MotionError:
    """Return the error of a line, to be raised."""
    return MotionError(f"{path}:{line}: {what}")


def numbers(path: Path, line: int, words: Sequence[str], names: Sequence[str]) -> list[float]:
    """Return the finite numbers of the words, one for each name."""
    values = []
    for word, name in zip(words, names, strict=True):
        try:
            value = float(word)
        except ValueError:
            raise damaged(path, line, f"{name} must be a number, found '{word}'") from None
        if not math.isfinite(value):
            raise damaged(path, line, f"{name} must be finite, found '{word}'; remove the record")
        values.append(value)
    return values


def time_ns(path: Path, line: int, word: str, digits: int = 9) -> int:
    """Return a decimal time as whole nanoseconds, exactly; the unit of the word is 10^digits ns.

    A float would not do: 1 700 000 000 s since 1970 leaves it steps of 240 ns.
    """
    try:
        time = Decimal(word).scaleb(digits)
        if time.is_finite() and abs(time) <= _MOST_NS:
            return int(time.to_integral_value())
    except InvalidOperation:
        pass
    raise damaged(path, line, f"the time must be a number of seconds below {_MOST_NS // 10**9}, found '{word}'")
