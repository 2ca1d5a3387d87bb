"""Where the bytes of a Rerun stream go: through a pipe into a file, with no more than a scan or two in memory.

An RRD file ends with a table of where its chunks are, counted from the start of the file. Only a sink of Rerun's own
knows these places: the pieces of `RecordingStream.binary_stream` are whole files, one each, and behind one another they
are no file. But Rerun's file sink waits for ever when the disk is full (0.41). So it writes into a pipe, and the other
end of the pipe writes the file and says what went wrong.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_PIECE = 1 << 20


@contextlib.contextmanager
def sink_to(stream: Any, path: Path) -> Iterator[None]:
    """Send what is logged to a Rerun stream inside the block to a file; OSError where it cannot be written.

    Rerun queues without limit what is logged: `stream.flush()` now and then lets the file catch up.
    """
    if sys.platform == "win32":  # there, a pipe has no name that a program may open
        stream.save(path)
        try:
            yield
        finally:
            stream.disconnect()
        return
    with path.open("wb", buffering=0) as file:
        reading, writing = os.pipe()
        writer = _Writer(reading, file.fileno())
        try:
            try:
                stream.save(f"/dev/fd/{writing}")
            finally:
                os.close(writing)
            yield
        finally:
            stream.disconnect()  # closes the pipe, which ends the writer
            writer.join()
    if writer.failure is not None:
        raise writer.failure


class _Writer(threading.Thread):
    """Copies a pipe to a file until the pipe ends; after a failure it only empties the pipe, so that nobody waits."""

    def __init__(self, pipe: int, file: int) -> None:
        super().__init__(name="rerun file", daemon=True)
        self._pipe, self._file = pipe, file
        self.failure: OSError | None = None
        self.start()

    def run(self) -> None:
        """Copy."""
        try:
            while piece := os.read(self._pipe, _PIECE):
                self._write(memoryview(piece))
        finally:
            os.close(self._pipe)

    def _write(self, rest: memoryview) -> None:
        try:
            while rest and self.failure is None:
                rest = rest[os.write(self._file, rest) :]
        except OSError as error:
            self.failure = error
