"""The journal of a campaign: one line per finished run, so that it resumes where it stopped; and the table at the end."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from sensorium.core.errors import MissingExtraError, RecordingError


@dataclass(frozen=True)
class Finished:
    """One run that is over, well or badly."""

    number: int
    values: dict[str, Any]
    """What varied and what was swept, by path."""
    seed: int
    run: int
    """Seed and repetition under which the run can be repeated alone."""
    row: dict[str, Any] | None
    """What was measured; None: it failed."""
    error: str = ""
    trace: str = ""
    attempts: int = 1


class Journal:
    """Appends finished runs to a file; a line that was cut off by a crash is dropped when it is read again."""

    def __init__(self, path: Path, fingerprint: str) -> None:
        self.path = path
        self.known = {one.number: one for one in _read(path, fingerprint)} if path.exists() else {}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _drop_half_line(path)
            self._file: IO[bytes] = path.open("ab")
        except OSError as error:
            raise RecordingError(f"cannot write {path}: {error.strerror or error}; choose another folder") from error
        if path.stat().st_size == 0:
            self._write({"fingerprint": fingerprint})

    def add(self, one: Finished) -> None:
        """Keep a run; it is on the disk when this returns."""
        self._write(vars(one))
        self.known[one.number] = one

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _write(self, entry: dict[str, Any]) -> None:
        self._file.write(json.dumps(entry).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())


def _drop_half_line(path: Path) -> None:
    if path.exists():
        data = path.read_bytes()
        if data and not data.endswith(b"\n"):
            with path.open("r+b") as file:
                file.truncate(data.rfind(b"\n") + 1)


def _read(path: Path, fingerprint: str) -> Iterator[Finished]:
    lines = [line for line in path.read_bytes().split(b"\n")[:-1] if line]
    for number, line in enumerate(lines):
        try:
            entry = json.loads(line)
            if number == 0:
                kept = entry["fingerprint"]
            else:
                yield Finished(**entry)
        except (ValueError, TypeError, KeyError) as error:
            raise RecordingError(
                f"{path}:{number + 1} is damaged: {error}; move the file away to start anew"
            ) from error
        if number == 0 and kept != fingerprint:
            what = "is the journal of another study, or the study file has changed since"
            raise RecordingError(f"{path} {what}; choose another folder with --out, or remove it to start anew")


def write_table(path: Path, finished: list[Finished]) -> Path:
    """Write all runs that went well as one Parquet table, in the order of their numbers; the same runs make the same bytes.

    Columns: run, seed, repetition, what varied by its path, what was measured.
    """
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtraError("pyarrow", "campaign", "a campaign's table") from error
    good = sorted((one for one in finished if one.row is not None), key=lambda one: one.number)
    rows = [
        {"run": one.number, "seed": one.seed, "repetition": one.run, **one.values, **(one.row or {})} for one in good
    ]
    names = dict.fromkeys(name for row in rows for name in row)
    columns = {name: _column([row.get(name) for row in rows]) for name in names}
    part = path.with_suffix(".part")
    parquet.write_table(pa.table(columns), part)
    os.replace(part, path)
    return path


def _column(values: list[Any]) -> list[Any]:
    """Return values of one kind: numbers, texts, truths; anything else, and a mixture, as JSON texts."""
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {int, float}:
        return [None if value is None else float(value) for value in values] if float in kinds else values
    return values if kinds in ({str}, {bool}) else [None if value is None else json.dumps(value) for value in values]
