"""Keeps a cell for the runs of one worker: starts it, asks it, kills it when it hangs, starts it again."""

from __future__ import annotations

import atexit
import json
import os
import select
import subprocess
import sys
import tempfile
from time import monotonic
from typing import IO, Any

_ONE_THREAD = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""A worker is one core: what is inside a run must not spread over the cores of the other workers."""
_LOG_TAIL = 2000


class Confinement:
    """One cell at a time, used by one thread."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._log: IO[bytes] | None = None
        self._rest = b""
        atexit.register(self.close)

    def ask(self, callable_name: str, task: dict[str, Any], time_limit_s: float) -> dict[str, Any]:
        """Return the row of a run, or what went wrong: {"row": ...} or {"error": ..., "trace": ...}."""
        process = self._running()
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps({"callable": callable_name, "task": task}).encode() + b"\n")
            process.stdin.flush()
            line = self._line(process, monotonic() + time_limit_s)
        except BrokenPipeError:
            line = b""
        if line is None:
            self.close()
            return {"error": f"took longer than {time_limit_s:g} s and was killed", "trace": ""}
        if not line:
            status, said = process.wait(), self._said()
            self.close()
            how = f"signal {-status}" if status < 0 else f"exit status {status}"
            return {"error": f"the process of the run ended with {how}", "trace": said}
        found: dict[str, Any] = json.loads(line)
        return found

    def close(self) -> None:
        """Kill the cell, if there is one."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout, self._log):
                if pipe is not None:
                    pipe.close()
        self._process, self._rest = None, b""

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self.close()
            self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the cell
            environment = {**os.environ, **dict.fromkeys(_ONE_THREAD, "1")}
            self._process = subprocess.Popen(
                [sys.executable, "-m", "sensorium.campaigns.cell"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, env=environment, bufsize=0,
            )  # fmt: skip
        return self._process

    def _line(self, process: subprocess.Popen[bytes], until: float) -> bytes | None:
        """Return the next line, empty if the cell has ended, None if the time is over."""
        assert process.stdout is not None
        while b"\n" not in self._rest:
            if not select.select([process.stdout], [], [], max(0.0, until - monotonic()))[0]:
                return None
            more = os.read(process.stdout.fileno(), 1 << 16)
            if not more:
                return b""
            self._rest += more
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    def _said(self) -> str:
        assert self._log is not None
        self._log.seek(0, os.SEEK_END)
        self._log.seek(max(0, self._log.tell() - _LOG_TAIL))
        return self._log.read().decode(errors="replace")
