"""A process in which runs happen, so that one that crashes or hangs takes nothing else with it.

`python -m sensorium.campaigns.cell` reads one task per line from its input and writes one answer per line, both JSON:
{"callable": "module:function", "task": {...}} -> {"row": {...}} or {"error": "...", "trace": "..."}. The process stays, so that
compiled code and read files serve many runs. It ends when its input ends, even in the middle of a run.
"""

from __future__ import annotations

import importlib
import json
import os
import queue
import signal
import sys
import threading
import traceback
from typing import Any, BinaryIO

from sensorium.core.errors import SensoriumError


def answer(question: dict[str, Any]) -> dict[str, Any]:
    """Call the callable with the task; whatever it raises becomes an answer."""
    module, _, name = question["callable"].partition(":")
    try:
        return {"row": getattr(importlib.import_module(module), name)(question["task"])}
    except SensoriumError as error:
        return {"error": str(error), "trace": ""}
    except Exception as error:  # a run may raise anything, and the campaign must go on
        return {"error": f"{type(error).__name__}: {error}", "trace": traceback.format_exc()}


def serve(questions: BinaryIO, answers: BinaryIO) -> None:
    """Answer until the questions end."""
    waiting: queue.Queue[bytes] = queue.Queue()
    threading.Thread(target=_listen, args=(questions, waiting), daemon=True).start()
    while True:
        found = answer(json.loads(waiting.get()))
        answers.write(json.dumps(found, default=_plain).encode() + b"\n")
        answers.flush()


def _listen(questions: BinaryIO, waiting: queue.Queue[bytes]) -> None:
    """Pass lines on; the end of the input is the end of whoever asks, so nobody waits for the run any more."""
    for line in questions:
        waiting.put(line)
    os.kill(os.getpid(), signal.SIGKILL)


def _plain(value: Any) -> Any:
    """Return numbers of NumPy as plain ones."""
    return value.item()


if __name__ == "__main__":
    wire = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a run prints goes to the log, not between the answers
    sys.stdout = sys.stderr
    serve(sys.stdin.buffer, wire)
