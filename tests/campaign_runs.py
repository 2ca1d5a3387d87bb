"""Runs for tests of campaigns, called by name in processes of their own."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any


def square(task: dict[str, Any]) -> dict[str, Any]:
    return {"square": task["number"] ** 2, "name": f"run {task['number']}", "even": task["number"] % 2 == 0}


def troubled(task: dict[str, Any]) -> dict[str, Any]:
    """Run 1 raises, 2 crashes, 3 hangs, 4 prints and fails once; the others go well."""
    number = task["number"]
    if number == 1:
        raise ValueError("no luck")
    if number == 2:
        os.kill(os.getpid(), signal.SIGSEGV)
    if number == 3:
        time.sleep(3600)
    if number == 4:
        print("a word on the standard output")
        mark = Path(task["folder"]) / "tried"
        if not mark.exists():
            mark.touch()
            raise ValueError("once")
    return square(task)


def slow(task: dict[str, Any]) -> dict[str, Any]:
    """Takes a moment, and leaves a mark with its process."""
    with (Path(task["folder"]) / f"started_{task['number']}").open("a") as file:
        file.write(f"{os.getpid()}\n")
    time.sleep(0.4)
    return square(task)


def busy(task: dict[str, Any]) -> dict[str, Any]:
    """Needs a fifth of a second of one core."""
    until = time.process_time() + 0.2
    while time.process_time() < until:
        pass
    return square(task)
